/* Reports the height of the content to the host page, and makes elements that scroll sideways focusable. */
(() => {
  const content = document.getElementById('embed');
  const [id] = location.hostname.split('.');

  const updateFocusability = () => {
    for (const element of content.querySelectorAll('pre, math, .embed-table')) {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    }
  };

  /* '*' because any page may be the host, and a height is no secret. A hidden frame has the height 0. */
  const postHeight = () => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (parent !== window && height > 0) parent.postMessage({ type: 'embed-gateway:height', id, height }, '*');
  };

  /* From then on they have their natural size. */
  const releaseBoxes = () => {
    for (const image of content.querySelectorAll('.unsized')) if (image.complete) image.classList.remove('unsized');
  };

  const report = () => {
    releaseBoxes();
    updateFocusability();
    postHeight();
  };

  /* Observes nothing in off-screen frames, which browsers do not render; the events below cover those. */
  new ResizeObserver(report).observe(content);

  report();
  document.addEventListener('load', report, true);
  document.addEventListener('error', report, true);
  document.fonts.addEventListener('loadingdone', report);

  /* The script of the host page may load after the first report. */
  addEventListener('message', ({ data, source }) => {
    if (source === parent && data?.type === 'embed-gateway:measure') postHeight();
  });
})();
