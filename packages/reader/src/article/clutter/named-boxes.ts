import { HEADING, hasManyChildren, hasOwnText, isBlank, NAMED, textLengthBefore } from '../blocks/tree.ts';
import { CLOCK } from '../head/byline.ts';
import { isConsentNotice } from '../not-articles.ts';
import { lengthOf, toLine } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { isRequest } from './labels.ts';
import { isNamedClutter } from './names.ts';
import { isWall } from './walls.ts';

/** In characters. Longer boxes, or those with a larger share of the article, are part of it, whatever their name. */
const MAX_LENGTH = 1_500;
const MAX_SHARE = 0.25;
/** Elements that a box of a site does not have. */
const CONTENT = 'h1, pre, table, blockquote, math, [data-embed-part], [data-embed]';

const MEDIA = 'img, picture, figure, video, audio';
/** More times are those of a report. */
const MAX_CLOCKS = 2;
/** Among more of such parts beside each other there is no text. */
const MAX_NEIGHBOURS = 40;
export const INLINE =
  'a, abbr, b, bdi, bdo, cite, code, data, del, dfn, em, font, i, ins, kbd, label, mark, q, s, samp, small, span, strong, sub, sup, time, u, var';
/** Names of parts of lines that are no text: numbers of the pages of a book, boxes that a pointer opens. */
const NOT_TEXT =
  /(?:^|\s)(?:pagenum|method-click-advice|rollover-block|(?:[\w-]*[-_])?(?:tooltip|popover)[-_]*(?:text|content|body|inner|box))(?:\s|$)/i;
/** Names of such boxes, or of the words that open them. */
const OPENED = /(?:^|\s)(?:tooltip|popover)(?:\s|$)/i;
/** Values to choose from. */
const CHOICES = '[role="listbox"]';
const TOOLTIP = '[role="tooltip"]';
/** Links to the rest of a text. */
const REST = 'a.readmore, a.read-more, a.read-more-link';
/** Labels of data: "Published:". */
const LABEL = /^[^.:]{1,20}:\s*$/;
/** Signs between data such as dates and tags. */
const SEPARATOR = /^[\s·•|‖¦/–—»›]+$/;
const WORD = /[\p{L}\p{N}]/u;
/** Elements around the text of a page. */
const TEXT_BOX = 'article, main, body, [role="main"], [itemprop~="articleBody"]';

