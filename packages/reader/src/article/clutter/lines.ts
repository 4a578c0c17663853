import { hasOwnText, textIn, textLengthBefore } from '../blocks/tree.ts';
import { toLine } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import {
  CATALOGUE,
  CHANGE,
  EDIT,
  isAdvertisement,
  isLabel,
  isPointer,
  isRequest,
  NEIGHBOUR,
  REFERENCES,
} from './labels.ts';
import { INLINE } from './named-boxes.ts';

/** Elements that are a line, or a box around lines. */
const LINES = 'p, div, h2, h3, h4, h5, h6, li, ul, ol, section, aside, span, center, a, header, footer, details';
const BLOCKS =
  'p, div, ul, ol, h1, h2, h3, h4, h5, h6, table, pre, blockquote, figure, img, iframe, video, audio, hr, math, [data-embed-part]';
const MAX_LINE_LENGTH = 400;
/** In characters. Shorter links in capital letters are buttons and names. */
const MIN_HEADLINE_LENGTH = 25;
/** Share of the paragraphs of an article. More of such links are its headings. */
const MAX_HEADLINE_SHARE = 0.3;
/** In characters. Longer pointers are sentences. */
const MAX_POINTER_LENGTH = 250;
/** In characters. Shorter paragraphs are teasers, or ask their readers for something. */
const MIN_TEXT_LENGTH = 140;
const ONE_WORD = /^(?:[\p{L}\p{M}-]+|(?:log|sign) (?:in|up|out))$/iu;
/** Share of the text of a teaser that is in links. */
const MIN_LINK_SHARE = 0.6;
/** In characters. Links to catalogues follow a reference. */
const MIN_REFERENCE_LENGTH = 20;

/** The labels of links to the neighbours of a page in a manual. */
const NEIGHBOURS_START = /^[^\p{L}\p{N}]*(?:next|prev(?:ious)?|up|back|contents)(?![\p{L}\p{N}])/iu;
const NEIGHBOUR_LABELS =
  /^(?:(?:next|prev(?:ious)?|up|back|contents|index|top|home)(?![\p{L}\p{N}])|[^\p{L}\p{N}])*$/iu;
/** Stands for a link in a line. */
const LINK = '\u{fffc}';
const LABELLED_LINK = /\p{L}[^\p{L}\p{N}\u{fffc}]*\u{fffc}/u;

/** Removes lines that are no part of the text: labels, pointers to other pages, requests to subscribe. */
export function removeLines(root: Element): void {
  removeHeadlines(root);
  const lists = new Map<Element, boolean>();
  for (const element of selectAll(root, LINES)) {
    if (!root.contains(element)) continue;
    const text = toLine(element.textContent);
    if (text === '' || text.length > MAX_LINE_LENGTH || !isWholeLine(element)) continue;
    if (selectFirst(element, BLOCKS) !== null && text !== toLine(element.firstElementChild?.textContent)) continue;
    if (element.localName === 'details' && !isChange(element, text)) continue;
    if (isLinkToNeighbour(element)) element.remove();
    else if (isRowOfLabels(element) || isNeighbours(element, text)) element.remove();
    else if (isLabel(text) || isChange(element, text) || isEditLink(element, text)) {
      if (!isHeadingOfText(element, text) && !isItemOfText(element, lists)) removeLabel(element, text);
    } else if (text.length <= MAX_POINTER_LENGTH && isPointer(text) && linkShareOf(element, text) > 0.3)
      element.remove();
    else if (!/^(?:li|ul|ol)$/.test(element.localName) && isRequest(text)) element.remove();
  }
}

/** Detects a line such as "Last updated 3 May 2024", also in details behind the date of the page. */
function isChange(element: Element, text: string): boolean {
  const line = element.localName === 'details' ? toLine(element.lastChild?.textContent) : text;
  return CHANGE.test(line) && /\d/.test(line) && selectClosest(element, 'li, ul, ol') === null;
}

/** Detects a link of boxes, the first of which is a word such as "Next". */
function isLinkToNeighbour(link: Element): boolean {
  if (link.localName !== 'a' || hasOwnText(link)) return false;
  return NEIGHBOUR.test(link.firstElementChild?.textContent.trim() ?? '');
}

/** Removes the headlines of other stories between the paragraphs. One alone may be a source, and those in a row are a list. */
function removeHeadlines(root: Element): void {
  const lines = selectAll(root, 'p');
  const headlines = new Set<Element | null>(lines.filter(isHeadline));
  if (headlines.size < 2 || headlines.size > lines.length * MAX_HEADLINE_SHARE) return;
  const isInRow = (line: Element) =>
    headlines.has(line.previousElementSibling) || headlines.has(line.nextElementSibling);
  for (const line of lines.filter((one) => headlines.has(one) && !isInRow(one))) line.remove();
}

/** Detects a paragraph of a link to another page, whose words are in capital letters. */
function isHeadline(line: Element): boolean {
  const text = toLine(line.textContent);
  if (text.length < MIN_HEADLINE_LENGTH || text.length > MAX_LINE_LENGTH || text !== text.toUpperCase()) return false;
  // scripts without capital letters have `Lo`
  if (!/\p{Lu}/u.test(text) || /\p{Lo}/u.test(text) || selectFirst(line, 'a[href^="#"]') !== null) return false;
  return linkShareOf(line, text) > 0.9;
}

/** Detects a link to the editor of the page. Without a link, the words may describe one. */
function isEditLink(element: Element, text: string): boolean {
  return EDIT.test(text) && linkShareOf(element, text) > 0.9;
}

