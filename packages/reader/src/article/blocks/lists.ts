import { INLINE_ELEMENTS } from '../allow-list.ts';
import { isElement, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { createElement, isBlank, replaceElement, textIn } from './tree.ts';

/** Lists of Google Docs, which stand one after the other, with their level. */
const DOCS_LIST = /(?:^|\s)lst-\S{1,60}-(\d)(?=\s|$)/;
const WORD_ITEMS = 'p[class^="MsoListParagraph"]';
/** The sign or the number before an item of Word, with the blanks behind it. */
const WORD_SIGN = /^\s*(?:[·•§o○▪➢✓\u2013-]|(?:\d{1,3}|[a-z]{1,4})[.)])[\s\u00a0]+/iu;
const NUMBER = /^\s*(?:\d{1,3}|[a-z]{1,4})[.)]/i;

/** Signs and numbers of items, which the frame draws. */
const ITEM_SIGN = /^(?:[·•◦▪‣●○■–]|\(?\d{1,3}[.)])$/;
/** The end of a label that only its style separates from the text, such as the name of a speaker. */
const LABEL = /^(?:.{1,60}(?:[^:]:|[!?…]|\.{3}|\s\(\d{4}[a-z]?\))|[[(]?[\p{L}\d]{1,4}[)\]]|(?:\d{1,3}|[QA])\.)$/u;
/** The number of a section of a law, and the start of a sentence behind it. Without brackets a capital letter must follow: "19th". */
const BRACKETED_NUMBER = /^\([\p{L}\d]{1,4}\)$/u;
const PLAIN_NUMBER = /^\d{1,3}[A-Z]?$/;
const SENTENCE = /^(?:\p{L}{2,30}|A),? (?:\S{1,40} ){2}/u;
/** Parts of a reference, which journals put into boxes. */
const CITATION_PARTS = ':is(.mixed-citation, .element-citation) div';

const MIN_LINES = 3;
const MIN_VERSES = 2;
/** Names of boxes of poems. */
const POEM = /(?:^|[\s_-])(?:poem|poetry|verse|stanza|lyrics)(?:$|[\s_-]|-?(?:body|text|content))/i;
/** In characters. */
const MAX_VERSE_LENGTH = 150;
/** Elements in a line of a poem. */
const MAX_PARTS = 6;

/** Makes lists of the paragraphs of Word, and nests the lists of Google Docs. */
export function joinLists(document: Document): void {
  for (const item of selectAll(document, WORD_ITEMS)) convertItem(item);
  for (const list of selectAll(document, 'ul[class*="lst-"], ol[class*="lst-"]')) {
    const before = list.previousElementSibling;
    const level = levelOf(list);
    if (before === null || !level) continue;
    findHome(before, level)?.append(list);
  }
}

/** Removes the signs before items that are elements of their own, and the numbers of the frame. */
export function removeItemSigns(document: Document): void {
  for (const list of selectAll(document, 'ul, ol')) {
    const start = Number(list.getAttribute('start') ?? 1);
    for (const [i, item] of [...list.children].entries()) {
      const part = firstTextOf(item)?.parentElement;
      const sign = part?.childNodes.length === 1 ? part.textContent.trim() : '';
      const isNumber = part?.localName === 'div' && list.localName === 'ol' && sign === String(start + i);
      // a sign alone is the text of its item
      if (!part || part === item || !(isNumber || ITEM_SIGN.test(sign)) || item.textContent.trim() === sign) continue;
      const number = sign.replace(/\D/g, '');
      if (list.localName === 'ol' ? Number(number) === start + i : number === '') part.remove();
    }
  }
}

function firstTextOf(item: Element): Node | null {
  let node = item.firstChild;
  while (node && !textIn(node).trim()) node = node.firstChild ?? node.nextSibling;
  return node;
}

/** Puts a blank between a label and the sentence behind it. */
export function separateLabels(document: Document): void {
  for (const part of selectAll(document, 'span, cite, a')) {
    // a selector of siblings would look at all of them for each
    const label = part.previousSibling;
    if (!isElement(label) || !/^(?:span|b|strong)$/.test(label.localName)) continue;
    if (!isLabelOf(label.textContent, firstTextOf(part)?.nodeValue ?? '')) continue;
    if (selectClosest(part, 'pre, code') === null) part.before(' ');
  }
}

