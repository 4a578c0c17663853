/* Tells the page around the frame how high the content is, and lets the keyboard reach what scrolls sideways. */
(() => {
  const content = document.getElementById('embed');
  const [id] = location.hostname.split('.');

  const reachScrollers = () => {
    for (const element of content.querySelectorAll('pre, math, .embed-table')) {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    }
  };

  /* A height is no secret, and the page around may be any: hence '*'. Zero is what a hidden frame measures. */
  const postHeight = () => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (parent !== window && height > 0) parent.postMessage({ type: 'embed-gateway:height', id, height }, '*');
  };

  const report = () => {
    reachScrollers();
    postHeight();
  };

  /* Sees all that grows or shrinks, but only on the screen: frames that are off it are not rendered. */
  new ResizeObserver(report).observe(content);

  /* Measuring lays the page out all the same: now, and when a picture, the style of a font or the font has come. */
  report();
  document.addEventListener('load', report, true);
  document.fonts.addEventListener('loadingdone', report);

  /* A script of the page around that came later than the first report asks for it again. */
  addEventListener('message', ({ data, source }) => {
    if (source === parent && data?.type === 'embed-gateway:measure') postHeight();
  });
})();
