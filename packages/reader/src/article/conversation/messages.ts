import { countWithin, textIn } from '../blocks/tree.ts';
import { parsePublished } from '../head/published.ts';
import { measureText, toLine } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { ASSISTANT, MESSAGE_AUTHOR, USER } from './attributes.ts';
import { levelIn, levelsOf } from './levels.ts';

/** Elements that name the author of a message, besides links whose text begins with `@` or is all of their path. */
const AUTHORS = `[${MESSAGE_AUTHOR}], [rel~="author"], [itemprop~="author"], [class*="author"], [class*="Author"], [class*="user"],
  [class*="User"], [class*="poster"], [class*="handle"], [class*="nick"], [class*="display-name"], [class*="sender"], span.name,
  a[href*="/user"], a[href*="/u/"], a[href*="/@"], a[href*="/~"], a[href*="profile"], a[href*="/member"], a[href*="/people/"]`;
const TIMES =
  'time, [class*="date"], [class*="Date"], [class*="time"], [class*="stamp"], [class*="details"], .smalltext, td[class*="head"]';
/** What forums write around a time, such as "« Reply #1 on: … »" and "Posted: … Post subject: …". */
const TIME_LABEL = /^[^\p{L}\d]*(?:reply #\d+\s)?(?:on|posted)\s*:\s*/iu;
const TIME_TAIL = /\s*(?:»|\bpost subject:).*$/is;
const ACCEPTED = '[itemprop~="acceptedAnswer"], [class*="accepted-answer"], [class*="acceptedAnswer"]';
/** Elements of a page that have no messages. */
export const AROUND =
  'nav, footer, aside, form, dialog, div.side, div.sidebar, body > header, [role="navigation"], [role="complementary"]';
/** The start of a line, before its time. */
const CHANGE =
  /^[^\p{L}\p{N}]*(?:last |zuletzt )?(?:edited|modified|updated|bearbeitet|geändert|modifié|editado|modificato)(?!\p{L})/iu;
/** In characters. */
const MAX_LINE_LENGTH = 200;
/** Nodes before a time that may be of its line. */
const MAX_SIBLINGS = 6;
/** A time of which a page says only how long ago it was. */
const RELATIVE_TIME =
  /^(?:about |over |almost )?(?:an?|\d{1,3}) (?:sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s? ago$/i;
const NUMBERS_OF_DATE = /^\d{1,2}([-/.])\d{1,2}\1\d{4}\b/;
/** Boxes between the time and the author of a message. */
const MAX_LEVELS = 5;
/** Further messages are left out. */
export const MAX_MESSAGES = 1_000;
/** In characters. */
const MAX_AUTHOR_LENGTH = 80;
/** Of words beside an author and a time, such as "asked by". */
const MAX_WORDS_LENGTH = 30;
/** Of a box that is the head of a message. A box with more is a list of messages. */
const MAX_AUTHORS = 30;
const MIN_BODY_LENGTH = 2;

export interface Message {
  readonly author: string;
  /** The element that says when it was written. */
  readonly time: Element | null;
  /** The elements of the page with this message alone, in which its author and time still are. */
  readonly boxes: readonly Element[];
  /** The elements with the author. */
  readonly names: readonly Element[];
  /** The smallest box with author and time. */
  readonly head: Element;
  /** The box of which the page gives the author; the head if it gives none. */
  readonly item: Element;
  /** Messages of a higher level answer the nearest one of a lower level before them. */
  readonly level: number;
  readonly isAccepted: boolean;
}

interface Mark {
  readonly head: Element;
  readonly item: Element;
  readonly author: string;
  readonly names: readonly Element[];
  readonly time: Element | null;
}

/** Finds repeated items with an author, and a time or a role, in the order of the page. */
export function findMessages(document: Document): readonly Message[] {
  const named = findNamed(document);
  const timed = named.length > 1 ? [] : findTimed(document);
  const marks = (named.length > 1 ? named : timed).slice(0, MAX_MESSAGES);
  const counts = countWithin(marks.map(({ head }) => head));
  const nested = levelsOf(marks.map(({ item }) => item));
  const boxed = marks
    .map((mark, i) => ({ ...mark, boxes: findBoxes(mark, counts), depth: nested[i] ?? 0 }))
    .filter((mark) => mark.head !== mark.item || !isEvent(mark));
  const explicit = boxed.map(({ boxes, head }) => levelIn([...boxes, head]));
  const hasLevels = explicit.filter((level) => level !== null).length * 2 > boxed.length;
  return boxed
    .map((mark, i) => ({
      ...mark,
      level: hasLevels ? (explicit[i] ?? -1) : mark.depth,
      isAccepted: isFirstIn(selectClosest(mark.head, ACCEPTED), boxed[i - 1]?.head),
    }))
    .filter((message, i, all) => !isRepeated(message, all[i - 1]));
}

/** The box of an accepted answer may also have comments on it. */
function isFirstIn(box: Element | null, before: Element | undefined): boolean {
  return box !== null && !(before && box.contains(before));
}

/** Detects a line such as "Ada added 2 commits on 12 March", in a box without a text. */
function isEvent({ head, names, time, boxes }: Mark & { readonly boxes: readonly Element[] }): boolean {
  if (boxes.some((box) => selectFirst(box, 'p, pre, blockquote, table, [itemprop~="text"]') !== null)) return false;
  const around = boxes.flatMap((box) => selectAll(box, 'h1, h2, h3')).filter((one) => !head.contains(one));
  const lengthOf = (all: readonly Element[]) => all.reduce((sum, one) => sum + measureText(one.textContent), 0);
  if (lengthOf(boxes) - lengthOf([head, ...around]) > MAX_AUTHOR_LENGTH) return false;
  const nodes = [...head.childNodes];
  const [from, to] = [names[0] ?? null, time].map((one) => nodes.findIndex((node) => one && node.contains(one)));
  const hasWords = (start: number, end?: number) =>
    nodes.slice(start, end).some((node) => /\p{L}{2}/u.test(textIn(node)));
  if (from === undefined || to === undefined || from < 0 || from >= to) return false;
  return hasWords(from + 1, to) && !hasWords(to + 1) && measureText(head.textContent) <= MAX_LINE_LENGTH;
}

/** Some pages show the head of the first message twice. */
function isRepeated({ author, time, boxes }: Message, before: Message | undefined): boolean {
  const textOf = (all: readonly Element[]) => all.map(({ textContent }) => textContent.replace(/\s+/g, '')).join('');
  const isSame = author === before?.author && time?.getAttribute('datetime') === before.time?.getAttribute('datetime');
  return isSame && textOf(before.boxes).startsWith(textOf(boxes));
}

/** Finds messages whose boxes name their author by an attribute. */
function findNamed(document: Document): readonly Mark[] {
  return selectAll(document, `[${MESSAGE_AUTHOR}]`)
    .filter((head) => selectClosest(head, AROUND) === null && measureText(head.textContent) > MIN_BODY_LENGTH)
    .filter((head) => !/^(?:a|span|b|strong|time)$/.test(head.localName) && !isInTurn(head))
    .map((item) => {
      const [names, time] = [namesIn(item), selectFirst(item, 'time')];
      const author = item.getAttribute(MESSAGE_AUTHOR) ?? '';
      return { head: headIn(item, names[0] ?? null, time), item, author, names, time };
    });
}

/** Finds the smallest box with name and time. */
function headIn(item: Element, name: Element | null, time: Element | null): Element {
  let head = time && name?.parentElement;
  while (head && head !== item && !head.contains(time)) head = head.parentElement;
  return head ?? item;
}

/** Finds the author of a box again at its start. */
function namesIn(head: Element): readonly Element[] {
  const name = head.getAttribute(MESSAGE_AUTHOR) ?? '';
  const said = selectAll(head, 'a, span, b, strong')
    .slice(0, 10)
    .find(({ textContent }) => textContent.trim().replace(/^(?:@|u\/)/, '') === name);
  const block = selectClosest(said, 'p');
  return said && (!block || selectFirst(block, 'time') !== null) ? [said] : [];
}

/** A turn of a chat is marked at several of its boxes. */
function isInTurn(head: Element): boolean {
  const name = head.getAttribute(MESSAGE_AUTHOR);
  return (
    (name === USER || name === ASSISTANT) && selectClosest(head.parentElement, `[${MESSAGE_AUTHOR}="${name}"]`) !== null
  );
}

/** Finds the authors next to each time. An author counts once, with its nearest time, unless that is the time of a change. */
function findTimed(document: Document): readonly Mark[] {
  const known = new Map<Element, readonly Element[]>();
  const marks = new Map<Element, Mark & { readonly isChange: boolean }>();
  for (const time of selectAll(document, TIMES).slice(0, MAX_MESSAGES * 3)) {
    if (selectClosest(time, AROUND) !== null || !isTime(time)) continue;
    const isChange = isOfChange(time);
    let head = time.parentElement;
    for (let level = 0; level < MAX_LEVELS && head && head !== document.body; level++, head = head.parentElement) {
      const authors = known.get(head) ?? authorsIn(head);
      known.set(head, authors);
      const author = authors.findLast((one) => isBefore(one, time)) ?? authors[0];
      if (!author) continue;
      const found = marks.get(author);
      const isNearer = found && found.head !== head && found.head.contains(head);
      if (!found || isNearer || (found.head === head && found.isChange))
        marks.set(author, { head, item: head, time, isChange, ...nameOf(author) });
      break;
    }
  }
  return [...marks.values()].filter(({ isChange }) => !isChange);
}

/** Detects a time, and a date alone in its element. Which number of a date is the month may be unknown. */
function isTime(element: Element): boolean {
  if (element.localName === 'time') return true;
  const text = timeTextOf(element);
  if (text.length > MAX_AUTHOR_LENGTH || selectFirst(element, 'p, div, time') !== null) return false;
  return parsePublished(text) !== null || NUMBERS_OF_DATE.test(text) || RELATIVE_TIME.test(text);
}

/** Returns the text of a time without the words that forums write around it. */
export function timeTextOf(time: Element): string {
  const text = toLine(time.textContent);
  return text.replace(TIME_LABEL, '').replace(TIME_TAIL, '');
}

/** Detects the time of a change, by its link or by the start of its line. */
function isOfChange(time: Element): boolean {
  if (selectClosest(time, 'a[href*="/revisions"]') !== null) return true;
  let line = time;
  for (let level = 0; level < MAX_LEVELS && line.parentElement && textBefore(line) === ''; level++)
    line = line.parentElement;
  const text = textBefore(line) || time.textContent;
  return text.length <= MAX_LINE_LENGTH && CHANGE.test(text);
}

/** Returns the text of the nodes beside an element that are before it. */
function textBefore(element: Element): string {
  let text = '';
  let node = element.previousSibling;
  for (let i = 0; i < MAX_SIBLINGS && node; i++, node = node.previousSibling) text = `${node.textContent}${text}`;
  return text.trim();
}

function authorsIn(box: Element): readonly Element[] {
  const handles = selectAll(box, 'a[href]').filter(isHandle);
  const found = selectAll(box, AUTHORS);
  if (found.length + handles.length > MAX_AUTHORS) return [];
  const named = [...found].filter((one) => {
    const name = one.textContent.trim();
    return /\p{L}/u.test(name) && name.length <= MAX_AUTHOR_LENGTH && !selectFirst(one, 'time, p, li') && !isTime(one);
  });
  return named.length > 0
    ? named.filter((one) => !named.some((other) => other !== one && one.contains(other)))
    : handles;
}

/** Detects a link such as `@ada`, or `ada` to `/ada`, but no heading such as those of a list of changes, and no version. */
function isHandle(link: Element): boolean {
  const text = link.textContent.trim();
  if (/^@\w/.test(text)) return true;
  if (text === '' || /\d\.\d/.test(text) || selectClosest(link, 'h1, h2, h3, h4, h5, h6') !== null) return false;
  return URL.parse(link.getAttribute('href') ?? '')?.pathname === `/${text}`;
}

/** Joins a name and the handle beside it, which lead to the same profile. */
function nameOf(author: Element): { readonly author: string; readonly names: readonly Element[] } {
  const before = author.previousElementSibling;
  const isSame = before?.localName === 'a' && before.getAttribute('href') === author.getAttribute('href');
  const names = before && isSame ? [before, author] : [author];
  const words = names.map(({ textContent }) => toLine(textContent)).filter((name) => name);
  return { author: [...new Set(words)].join(' '), names };
}

/**
 * Climbs from a mark to the largest box without another mark. If that box has nothing else, the message is in the boxes
 * that follow it.
 */
function findBoxes({ head, item, names, time }: Mark, counts: ReadonlyMap<Element, number>): readonly Element[] {
  if (head !== item && counts.get(item) !== 1) {
    const own = [...item.children].filter((box) => !counts.has(box) || (box.contains(head) && counts.get(box) === 1));
    return own.some((box) => box.contains(head)) ? own : [item];
  }
  let box = head;
  while (box.parentElement && box.parentElement.localName !== 'body' && counts.get(box.parentElement) === 1)
    box = box.parentElement;
  const own = [...names, ...(time ? [time] : [])].reduce((sum, one) => sum + measureText(one.textContent), 0);
  const boxes = [box];
  if (counts.get(box) !== 1 || measureText(box.textContent) > own + MAX_AUTHOR_LENGTH || hasParagraph(box))
    return boxes;
  for (let next = box.nextElementSibling; next && !counts.has(next); next = next.nextElementSibling) boxes.push(next);
  const [, ...after] = boxes;
  if (measureText(box.textContent) > own + MAX_WORDS_LENGTH || after.some(({ textContent }) => textContent.trim()))
    return boxes;
  // some pages of questions write the author behind the text
  const before: Element[] = [];
  for (let last = box.previousElementSibling; last; last = last.previousElementSibling) {
    if (counts.has(last)) return boxes;
    before.push(last);
  }
  return before.some(hasParagraph) ? [...before.reverse(), ...boxes] : boxes;
}

function hasParagraph(box: Element): boolean {
  return selectFirst(box, 'p, pre, blockquote, img, [itemprop~="text"]') !== null;
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & one.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
