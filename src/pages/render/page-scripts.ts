/** Scripts that the service runs in a page, in a JavaScript world of their own, out of reach of the page's scripts. */

const MAX_HTML_LENGTH = 5 * 1024 * 1024;
/** In characters. Shorter texts are never an article. */
const MIN_HIDDEN_TEXT_LENGTH = 250;
/** In characters. Shorter texts of frames are advertisements and forms. */
const MIN_FRAME_TEXT_LENGTH = 250;

/** Attribute of documents that wait until an element is on the screen. */
export const OBSERVES = 'data-embed-observes';

/**
 * Runs before the scripts of each document. Removes what no article needs, so that pages do without it instead of waiting
 * for it, opens closed shadow roots, and marks documents that wait until an element is on the screen.
 */
export const PREPARE_DOCUMENT = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker'])
  delete globalThis[name];
delete Navigator.prototype.serviceWorker;
{
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) { return attach.call(this, { ...options, mode: 'open' }); };
  const observe = IntersectionObserver.prototype.observe;
  IntersectionObserver.prototype.observe = function (target) {
    target?.ownerDocument?.documentElement?.setAttribute('${OBSERVES}', '');
    return observe.call(this, target);
  };
}`;

/** A place in pixels of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The operations on an open page that its renderer uses. */
export interface OpenPage {
  evaluate(expression: string): Promise<unknown>;
  click(point: Point): Promise<void>;
  /** Shows nothing of the page for a moment. */
  blink(): Promise<void>;
  waitUntilStill(): Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Returns the place of a button; null if it is not what is at its place, so that nothing else is clicked. */
export const PLACE_OF = `const placeOf = (button) => {
    button.scrollIntoView({ block: 'center' });
    let { x, y, width, height } = button.getBoundingClientRect();
    x += width / 2;
    y += height / 2;
    for (let one = button; one; one = one.ownerDocument.defaultView.frameElement) {
      if (one !== button) {
        const frame = one.getBoundingClientRect();
        x += frame.x + one.clientLeft;
        y += frame.y + one.clientTop;
      }
      if (!one.contains(one.getRootNode().elementFromPoint(x, y))) return null;
    }
    return { x, y };
  };`;

/** A worker gets the interface only after the pause before its first script, but never in place of a fixed property. */
export const REMOVE_WORKER_INTERFACES = "Object.defineProperty(globalThis, 'WebTransport', { value: undefined });";

/** A document, its shadow roots, which are all open, and those of its visible frames from the same site. */
export const ROOTS = `const FRAME = 'iframe, frame, object';
  const framedBy = (one) => one.matches(FRAME) && one.getClientRects().length > 0 && one.contentDocument?.body ? one.contentDocument : null;
  const rootsIn = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((one) => {
    const inner = one.shadowRoot ?? framedBy(one);
    return inner ? rootsIn(inner) : [];
  })];`;

/** The text of a document or of a shadow root. Elements that are never shown have their source as text. */
const TEXT_OF = `const textOf = (root) => root.body?.innerText ?? [...root.children]
    .map((one) => (one.matches('style, script') ? '' : one.innerText ?? '')).join('');`;

/** Elements whose text is no part of an article, also menus by their names. */
const AROUND =
  'nav, footer, aside, a, button, [role="navigation"], [role="dialog"], [aria-modal="true"], .menu, .nav, .navbar, .sidebar, #nav, #sidebar, [class$="-menu"], [id$="menu"]';
/** A text of at most so many characters with one of these words waits for the article. */
const MAX_PLACEHOLDER_LENGTH = 800;
const PLACEHOLDER =
  /\b(?:loading|please wait|chargement|cargando|carregando|caricamento|wird geladen|wczytywanie)\b|загрузка|加载中|読み込み中/i;

/** Measures the text outside of menus and links, also in shadow roots, 0 for a placeholder, and tells whether any text changed. */
export const MEASURE_TEXT = `(() => {
  const AROUND = '${AROUND}';
  ${ROOTS}
  ${TEXT_OF}
  let length = 0;
  let hash = 0;
  let isWaiting = false;
  for (const root of rootsIn(document)) {
    const text = textOf(root);
    for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
    isWaiting ||= ${PLACEHOLDER}.test(text);
    length += text.trim().length;
    for (const around of root.querySelectorAll(AROUND))
      if (!around.parentElement?.closest(AROUND)) length -= around.innerText?.trim().length ?? 0;
  }
  return { length: isWaiting && length <= ${MAX_PLACEHOLDER_LENGTH} ? 0 : length, hash };
})()`;

/** Slides of reveal.js, which shows one at a time. */
const SLIDE = '.reveal .slides section';

/**
 * Marks what is hidden, and copies the page into a document without scripts, with the state of its check boxes and the trees of
 * its web components and frames: web components that are moved in their own document may add their text again.
 */
export const readPage = (isCut: boolean) => `(() => {
  ${ROOTS}
  ${TEXT_OF}
  const isHidden = (one) => getComputedStyle(one).display === 'none';
  // a style sheet hides the box, and it has no visible heading, button or tab beside it that may open it
  for (const one of document.querySelectorAll('body div, body section, body article, body aside')) {
    if (!isHidden(one) || one.textContent.length < ${MIN_HIDDEN_TEXT_LENGTH} || one.closest('[hidden], head')) continue;
    const isOpenedBy = (other) => other !== one && !isHidden(other) && (other.matches('h1, h2, h3, h4, h5, h6, p, button, a, label, summary, dt, li')
      || [...one.classList].some((name) => other.classList.contains(name)));
    if (![...one.parentElement.children].some(isOpenedBy)) one.hidden = true;
  }
  const target = document.implementation.createHTMLDocument();
  const copyAll = (nodes) => [...nodes].flatMap((node) => copy(node));
  const fill = (made, nodes) => {
    for (const one of copyAll(nodes)) made.append(one);
    return made;
  };
  const copy = (node) => {
    if (node.nodeType !== 1) return [target.importNode(node)];
    if (node.matches('style, link, noframes, script:not([type="application/ld+json"])')) return [];
    if (node.localName === 'slot' && node.getRootNode().host)
      return copyAll(node.assignedNodes().length > 0 ? node.assignedNodes() : node.childNodes);
    const framed = framedBy(node);
    if (framed && rootsIn(framed).reduce((sum, root) => sum + textOf(root).trim().length, 0) >= ${MIN_FRAME_TEXT_LENGTH})
      return [fill(target.createElement('div'), framed.body.childNodes)];
    const made = target.importNode(node, node.localName === 'template');
    if (node.localName === 'noscript') made.innerHTML = node.textContent;
    else if (node.localName !== 'template') fill(made, (node.shadowRoot ?? node).childNodes);
    if (node.localName === 'input') made.toggleAttribute('checked', node.checked);
    if (node.matches('details[data-embed-opened]')) made.open = false;
    if (node.matches('${SLIDE}')) for (const name of ['hidden', 'aria-hidden', 'style']) made.removeAttribute(name);
    // those of a frame belong to its own URL
    if (node.ownerDocument !== document && node.matches('a[href], img[src], video[src], audio[src], source[src]'))
      for (const name of ['href', 'src']) if (node.hasAttribute(name)) made.setAttribute(name, node[name]);
    return [made];
  };
  const [root] = copy(document.documentElement);
  const frames = root.querySelector('frameset');
  if (frames) {
    const body = target.createElement('body');
    body.append(...frames.childNodes);
    frames.replaceWith(body);
  }
  if (${isCut}) {
    const tier = target.createElement('meta');
    tier.setAttribute('property', 'article:content_tier');
    tier.content = 'locked';
    root.querySelector('head').prepend(tier);
  }
  const html = root.outerHTML;
  return { url: location.href, html: html.length > ${MAX_HTML_LENGTH} ? null : html };
})()`;
