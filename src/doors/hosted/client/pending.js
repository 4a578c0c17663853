/* Reloads the page once, when its article is there: until then the page may not be stored. Gives up after 20 checks. */
(() => {
  /* A proxy that changes `Cache-Control` would let the page reload for ever. */
  if (performance.getEntriesByType('navigation')[0]?.type === 'reload') return;
  let checks = 0;

  const check = async () => {
    const response = await fetch(location.href, { method: 'HEAD' }).catch(() => null);
    if (response?.ok && response.headers.get('cache-control') !== 'no-store') location.reload();
    else if (++checks < 20) setTimeout(check, 1_000);
  };

  setTimeout(check, 1_000);
})();
