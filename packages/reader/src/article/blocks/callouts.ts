import { lengthOf, toLine } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import {
  createElement,
  HEADING,
  hasClass,
  MARKER,
  mark,
  replaceElement,
  textIn,
  textLengthBefore,
  wrap,
} from './tree.ts';

type Kind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** Kinds of call-outs by the words that sites use for them. */
export const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...kinds(
    'note',
    'note info information abstract summary seealso question faq example neutral todo primary secondary notice',
  ),
  ...kinds('tip', 'tip hint success check done idea'),
  ...kinds('important', 'important'),
  ...kinds('warning', 'warning warn attention'),
  ...kinds('caution', 'caution danger error bug failure fail critical deprecated'),
]);
/** Words in the class names of call-outs. */
const CONTAINERS = [
  'admonition',
  'admonitionblock',
  'callout',
  'notecard',
  'notice',
  'alert',
  'aside',
  'hint',
  'macro',
];
/** Containers that are call-outs without a kind, too. */
const SURE_CONTAINERS = ['admonition', 'callout', 'notecard'];
/** Class names that consist of a kind only, such as those of the Rust book and of W3C. */
const BARE_KINDS = ['note', 'notice', 'tip', 'warning', 'caution', 'important'];
/** Words of parts of a call-out, and of other boxes. */
const NOT_CONTAINERS =
  /^(?:title|heading|header|icon|content|body|label|inner|wrapper|close|cookie|cookies|gdpr|consent|privacy|copyright|newsletter|subscribe|signup|promo|ad|ads|related|pull|pullquote|quote|share|social|sidebar|footnote|sidenote|meta|bio|hatnote|author|toc|nav|menu|comment|comments)$/;
const TITLE = /(?:^|[-_])(?:title|heading|label)(?:$|[-_])|Heading|^title/;
const MAX_TITLE_LENGTH = 80;
/** A picture character alone. */
const ICON = /^\p{Extended_Pictographic}\ufe0f?$/u;
const GITHUB_MARKER = /^\s*\[!(\w{3,20})\][+-]?[^\S\n]*/;

/** In characters; for an `aside` without the class names of a call-out, and the share of links in it. */
const MIN_ASIDE_LENGTH = 25;
const MAX_LINK_SHARE = 0.3;
/** Further call-outs of an article stay as they are. */
const MAX_CALLOUTS = 1_000;
const MAX_SIBLINGS = 200;

/** Turns call-outs into marked quotes, which Readability keeps, with a label. */
export function convertCallouts(document: Document): void {
  for (const quote of selectAll(document, 'blockquote').slice(0, MAX_CALLOUTS)) convertMarkedQuote(quote);
  let count = 0;
  for (const element of selectAll(
    document,
    'div[class], section[class], p[class], blockquote[class], figure[class], aside, [role="note"]',
  )) {
    if (count >= MAX_CALLOUTS) break;
    const kind = kindOf(element);
    if (kind !== null && selectClosest(element, 'nav, header, footer, form, pre') === null) {
      convert(element, kind);
      count++;
    }
  }
}

/** Converts a quote that begins with `[!NOTE]`, as in the Markdown of GitHub and Obsidian. */
function convertMarkedQuote(quote: Element): void {
  const first = selectFirst(quote, 'p') ?? quote;
  const text = [...first.childNodes].find((node) => isElement(node) || textIn(node).trim());
  const match = GITHUB_MARKER.exec(textIn(text));
  const kind = KINDS.get(match?.[1]?.toLowerCase() ?? '');
  if (!text || !match || !kind) return;
  const [title = '', ...rest] = (text.nodeValue ?? '').slice(match[0].length).split('\n');
  const isAlone = rest.length > 0 || first.childNodes.length === 1;
  text.nodeValue = isAlone ? rest.join('\n') : title;
  if (first.firstElementChild?.localName === 'br' && text.nodeValue === '') first.firstElementChild.remove();
  if (first !== quote && first.textContent.trim() === '') first.remove();
  addLabel(quote, kind, isAlone ? title.trim() : '');
}

export function isCallout(element: Element): boolean {
  return kindOf(element) !== null;
}

function kindOf(element: Element): Kind | '' | null {
  const names = [...element.classList];
  if (isTitledSidebar(element, names)) return '';
  const words = names.flatMap((name) => name.split(/[-_]+|(?<=[a-z])(?=[A-Z])/)).map((word) => word.toLowerCase());
  if (words.some((word) => NOT_CONTAINERS.test(word))) return null;
  // the picture of its author is its label
  if (names.includes('notion-callout')) return '';
  const isContainer =
    names.includes('custom-block') ||
    words.some((word) => CONTAINERS.includes(word)) ||
    (element.localName === 'blockquote' && words.includes('prompt'));
  const kinds = words.filter((word) => !CONTAINERS.includes(word)).flatMap((word) => KINDS.get(word) ?? []);
  // names of boxes begin with words such as "information"
  const kind = kinds.find((one) => one !== 'note') ?? kinds[0];
  if (kind && (isContainer || hasKindTitle(element))) return kind;
  // names of parts of a call-out begin with its own
  if (selectClosest(element.parentElement, `[${MARKER}^="callout"]`)) return null;
  if (words.some((word) => SURE_CONTAINERS.includes(word)) || element.getAttribute('role') === 'note') return 'note';
  const bare =
    names.length <= 2 ? names.map((name) => name.toLowerCase()).find((name) => BARE_KINDS.includes(name)) : undefined;
  if (bare) return KINDS.get(bare) ?? null;
  return element.localName === 'aside' && isPartOfText(element) ? (kind ?? '') : null;
}

