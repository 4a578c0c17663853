/*
 * Takes a new version of the page into the open frame. While the frame is on a screen, it asks for the page again, with the tag
 * of the version that it shows. Only nodes that differ are replaced, and the text that the reader looks at stays in its place.
 * A version that needs other scripts is loaded again. Runs before the scripts that change the content.
 */
(() => {
  const PENDING_MS = 1_000;
  const PENDING_CHECKS = 20;
  const MAX_DEPTH = 8;
  /* The script of tables replaces parts of a table, so a table is one node here. */
  const CONTAINERS = 'header, main, article, footer, section, ul, ol, dl, div:not(.embed-table)';
  const root = document.documentElement;
  const content = document.getElementById('embed');
  const status = document.getElementById('live');
  /* A proxy that changes the page would let it reload for ever. */
  const isReloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
  const isPending = content.querySelector('.pending') && !isReloaded;
  let { tag } = root.dataset;
  let checks = 0;
  let isOnScreen = false;
  let isDue = false;

  const capture = (parent, depth = 0) =>
    [...parent.childNodes].map((node) => ({
      node,
      text: node.outerHTML ?? node.data,
      inner: depth < MAX_DEPTH && node.matches?.(CONTAINERS) ? capture(node, depth + 1) : null,
    }));
  let nodes = capture(content);

  const isTable = ({ node }) => node.matches?.('.embed-table');
  const startTagOf = ({ text }) => text.slice(0, text.indexOf('>'));

  /* The player that the reader has started is in the place of its link. */
  const shownOf = ({ node }) => node.player ?? node;

  /* Returns the nodes of the parent: those with an equal text stay as they are. */
  const merge = (parent, old, next) => {
    const last = new Map(next.map(({ text }, i) => [text, i]));
    let at = 0;
    const merged = next.map((one, i) => {
      /* Blank texts are all equal, and none of them is worth keeping. */
      const isLater = ({ text }) => text.trim() && last.get(text) > i;
      const found = old.findIndex(({ text }, j) => j >= at && text === one.text);
      const isSoon = (other) => isLater(other) && last.get(other.text) - i <= found - at;
      if (found >= 0 && !old.slice(at, found).some(isSoon)) {
        while (at < found) shownOf(old[at++]).remove();
        return old[at++];
      }
      const current = old[at];
      if (current?.inner && one.inner && startTagOf(current) === startTagOf(one) && !isLater(current)) {
        at += 1;
        return { ...one, node: current.node, inner: merge(current.node, current.inner, one.inner) };
      }
      /* A table takes the place of its former version, and so keeps the tools before it. */
      const former = isTable(one) && old.slice(at).find((other) => isTable(other) || isLater(other));
      if (former && !isLater(former)) {
        while (old[at] !== former) shownOf(old[at++]).remove();
        old[at++].node.replaceWith(one.node);
        return one;
      }
      const following = old.slice(at).find((other) => shownOf(other).parentNode === parent);
      const place = following && shownOf(following);
      const tools = place?.previousElementSibling;
      parent.insertBefore(one.node, (tools?.matches('.table-tools') ? tools : place) ?? null);
      return one;
    });
    while (at < old.length) shownOf(old[at++]).remove();
    return merged;
  };

  /* What cannot be replaced in an open page: its attributes, scripts and fonts, and the players that its policy allows. */
  const playersOf = (page) =>
    [...new Set([...page.querySelectorAll('[data-frame]')].map(({ dataset }) => dataset.frame.split('/')[2]))].sort();
  const players = String(playersOf(document));
  const codeOf = (page) => {
    const { lang, dir, dataset } = page.documentElement;
    const codes = [...page.querySelectorAll('script, [rel=stylesheet]')];
    return [lang, dir, dataset.mode, ...codes.map(({ href, textContent }) => href ?? textContent)].join();
  };

  /* The policy allows new styles only in this form. */
  const takeStyles = (styles) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [sheet];
    for (const style of document.querySelectorAll('style')) style.remove();
  };

  /* The highest visible place of the content, also in a frame that is as high as its content. */
  const findVisibleTop = () =>
    new Promise((resolve) => {
      const observer = new IntersectionObserver(([{ intersectionRect }]) => {
        observer.disconnect();
        resolve(intersectionRect.top);
      });
      observer.observe(content);
    });

  /* Details and tables, with what the reader has opened or scrolled. */
  const boxesIn = () =>
    [...content.querySelectorAll('details, .embed-table')].map((node) => {
      const { open, scrollTop, scrollLeft } = node;
      return { node, state: { open, scrollTop, scrollLeft } };
    });

  const nameOf = ({ node }) => node.querySelector('summary, tr')?.textContent;

  /* Those that are new are as the ones before, with the same summary or head. */
  const restore = (before) => {
    const gone = before.filter(({ node }) => !node.isConnected);
    for (const box of boxesIn()) {
      if (before.some(({ node }) => node === box.node)) continue;
      const at = gone.findIndex((one) => nameOf(one) === nameOf(box));
      if (at >= 0) Object.assign(box.node, gone.splice(at, 1)[0].state);
    }
  };

  const take = async (page, styles) => {
    document.dispatchEvent(new CustomEvent('received', { detail: page }));
    if (codeOf(page) !== codeOf(document) || String(playersOf(page)) !== players) return location.reload();
    const top = await findVisibleTop();
    const hasScrollBar = root.scrollHeight > innerHeight + 1;
    const visible = [...content.querySelectorAll('main :is(p, li, h2, h3, h4, pre, tr, img)')]
      .map((node) => ({ node, at: node.getBoundingClientRect() }))
      .filter(({ at }) => at.height && at.bottom > top)
      .slice(0, 50);
    const boxes = boxesIn();
    const focused = document.activeElement;
    root.style.overflowAnchor = 'none';
    takeStyles(styles);
    nodes = merge(content, nodes, capture(document.adoptNode(page.getElementById('embed'))));
    document.title = page.title;
    tag = page.documentElement.dataset.tag;
    document.dispatchEvent(new Event('updated'));
    /* The table was removed, or has no tools any more. */
    for (const tools of content.querySelectorAll('.table-tools'))
      if (!tools.nextElementSibling?.matches('.live')) tools.remove();
    restore(boxes);
    /* A new version of the link or button that had the focus. */
    if (!focused.isConnected)
      [...content.querySelectorAll(focused.localName)]
        .find(({ outerHTML }) => outerHTML === focused.outerHTML)
        ?.focus({ preventScroll: true });
    /* The same node, or else the next visible one that is still there. */
    const kept = visible.find(({ node }) => node.isConnected);
    const moveBy = () => (kept ? kept.node.getBoundingClientRect().top - kept.at.top : 0);
    /* The host page scrolls a frame without a scroll bar, whose top it does not show. */
    if (hasScrollBar) scrollBy({ top: moveBy(), behavior: 'instant' });
    const height = Math.ceil(content.getBoundingClientRect().height);
    const [id] = location.hostname.split('.');
    parent.postMessage(
      { type: 'embed-gateway:height', id, height, shift: top > 0 && !hasScrollBar ? moveBy() : 0 },
      '*',
    );
    requestAnimationFrame(() => root.style.removeProperty('overflow-anchor'));
    status.textContent = status.dataset.text;
  };

  const check = async () => {
    isDue = document.hidden || !isOnScreen;
    if (isDue) return;
    try {
      const response = await fetch(location.href, { headers: { 'if-none-match': `W/"${tag}"` }, cache: 'no-store' });
      /* The embed was deleted: the new page says so, and has no script of this kind. */
      if (response.status === 404 || response.status === 410) return location.reload();
      if (response.status === 200) {
        let styles = '';
        const text = (await response.text()).replace(/<(style)>(.*?)<\/\1>/gs, (_, _name, style) => {
          styles += style;
          return '';
        });
        const page = new DOMParser().parseFromString(text, 'text/html');
        const { tag: next } = page.documentElement.dataset;
        if (next && next !== tag && !page.querySelector('.pending')) await take(page, styles);
      }
    } catch {
      /* A sandbox without an origin may not read the page. */
      if (origin === 'null') return;
    }
    wait();
  };

  const wait = () => {
    checks += 1;
    setTimeout(check, isPending && checks <= PENDING_CHECKS ? PENDING_MS : Number(status.dataset.interval));
  };

  const resume = () => {
    if (isDue) check();
  };
  new IntersectionObserver((entries) => {
    isOnScreen = entries.at(-1).isIntersecting;
    resume();
  }).observe(content);
  document.addEventListener('visibilitychange', resume);
  wait();
})();
