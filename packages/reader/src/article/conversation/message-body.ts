import { replaceElement, textIn, textLengthBefore } from '../blocks/tree.ts';
import { measureText } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import type { Message } from './messages.ts';

/** In characters. A longer line beside author and time is text. */
const MAX_HEAD_LENGTH = 120;

/** Parts of messages that are no text: buttons, votes, portraits, and what a forum knows of the author. */
const CONTROLS =
  /(?:^|[\s_-])(?:post-?profile|(?:message-)?user[-_]?(?:info|title|extras?|details)|subject[-_]title|moderatorbar|tags?|attachments?|post-?counter|meta|actions?|buttons?|toolbar|vot(?:e|es|ers?|ing)|score|points|share|reply|menu|controls?|signature|(?:gr)?avatar|user[-_]?photo|message[-_]views|rounded-full|inlineimg|quoted-switch|edited-text|badges?|flair|karma|reactions?(?:-?bar)?)(?:$|[\s_-])/i;
/** The time again, in another form. */
const TIME = /(?:^|\s)(?:date|time)(?:\s|$)/i;
const CONTROL_LABEL =
  /^[\s[(|·•]*(?:reply(?: with quote)?|top|\d{1,2}:\d\d(?: ?[ap]\.?m\.?)?|permalink|share|report|save|parent|context|full comments|flag|edit|delete|link|like|quote|cite|follow|more|next|prev|root|hide|copy|improve this (?:question|answer)|add a comment|contributor|collaborator|member|owner|author|op|moderator|#\d+|\d* ?(?:points?|likes?|votes?|repl(?:y|ies)|comments?)|(?:[\d.,]+k? ?)?views?|answered by \S{1,40}|antworten|répondre|responder|rispondi)[\s\])|·•]*$/i;
/** The heading of a list of messages, in the box of the only one. */
const COUNT = /^(?:replies: )?\d+ (?:answers?|comments?|repl(?:y|ies)|responses?)$/i;
/** In quotes, too. */
const EXPANDER = /^click to expand\W*$/i;
const MAX_CONTROLS_LENGTH = 150;
const MAX_LEADING_BREAKS = 3;
const SEPARATORS = /^[\s\u00a0|·•–—✓✔]+$/;
/** A dash between a comment and its author. */
const DASH_BEFORE_NAME = /\s[–—-]\s*$/;
const QUOTE_TABLE = /^\s*(?:originally posted by|quote(?: from)?|zitat von|ursprünglich geschrieben von)\b/i;
/** The line before a signature in a forum. */
const SIGNATURE = /^_{5,}/;
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

/** The texts of blocks as they were before a control in them was removed: long ones are read once. */
type BlockTexts = Map<Element, string>;

/** Takes the boxes of a message, without its head and controls. */
export function createBody({ boxes, head, names, time }: Message, document: Document): Element {
  const body = document.createElement('div');
  // an item alone would be none of a list
  body.append(...boxes.flatMap((box) => [...(itemOf(box)?.childNodes ?? [box])]));
  removeCells(body, [...names, ...(time ? [time] : [])]);
  for (const one of [...names, ...(time ? [time] : [])]) {
    const mark = selectClosest(one, 'a') ?? one;
    const before = mark.previousSibling;
    if (before && !isElement(before)) before.replaceWith(textIn(before).replace(DASH_BEFORE_NAME, ''));
    mark.remove();
  }
  for (const heading of selectAll(body, 'h2, h3')) if (COUNT.test(heading.textContent.trim())) heading.remove();
  const blocks: BlockTexts = new Map();
  for (const part of selectAll(body, '[class], a, ul, li, span, div, button, img, table')) {
    if (!body.contains(part)) continue;
    if (isEmoji(part)) part.replaceWith(part.getAttribute('alt') ?? '');
    else if (isControl(part, blocks)) part.remove();
    else if (part.localName === 'table' && QUOTE_TABLE.test(part.textContent)) replaceByQuote(part);
  }
  const rest = measureText(head.textContent);
  if (rest <= MAX_HEAD_LENGTH && measureText(body.textContent) > rest && selectFirst(head, TEXT) === null)
    head.remove();
  removeBoxes(body);
  return body;
}

/** Returns the item that a box is, or has alone. */
function itemOf(box: Element): Element | null {
  if (box.localName === 'li') return box;
  return /^[ou]l$/.test(box.localName) && box.childElementCount === 1 ? box.firstElementChild : null;
}

/** Replaces a table that a forum draws around a quote. */
function replaceByQuote(table: Element): void {
  for (const cell of selectAll(table, 'tr, td')) replaceElement(cell, 'div');
  replaceElement(table, 'blockquote');
}

/** Removes the cells of a table that only say who wrote the message, and the row with its time. */
function removeCells(body: Element, marks: readonly Element[]): void {
  const lengthOf = (one: Element) => measureText(one.textContent);
  for (const mark of marks) {
    const [cell, row] = [selectClosest(mark, 'td'), selectClosest(mark, 'tr')];
    if (!cell || !row || !body.contains(row)) continue;
    const rest = lengthOf(body) - lengthOf(cell);
    const others = [...row.children].filter((one) => one !== cell);
    if (lengthOf(cell) >= rest || selectFirst(cell, TEXT_OF_MESSAGE) !== null) continue;
    const isHead = (one: Element) => lengthOf(one) <= MAX_HEAD_LENGTH && !marks.some((other) => one.contains(other));
    if (others.every(isHead)) row.remove();
    else cell.remove();
  }
}

/** Removes empty boxes, and those around all of the message. */
function removeBoxes(body: Element): void {
  for (const line of selectAll(body, 'br, hr').slice(0, MAX_LEADING_BREAKS))
    if (textLengthBefore(line, body, 0) === 0) line.remove();
  for (const box of selectAll(body, 'div, section, span, a, p, ul, ol, h2, h3, h4, h5').reverse()) {
    if (!box.textContent.trim() && selectFirst(box, `${TEXT}, br`) === null && !isMatch(box, '[data-embed-part]'))
      box.remove();
  }
  let [box] = body.children;
  while (
    box &&
    /^(?:div|section|article|ul|ol|li)$/.test(box.localName) &&
    box.textContent.trim() === body.textContent.trim()
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
  const isInLine = beside.some((node) => textIn(node).trim() !== '');
  return isInLine && widthOf(part) <= MAX_ICON_WIDTH && selectClosest(part, 'p') !== null;
}

function widthOf(image: Element): number {
  return Number(image.getAttribute('width') ?? Number.POSITIVE_INFINITY);
}

function isNamedControl(image: Element): boolean {
  return CONTROLS.test(`${image.className} ${image.id} ${image.parentElement?.className}`);
}

/** Returns the text of the paragraph, code or quote around a part, or null outside of them. */
function textOfBlock(part: Element, blocks: BlockTexts): string | null {
  const block = selectClosest(part, 'p, pre, blockquote');
  if (!block) return null;
  const text = blocks.get(block) ?? block.textContent.trim();
  blocks.set(block, text);
  return text;
}

/** Returns the text that the parent of a part has in no other element. */
function textBeside({ parentElement }: Element, blocks: BlockTexts): string {
  if (!parentElement || isMatch(parentElement, 'p, pre, blockquote')) return '';
  let text = blocks.get(parentElement);
  if (text !== undefined) return text;
  text = [...parentElement.childNodes].map(textIn).join('').trim();
  blocks.set(parentElement, text);
  return text;
}

function isControl(part: Element, blocks: BlockTexts): boolean {
  const text = part.textContent.trim();
  if (part.localName === 'img')
    return (
      isNamedControl(part) || widthOf(part) <= MAX_ICON_WIDTH || CONTROL_LABEL.test(part.getAttribute('alt') || '-')
    );
  if (EXPANDER.test(text)) return true;
  if (text.length > MAX_CONTROLS_LENGTH || (textOfBlock(part, blocks) ?? text) !== text) return false;
  if (SEPARATORS.test(text) || SIGNATURE.test(text)) return true;
  // a number of votes
  if (part.localName === 'a' && /^\d{1,6}$/.test(text) && part.getAttribute('href')?.startsWith('#'))
    return textBeside(part, blocks) === '';
  if (!isPlainLine(part) && (CONTROL_LABEL.test(text) || CHANGE.test(text))) return true;
  const isTime = part.localName !== 'p' && TIME.test(part.className) && /\d/.test(text);
  const isNamed = isTime || CONTROLS.test(`${part.className} ${part.id}`);
  return isNamed && selectFirst(part, TEXT_OF_MESSAGE) === null;
}

/** Detects boxes without a name. Their text is that of the message, unless a part of it is a control. */
function isPlainLine({ localName, className, id }: Element): boolean {
  return /^(?:div|ul|li)$/.test(localName) && className === '' && id === '';
}
