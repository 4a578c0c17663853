/*
 * Grows and shrinks the iframes of embeds to their content. For the pages that show embeds: include it once or many
 * times, before or after the iframes, which may also come later, and stand in open shadow roots. Plain iframes of an
 * embed's address will do.
 */
(() => {
  if (window.embedGateway) return;
  window.embedGateway = true;

  const MIN_HEIGHT_PX = 40;
  const MAX_HEIGHT_PX = 200_000;
  /* The origin of an embed: its id is the first label of the host name. */
  const EMBED_ORIGIN = /^https?:\/\/[0-7][0-9a-hjkmnp-tv-z]{25}\./;

  const originOf = (frame) => {
    try {
      return new URL(frame.src).origin;
    } catch {
      return '';
    }
  };

  const embedsIn = (root) => [...root.querySelectorAll('iframe')].filter((frame) => EMBED_ORIGIN.test(originOf(frame)));

  /* Roots below others come after them; a page without any is searched by one query. */
  const shadowRootsIn = (root) =>
    [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
    );

  const findEmbed = (matches) =>
    embedsIn(document).find(matches) ?? shadowRootsIn(document).flatMap(embedsIn).find(matches);

  const resize = (frame, contentHeight) => {
    const style = getComputedStyle(frame);
    const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    const outside =
      style.boxSizing === 'border-box' ? edges.reduce((sum, edge) => sum + Number.parseFloat(edge), 0) : 0;
    const height = Math.min(Math.max(contentHeight, MIN_HEIGHT_PX), MAX_HEIGHT_PX) + outside;
    frame.style.height = `${Math.ceil(height)}px`;
  };

  /* The window says which iframe speaks, the origin that the embed is still what stands in it. */
  addEventListener('message', ({ data, origin, source }) => {
    if (data?.type !== 'embed-gateway:height' || !Number.isFinite(data.height) || !EMBED_ORIGIN.test(origin)) return;
    const frame = findEmbed((embed) => embed.contentWindow === source && originOf(embed) === origin);
    if (frame) resize(frame, data.height);
  });

  const ask = () => {
    for (const frame of [document, ...shadowRootsIn(document)].flatMap(embedsIn)) {
      frame.contentWindow?.postMessage({ type: 'embed-gateway:measure' }, '*');
    }
  };

  /* Embeds that were there first have reported to nobody. Those off the screen do not see that they are resized. */
  ask();
  addEventListener('resize', ask);
})();
