/* Reports the height of the content to the host page, and makes elements that scroll focusable. */
(() => {
  const content = document.getElementById('embed');
  const [id] = location.hostname.split('.');
  /*
   * WordPress adds it to the URL of the iframe, and accepts only messages that contain it (its wp-embed.js). A link replaces it in
   * the URL, so the name of the window keeps it for the pages that follow.
   */
  const SECRET = /^#\?secret=([a-z0-9]+)$/i;
  if (SECRET.test(location.hash)) window.name = location.hash;
  const [, secret] = SECRET.exec(window.name) ?? [];

  /* The caption, or else the heading above. */
  const nameOf = (element) => {
    const isAbove = (heading) => heading.compareDocumentPosition(element) & 4;
    return (
      element.querySelector('caption') ?? [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')].findLast(isAbove)
    );
  };

  const updateFocusability = () => {
    for (const element of content.querySelectorAll('pre, math, .embed-table')) {
      /* Formulas paint above and below their boxes, and do not scroll there. */
      const isScrolled =
        element.scrollWidth > element.clientWidth ||
        (element.matches('.live') && element.scrollHeight > element.clientHeight);
      if (isScrolled) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
      if (element.localName === 'math') continue;
      element.role = isScrolled ? 'group' : null;
      element.ariaLabel = isScrolled ? nameOf(element)?.textContent.trim() : null;
    }
  };

  const postToWordPress = (message, value) => {
    if (secret) parent.postMessage({ message, value, secret }, '*');
  };

  /* '*' because any page may be the host, and a height is no secret. A hidden frame has the height 0. */
  const postHeight = () => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (parent === window || height === 0) return;
    parent.postMessage({ type: 'embed-gateway:height', id, height }, '*');
    postToWordPress('height', height);
  };

  /* From then on pictures have their natural size, and a small main picture is not enlarged. */
  const releaseBoxes = () => {
    for (const image of content.querySelectorAll('.unsized')) if (image.complete) image.classList.remove('unsized');
    for (const picture of content.querySelectorAll('.hero:not([height]), .card > img'))
      picture.classList.toggle('small', picture.naturalWidth * 1.5 < picture.clientWidth);
  };

  /* A picture that does not load leaves no gap, and a text in its place takes only its own room. */
  const drop = (image) => {
    if (image.alt) image.className = 'missing';
    else image.remove();
  };

  const report = () => {
    releaseBoxes();
    updateFocusability();
    postHeight();
  };

  /* Observes nothing in off-screen frames, which browsers do not render; the events below cover those. */
  new ResizeObserver(report).observe(content);

  report();
  /* Those that failed before this script ran. */
  for (const image of content.querySelectorAll('img'))
    if (image.complete && !image.naturalWidth) image.decode().catch(() => drop(image));
  document.addEventListener('load', report, true);
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target.localName === 'img') drop(target);
      report();
    },
    true,
  );
  document.fonts.addEventListener('loadingdone', report);
  document.addEventListener('updated', report);

  /* The script of the host page may load after the first report. */
  addEventListener('message', ({ data, source }) => {
    if (source === parent && (data?.type === 'embed-gateway:measure' || (secret && data?.message === 'ready')))
      postHeight();
  });

  /* A fragment alone scrolls only the frame, but not the page around it. */
  const scrollToTarget = ({ hash }) => {
    try {
      document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
    } catch {
      /* No valid encoding. */
    }
  };
  /* The links that the reader has followed, by the fragments from which they led away. */
  const followed = new Map();
  let next;
  addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    if (link.hash !== location.hash) followed.set(location.hash, link);
    next = link.hash;
    /* After the browser has opened the details that contain the target. */
    setTimeout(scrollToTarget, 0, link);
  });
  /* Back and Forward scroll only the frame too. */
  addEventListener('hashchange', () => {
    const { hash } = location;
    const hasScrollBar = document.documentElement.scrollHeight > innerHeight + 1;
    if (hash !== next && parent !== window && !hasScrollBar) {
      const last = followed.get(hash);
      /* An update may have replaced it. */
      const isSame = (one) => one === last || (!last?.isConnected && one.outerHTML === last?.outerHTML);
      const link = [...content.querySelectorAll('a')].find(isSame);
      link?.focus({ preventScroll: true });
      /* The panel with the contents may be closed. */
      if (link) (link.closest('[hidden]')?.parentElement ?? link).scrollIntoView({ block: 'center' });
      else scrollToTarget(location);
    }
    next = undefined;
  });
  /* A link of a part leads to the whole page. Its host page fits the frame at once, or never. */
  if (location.pathname === '/whole' && performance.getEntriesByType('navigation')[0]?.type === 'navigate')
    addEventListener('resize', () => scrollToTarget(location), { once: true, signal: AbortSignal.timeout(3_000) });

  /*
   * The sandbox of WordPress allows no new tabs. Its script opens URLs on the host of the embed only, so the path below
   * redirects to the source page.
   */
  if (secret && origin === 'null') {
    addEventListener('click', (event) => {
      const link = event.target.closest('a');
      if (!link || link.href !== document.querySelector('[rel=canonical]')?.href) return;
      event.preventDefault();
      postToWordPress('link', new URL('/original', location).href);
    });
  }
})();