/** Names of legal texts, which may be longer than the article before them. */
const DISCLAIMER = /(?:^|[\s_-])(?:legal-?)?(?:disclaimers?|disclosures?|legal-(?:notice|text|info))(?:$|[\s_-])/i;
/** In characters. */
const MIN_TEXT_BEFORE_DISCLAIMER = 100;
/** In characters. */
const MAX_SINGLE_LENGTH = 400;
const MAX_ADDRESS_FIELDS = 20;
/** In characters. */
const MAX_PROMPT_LENGTH = 200;
const CONSENT = /consent|cookie|gdpr/i;
const PROMPT = /\b(?:we(?:[’']ll| will)? send|get|receive)\b.{0,60}\b(?:e-?mails?|newsletters?|inbox)\b/i;

/** Removes walls of consent outside of an `article`, by their names and their words. */
export function removeConsentWalls(document: Document): void {
  for (const box of selectAll(document, 'div[class], div[id], section[class], section[id]')) {
    if (!isNamedConsent(box) || !isConsentNotice(toLine(box.textContent))) continue;
    if (selectClosest(box, 'article') === null && selectFirst(box, 'article, main, h1') === null) box.remove();
  }
}

/** The id of a box with a heading may be the name of a section, such as one on cookies in a privacy policy. */
function isNamedConsent(box: Element): boolean {
  return CONSENT.test(box.className) || (CONSENT.test(box.id) && selectFirst(box, 'h1, h2, h3, h4, h5, h6') === null);
}

/** Removes forms with a field for an e-mail address, and boxes of the site around them: requests to subscribe. */
export function removeSubscriptions(document: Document): void {
  const max = Math.min(MAX_SINGLE_LENGTH, lengthOf(document.body) * MAX_SHARE);
  for (const field of selectAll(document, 'input[type="email"]').slice(0, MAX_ADDRESS_FIELDS)) {
    let request: Element = field;
    for (let box = field.parentElement; box && !isMatch(box, TEXT_BOX); box = box.parentElement) {
      if (lengthOf(box) > max) break;
      if (!isMatch(box, 'form, figure, aside') && !isNamedClutter(box) && !isPrompt(box)) continue;
      if (selectFirst(box, `${CONTENT}, ${MEDIA}`) !== null) break;
      request = box;
    }
    request.remove();
  }
}

/** Detects a box of a few words that offer to send something. */
function isPrompt(box: Element): boolean {
  const text = toLine(box.textContent);
  return text.length <= MAX_PROMPT_LENGTH && (PROMPT.test(text) || isRequest(text));
}

/** Removes named boxes around one short paragraph or line, of which Readability would keep the paragraph without the name, and lists of choices. */
export function removeSingleBoxes(document: Document): void {
  // pictures that slide have this role, too
  for (const list of selectAll(document, CHOICES))
    if (selectFirst(list, `${CONTENT}, ${MEDIA}`) === null) list.remove();
  const boxes = selectAll(document, 'div[class], div[id], section[class]').filter((box) => {
    const isSingle = box.childElementCount <= 1 && /^(?:p|div|span|a)$/.test(box.firstElementChild?.localName ?? 'p');
    // a sentence has text between its elements
    const isRow = () =>
      !hasManyChildren(box) && !hasOwnText(box) && [...box.children].every((one) => isMatch(one, INLINE));
    if (!isSingle && !isRow()) return false;
    // found later, so that the reader is told of it
    if (!isNamedClutter(box) || lengthOf(box) > MAX_SINGLE_LENGTH || isWall(box)) return false;
    return (
      selectFirst(box, CONTENT) === null &&
      selectFirst(box, 'img, time, [rel~="author"], [itemprop], .crayon-language') === null
    );
  });
  for (const box of withoutTimes(boxes)) box.remove();
}

/** Leaves out the times of the parts of a report. */
function withoutTimes(boxes: readonly Element[]): readonly Element[] {
  const isTime = ({ textContent, firstElementChild: first }: Element) => {
    const text = textContent.trim();
    return CLOCK.test(text) || (first?.localName === 'time' && text === first.textContent.trim());
  };
  return boxes.filter(isTime).length > MAX_CLOCKS ? boxes.filter((box) => !isTime(box)) : boxes;
}

/** Removes boxes that their names describe as parts of the site: share buttons, newsletters, teasers, biographies. */
export function removeNamedBoxes(root: Element): void {
  removeDisclaimer(root);
  const total = lengthOf(root);
  const named = new Set(
    withoutTimes(
      selectAll(root, `[class], [id], ${TOOLTIP}`).filter((one) => isMatch(one, TOOLTIP) || isNamedClutter(one)),
    ),
  );
  for (const element of named) {
    if (!root.contains(element) || isInLine(element, named)) continue;
    const length = lengthOf(element);
    if (length > MAX_LENGTH || length > total * MAX_SHARE) continue;
    if (isMatch(element, CONTENT) || selectFirst(element, CONTENT) !== null || isInContent(element, root)) continue;
    element.remove();
  }
  for (const heading of selectAll(root, `[${NAMED}]`)) if (isLast(heading, root)) heading.remove();
}

/** Detects a heading with nothing behind it in the smallest box that has more than the heading. */
function isLast(heading: Element, root: Element): boolean {
  const hasText = (first: Node | null, side: 'previousSibling' | 'nextSibling') => {
    for (let node = first; node; node = node[side]) if (!isBlank(node)) return true;
    return false;
  };
  for (let part: Element | null = heading; part && part !== root; part = part.parentElement) {
    if (hasText(part.nextSibling, 'nextSibling')) return false;
    if (hasText(part.previousSibling, 'previousSibling')) return true;
  }
  return true;
}

/** Removes a legal text at the end of the article. */
function removeDisclaimer(root: Element): void {
  const box = selectAll(root, 'div[class], section[class], div[id], section[id]')
    .filter((one) => DISCLAIMER.test(`${one.getAttribute('class') ?? ''} ${one.id}`))
    .at(-1);
  if (!box || isInContent(box, root) || selectFirst(box, CONTENT) !== null) return;
  const before = textLengthBefore(box, root, MIN_TEXT_BEFORE_DISCLAIMER);
  const isEnd = root.textContent.trim().endsWith(box.textContent.trim());
  if (before > MIN_TEXT_BEFORE_DISCLAIMER && isEnd) box.remove();
}

/** Detects a part of a line that has other text, or of a heading. */
function isInLine(element: Element, named: ReadonlySet<Element>): boolean {
  if (isOpened(element) || isBlank(element)) return false;
  for (let part: Element | null = element; part !== null && isMatch(part, INLINE); part = part.parentElement) {
    if ([textBeside(part, 'previousSibling', named), textBeside(part, 'nextSibling', named)].some(Boolean)) return true;
    if (HEADING.test(part.parentElement?.localName ?? '')) return true;
  }
  return false;
}

/** Detects a box that a pointer opens, not the words that open it: it may follow a word without a space. */
function isOpened(element: Element): boolean {
  const { className, previousSibling, textContent } = element;
  if (NOT_TEXT.test(className) || isMatch(element, `${TOOLTIP}, ${REST}`)) return true;
  const isGlued = /[\p{Lu}\p{Ll}]$/u.test(previousSibling?.textContent ?? '') && /^[\p{Lu}\p{Ll}]/u.test(textContent);
  return isGlued && OPENED.test(className);
}

/** Detects words beside a part of a line, with no label or sign between data before them. */
function textBeside(part: Element, side: 'previousSibling' | 'nextSibling', named: ReadonlySet<Element>): boolean {
  let node: Node | null = part[side];
  for (let i = 0; i < MAX_NEIGHBOURS && node; i++, node = node[side]) {
    if (isBlank(node) || named.has(node as Element)) continue;
    if (isElement(node) && !isMatch(node, INLINE)) return false;
    const text = node.textContent ?? '';
    if (SEPARATOR.test(text) || (side === 'previousSibling' && LABEL.test(text))) return false;
    if (WORD.test(text)) return true;
  }
  return false;
}

function isInContent(element: Element, root: Element): boolean {
  const holder = selectClosest(element, 'pre, table, blockquote, [data-embed]');
  return holder !== null && root.contains(holder);
}
