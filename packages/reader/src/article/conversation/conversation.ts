import { MARKER, mark, textLengthBefore } from '../blocks/tree.ts';
import { parsePublished } from '../head/published.ts';
import { measureDeclared } from '../main-content.ts';
import { measureLinks, measureText } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { ASSISTANT, MESSAGE_AUTHOR, USER } from './attributes.ts';
import { createMessages, findMails } from './mails.ts';
import { createBody } from './message-body.ts';
import { AROUND, findMessages, MAX_MESSAGES, type Message, timeTextOf } from './messages.ts';

/** Share of the text of a page that its messages have, if the page says that it is a discussion, or does not. */
const MIN_SHARE = { declared: 0.4, unknown: 0.6 };
/** Share of the first message above which the others are the comments on an article, if it is not one of the same kind. */
const MAX_FIRST_SHARE = 0.5;
const MAX_LINK_SHARE = 0.6;
/** Further forms are those of a page, not around it. */
const MAX_FORMS = 10;
/** Further levels are not indented. */
const MAX_LEVEL = 5;
/** Below all answers. */
const POST_LEVEL = -2;
/** In characters. Shorter texts repeat each other by chance. */
const MIN_REPEATED_LENGTH = 20;
const MIN_REPEATED_SHARE = 0.8;
const QUOTED = 'blockquote, [class*="quote"]';
/** The subject of a message that answers another one. */
const ANSWER = /^(?:re|aw|sv|antw)\s?:\s*/i;
/** A line such as "On Monday, Ada wrote:". */
const QUOTE_LEAD = /^.{5,200}:\s*$/s;

export interface Conversation {
  /** The subject of a single mail. */
  readonly title: string | null;
  readonly byline: string | null;
  readonly publishedAt: string | null;
}

/**
 * Makes a thread of the messages of a discussion, or of the mails of a list, which are then all that the document has.
 * Returns null if the page is none.
 */
export function takeConversation(document: Document, isDeclared: boolean): Conversation | null {
  const mails = findMails(document);
  const [mail] = mails;
  if (!mail) return takeMessages(document, isDeclared);
  document.body.replaceChildren(...createMessages(mails, document));
  const thread = takeMessages(document, true);
  if (thread) return thread;
  for (const time of selectAll(document, 'time')) time.remove();
  return { title: mail.subject, byline: mail.author, publishedAt: mail.publishedAt };
}

function takeMessages(document: Document, isDeclared: boolean): Conversation | null {
  unwrapForms(document.body);
  const found = findMessages(document);
  const [first, ...answers] = found;
  if (!first || answers.length === 0 || !isConversation(found, document, isDeclared)) return null;
  const isChat = isChatOf(found);
  const isPost = !isChat && (isDeclared || isApart(first, answers));
  const levelled = isChat ? found.map((message) => ({ ...message, level: 0 })) : found;
  const messages = isPost ? [{ ...first, level: POST_LEVEL }, ...answers] : levelled;
  const bodies = messages.map((message) => createBody(message, document));
  removeSubjects(bodies);
  removeRepeated(bodies);
  document.body.replaceChildren(nest(messages, bodies, document));
  const publishedAt = dateOf(first.time);
  return { title: null, byline: isPost ? first.author : null, publishedAt };
}

/** Removes the forms that a forum puts around its messages, or around each of them. */
function unwrapForms(body: Element): void {
  const half = measureText(body.textContent) / 2;
  const forms = new Set([...selectAll(body, 'form').slice(0, MAX_FORMS), ...selectAll(body, 'form:has(time)')]);
  for (const form of forms)
    if (selectFirst(form, 'time') !== null || measureText(form.textContent) > half)
      form.replaceWith(...form.childNodes);
}

function isChatOf(messages: readonly Message[]): boolean {
  return messages.every(({ author }) => author === USER || author === ASSISTANT);
}

/** Detects a first message that is not in the list of the others. */
function isApart(first: Message, answers: readonly Message[]): boolean {
  const [second, third] = answers;
  if (!second || first.level < second.level) return true;
  const listOf = (message: Message) => message.boxes[0]?.parentElement;
  return third !== undefined && listOf(second) === listOf(third) && listOf(first) !== listOf(second);
}

