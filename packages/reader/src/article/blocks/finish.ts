import { INLINE_ELEMENTS } from '../allow-list.ts';
import { PART_MARKER } from '../embedded/parts.ts';
import { IMAGE_ID } from '../images.ts';
import { compact, lengthOf } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { removeEmptyFigures } from './captions.ts';
import { nameHeadings } from './headings.ts';
import { highlightCode } from './highlight.ts';
import { restoreHeaders } from './layout-tables.ts';
import { MIN_PICTURE_WIDTH, markUnsizedPictures, nameLinks } from './pictures.ts';
import { moveInfobox } from './roles.ts';
import { restoreTasks } from './tasks.ts';
import {
  hasOwnText,
  isBlank,
  MARKER,
  mark,
  replaceElement,
  SUBSTANCE,
  textIn,
  textLengthBefore,
  wrap,
} from './tree.ts';

/** Headings among which the title is searched, and the length of the names before it, in characters. */
const MAX_HEADINGS = 3;
const MAX_TEXT_BEFORE_TITLE = 120;
/** Of a part of the title that stands for it. */
const MIN_WORDS = 3;
/** Share of the words of a heading and of the title. */
const MIN_COMMON = 0.75;
/** The name of a manual at the end of a title, and the number of a section. */
const SUFFIX = / \([^()]{1,60}\)$/;
const NUMBER = /^\s*\d{1,3}(?:\.\d{1,3})+\.?\s/;
/** A line between two parts of a text. */
const RULE = /^\s*(?:_{3,}|-{3,}|—{2,}|\*{3,}|={3,})\s*$/;
/** Boxes in which lines may stand beside blocks. */
const BOXES = 'div, section, article, main, blockquote';
const BLOCK = /^(?:p|h[1-6]|ul|ol|dl|figure|table|pre|blockquote)$/;
/** Elements that a paragraph cannot have. */
const BLOCKS =
  'p, div, section, article, aside, header, footer, h1, h2, h3, h4, h5, h6, ul, ol, dl, figure, table, pre, blockquote, details, hr';
const KEPT_BEFORE_TITLE =
  'p, img, picture, figure, video, audio, iframe, pre, blockquote, table, math, ul, ol, [data-embed-part], [data-embed]';

/** Removes the repeated title and media without a source, and brings blocks into their final form. Runs after Readability. */
export function finishBlocks(root: Element, title: string): void {
  removeTitle(root, title);
  for (const image of selectAll(root, 'img:not([src]):not([srcset])')) image.remove();
  for (const media of selectAll(root, 'video, audio')) {
    if (!media.hasAttribute('src') && selectFirst(media, 'source[src]') === null) media.remove();
  }
  removeEmptyFigures(root);
  for (const list of selectAll(root, 'ul')) openListOfSections(list);
  wrapLooseText(root);
  for (const image of selectAll(root, `img[${IMAGE_ID}]`)) image.id = image.getAttribute(IMAGE_ID) ?? '';
  nameHeadings(root);
  restoreTasks(root);
  highlightCode(root);
  nameLinks(root);
  markUnsizedPictures(root);
  finishTables(root);
  moveInfobox(root);
  // from the end, because an empty item between others has a number
  for (const item of selectAll(root, 'li:not([id])').reverse()) {
    const hasNumber = item.parentElement?.localName === 'ol' && item.nextElementSibling !== null;
    if (!hasNumber && isBlank(item) && !selectFirst(item, '[id]')) item.remove();
  }
  for (const text of selectAll(root, 'dd:not([id])'))
    if (text.previousElementSibling?.localName === 'dd' && isBlank(text)) text.remove();
  for (const line of selectAll(root, 'p:not([id])'))
    if (RULE.test(line.textContent) && line.childElementCount === 0) replaceElement(line, 'hr').replaceChildren();
  for (const block of selectAll(root, 'td, th, p, li')) trimEnd(block);
  for (const line of selectAll(root, 'p:not([id])'))
    if (line.textContent && isBlank(line) && !selectFirst(line, '[id]')) line.remove();
  removeEmptyStart(root);
}

/** Removes blanks at the end of a block that would stand in a line of their own: "Ctrl+S &nbsp;". */
function trimEnd({ lastChild }: Element): void {
  const text = textIn(lastChild);
  const trimmed = text.trimEnd();
  if (lastChild && trimmed !== '' && text.slice(trimmed.length).includes('\u00a0')) lastChild.nodeValue = trimmed;
}

/** Removes empty boxes and line breaks before the first content. Those with an id stay as the target of links. */
function removeEmptyStart(root: Element): void {
  let node = root.firstChild;
  while (node) {
    const next: ChildNode | null = node.nextSibling;
    const element = isElement(node) ? node : null;
    if (isMatch(element, SUBSTANCE)) return;
    const isEmpty = isBlank(node);
    if (isEmpty && element && !element.id && !selectFirst(element, '[id]')) element.remove();
    node = isEmpty ? next : (element?.firstChild ?? null);
  }
}