function isLabelOf(label: string, text: string): boolean {
  if (BRACKETED_NUMBER.test(label)) return SENTENCE.test(text);
  if (!/^\p{Lu}/u.test(text)) return false;
  return PLAIN_NUMBER.test(label) ? SENTENCE.test(text) : LABEL.test(label);
}

/** Replaces boxes between the words of a line, which editors put around links, by their content. */
export function unwrapInLine(document: Document): void {
  const textOf = (node: Node | null) => {
    if (!isElement(node)) return textIn(node);
    return INLINE_ELEMENTS.includes(node.localName) ? node.textContent : '';
  };
  for (const box of selectAll(document, 'div')) {
    const isInLine = /[^\s.:!?…] $/.test(textOf(box.previousSibling)) && /^ \S/.test(textOf(box.nextSibling));
    if (
      isInLine &&
      selectFirst(box, 'a') !== null &&
      selectAll(box, '*').every(({ localName }) => INLINE_ELEMENTS.includes(localName))
    )
      box.replaceWith(...box.childNodes);
  }
  for (const part of selectAll(document, CITATION_PARTS)) {
    if (part.nextSibling?.nodeName.toLowerCase() === 'div') part.after(' ');
    part.replaceWith(...part.childNodes);
  }
}

/** Puts an item into the list before it, or into a new one. */
function convertItem(paragraph: Element): void {
  const { ownerDocument } = paragraph;
  const [sign] = selectAll(paragraph, 'span');
  const text = paragraph.textContent;
  if (!sign || !WORD_SIGN.test(text) || !WORD_SIGN.test(`${sign.textContent} `)) return;
  const name = NUMBER.test(text) ? 'ol' : 'ul';
  const before = paragraph.previousElementSibling;
  const isSame = before?.localName === name && before.className === 'word-list';
  const list = isSame ? before : ownerDocument.createElement(name);
  if (!isSame) {
    list.className = 'word-list';
    paragraph.before(list);
  }
  sign.remove();
  list.append(createElement(ownerDocument, 'li', {}, ...paragraph.childNodes));
  paragraph.remove();
}

/** Joins boxes of one line each, such as those of a poem, into a paragraph for each group of lines. */
export function joinLines(document: Document): void {
  const lines = selectAll(document, 'div').filter((box) => isLine(box) || isVerse(box));
  for (const [parent, group] of Map.groupBy(lines, ({ parentElement }) => parentElement)) {
    const min = group.every(isVerse) ? MIN_VERSES : MIN_LINES;
    if (parent === null || group.length < min || group.length < parent.childElementCount) continue;
    let paragraph: Element | null = null;
    for (const line of group) {
      const hasText = Boolean(line.textContent.trim());
      const isLast = !hasText || line === group.at(-1);
      if (isBlank(line)) line.remove();
      else if (!hasText) {
        if (endsWithBreak(line)) line.lastElementChild?.remove();
      } else if (paragraph === null) paragraph = replaceElement(line, 'p');
      else {
        if (!endsWithBreak(paragraph)) paragraph.append(document.createElement('br'));
        paragraph.append(...line.childNodes);
        line.remove();
      }
      if (isLast && paragraph && endsWithBreak(paragraph)) paragraph.lastElementChild?.remove();
      if (!hasText) paragraph = null;
    }
  }
}

/** Detects a box of one line, which ends with a line break. */
function isLine(box: Element): boolean {
  return box.childElementCount <= MAX_PARTS && endsWithBreak(box);
}

function endsWithBreak({ lastChild }: Element): boolean {
  let last: Node | null = lastChild;
  while (last && !isElement(last) && !textIn(last).trim()) last = last.previousSibling;
  return last?.nodeName.toLowerCase() === 'br';
}

/** Detects a line of a poem that its box names. */
function isVerse(box: Element): boolean {
  if (!POEM.test(box.parentElement?.className ?? '') || box.textContent.length > MAX_VERSE_LENGTH) return false;
  const { firstElementChild } = box;
  return firstElementChild === null || INLINE_ELEMENTS.includes(firstElementChild.localName);
}

function levelOf(list: Element): number | null {
  const level = /^[uo]l$/.test(list.localName) ? DOCS_LIST.exec(list.className)?.[1] : undefined;
  return level === undefined ? null : Number(level);
}

/** Finds the last item one level above in the list before. */
function findHome(before: Element, level: number): Element | null {
  const own = levelOf(before);
  if (own === null || own >= level) return null;
  const item = before.lastElementChild;
  const inner = item?.lastElementChild;
  return (inner && findHome(inner, level)) ?? item;
}