function isConversation(messages: readonly Message[], document: Document, isDeclared: boolean): boolean {
  const lengths = messages.map(({ boxes }) => boxes.reduce((sum, box) => sum + measureText(box.textContent), 0));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const around = selectAll(document, AROUND).filter((one) => !selectClosest(one.parentElement, AROUND));
  const rest = around.reduce((sum, one) => sum - measureText(one.textContent), measureText(document.body.textContent));
  const isKnown = isDeclared || isChatOf(messages);
  if (messages.length < MAX_MESSAGES && total < rest * (isKnown ? MIN_SHARE.declared : MIN_SHARE.unknown)) return false;
  const teasers = messages.filter(({ boxes, names }) => boxes.some((box) => isTeaser(box, names)));
  if (teasers.length * 2 > messages.length) return false;
  // one author alone reports, as in a live blog, except in a channel
  const isChannel = messages.every(({ names }) => names.some((name) => isMatch(name, '[class*="message_"]')));
  if (!isDeclared && !isChannel && new Set(messages.map(({ author }) => author)).size === 1) return false;
  // all boxes of messages name their authors, also that of the first
  const isNamed = messages.every(({ item }) => item.hasAttribute(MESSAGE_AUTHOR));
  if (isKnown || isNamed || isAlike(messages)) return true;
  return (lengths[0] ?? 0) < total * MAX_FIRST_SHARE && measureDeclared(document) < total * MAX_FIRST_SHARE;
}

/** Detects a first message in the list of the others, in a box of their name, whose author is marked like theirs. */
function isAlike([first, ...answers]: readonly Message[]): boolean {
  const listOf = ({ boxes }: Message) => boxes[0]?.parentElement;
  if (!first) return false;
  const share = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].some((name) => other.has(name));
  return answers.some(
    (answer) =>
      listOf(answer) === listOf(first) &&
      share(namesOf(answer), namesOf(first)) &&
      share(authorNamesOf(answer), authorNamesOf(first)),
  );
}

function authorNamesOf({ names: [name] }: Message): ReadonlySet<string> {
  return new Set([...(name?.classList ?? []), ...(name?.parentElement?.classList ?? [])]);
}

/** Returns the class names, without numbers, of the boxes that have most of a message. */
function namesOf({ head, boxes }: Message): ReadonlySet<string> {
  const [box] = boxes;
  const names = new Set<string>();
  for (let inner: Element | null = head; inner && box?.contains(inner); inner = inner.parentElement) {
    if (measureText(inner.textContent) >= measureText(box.textContent) * MIN_REPEATED_SHARE && inner.className)
      for (const name of inner.className.replace(/\d+/g, '').split(/\s+/)) names.add(name);
  }
  return names;
}

/** Detects a link to another page with the heading of its article, or little else. */
function isTeaser(box: Element, names: readonly Element[]): boolean {
  const titles = selectAll(box, ':is(h1, h2, h3, h4) a[href], a[href]:has(h1, h2, h3, h4)');
  if (titles.some((link) => !link.getAttribute('href')?.includes('#') && !names.includes(link))) return true;
  return measureLinks(box) > measureText(box.textContent) * MAX_LINK_SHARE;
}

/** Removes the subjects of messages that answer one another. */
function removeSubjects(bodies: readonly Element[]): void {
  const headings = bodies.flatMap((body) => selectAll(body, 'h1, h2, h3, h4, h5, h6, div > strong:only-child'));
  const textOf = ({ textContent }: Element) => textContent.trim();
  const answered = headings.map(textOf).filter((text) => ANSWER.test(text));
  const subjects = new Set(answered.flatMap((text) => [text, text.replace(ANSWER, '')]));
  for (const heading of headings) if (subjects.has(textOf(heading))) heading.remove();
}

