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
    const { x, y, width, height } = button.getBoundingClientRect();
    const point = { x: x + width / 2, y: y + height / 2 };
    return button.contains(button.getRootNode().elementFromPoint(point.x, point.y)) ? point : null;
  };`;

/** A worker gets the interface only after the pause before its first script, but never in place of a fixed property. */
export const REMOVE_WORKER_INTERFACES = "Object.defineProperty(globalThis, 'WebTransport', { value: undefined });";

/** The shadow roots in a document, which are all open. */
export const SHADOWS = `const shadowsIn = (root) => [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...shadowsIn(shadowRoot)] : []);`;

/** The text of an element or of a shadow root. Elements that are never shown have their source as text. */
const TEXT_OF = `const textOf = (root) => root?.innerText ?? [...root?.children ?? []]
    .map((one) => (one.matches('style, script') ? '' : one.innerText ?? '')).join('');`;

/** The documents of the page and of its frames from the same site. */
const DOCUMENTS = `const documentsOf = (one) => [one, ...[...one.querySelectorAll('iframe')].flatMap(({ contentDocument }) =>
    contentDocument?.body ? documentsOf(contentDocument) : [])];`;

/** Elements whose text is no part of an article, also menus by their names. */
const AROUND =
  'nav, footer, aside, a, button, [role="navigation"], [role="dialog"], [aria-modal="true"], .menu, .nav, .navbar, .sidebar, #nav, #sidebar, [class$="-menu"], [id$="menu"]';
/** A text of at most so many characters with one of these words waits for the article. */
const MAX_PLACEHOLDER_LENGTH = 800;
const PLACEHOLDER =
  /\b(?:loading|please wait|chargement|cargando|carregando|caricamento|wird geladen|wczytywanie)\b|загрузка|加载中|読み込み中/i;

/** Measures the text outside of menus and links, also in shadow roots, 0 for a placeholder, and tells whether any text changed. */
export const MEASURE_TEXT = `(() => {
  ${DOCUMENTS}
  const AROUND = '${AROUND}';
  ${SHADOWS}
  ${TEXT_OF}
  let length = 0;
  let hash = 0;
  let isWaiting = false;
  for (const one of documentsOf(document)) {
    for (const root of [one.body, ...shadowsIn(one)]) {
      const text = textOf(root);
      for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
      isWaiting ||= ${PLACEHOLDER}.test(text);
      length += text.trim().length;
      for (const around of root?.querySelectorAll(AROUND) ?? [])
        if (!around.parentElement?.closest(AROUND)) length -= around.innerText?.trim().length ?? 0;
    }
  }
  return { length: isWaiting && length <= ${MAX_PLACEHOLDER_LENGTH} ? 0 : length, hash };
})()`;

/** Marks what is hidden, copies the state of check boxes into attributes, and the trees of web components and frames into the document. */
export const readPage = (isCut: boolean) => `(() => {
  ${DOCUMENTS}
  ${SHADOWS}
  ${TEXT_OF}
  const flat = new Set();
  const flatten = (root) => {
    for (const host of root.querySelectorAll('*')) {
      const shadow = host.shadowRoot;
      // a host in a slot is also in the shadow root with the slot
      if (!shadow || flat.has(host)) continue;
      flat.add(host);
      for (const slot of shadow.querySelectorAll('slot')) {
        const assigned = slot.assignedNodes();
        for (const one of assigned) if (one.slot !== undefined) one.slot = slot.slot;
        slot.replaceWith(...(assigned.length > 0 ? assigned : slot.childNodes));
      }
      flatten(shadow);
      host.replaceChildren(...shadow.childNodes);
    }
  };
  const inline = (root) => {
    for (const frame of root.querySelectorAll('iframe')) {
      const framed = frame.contentDocument;
      const roots = framed?.body ? documentsOf(framed).flatMap((one) => [one.body, ...shadowsIn(one)]) : [];
      if (roots.reduce((sum, root) => sum + textOf(root).trim().length, 0) < ${MIN_FRAME_TEXT_LENGTH}) continue;
      flatten(framed);
      inline(framed);
      for (const [name, selector] of [['href', 'a[href]'], ['src', 'img[src], video[src], audio[src], source[src]']])
        for (const one of framed.querySelectorAll(selector)) one.setAttribute(name, one[name]);
      const box = document.createElement('div');
      box.append(...framed.body.childNodes);
      frame.replaceWith(box);
    }
  };
  const isHidden = (one) => getComputedStyle(one).display === 'none';
  // a style sheet hides the box, and it has no visible heading, button or tab beside it that may open it
  for (const one of document.querySelectorAll('body div, body section, body article, body aside')) {
    if (!isHidden(one) || one.textContent.length < ${MIN_HIDDEN_TEXT_LENGTH} || one.closest('[hidden], head')) continue;
    const isOpenedBy = (other) => other !== one && !isHidden(other) && (other.matches('h1, h2, h3, h4, h5, h6, p, button, a, label, summary, dt, li')
      || [...one.classList].some((name) => other.classList.contains(name)));
    if (![...one.parentElement.children].some(isOpenedBy)) one.hidden = true;
  }
  flatten(document);
  inline(document);
  for (const one of document.querySelectorAll('details[data-embed-opened]')) one.open = false;
  for (const box of document.querySelectorAll('input')) box.toggleAttribute('checked', box.checked);
  for (const code of document.querySelectorAll('style, link, script:not([type="application/ld+json"])')) code.remove();
  if (${isCut}) {
    const tier = document.createElement('meta');
    tier.setAttribute('property', 'article:content_tier');
    tier.content = 'locked';
    document.head.prepend(tier);
  }
  const html = document.documentElement.outerHTML;
  return { url: location.href, html: html.length > ${MAX_HTML_LENGTH} ? null : html };
})()`;
