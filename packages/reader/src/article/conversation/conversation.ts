import { mark } from '../blocks/tree.ts';
import { parsePublished } from '../head/published.ts';
import { measureDeclared } from '../main-content.ts';
import { measureText } from '../plain-text.ts';
import { ASSISTANT, USER } from './attributes.ts';
import { createMessages, findMails } from './mails.ts';
import { findMessages, MAX_MESSAGES, type Message } from './messages.ts';

/** Share of the text of a page that its messages have, if the page says that it is a discussion, or does not. */
const MIN_SHARE = { declared: 0.4, unknown: 0.6 };
/** Share of the first message above which the others are the comments on an article, if it is not one of the same kind. */
const MAX_FIRST_SHARE = 0.5;
const MAX_LINK_SHARE = 0.6;
/** Further levels are not indented. */
const MAX_LEVEL = 5;
/** Below all answers. */
const POST_LEVEL = -2;
/** In characters. Shorter texts repeat each other by chance. */
const MIN_REPEATED_LENGTH = 20;
const MIN_REPEATED_SHARE = 0.8;
/** In characters. A longer line beside author and time is text. */
const MAX_HEAD_LENGTH = 120;

const AROUND = 'nav, footer, aside, form, dialog, .side, .sidebar, body > header';
/** Parts of messages that are no text: buttons, votes, portraits, and what a forum knows of the author. */
const CONTROLS =
  /(?:^|[\s_-])(?:post-?profile|(?:message-)?user-?(?:info|title|extras?|details)|tags?|attachments?|post-?counter|meta|actions?|buttons?|toolbar|vot(?:e|es|ing)|score|points|share|reply|menu|controls?|signature|(?:gr)?avatar|badges?|flair|karma|reactions?(?:-?bar)?)(?:$|[\s_-])/i;