/** Detects a box beside the text of a manual, by AsciiDoc, docutils or DocBook, which is no list of links. */
function isTitledSidebar(element: Element, names: readonly string[]): boolean {
  if (element.localName !== 'aside' && !names.some((name) => name.startsWith('sidebar'))) return false;
  const title = element.localName === 'aside' ? '.sidebar-title' : '.titlepage, .first.sidebar-title';
  const isTitled =
    names.includes('sidebarblock') || [...element.children].slice(0, 2).some((one) => isMatch(one, title));
  return isTitled && linkShareOf(element) <= MAX_LINK_SHARE;
}

/** Detects a box that begins with the word of a kind alone, such as "Note". */
function hasKindTitle({ firstElementChild: title }: Element): boolean {
  const word = title?.textContent.trim().replace(/:$/, '').toLowerCase() ?? '';
  return BARE_KINDS.includes(word) && !/^(?:a|ul|ol)$/.test(title?.localName ?? '');
}

/** Detects an `aside` between the paragraphs of an article, which is no list of links. */
function isPartOfText(aside: Element): boolean {
  if (
    !hasParagraphs(aside.parentElement) ||
    !selectClosest(aside, 'article, main') ||
    selectFirst(aside, 'form, input, nav')
  )
    return false;
  return lengthOf(aside) >= MIN_ASIDE_LENGTH && linkShareOf(aside) <= MAX_LINK_SHARE;
}

function linkShareOf(box: Element): number {
  const links = selectAll(box, 'a[href]').reduce((sum, link) => sum + link.textContent.length, 0);
  return links / Math.max(1, lengthOf(box));
}

/** Detects a box with two paragraphs among its first children. */
function hasParagraphs(box: Element | null): boolean {
  let count = 0;
  let child = box?.firstElementChild;
  for (let i = 0; i < MAX_SIBLINGS && child && count < 2; i++, child = child.nextElementSibling)
    if (child.localName === 'p') count++;
  return count === 2;
}

function convert(element: Element, kind: Kind | ''): void {
  const ownTitle = takeTitle(element);
  const label = openTable(element);
  const title = ownTitle ?? label ?? element.getAttribute('aria-label')?.trim() ?? '';
  if (element.localName === 'p') element.removeAttribute('class');
  const picture = selectFirst(element, 'img');
  const word = picture?.getAttribute('alt')?.toLowerCase() ?? '';
  if (picture && KINDS.has(word) && textLengthBefore(picture, element, 0) === 0) picture.remove();
  const icon = element.firstElementChild;
  if (icon && kind !== '' && isIcon(icon, element)) icon.remove();
  const quote = element.localName === 'p' ? wrap(element, 'blockquote') : replaceElement(element, 'blockquote');
  addLabel(quote, kind, title);
}

/** Replaces the cells of AsciiDoc and DocBook, an icon, a label and the text, by the text, and returns the label. */
function openTable(element: Element): string | null {
  const table = selectFirst(element, 'table');
  const [icon, ...cells] = selectAll(table, 'td, th');
  const isIconOnly = icon !== undefined && lengthOf(icon) === 0 && selectFirst(icon, 'img') !== null;
  const text = selectFirst(table, 'td.content') ?? (isIconOnly ? cells.at(-1) : null);
  if (!table || !text || lengthOf(table) < lengthOf(element)) return null;
  table.replaceWith(...text.childNodes);
  return toLine(cells.find(({ localName }) => localName === 'th')?.textContent) || null;
}

/** Detects a picture character at the start of a call-out. In a paragraph, a sentence must begin after it. */
function isIcon(element: Element, callout: Element): boolean {
  const sign = element.textContent.trim();
  if (!ICON.test(sign) || textLengthBefore(element, callout, 0) > 0) return false;
  return callout.localName !== 'p' || /^\p{Lu}/u.test(callout.textContent.trim().slice(sign.length).trim());
}

/** Removes the title of a call-out, and returns its text. */
function takeTitle(element: Element): string | null {
  const isTitle = (one: Element) => hasClass(one, TITLE) || HEADING.test(one.localName);
  const [first] = selectAll(element, 'p');
  const isKind = first?.nextElementSibling && KINDS.has(toLine(first.textContent).toLowerCase());
  const candidate =
    selectAll(element, '[class], h1, h2, h3, h4, h5, h6').slice(0, 6).find(isTitle) ?? (isKind ? first : null);
  const text = toLine(candidate?.textContent);
  if (!candidate || text === '' || text.length > MAX_TITLE_LENGTH) return null;
  if (textLengthBefore(candidate, element, 0) > 0) return null;
  candidate.remove();
  return text;
}

/** Marks a call-out, with its own title or, unless its text begins with a label, the name of its kind. */
function addLabel(quote: Element, kind: Kind | '', title: string): void {
  quote.removeAttribute('class');
  quote.removeAttribute('role');
  mark(quote, `callout ${kind}`.trim());
  if (title === '' && (kind === '' || beginsWithLabel(quote))) return;
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  const attributes = { [MARKER]: 'callout-title', ...(title === '' && { lang: 'en' }) };
  quote.prepend(createElement(quote.ownerDocument, 'p', attributes, title || name));
}

function beginsWithLabel(quote: Element): boolean {
  const text = quote.textContent.trim().toLowerCase();
  const word = /^[a-z]+(?=\s?[:!.])/.exec(text)?.[0];
  if (word !== undefined && KINDS.has(word)) return true;
  const bold = selectFirst(quote, 'strong, b')?.textContent.trim().toLowerCase() ?? '';
  return bold !== '' && bold.length < MAX_TITLE_LENGTH && text.startsWith(bold);
}

function kinds(kind: Kind, words: string): readonly (readonly [string, Kind])[] {
  return words.split(' ').map((word) => [word, kind] as const);
}