/** Removes what a message quotes of those before it, with the line that says who wrote it. */
function removeRepeated(bodies: readonly Element[]): void {
  let before = '';
  for (const body of bodies) {
    for (const quote of selectAll(body, QUOTED)) {
      if (!body.contains(quote)) continue;
      simplifyLead(quote);
      if (!repeats(quote, before)) continue;
      const lead = quote.previousElementSibling;
      if (lead && QUOTE_LEAD.test(lead.textContent.trim())) lead.remove();
      quote.remove();
    }
    before += compact(body.textContent);
  }
}

/** Makes a line of the name at the start of a quote, without links and the time. */
function simplifyLead(quote: Element): void {
  const [cite] = selectAll(quote, 'cite');
  if (!cite || textLengthBefore(cite, quote, 0) > 0 || cite.textContent.trim() === quote.textContent.trim()) return;
  const line = quote.ownerDocument.createElement('p');
  mark(line, 'speaker');
  line.textContent = cite.textContent.replace(/(?:↑.*|\bon \D{3,9}\d.*)$/s, '').trim();
  cite.replaceWith(line);
}

function repeats(quote: Element, before: string): boolean {
  const lines = [...selectAll(quote, '*'), quote].flatMap(({ childNodes }) =>
    [...childNodes].filter((node) => !isElement(node) && !isLead(node)).map(({ nodeValue }) => compact(nodeValue)),
  );
  const lengthOf = (list: readonly string[]) => list.reduce((sum, line) => sum + line.length, 0);
  const total = lengthOf(lines);
  return (
    total >= MIN_REPEATED_LENGTH &&
    lengthOf(lines.filter((line) => before.includes(line))) >= total * MIN_REPEATED_SHARE
  );
}

/** Detects a line that says who wrote the quoted text. */
function isLead({ nodeValue, parentElement }: Node): boolean {
  return (
    parentElement?.getAttribute(MARKER) === 'speaker' ||
    /\b(?:wrote|schrieb|a écrit|escribió) ?:\s*$/.test(nodeValue ?? '')
  );
}

function compact(text: string | null): string {
  return (text ?? '').replace(/[\s>]+/g, '');
}

/** Puts answers below the message that they answer, and the accepted one first. */
function nest(messages: readonly Message[], bodies: readonly Element[], document: Document): Element {
  const root = document.createElement('div');
  const open: { readonly level: number; readonly element: Element }[] = [];
  for (const [i, message] of messages.entries()) {
    while ((open.at(-1)?.level ?? POST_LEVEL) >= message.level && open.length > 0) open.pop();
    const parent = open.at(-1)?.element ?? root;
    const body = bodies[i] ?? document.createElement('div');
    const isPost = message.level === POST_LEVEL;
    const element = isPost ? root : document.createElement('blockquote');
    if (!isPost) {
      const first = message.isAccepted ? [...parent.children].find((one) => one.localName === 'blockquote') : null;
      parent.insertBefore(element, first ?? null);
      mark(element, 'message');
      element.append(createHead(message, document));
    }
    element.append(body);
    if (open.length <= MAX_LEVEL) open.push({ level: message.level, element });
  }
  return root;
}

function createHead({ author, time, isAccepted }: Message, document: Document): Element {
  const line = document.createElement('p');
  mark(line, 'message-author');
  const name = document.createElement('b');
  name.textContent = author;
  line.append(name);
  const said = time && createTime(time, document);
  if (said) line.append(' · ', said);
  if (isAccepted) line.append(' ✓');
  return line;
}

/** Returns the time as its site writes it, or else its day, such as that of "3 hours ago", which the frame writes in the reader's form. */
function createTime(time: Element, document: Document): Element | null {
  const text = timeTextOf(time);
  const date = /\d{4}/.test(text) ? null : dateOf(time);
  const value = date ?? time.getAttribute('datetime');
  if (date === null && text === '') return null;
  const said = document.createElement('time');
  if (value) said.setAttribute('datetime', value);
  if (date !== null) mark(said, 'date');
  said.textContent = date?.slice(0, 10) ?? text;
  return said;
}

function dateOf(time: Element | null): string | null {
  return parsePublished(time?.getAttribute('datetime')) ?? parsePublished(time && timeTextOf(time));
}
