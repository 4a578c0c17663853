import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { mark, replaceElement, textLengthBefore } from './tree.ts';

/** Parts that only tables of data have. */
const DATA_PARTS = 'th, caption, thead, colgroup, [scope], [headers]';
/** Blocks that cells of data do not have, and those that only one cell of a row has. */
const BLOCKS = 'h1, h2, h3, h4, table, form, article, section, p + p';
const LISTS = 'ul, ol, pre, blockquote, hr';
const ENUMERATOR = /^(?:\(\p{L}{1,4}\)|\(\d{1,3}\)|\d{1,3}[.)]|\p{L}\)|[–—•])$/u;
/** In characters, of a paragraph behind a number. */
const MIN_TEXT_LENGTH = 15;
const CELLS = 'table, thead, tbody, tfoot, tr, td, th';
/** Further tables of a page stay as they are. */
const MAX_TABLES = 300;

/** Columns stand side by side where there is room. Of the views of a database, readers choose one. */
const LAYOUTS = { columns: 'div.notion-columns, div.column-list, div.wp-block-columns', views: 'div.notion-views' };

/** Marks columns of Notion and WordPress, and databases of Notion with several views. */
export function markLayouts(document: Document): void {
  for (const [name, selector] of Object.entries(LAYOUTS)) {
    for (const layout of selectAll(document, selector)) if (layout.children.length > 1) mark(layout, name);
  }
}

/** Turns tables that only place blocks on the page into boxes, the inner ones first. */
export function replaceLayoutTables(document: Document): void {
  const all = selectAll(document, 'table').slice(0, MAX_TABLES);
  for (const table of all.filter(isEnumeration).reverse()) replaceEnumeration(table);
  const tables = all.filter((table) => document.body.contains(table) && isLayout(table));
  for (const table of tables.reverse()) {
    for (const part of [...selectAll(table, CELLS), table]) {
      if (part === table || selectClosest(part, 'table') === table) replaceElement(part, 'div');
    }
  }
}

/** Detects a table of paragraphs behind their numbers, as in laws. */
function isEnumeration(table: Element): boolean {
  if (selectFirst(table, `${DATA_PARTS}, [data-embed-part]`) !== null) return false;
  const rows = rowsOf(table);
  return (
    rows.length > 0 &&
    rows.every(({ children: [sign, text, ...others] }) => {
      const isText = (text?.textContent.trim().length ?? 0) >= MIN_TEXT_LENGTH;
      // the number of a note is a link
      const isNumber = ENUMERATOR.test(sign?.textContent.trim() ?? '') && selectFirst(sign, 'a') === null;
      return others.length === 0 && isText && isNumber;
    })
  );
}

function replaceEnumeration(table: Element): void {
  for (const row of rowsOf(table)) {
    const [sign, text] = row.children;
    if (!sign || !text) continue;
    const box = replaceElement(text, 'div');
    box.id ||= sign.id || row.id;
    const paragraph = selectFirst(box, 'p');
    const line = paragraph && textLengthBefore(paragraph, box, 0) === 0 ? paragraph : box;
    line.prepend(`${sign.textContent.trim()} `);
    table.before(box);
  }
  table.remove();
}

function rowsOf(table: Element): readonly Element[] {
  return selectAll(table, 'tr').filter((row) => selectClosest(row, 'table') === table);
}

/** Detects a table that says so, that has one cell or one filled cell in each of its rows, or whose rows are all a single cell or have blocks. */
function isLayout(table: Element): boolean {
  const isOwn = (part: Element) => selectClosest(part, 'table') === table;
  if (selectAll(table, DATA_PARTS).some(isOwn)) return false;
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  const rows = rowsOf(table);
  const filled = rows.map((row) => [...row.children].filter(hasContent)).filter((cells) => cells.length > 0);
  const hasBlocks = (cells: readonly Element[]) =>
    cells.some((cell) => selectFirst(cell, cells.length === 1 ? `${BLOCKS}, ${LISTS}` : BLOCKS) !== null);
  if (filled.flat().length === 1) return true;
  // other cells of its rows only keep a distance
  if (filled.length === filled.flat().length && rows.some((row) => row.children.length > 1)) return true;
  if (filled.length > 0 && filled.every(isNumberedFormula)) return true;
  return filled.some(hasBlocks) && filled.every((cells) => cells.length === 1 || hasBlocks(cells));
}

/** Detects a row of a formula and its number. */
function isNumberedFormula(cells: readonly Element[]): boolean {
  const [formula, number] = cells;
  return (
    cells.length === 2 &&
    selectFirst(formula, '[data-embed-part]') != null &&
    /^\([\w.]{1,8}\)$/.test(number?.textContent.trim() ?? '')
  );
}

/**
 * Turns cells that are set as headers into header cells: those of a `thead`, and those of a first row that alone is bold. Groups
 * several first rows of header cells in a `thead`.
 */
export function restoreHeaders(table: Element): void {
  const rows = rowsOf(table);
  if (selectFirst(table, 'th')) {
    groupHeaders(table, rows);
    return;
  }
  const [first, second] = rows;
  const head = rows.filter((row) => row.parentElement?.localName === 'thead');
  if (first && second && isBold(first) && !isBold(second)) head.push(first);
  if (head.length === rows.length) return;
  for (const cell of head.flatMap((row) => [...row.children]).filter(hasContent)) {
    const header = replaceElement(cell, 'th');
    for (const { name, value } of cell.attributes) header.setAttribute(name, value);
  }
}

function groupHeaders(table: Element, rows: readonly Element[]): void {
  const isHeader = ({ children }: Element) =>
    children.length > 1 && [...children].every((cell) => isMatch(cell, 'th:not([rowspan])'));
  const count = rows.findIndex((row) => !isHeader(row));
  if (count < 2 || selectFirst(table, 'thead') !== null) return;
  const head = table.ownerDocument.createElement('thead');
  const [first] = rows;
  (first?.parentElement === table ? first : first?.parentElement)?.before(head);
  head.append(...rows.slice(0, count));
}

/** Detects a row of at least two texts, all of them bold. */
function isBold(row: Element): boolean {
  const filled = [...row.children].filter(hasContent);
  const textOf = (element: Element | null) => element?.textContent.trim();
  return filled.length > 1 && filled.every((cell) => textOf(selectFirst(cell, 'b, strong')) === textOf(cell));
}

function hasContent(cell: Element): boolean {
  return cell.textContent.trim() !== '' || selectFirst(cell, 'img, [data-embed-part]') !== null;
}
