/*
 * Fits the height of iframes to the embeds in them. Sites may include it more than once, before or after the iframes,
 * which may be in open shadow roots.
 */
(() => {
  if (window.embedGateway) return;
  window.embedGateway = true;

  const MIN_HEIGHT_PX = 40;
  const MAX_HEIGHT_PX = 200_000;
  /* The id of the embed is the first label of the host name. */
  const EMBED_ORIGIN = /^https?:\/\/[0-7][0-9a-hjkmnp-tv-z]{25}\./;

  const originOf = (frame) => {
    try {
      return new URL(frame.src).origin;
    } catch {
      return '';
    }
  };

  const embedsIn = (root) => [...root.querySelectorAll('iframe')].filter((frame) => EMBED_ORIGIN.test(originOf(frame)));

  const shadowRootsIn = (root) =>
    [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
    );

  const findEmbed = (matches) =>
    embedsIn(document).find(matches) ?? shadowRootsIn(document).flatMap(embedsIn).find(matches);

  const resize = (frame, contentHeight) => {
    const style = getComputedStyle(frame);
    const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    const extraHeight =
      style.boxSizing === 'border-box' ? edges.reduce((sum, edge) => sum + Number.parseFloat(edge), 0) : 0;
    const height = Math.min(Math.max(contentHeight, MIN_HEIGHT_PX), MAX_HEIGHT_PX) + extraHeight;
    frame.style.height = `${Math.ceil(height)}px`;
  };

  /* The source identifies the iframe. The origin proves that it still shows the embed. */
  addEventListener('message', ({ data, origin, source }) => {
    if (data?.type !== 'embed-gateway:height' || !Number.isFinite(data.height) || !EMBED_ORIGIN.test(origin)) return;
    const frame = findEmbed((embed) => embed.contentWindow === source && originOf(embed) === origin);
    if (frame) resize(frame, data.height);
  });

  const requestHeights = () => {
    for (const frame of [document, ...shadowRootsIn(document)].flatMap(embedsIn)) {
      frame.contentWindow?.postMessage({ type: 'embed-gateway:measure' }, '*');
    }
  };

  /* Embeds may have loaded before this script, and off-screen iframes do not observe that they are resized. */
  requestHeights();
  addEventListener('resize', requestHeights);
})();
