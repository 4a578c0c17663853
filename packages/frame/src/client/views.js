/*
 * Reports a view once a part of the content was on the screen for a second, and a read when the page is left after a part
 * of the second half of the article was on the screen. Stores nothing in the browser. A site that names the frame
 * `uncounted`, as the console does, turns it off.
 */
(() => {
  if (navigator.globalPrivacyControl || window.name === 'uncounted') return;
  const content = document.getElementById('embed');
  const article = document.querySelector('article');
  const half = document.createElement('i');
  const view = Math.random().toString(36).slice(2);
  let site;
  let timer;
  let isOnScreen = false;
  let hasHalf = false;
  let isCounted = false;
  let isRead = false;

  /* The host only. A page in a tab of its own, or in a file, has none. */
  try {
    if (parent !== window) site = new URL(location.ancestorOrigins?.[0] ?? document.referrer).hostname || undefined;
  } catch {}

  const report = (read) => navigator.sendBeacon('/views', JSON.stringify({ view, site, read }));

  const countReading = () => {
    if (isCounted && hasHalf && !isRead) isRead = report(true);
  };

  const watch = () => {
    if (document.hidden) countReading();
    if (isOnScreen && !document.hidden) {
      timer ??= setTimeout(() => {
        isCounted ||= report();
      }, 1_000);
    } else {
      clearTimeout(timer);
      timer = undefined;
    }
  };

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries) {
        if (target === content) isOnScreen = intersectionRatio > 0;
        else if (intersectionRatio > 0) hasHalf = true;
      }
      watch();
    },
    { threshold: 0.001 },
  );
  observer.observe(content);
  if (article) {
    article.style.position = 'relative';
    half.style.cssText = 'position:absolute;inset:50% auto 0;width:1px;pointer-events:none';
    article.append(half);
    observer.observe(half);
  }
  document.addEventListener('visibilitychange', watch);
  addEventListener('pagehide', countReading);
})();
