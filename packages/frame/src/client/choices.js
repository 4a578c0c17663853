/*
 * Applies the reader's choices before the first paint. Browsers may deny storage to third-party frames. Without JavaScript the
 * controls are hidden.
 */
(() => {
  const root = document.documentElement;
  root.dataset.reader = '';
  try {
    Object.assign(root.dataset, JSON.parse(localStorage.getItem('reader')));
  } catch {}
})();
