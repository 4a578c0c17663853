/** Scripts that the service runs in a page, in a JavaScript world of their own, out of reach of the page's scripts. */

import { MIN_TEXT_LENGTH } from './stillness.ts';

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

/** The operations on an open page that its renderer uses. */
export interface OpenPage {
  /** Returns null if the page navigates at this moment. */
  evaluate<Result>(expression: string): Promise<Result | null>;
  /** Clicks at the place that a script finds, in pixels of the viewport. Returns false if it finds none. */
  click(findPlace: string): Promise<boolean>;
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

/** A document, its shadow roots, which are all open, and those of its frames from the same site, without invisible ones and those of a pixel. */
export const ROOTS = `const FRAMES = new Set(['iframe', 'frame', 'object']);
  const isShown = (frame) => frame.clientWidth > 1 && frame.clientHeight > 1 && frame.checkVisibility({ visibilityProperty: true });
  const framedBy = (one) => FRAMES.has(one.localName) && one.contentDocument?.body && isShown(one) ? one.contentDocument : null;
  const rootsIn = (root, found = []) => {
    found.push(root);
    for (const one of root.querySelectorAll('*')) {
      const inner = one.shadowRoot ?? framedBy(one);
      if (inner) rootsIn(inner, found);
    }
    return found;
  };`;

/** The text of a document or of a shadow root. Elements that are never shown have their source as text. */
export const TEXT_OF = `const textOf = (root) => root.body?.innerText ?? [...root.children]
    .map((one) => (one.matches('style, script') ? '' : one.innerText ?? '')).join('');`;

/** Elements whose text is no part of an article, also menus by their names. */
const AROUND =
  'nav, footer, aside, a, button, [role="navigation"], [role="dialog"], [aria-modal="true"], .menu, .nav, .navbar, .sidebar, #nav, #sidebar, [class$="-menu"], [id$="menu"]';
/** A text of at most so many characters with one of these words waits for the article. */
const MAX_PLACEHOLDER_LENGTH = 800;
const PLACEHOLDER =
  /\b(?:loading|please wait|chargement|cargando|carregando|caricamento|wird geladen|wczytywanie)\b|загрузка|加载中|読み込み中/i;

/** Blocks and rows of Notion, which has no placeholders for them: few of them, or only links, are all that there is. */
const NOTION_BLOCKS =
  '.notion-page-content [data-content-editable-leaf], .notion-collection-item, .notion-table-view-row';

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
  if (document.querySelector('${NOTION_BLOCKS}')) length = Math.max(length, ${MIN_TEXT_LENGTH});
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
  const OMITTED = new Set(['style', 'link', 'noframes']);
  const isHidden = (one) => getComputedStyle(one).display === 'none';
  // a style sheet hides the box, and it has no visible heading, button or tab beside it that may open it
  for (const one of rootsIn(document).flatMap((root) => [...root.querySelectorAll('div, section, article, aside')])) {
    if (!isHidden(one) || one.textContent.length < ${MIN_HIDDEN_TEXT_LENGTH} || one.closest('[hidden], head')) continue;
    const isOpenedBy = (other) => other !== one && !isHidden(other) && (other.matches('h1, h2, h3, h4, h5, h6, p, button, a, label, summary, dt, li')
      || [...one.classList].some((name) => other.classList.contains(name)));
    // a form has its fields as properties, and one may have the name of its children
    if (![...(one.parentElement ?? one.getRootNode()).querySelectorAll(':scope > *')].some(isOpenedBy)) one.hidden = true;
  }
  const target = document.implementation.createHTMLDocument();
  const noscripts = [];
  const mark = 'noscript-' + Math.random() + '-';
  const fill = (made, nodes) => {
    for (const one of nodes) copy(one, made);
    return made;
  };
  const copy = (node, parent) => {
    if (node.nodeType !== 1) return parent.append(target.importNode(node));
    const name = node.localName;
    if (OMITTED.has(name) || (name === 'script' && node.type !== 'application/ld+json')) return;
    if (name === 'slot' && node.getRootNode().host)
      return fill(parent, node.assignedNodes().length > 0 ? node.assignedNodes() : node.childNodes);
    const framed = framedBy(node);
    if (framed && rootsIn(framed).reduce((sum, root) => sum + textOf(root).trim().length, 0) >= ${MIN_FRAME_TEXT_LENGTH})
      return parent.append(fill(target.createElement('div'), framed.body.childNodes));
    const made = target.importNode(node, name === 'template');
    parent.append(made);
    // its source is a text in the page, and would be escaped in the copy; pages may forbid to parse texts
    if (name === 'noscript') made.append(mark + (noscripts.push(node.textContent) - 1) + ';');
    else if (name !== 'template') fill(made, (node.shadowRoot ?? node).childNodes);
    if (name === 'input') made.toggleAttribute('checked', node.checked);
    if (name === 'details' && node.hasAttribute('data-embed-opened')) made.open = false;
    if (name === 'section' && node.matches('${SLIDE}')) for (const hiding of ['hidden', 'aria-hidden', 'style']) made.removeAttribute(hiding);
    // those of a frame belong to its own URL
    if (node.ownerDocument !== document && node.matches('a[href], img[src], video[src], audio[src], source[src]'))
      for (const link of ['href', 'src']) if (node.hasAttribute(link)) made.setAttribute(link, node[link]);
  };
  const root = fill(target.createElement('div'), [document.documentElement]).firstElementChild;
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
  const html = root.outerHTML.replace(new RegExp(mark + '(\\\\d+);', 'g'), (_, number) => noscripts[number]);
  return { url: location.href, html: html.length > ${MAX_HTML_LENGTH} ? null : html };
})()`;
