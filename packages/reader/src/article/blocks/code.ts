import { isElement, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { findLanguage, isKnownLanguage } from './highlight.ts';
import {
  countWithin,
  createElement,
  HEADING,
  hasClass,
  hasManyChildren,
  hasOwnText,
  replaceElement,
  textIn,
  wrap,
} from './tree.ts';

const LINE =
  /^(?:line|(?:code|crayon)-?line|token-line|view-line|highlight-line|hljs-ln-line|react-code-line|CodeMirror-line|cm-line|ace_line)$/;
const GUTTER =
  /^(?:lineno|linenos|linenodiv|lnt?|crayon-nums|cm-gutters|line-?numbers?(?:-rows)?|hljs-ln-numbers|hljs-ln-n|boring|gutter|rouge-gutter|blob-num|react-line-number|CodeMirror-(?:gutter|linenumber).*|ace_gutter.*|margin-view-overlays|pre-numbering)$/i;
/** Boxes of code that are no `pre`: highlighters of blogs, and editors. */
const BOX =
  '.syntaxhighlighter, .crayon-main, .enlighter, .monaco-editor, .view-lines, .cm-scroller, .CodeMirror-code, div.ace_editor, .fragment:has(> .line), div.code-block[class*="language-"]';
/** Class names of boxes that have only code, and of those that may have code. */
const CODE_BOX =
  /(?:^|[\s_-])(?:code-?(?:block|box|listing|snippet)|source-?code|syntax-?highlight(?:er|ing)?)(?:$|[\s_-])/i;
const NAMED_BOX = /(?:^|[\s_-])(?:code|highlight|source)(?:$|[\s_-])/i;
const COPY = /(?:^|[-_])(?:copy|clipboard)/i;
const COPY_TEXT = /^(?:copy|copied!?|copy (?:code|to clipboard|snippet))$/i;
const MAX_BUTTON_TEXT = 40;
/** Code of several lines. */
const LINES = /\S[^\S\n]*\n.*\S/s;
const BLOCKS = /^(?:code|pre|p|div|ul|ol|h[1-6]|figure|blockquote)$/;
const LINE_ELEMENTS = ['div', 'li', 'p', 'tr'];
/** Elements of text with some emphasis and links. Without a language it is left as it is. */
const TEXT_ELEMENTS = 'a abbr b br cite del em i ins kbd mark q s samp small strong sub sup u var wbr'.split(' ');
/** Names of boxes in code with the name of its language. Highlighters give such names to words. */
const LABEL_BOX = /^(?:div|header|p)$/;
const LABEL = /(?:^|[\s_-])(?:header|title|lang|language|label|toolbar)(?:$|[\s_-])/i;
/** Names by which Readability takes a box for a part of the site. */
const MISNAMED = /extra|header|comment|menu|related/i;
const MAX_ANCESTORS = 3;
/** Further code of an article is left as it is. */
const MAX_BLOCKS = 500;

/**
 * Reduces code to its text: Readability removes parts of coloured code by their class names, such as comments. Line
 * numbers and buttons are removed. Per-line elements become lines.
 */
export function simplifyCode(document: Document): void {
  for (const box of selectAll(document, BOX).slice(0, MAX_BLOCKS)) putIntoPre(box);
  const boxes = new Map<Element | null, boolean>();
  for (const code of selectAll(document, 'code').slice(0, MAX_BLOCKS)) {
    const { parentElement: box } = code;
    if (!LINES.test(code.textContent.trim())) continue;
    if (!boxes.has(box)) boxes.set(box, hasBlocksOnly(box));
    if (boxes.get(box)) putIntoPre(code);
  }
  for (const table of selectAll(document, 'table').slice(0, MAX_BLOCKS)) unwrapCodeTable(table);
  const pres = selectAll(document, 'pre').slice(0, MAX_BLOCKS);
  const counts = countWithin(selectAll(document, 'pre'));
  for (const pre of pres) {
    if (selectClosest(pre.parentElement, 'pre') || selectFirst(pre, 'img, video, figure')) continue;
    if (pre.textContent.trim() === '') {
      pre.remove();
      continue;
    }
    const language = languageOf(pre, counts);
    removeButtons(pre, language);
    const isText = selectAll(pre, '*').every(({ localName }) => TEXT_ELEMENTS.includes(localName));
    pre.removeAttribute('class');
    if (language === null && isText && pre.childElementCount > 0) {
      unwrap(pre);
      continue;
    }
    const code = createElement(document, 'code', {}, textOfCode(findBoxedCode(pre) ?? pre));
    if (language !== null) code.className = `language-${language}`;
    pre.replaceChildren(code);
    clearNames(pre);
    if (pre.previousElementSibling?.localName === 'figcaption') pre.previousElementSibling.removeAttribute('class');
    unwrapLabelled(pre);
    const inline = pre.parentElement;
    if (inline?.localName === 'code') inline.replaceWith(...inline.childNodes);
  }
}

/** Removes the box around code and a short label: Readability removes boxes whose text is mostly in links, or short. */
function unwrapLabelled(pre: Element): void {
  const box = pre.parentElement;
  if (
    box?.localName !== 'div' ||
    box.childElementCount !== 2 ||
    (box.id === '' && selectFirst(box, 'a[href^="#"]') === null)
  )
    return;
  if (!selectFirst(box, 'a') || box.textContent.length - pre.textContent.length > MAX_BUTTON_TEXT) return;
  if (pre.id === '') pre.id = box.id;
  box.replaceWith(...box.childNodes);
}

/** Removes such names from boxes that have nothing but the code and its buttons. */
function clearNames(pre: Element): void {
  const max = pre.textContent.length + MAX_BUTTON_TEXT;
  for (let box = pre.parentElement; box?.localName === 'div' && !hasManyChildren(box); box = box.parentElement) {
    if (box.textContent.length > max) return;
    if (MISNAMED.test(box.className)) box.removeAttribute('class');
  }
}

/** Removes boxes around text with links: Readability would count the links against them. */
function unwrap(pre: Element): void {
  for (let box = pre.parentElement; box?.localName === 'div' && box.childElementCount === 1; box = pre.parentElement) {
    if (box.textContent.trim() !== pre.textContent.trim() || box.id !== '') return;
    box.replaceWith(pre);
  }
}

/** Detects a box without text and lines beside the code in it. */
function hasBlocksOnly(box: Element | null): boolean {
  if (!/^(?:div|section|article|figure)$/.test(box?.localName ?? '')) return false;
  return box !== null && !hasOwnText(box) && [...box.children].every(({ localName }) => BLOCKS.test(localName));
}

function putIntoPre(box: Element): void {
  if (selectClosest(box, 'pre') || selectFirst(box, 'pre:not(.CodeMirror-line)')) return;
  for (const line of selectAll(box, 'pre')) replaceElement(line, 'div');
  // Crayon writes the language above the code
  const label = selectFirst(selectClosest(box, '.crayon-syntax'), '.crayon-language')?.textContent.trim();
  const named = label ? `language-${label.replace(/\s+/g, '-')}` : selectFirst(box, '[class*="language-"]')?.className;
  wrap(box, 'pre').className = `${box.className} ${named ?? ''}`;
}

/** Replaces a table that only aligns line numbers with code by the code. */
function unwrapCodeTable(table: Element): void {
  const pres = selectAll(table, 'pre');
  // a heading is the name of the file
  const cells = selectAll(table, 'td');
  const isAligned = cells.length === 2 && /^[\s\d]*$/.test(cells[0]?.textContent ?? '');
  const code = [...pres].at(-1);
  if (isAligned && code && cells[1]?.contains(code)) {
    code.className = `${code.className} ${table.className}`;
    table.replaceWith(code);
    return;
  }
  const isFile = cells.some(({ className }) => /(?:^|\s)blob-code(?:\s|$)/.test(className));
  if (cells.length > 0 && (isFile || removeNumbers(table))) wrap(table, 'pre');
}

/** Removes the cells with the numbers of lines in a box of code; returns false for other tables. */
function removeNumbers(table: Element): boolean {
  const rows = selectAll(table, 'tr');
  const isNumbered = (row: Element, i: number) =>
    row.childElementCount === 2 && row.firstElementChild?.textContent.trim() === String(i + 1);
  if (!rows.every(isNumbered) || !isInCodeBox(table)) return false;
  for (const row of rows) row.firstElementChild?.remove();
  return true;
}

/** Detects a table that is code by the names of the nearest boxes around it. Numbered rows may also be a ranking. */
function isInCodeBox(table: Element): boolean {
  const hasCode = selectFirst(table, 'pre, code') !== null;
  let box = table.parentElement;
  for (let i = 0; i < MAX_ANCESTORS && box; i++, box = box.parentElement) {
    if (CODE_BOX.test(box.className) || isKnownLanguage(findLanguage(box.className) ?? '')) return true;
    if (hasCode && NAMED_BOX.test(box.className)) return true;
  }
  return false;
}

/** Removes "Copy" buttons in code, and beside it with the name of its language. A heading is none. */
function removeButtons(pre: Element, language: string | null): void {
  for (const sibling of [pre.previousElementSibling, pre.nextElementSibling]) {
    if (!sibling || HEADING.test(sibling.localName)) continue;
    if (isButton(sibling) || sibling.textContent.trim().toLowerCase() === language) sibling.remove();
  }
  for (const element of selectAll(pre, '[class]')) {
    const isLabel = LABEL_BOX.test(element.localName) && LABEL.test(element.className);
    if ((isLabel && element.textContent.trim().toLowerCase() === language) || isButton(element)) element.remove();
  }
}

function isButton(element: Element): boolean {
  const text = element.textContent.trim();
  if (text.length > MAX_BUTTON_TEXT || selectFirst(element, 'pre, img, p') !== null) return false;
  return COPY_TEXT.test(text) || hasClass(element, COPY);
}

/** Finds the code of a box that also has the name of its language and buttons. */
function findBoxedCode(pre: Element): Element | null {
  const [code, ...others] = selectAll(pre, 'code');
  const box = code?.parentElement;
  if (!code || others.length > 0 || box === pre || !/^(?:div|pre)$/.test(box?.localName ?? '')) return null;
  return pre.textContent.length - code.textContent.length <= MAX_BUTTON_TEXT ? code : null;
}

/** Joins the texts of code, with a line break between lines that only their elements separate. */
function textOfCode(pre: Element): string {
  let text = '';
  /** A line has ended without a line break, which the next text or line needs unless it begins with one. */
  let isBreakDue = false;
  const visit = (node: Node): void => {
    if (isElement(node)) visitElement(node);
    if (isBetweenCells(node)) return;
    const data = textIn(node).replaceAll('\r\n', '\n').replaceAll('\u00a0', ' ');
    if (data === '') return;
    if (isBreakDue && !data.startsWith('\n')) text += '\n';
    isBreakDue = false;
    text += data;
  };
  const visitElement = (element: Element): void => {
    // Prism writes the name of its gutter to the code, too
    const isCode = element.localName === 'code' && /[^\s\d]/.test(element.textContent);
    if (!isCode && hasClass(element, GUTTER)) return;
    if (element.localName === 'br') {
      isBreakDue = false;
      text += '\n';
      return;
    }
    // Medium gives each paragraph of code an id
    const isNamedLine = element.localName === 'span' && element.id !== '' && element.parentElement === pre;
    const isLine = isNamedLine || LINE_ELEMENTS.includes(element.localName) || hasClass(element, LINE);
    if (isLine && (isBreakDue || (text !== '' && !text.endsWith('\n')))) text += '\n';
    if (isLine) isBreakDue = false;
    const start = text.length;
    element.childNodes.forEach(visit);
    if (isLine) isBreakDue = text.length === start || !text.endsWith('\n');
  };
  pre.childNodes.forEach(visit);
  return text.replace(/^\n/, '').trimEnd();
}

function isBetweenCells({ parentElement, nodeValue }: Node): boolean {
  return /^t(?:able|body|head|r)$/.test(parentElement?.localName ?? '') && nodeValue?.trim() === '';
}

/** Finds the language of code by its class names, those of its elements, and of elements that contain only it. */
function languageOf(pre: Element, counts: ReadonlyMap<Element, number>): string | null {
  const elements: Element[] = [pre, ...selectAll(pre, 'code')].slice(0, 2);
  let ancestor = pre.parentElement;
  for (let i = 0; i < MAX_ANCESTORS && ancestor && counts.get(ancestor) === counts.get(pre); i++) {
    elements.push(ancestor);
    ancestor = ancestor.parentElement;
  }
  for (const element of elements) {
    const classes = element.getAttribute('class') ?? '';
    const language = findLanguage(classes);
    if (language !== null) return language;
    // R Markdown, and what highlight.js accepts
    const only = /^(?:pre|code)$/.test(element.localName) ? classes.trim() : '';
    if (only !== '' && isKnownLanguage(only)) return only.toLowerCase();
  }
  // GitHub's Markdown; shorter ones are also languages of people
  const lang = pre.getAttribute('lang')?.toLowerCase() ?? '';
  if (lang.length < 3 || !isKnownLanguage(lang)) return null;
  pre.removeAttribute('lang');
  return lang;
}
