/*
 * Puts the frame of a player in the place of its link on a click, so that its provider learns nothing before. A click that
 * opens a tab or window works as on any link. YouTube plays only with a referrer, for which the origin is enough.
 * Players do not work in a sandbox without an origin, so links stay links there.
 */
(() => {
  if (window.origin === 'null') return;

  /* Twitch plays only for a frame that names the hosts of all documents around it. */
  const origins = [location.origin, ...(location.ancestorOrigins ?? [])];
  const hosts = origins.map((origin) => `parent=${origin.split('/').at(-1).split(':')[0]}`).join('&');

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a.embed-player');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { frame: source, width, height } = link.dataset;
    const frame = document.createElement('iframe');
    frame.className = link.className;
    frame.title = link.textContent;
    frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
    frame.referrerPolicy = 'strict-origin';
    frame.sandbox =
      'allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation';
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.maxHeight = `${height}px`;
    frame.src = source.replace('parent=*', hosts);
    link.player = frame;
    link.replaceWith(frame);
    frame.focus();
  });
})();