/** Removes the title at the start of the text, and the names and labels before it. */
function removeTitle(root: Element, title: string): void {
  const words = wordsOf(title);
  if (words === '') return;
  const names = [title, title.replace(SUFFIX, '')].map(compact);
  const parts = title.split(/:\s|\s[|–—-]\s/).map(wordsOf);
  const ends = [words, ...parts.filter((part) => part.split(' ').length >= MIN_WORDS)];
  const lines = selectAll(root, 'h1, h2, h3, h4, h5, h6').slice(0, MAX_HEADINGS);
  const heading = lines[0];
  const first = selectFirst(root, 'p');
  if (first && textLengthBefore(first, root, 0) === 0) lines.unshift(first);
  for (const line of lines) {
    const said = line.textContent.slice(0, 1_000);
    const isTitle = names.includes(compact(said)) || names.includes(compact(said.replace(NUMBER, '')));
    const isPart = line === heading && (ends.includes(wordsOf(said)) || isAlike(line, title, root));
    if (!isTitle && !isPart && !(line === heading && endsWithTitle(line, ends))) continue;
    const before = textLengthBefore(line, root, MAX_TEXT_BEFORE_TITLE);
    if (line !== heading && before > MAX_TEXT_BEFORE_TITLE) return;
    if (before <= MAX_TEXT_BEFORE_TITLE) removeBefore(line, root);
    line.remove();
    return;
  }
}

/** Detects a heading that has most of the words of the title. At the start of the text, the title may have more words. */
function isAlike(heading: Element, title: string, root: Element): boolean {
  const [words, others] = [heading.textContent.slice(0, 1_000), title].map((text) => new Set(wordsOf(text).split(' ')));
  if (!words || !others) return false;
  const isFirst = words.size >= MIN_WORDS && textLengthBefore(heading, root, 0) === 0;
  const common = [...words].filter((word) => others.has(word));
  return common.length > MIN_COMMON * (isFirst ? words.size : Math.max(words.size, others.size));
}

/** Detects a heading whose parts are a kicker and the title, without words between them. */
function endsWithTitle(heading: Element, ends: readonly string[]): boolean {
  return !hasOwnText(heading) && ends.includes(wordsOf(heading.lastElementChild?.textContent.slice(0, 1_000) ?? ''));
}

/** Removes what stands before an element, unless it is a picture, a paragraph or the like. */
function removeBefore(line: Element, root: Element): void {
  for (let node: Element | null = line; node && node !== root; node = node.parentElement) {
    let before = node.previousSibling;
    while (before) {
      const next: ChildNode | null = before.previousSibling;
      if (!isElement(before) || !(isMatch(before, KEPT_BEFORE_TITLE) || selectFirst(before, KEPT_BEFORE_TITLE)))
        before.remove();
      before = next;
    }
  }
}

/** Replaces a list by boxes if each item is a section, as in Javadoc: the signs would stand before headings. */
function openListOfSections(list: Element): void {
  const items = [...list.children];
  const isSection = (item: Element) => {
    const heading = selectFirst(item, 'h2, h3, h4, h5');
    return heading !== null && selectClosest(heading, 'li') === item && textLengthBefore(heading, item, 0) === 0;
  };
  if (items.length === 0 || !items.every(isSection)) return;
  for (const item of items) replaceElement(item, 'div');
  replaceElement(list, 'div');
}

/** Removes rows of at most one cell, and without text. Others may be those of a board. */
function removeBlankRows(table: Element): void {
  for (const row of selectAll(table, 'tr:not([id])'))
    if (row.childElementCount < 2 && isBlank(row) && selectFirst(row, '[id]') === null) row.remove();
}

/** Restores the headers of tables, and wraps tables so that they can scroll. */
function finishTables(root: Element): void {
  for (const table of selectAll(root, 'table')) {
    if (selectFirst(table, '[rowspan]') === null) removeBlankRows(table);
    if (lengthOf(table) === 0 && selectFirst(table, 'tr') === null) table.remove();
    restoreHeaders(table);
    if (selectClosest(table.parentElement, 'table')) continue;
    mark(wrap(table, 'div'), 'embed-table');
  }
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Puts lines that stand beside blocks into paragraphs, so that there is space around them. */
function wrapLooseText(root: Element): void {
  for (const box of [root, ...selectAll(root, BOXES)]) {
    if (box.hasAttribute(MARKER) || ![...box.children].some(({ localName }) => BLOCK.test(localName))) continue;
    let line: ChildNode[] = [];
    for (const node of [...box.childNodes, null]) {
      const isPicture = node !== null && (widthOf(node) ?? 0) >= MIN_PICTURE_WIDTH;
      if (node !== null && !isPicture && isInline(node)) {
        line.push(node);
        continue;
      }
      if (line.some((part) => hasWords(part) || widthOf(part) === null)) wrapLine(line);
      if (isPicture) wrapLine([node]);
      line = [];
    }
  }
}

function wrapLine(line: readonly ChildNode[]): void {
  const [first] = line;
  const paragraph = first?.ownerDocument?.createElement('p');
  if (!first || !paragraph) return;
  first.before(paragraph);
  paragraph.append(...line);
  for (const end of ['firstChild', 'lastChild'] as const)
    for (let node = paragraph[end]; node && isBlank(node) && !isTarget(node); node = paragraph[end]) node.remove();
}

/** A formula or a frame may be a block of its own. */
function hasWords(node: ChildNode): boolean {
  return !(isElement(node) && node.hasAttribute(PART_MARKER)) && Boolean(node.textContent?.trim());
}

function isTarget(node: ChildNode): boolean {
  return isElement(node) && node.id !== '';
}

function isInline(node: ChildNode): boolean {
  if (!isElement(node) || /^(?:br|img)$/.test(node.localName)) return true;
  return INLINE_ELEMENTS.includes(node.localName) && selectFirst(node, BLOCKS) === null;
}

/** Returns the width of a picture that a node consists of, null if it is unknown, and 0 for other nodes. */
function widthOf(node: ChildNode): number | null {
  if (!isElement(node) || node.textContent.trim()) return 0;
  const image = node.localName === 'img' ? node : node.localName === 'a' ? selectFirst(node, 'img') : null;
  if (image === null) return 0;
  const width = image.getAttribute('width');
  return width === null ? null : Number(width);
}