const CONTROL_LABEL =
  /^[\s[(|·•]*(?:reply(?: with quote)?|top|\d{1,2}:\d\d(?: ?[ap]\.?m\.?)?|permalink|share|report|save|parent|context|full comments|flag|edit|delete|link|like|quote|cite|follow|more|next|prev|root|hide|copy|improve this (?:question|answer)|add a comment|contributor|collaborator|member|owner|author|op|moderator|#\d+|\d* ?(?:points?|likes?|votes?|replies|comments?)|antworten|répondre|responder|rispondi)[\s\])|·•]*$/i;
const MAX_CONTROLS_LENGTH = 150;
/** A line such as "Last edited by Ada on 12 March". */
const CHANGE =
  /^\s*(?:(?:last |zuletzt )?(?:edited|modified|updated|bearbeitet|geändert)|modifié|editado|modificato) (?:by|on|at|von|am|par|le|por|el|em|da|il)\b/i;
/** Addresses of pictures of emoji. */
const EMOJI = /[/_.-](?:emojis?|emoticons?|smileys?|smilies)[/_.-]/i;
/** In pixels. */
const MAX_ICON_WIDTH = 48;
const TEXT = 'p, pre, blockquote, table, img, [data-embed-part]';
/** Controls may have a portrait. */
const TEXT_OF_MESSAGE = 'p, pre, blockquote, table, [data-embed-part]';
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
  for (const time of document.querySelectorAll('time')) time.remove();
  return { title: mail.subject, byline: mail.author, publishedAt: mail.publishedAt };
}

function takeMessages(document: Document, isDeclared: boolean): Conversation | null {
  const found = findMessages(document);
  const [first, ...answers] = found;
  if (!first || answers.length === 0 || !isConversation(found, document, isDeclared)) return null;
  const isPost = isDeclared || isApart(first, answers);
  const messages = [isPost ? { ...first, level: POST_LEVEL } : first, ...answers];
  const bodies = messages.map((message) => createBody(message, document));
  removeSubjects(bodies);
  removeRepeated(bodies);
  document.body.replaceChildren(nest(messages, bodies, document));
  const publishedAt = dateOf(first.time);
  return { title: null, byline: isPost ? first.author : null, publishedAt };
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
  const around = [...document.querySelectorAll(AROUND)].filter((one) => !one.parentElement?.closest(AROUND));
  const rest = around.reduce((sum, one) => sum - measureText(one.textContent), measureText(document.body.textContent));
  if (messages.length < MAX_MESSAGES && total < rest * (isDeclared ? MIN_SHARE.declared : MIN_SHARE.unknown))
    return false;
  const teasers = messages.filter(({ boxes, names }) => boxes.some((box) => isTeaser(box, names)));
  if (teasers.length * 2 > messages.length) return false;
  // one author alone reports, as in a live blog
  if (!isDeclared && new Set(messages.map(({ author }) => author)).size === 1) return false;
  if (isDeclared || messages.every(({ author }) => author === USER || author === ASSISTANT)) return true;
  if (isAlike(messages)) return true;
  return (lengths[0] ?? 0) < total * MAX_FIRST_SHARE && measureDeclared(document) < total * MAX_FIRST_SHARE;
}

/** Detects a first message in the list of the others, in a box of their name. */
function isAlike([first, ...answers]: readonly Message[]): boolean {
  const listOf = ({ boxes }: Message | undefined = { boxes: [] }) => boxes[0]?.parentElement;
  const names = first ? namesOf(first) : new Set();
  return answers.some(
    (answer) => listOf(answer) === listOf(first) && [...namesOf(answer)].some((name) => names.has(name)),
  );
}

/** Returns the class names, without numbers, of the boxes that have most of a message. */
function namesOf({ head, boxes }: Message): ReadonlySet<string> {
  const [box] = boxes;
  const names = new Set<string>();
  for (let inner: Element | null = head; inner && box?.contains(inner); inner = inner.parentElement) {
    if (measureText(inner.textContent) >= measureText(box.textContent) * MIN_REPEATED_SHARE && inner.className)
      names.add(inner.className.replace(/\d+/g, ''));
  }
  return names;
}

/** Detects a link to another page with the heading of its article, or little else. */
function isTeaser(box: Element, names: readonly Element[]): boolean {
  const titles = [...box.querySelectorAll(':is(h1, h2, h3, h4) a[href], a[href]:has(h1, h2, h3, h4)')];
  if (titles.some((link) => !link.getAttribute('href')?.includes('#') && !names.includes(link))) return true;
  const links = [...box.querySelectorAll('a[href]')].reduce((sum, link) => sum + measureText(link.textContent), 0);
  return links > measureText(box.textContent) * MAX_LINK_SHARE;
}

/** Takes the boxes of a message, without its head and controls. */
function createBody({ boxes, head, names, time }: Message, document: Document): Element {
  const body = document.createElement('div');
  // an item alone would be none of a list
  body.append(...boxes.flatMap((box) => (box.localName === 'li' ? [...box.childNodes] : [box])));
  for (const one of [...names, ...(time ? [time] : [])]) (one.closest('a') ?? one).remove();
  const rest = measureText(head.textContent);
  if (rest <= MAX_HEAD_LENGTH && measureText(body.textContent) > rest && head.querySelector(TEXT) === null)
    head.remove();
  for (const part of body.querySelectorAll('[class], a, ul, li, span, button, img')) {
    if (!body.contains(part)) continue;
    if (isEmoji(part)) part.replaceWith(part.getAttribute('alt') ?? '');
    else if (isControl(part)) part.remove();
  }
  removeBoxes(body);
  return body;
}

/** Removes empty boxes, and those around all of the message. */
function removeBoxes(body: Element): void {
  for (const box of [...body.querySelectorAll('div, section, span, a, p')].reverse()) {
    if (!box.textContent?.trim() && box.querySelector(`${TEXT}, br`) === null && !box.matches('[data-embed-part]'))
      box.remove();
  }
  let [box] = body.children;
  while (
    box &&
    /^(?:div|section|article)$/.test(box.localName) &&
    box.textContent?.trim() === body.textContent?.trim()
  ) {
    if (body.childElementCount > 1) break;
    body.replaceChildren(...box.childNodes);
    [box] = body.children;
  }
}

/** Detects a small picture in a line of text, or one that is named as an emoji. */
function isEmoji(part: Element): boolean {
  if (part.localName !== 'img' || !part.getAttribute('alt')?.trim() || isNamedControl(part)) return false;
  if (part.hasAttribute('width') && widthOf(part) > MAX_ICON_WIDTH) return false;
  if (EMOJI.test(part.getAttribute('src') ?? '')) return true;
  const beside = [part.previousSibling, part.nextSibling];
  const isInLine = beside.some((node) => node?.nodeType === part.TEXT_NODE && node.nodeValue?.trim());
  return isInLine && widthOf(part) <= MAX_ICON_WIDTH && part.closest('p') !== null;
}

function widthOf(image: Element): number {
  return Number(image.getAttribute('width') ?? Number.POSITIVE_INFINITY);
}

function isNamedControl(image: Element): boolean {
  return CONTROLS.test(`${image.className} ${image.id} ${image.parentElement?.className}`);
}

function isControl(part: Element): boolean {
  const text = part.textContent?.trim() ?? '';
  if (part.localName === 'img') return isNamedControl(part) || widthOf(part) <= MAX_ICON_WIDTH;
  const block = part.closest('p, pre, blockquote');
  if (text.length > MAX_CONTROLS_LENGTH || (block !== null && block.textContent?.trim() !== text)) return false;
  if (CONTROL_LABEL.test(text) || CHANGE.test(text)) return true;
  return CONTROLS.test(`${part.className} ${part.id}`) && part.querySelector(TEXT_OF_MESSAGE) === null;
}

/** Removes the subjects of messages that answer one another. */
function removeSubjects(bodies: readonly Element[]): void {
  const headings = bodies.flatMap((body) => [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')]);
  const textOf = ({ textContent }: Element) => textContent?.trim() ?? '';
  const answered = headings.map(textOf).filter((text) => ANSWER.test(text));
  const subjects = new Set(answered.flatMap((text) => [text, text.replace(ANSWER, '')]));
  for (const heading of headings) if (subjects.has(textOf(heading))) heading.remove();
}

/** Removes what a message quotes of those before it, with the line that says who wrote it. */
function removeRepeated(bodies: readonly Element[]): void {
  let before = '';
  for (const body of bodies) {
    for (const quote of body.querySelectorAll(QUOTED)) {
      if (!body.contains(quote) || !repeats(quote, before)) continue;
      const lead = quote.previousElementSibling;
      if (lead && QUOTE_LEAD.test(lead.textContent?.trim() ?? '')) lead.remove();
      quote.remove();
    }
    before += compact(body.textContent);
  }
}

function repeats(quote: Element, before: string): boolean {
  const lines = [...quote.querySelectorAll('*'), quote].flatMap(({ childNodes }) =>
    [...childNodes].filter((node) => node.nodeType === node.TEXT_NODE).map(({ nodeValue }) => compact(nodeValue)),
  );
  const lengthOf = (list: readonly string[]) => list.reduce((sum, line) => sum + line.length, 0);
  const total = lengthOf(lines);
  return (
    total >= MIN_REPEATED_LENGTH &&
    lengthOf(lines.filter((line) => before.includes(line))) >= total * MIN_REPEATED_SHARE
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
  const date = time === null ? '' : dateTextOf(time);
  if (time && date !== '') {
    const said = document.createElement('time');
    const value = time.getAttribute('datetime');
    if (value) said.setAttribute('datetime', value);
    said.textContent = date;
    line.append(' · ', said);
  }
  if (isAccepted) line.append(' ✓');
  return line;
}

/** Writes the day of a time such as "3 hours ago". */
function dateTextOf(time: Element): string {
  const text = time.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return /\d{4}/.test(text) ? text : (dateOf(time)?.slice(0, 10) ?? text);
}

function dateOf(time: Element | null): string | null {
  return parsePublished(time?.getAttribute('datetime')) ?? parsePublished(time?.textContent);
}