/** Detects a box of labels that stand beside each other, such as "Last updated 3 months ago" and "Was this helpful?". */
function isRowOfLabels(row: Element): boolean {
  if (row.childElementCount < 2) return false;
  const texts = [...row.childNodes].map(({ textContent }) => toLine(textContent));
  const hasLink = selectFirst(row, 'a[href]') !== null;
  return texts.every((text) => text === '' || CHANGE.test(text) || isLabel(text) || (hasLink && EDIT.test(text)));
}

/** Detects links to the neighbours of a page, each behind its label: "Next: Steam Up: Heat". */
function isNeighbours(element: Element, text: string): boolean {
  if (!NEIGHBOURS_START.test(text)) return false;
  const links = selectAll(element, 'a[href]').map((link) => toLine(link.textContent));
  const rest = links.reduce((line, link) => line.replace(link, LINK), text);
  return NEIGHBOUR_LABELS.test(rest.replaceAll(LINK, '')) && rest.split(LABELLED_LINK).length > 2;
}

/** Removes links to catalogues behind references, with the brackets around them. */
export function removeCatalogueLinks(root: Element): void {
  let isReferences = false;
  const links = selectAll(root, 'h1, h2, h3, h4, h5, h6, li a, [data-embed="footnotes"] a').filter((one) => {
    const text = one.textContent.trim();
    if (one.localName !== 'a') isReferences = REFERENCES.test(text);
    else if (CATALOGUE.test(text) && (isReferences || selectClosest(one, '[data-embed="footnotes"]'))) {
      const item = selectClosest(one, 'li') ?? one.parentElement;
      return item && textLengthBefore(one, item, MIN_REFERENCE_LENGTH) > MIN_REFERENCE_LENGTH;
    }
    return false;
  });
  for (const link of links) removeCatalogueLink(link);
}

/** Keeps a link before words, such as one in a sentence. */
function removeCatalogueLink(link: Element): void {
  const [before, after] = [link.previousSibling, link.nextSibling];
  const start = before?.nodeValue?.trimEnd() ?? '';
  if (before && start.endsWith('[') && after?.nodeValue?.startsWith(']')) {
    before.nodeValue = start.slice(0, -1).trimEnd();
    after.nodeValue = after.nodeValue.slice(1);
  } else if (/\p{L}/u.test(after?.nodeValue ?? '')) return;
  link.remove();
}

/** Detects a heading of one word above code, a list or a paragraph of the text, such as "Images", and a longer one above a long paragraph. */
function isHeadingOfText({ localName, nextElementSibling: next }: Element, heading: string): boolean {
  if (!/^h[2-6]$/.test(localName) || !next || !/^(?:p|pre|ul|ol|dl)$/.test(next.localName)) return false;
  const text = toLine(next.textContent);
  const isLong = next.localName === 'p' && text.length >= MIN_TEXT_LENGTH;
  if (text === '' || !(isLong || (ONE_WORD.test(heading) && !isAdvertisement(heading)))) return false;
  return linkShareOf(next, text) < MIN_LINK_SHARE && !isLabel(text) && !isRowOfLabels(next) && !isRequest(text);
}

/** Detects a label in a list that has other words, too, such as "Save" among the commands of a menu. Dates and times are none. */
function isItemOfText(element: Element, lists: Map<Element, boolean>): boolean {
  const list = selectClosest(element, 'li')?.parentElement;
  if (!list) return false;
  const isText = ({ textContent }: Element) => {
    const text = toLine(textContent);
    return text !== '' && !/\d/.test(text) && !isLabel(text);
  };
  const hasText = lists.get(list) ?? [...list.children].some(isText);
  lists.set(list, hasText);
  return hasText;
}

/** An inline element is a line if line breaks or blocks are around it, and around the inline elements that have only it. */
function isWholeLine(element: Element): boolean {
  if (selectClosest(element, 'pre, table, blockquote, figure, dl, summary, [data-embed]') !== null) return false;
  if (element.localName !== 'span' && element.localName !== 'a') return true;
  for (let part: Element | null = element; part && isMatch(part, INLINE); part = part.parentElement) {
    const around = [neighbourOf(part, 'previousSibling'), neighbourOf(part, 'nextSibling')];
    if (!around.every(isBreak)) return false;
    if (around.some((node) => node !== null)) return true;
  }
  return true;
}

function neighbourOf(element: Element, side: 'previousSibling' | 'nextSibling'): Node | null {
  let node: Node | null = element[side];
  while (node && !isElement(node) && !textIn(node).trim()) node = node[side];
  return node;
}

function isBreak(node: Node | null): boolean {
  return node === null || /^(?:br|hr|p|div|section|ul|ol|figure|img|h[1-6])$/i.test(node.nodeName);
}

/** Removes a label, and the teasers that follow a label of teasers. */
function removeLabel(label: Element, text: string): void {
  let next = label.nextElementSibling;
  if (isPointer(text)) {
    while (next && isTeaser(next)) {
      const teaser = next;
      next = next.nextElementSibling;
      teaser.remove();
    }
  }
  label.remove();
}

function isTeaser(element: Element): boolean {
  if (!/^(?:p|ul|ol|div|a|h[2-6])$/.test(element.localName)) return false;
  const text = toLine(element.textContent);
  return text !== '' && linkShareOf(element, text) >= MIN_LINK_SHARE;
}

function linkShareOf(element: Element, text: string): number {
  const links = element.localName === 'a' ? [element] : selectAll(element, 'a[href]');
  return links.reduce((sum, link) => sum + link.textContent.trim().length, 0) / Math.max(1, text.length);
}
