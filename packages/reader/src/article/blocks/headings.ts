import { isNamedClutter, isNamedHeading } from '../clutter/names.ts';
import { lengthOf } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { createElement, hasClass, hasManyChildren, NAMED, replaceElement, textLengthBefore } from './tree.ts';

const HEADINGS = 'h1, h2, h3, h4, h5, h6';
const PERMALINK_CLASS =
  /^(?:anchor|anchor-?link|anchorjs-link|heading-?(?:link|anchor)|header-?(?:link|anchor)|hash-link|permalink|direct-link|deep-?link|sl-anchor-link)$/i;
/** Text of links that stand for a heading: a sign, or nothing that is visible. */
const PERMALINK_TEXT = /^(?:[\s#¶§⚓\u200b]|🔗|\ufe0e|\ufe0f)*$/u;
const SECTION_NUMBER = /^\s*(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?\s*$/;
/** Links and notices of MediaWiki and of journals that are no part of an article. */
const NOTICES = `.mw-editsection, .mw-editsection-like, .mw-jump-link, .mw-indicators, .mw-redirectedfrom, .hatnote, .ambox, .navbox, .printfooter,
  .catlinks, #siteSub, #contentSub, #catlinks, .figure-inline-download, .reflinks, .package-alerts, .gist-meta, #license-tr, #watermark-tr,
  .c-article-references__links, .c-article-references__download, .c-article-metrics-bar__wrapper, .c-article-identifiers`;
/** Links of references to source code, boxes that Doxygen opens over code, buttons of rustdoc, and logos. */
const SOURCE_LINKS =
  'a.src, a.srclink, a.link-seesrc, a:has(> .viewcode-link), .fragment > .ttc, a.test-arrow, .out-of-band, a:has(> img[alt="logo" i])';
/** Permalinks of Sphinx to definitions, captions and formulas. */
const OTHER_PERMALINKS = ':is(dt, caption, figcaption, .code-block-caption, .eqno) a.headerlink';
/** Text of links that stand for the block around them. */
const BLOCK_PERMALINK = /^[¶§]$/;
const MAX_HEADING_LENGTH = 200;
const BLOCKS = 'p, div, ul, ol, dl, table, pre, section, figure, img, blockquote, h1, h2, h3, h4, h5, h6';
/** Words in names of headings and sections by which Readability takes them for parts of the site. */
const MISNAMED =
  /banner|comment|community|contact|extra|footer|head(?:er|ing)|legends|media|menu|meta|pag(?:er|ination)|popup|promo|related|remark|replies|rss|scroll|shar|shopping|sidebar|social|sponsor|supplemental|tags|widget/i;
/** Headings of boxes of a site, without spaces. */
const BOX_HEADING =
  /^(?:comments?|replies|responses|newsletter|share|social|sponsors?|related(?:posts|articles|stories)|abouttheauthor|tableofcontents|toc|footer)$/;
/** Lines and their parts. */
const LINES =
  ':is(h1, h2, h3, h4, h5, h6, p, li, dt, dd, abbr, b, cite, code, dfn, em, i, mark, small, span, strong, sub, sup, u)[id]';
/** Ids by which Readability finds authors and comments. */
const USEFUL_ID = /byline|author(?!i[tsz])|dateline|writtenby|comment-?\d/i;
const HIDDEN_ID = 'data-hidden-id';
/** Sections beside one that are compared with it. */
const MAX_SECTIONS = 30;
const HEAD_NAME = /head(?:er|ing)/i;
/** In characters. */
const MAX_HEAD_LENGTH = 400;

/** Returns the id that GitHub gives to a heading. */
export function headingIdOf(heading: string): string {
  return heading
    .slice(0, MAX_HEADING_LENGTH)
    .replace(/<[^<>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes a link to the block around it. Its id moves to the start of the block. */
function removeBlockPermalink(link: Element): void {
  const target = link.getAttribute('href')?.slice(1);
  if (!BLOCK_PERMALINK.test(link.textContent.trim()) || selectClosest(link, `${HEADINGS}, sup`) !== null) return;
  if (link.id !== target && selectClosest(link.parentElement, '[id]')?.id !== target) return;
  const block = selectClosest(link, 'p, li, dt, dd, td, blockquote') ?? link.parentElement;
  link.remove();
  if (block && link.id !== '') addId(block, link.id);
}

/** Removes links from headings to themselves and to nothing, and links and notices of wikis and references. Their ids move to the headings. */
export function simplifyHeadings(document: Document): void {
  for (const link of selectAll(document, `${NOTICES}, ${SOURCE_LINKS}, ${OTHER_PERMALINKS}`)) link.remove();
  for (const link of selectAll(document, 'a[href^="#"]')) removeBlockPermalink(link);
  for (const box of selectAll(document, 'div[role="heading"]')) {
    const level = /^[1-6]$/.exec(box.getAttribute('aria-level') ?? '')?.[0] ?? '2';
    if (selectFirst(box, BLOCKS) === null && selectClosest(box, HEADINGS) === null) replaceElement(box, `h${level}`);
  }
  for (const heading of selectAll(document, HEADINGS)) {
    if (isNamedHeading(heading)) heading.setAttribute(NAMED, '');
    // Readability takes elements that are named so for the head of a site
    if (MISNAMED.test(heading.className)) heading.removeAttribute('class');
    for (const link of selectAll(heading, 'a:not([href]):not([id])')) link.replaceWith(...link.childNodes);
    const box = selectClosest(heading, 'section[id], div[id]');
    const title = box && isTitle(heading, box) ? box : null;
    const beside = [heading.previousElementSibling, heading.nextElementSibling];
    takeAnchor(heading, beside[0]);
    for (const link of [...selectAll(heading, 'a'), ...beside]) {
      if (link?.localName === 'a' && isPermalink(link, heading)) removePermalink(link, heading);
    }
    if (title) takeId(heading, title);
    const wrapper = heading.parentElement;
    if (wrapper && heading.localName !== 'h1') keepHead(wrapper, heading);
    // Readability would turn it into a paragraph
    if (wrapper?.localName !== 'div' || !isOnlyChild(heading)) continue;
    if (wrapper.id !== '') addId(heading, wrapper.id);
    wrapper.replaceWith(heading);
  }
}

/** Removes the name of a box that begins a section: Readability takes parts named "header" for those of a site. */
function keepHead(box: Element, heading: Element): void {
  if (!/^(?:div|header|hgroup)$/.test(box.localName) || !HEAD_NAME.test(`${box.className} ${box.id}`)) return;
  if (hasManyChildren(box) || box.textContent.length > MAX_HEAD_LENGTH) return;
  if (selectFirst(box, 'nav, form, ul, a[href]:has(h2, h3), :is(h2, h3) a[href]') !== null) return;
  if (box.id !== '') addId(heading, box.id);
  box.removeAttribute('class');
  box.removeAttribute('id');
}

/**
 * Detects the heading of a section whose id has the same words, and would be that of a part of the site: "Related work".
 * "Comments" is one only with a permalink, or beside other sections with such ids, as in manuals.
 */
function isTitle(heading: Element, box: Element): boolean {
  const words = titleWordsOf(heading, box);
  if (words === null) return false;
  const permalinks = selectAll(heading, 'a[href]').filter((link) => PERMALINK_TEXT.test(link.textContent));
  if (BOX_HEADING.test(words) && permalinks.length === 0 && !hasTitledSiblings(box)) return false;
  return MISNAMED.test(box.id) || isNamedClutter(box);
}

/** Returns the words of a heading at the start of a box whose id has the same words; else null. */
function titleWordsOf(heading: Element, box: Element): string | null {
  const words = wordsOf(heading.textContent ?? '').replace(/^\d+/, '');
  return words !== '' && wordsOf(box.id) === words && textLengthBefore(heading, box, 0) === 0 ? words : null;
}

/** Detects a section beside two others with the ids of their headings, which are no boxes of a site. */
function hasTitledSiblings(section: Element): boolean {
  let titled = 0;
  let one = section.parentElement?.firstElementChild;
  for (let i = 0; i < MAX_SECTIONS && one && titled < 2; i++, one = one.nextElementSibling) {
    const heading = one.localName === section.localName && one.id !== '' ? selectFirst(one, HEADINGS) : null;
    const words = heading && titleWordsOf(heading, one);
    if (words && !BOX_HEADING.test(words)) titled++;
  }
  return titled > 1;
}

/** Moves the id of an element to a heading. */
function takeId(heading: Element, element: Element): void {
  if (element.id !== heading.id) addId(heading, element.id);
  element.removeAttribute('id');
}

/** Moves the id of an anchor before a heading to the heading. */
function takeAnchor(heading: Element, before: Element | null | undefined): void {
  const anchor = before?.id || !before?.firstElementChild ? before : before.firstElementChild;
  const isEmpty = before?.textContent.trim() === '' && selectFirst(before, 'img, video, audio, iframe, input') === null;
  if (!anchor?.id || !isEmpty || !/^(?:a|span|p|div)$/.test(anchor.localName)) return;
  takeId(heading, anchor);
}

/**
 * Keeps the ids of boxes of lines to which links point: Readability replaces such a box by a paragraph without its id. Empties
 * anchors around text, which is in no link, but counts as such: browsers leave `<a id="steam"/>` open.
 */
export function keepTargets(document: Document): void {
  for (const anchor of selectAll(document, 'a[id]:not([href])')) anchor.after(...anchor.childNodes);
  const targets = new Set(selectAll(document, 'a[href^="#"]').map((link) => link.getAttribute('href')));
  for (const box of selectAll(document, 'div[id]')) {
    if (!targets.has(`#${box.id}`) || isNamedClutter(box)) continue;
    const [first] = box.children;
    const line = box.childElementCount === 1 && first?.localName === 'p' ? first : box;
    if (selectFirst(line, BLOCKS) !== null) continue;
    addId(line, box.id);
    box.removeAttribute('id');
  }
}

/** Writes the words of a heading or an id without what is between them. */
function wordsOf(name: string): string {
  return name.toLowerCase().replace(/^user-content-|[^\p{L}\p{N}]+/gu, '');
}

/** Adds an anchor: Readability may remove a heading for its own id. */
export function addId(heading: Element, id: string): void {
  heading.prepend(createElement(heading.ownerDocument, 'a', { id }));
}

/**
 * Hides ids from Readability, which would remove an element for a word in its id: those of lines and of their parts, and
 * of sections that begin with the words of a link to them, such as the methods of a class.
 */
export function hideIds(document: Document): void {
  for (const line of selectAll(document, LINES))
    if (line.id !== '' && !USEFUL_ID.test(line.id) && !isNamedClutter(line)) hideId(line);
  const boxes = selectAll(document, 'div[id], section[id]').filter(({ id }) => MISNAMED.test(id));
  if (boxes.length === 0) return;
  const targets = new Map(boxes.map((box) => [`#${box.id}`, box]));
  for (const link of selectAll(document, 'a[href^="#"]')) {
    const box = targets.get(link.getAttribute('href') ?? '');
    const words = box ? wordsOf(link.textContent) : '';
    if (!box || words === '' || BOX_HEADING.test(words) || !wordsOf(box.id).endsWith(words)) continue;
    if (wordsOf(box.textContent.trimStart().slice(0, MAX_HEADING_LENGTH)).startsWith(words)) hideId(box);
  }
}

function hideId(element: Element): void {
  element.setAttribute(HIDDEN_ID, element.id);
  element.removeAttribute('id');
}

export function showIds(root: Element): void {
  for (const line of selectAll(root, `[${HIDDEN_ID}]`)) {
    line.id = line.getAttribute(HIDDEN_ID) ?? '';
    line.removeAttribute(HIDDEN_ID);
  }
}

/** Unwraps boxes in headings, and moves the ids of anchors in them to the headings that have none. Runs after Readability. */
export function nameHeadings(root: Element): void {
  // paragraphs, which Readability makes of boxes, would have space below them
  for (const line of selectAll(root, ':is(h1, h2, h3, h4, h5, h6) :is(p, div)')) {
    const heading = selectClosest(line, HEADINGS);
    if (heading && line.id !== '') heading.id ||= line.id;
    line.replaceWith(...line.childNodes, ...(line.nextSibling ? [' '] : []));
  }
  for (const heading of selectAll(root, HEADINGS)) {
    const anchor = heading.id === '' ? selectFirst(heading, 'a[id]:not([href])') : null;
    if (!anchor) continue;
    heading.id = anchor.id;
    anchor.replaceWith(...anchor.childNodes);
  }
}

function isPermalink(link: Element, heading: Element): boolean {
  const href = link.getAttribute('href') ?? '';
  if (heading.id !== '' && href === `#${heading.id}`) return true;
  const section = href.length > 1 ? selectClosest(heading, 'section[id], div[id]') : null;
  if (section && href === `#${section.id}` && textLengthBefore(heading, section, 0) === 0) return true;
  if (selectFirst(link, 'img') !== null || (href !== '' && !href.includes('#'))) return false;
  return PERMALINK_TEXT.test(link.textContent) || hasClass(link, PERMALINK_CLASS);
}

function removePermalink(link: Element, heading: Element): void {
  const id = link.id;
  // the link may be around the whole heading, or all but its number
  const length = link.textContent.trim().length;
  const isWhole = heading.contains(link) && length > 0 && length * 2 >= heading.textContent.trim().length;
  if (isWhole || SECTION_NUMBER.test(link.textContent)) link.replaceWith(...link.childNodes);
  else if (id === '' || heading.id === '' || heading.id === id) link.remove();
  else {
    // another name of the heading, to which links may point
    link.removeAttribute('href');
    link.replaceChildren();
  }
  if (id !== '' && heading.id === '') heading.id = id;
}

function isOnlyChild(heading: Element): boolean {
  for (const side of ['previousSibling', 'nextSibling'] as const)
    for (let node = heading[side]; node; node = node[side]) if (lengthOf(node) > 0) return false;
  return true;
}
