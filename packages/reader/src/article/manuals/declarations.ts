import { createElement, isBlank, replaceElement, textLengthBefore } from '../blocks/tree.ts';
import { isMatch, selectAll, selectFirst } from '../tree/select.ts';

/** Declarations of Javadoc and Doxygen. */
const SIGNATURES = 'div.member-signature, div.type-signature, table.memname';
/** The table of Doxygen with a declaration and words such as "inline". */
const LABELLED = 'table.mlabels';
/** The cells of a table of Javadoc, one after the other. */
const SUMMARIES = 'div.summary-table';

/** Turns declarations of references into code, and lists of them into tables: Readability would remove them for their links. */
export function convertDeclarations(document: Document): void {
  for (const summary of selectAll(document, SUMMARIES)) convertSummary(summary);
  for (const table of selectAll(document, LABELLED)) openLabelled(table);
  for (const signature of selectAll(document, SIGNATURES)) convertSignature(signature);
}

/** Detects code whose links are types, of one word each. A list of files begins with a link. */
export function isDeclaration(code: Element): boolean {
  const links = selectAll(code, 'a[href]');
  const [first] = links;
  return (
    first !== undefined &&
    textLengthBefore(first, code, 0) > 0 &&
    links.every(({ textContent }) => !/\s/.test(textContent.trim()))
  );
}

function openLabelled(table: Element): void {
  const signature = selectFirst(table, 'table.memname');
  if (!signature) return;
  const labels = selectAll(table, '.mlabel').map(({ textContent }) => textContent);
  table.replaceWith(signature);
  convertSignature(signature, labels);
}

/** Turns a declaration into code with its links: a line for each row of a table. */
function convertSignature(signature: Element, labels: readonly string[] = []): void {
  const code = replaceElement(signature, 'pre');
  const rows = selectAll(code, 'tr');
  if (rows.length > 0) code.replaceChildren();
  for (const row of rows) {
    if (code.hasChildNodes()) code.append('\n');
    let before = '';
    for (const { textContent, childNodes } of [...row.children].filter((cell) => !isBlank(cell))) {
      code.append(before === '' || /\s$/.test(before) ? '' : ' ', ...childNodes);
      before = textContent;
    }
  }
  if (labels.length > 0) code.append(` [${labels.join(', ')}]`);
}

/** Makes a table of the cells. The last one of a row is named so. */
function convertSummary(summary: Element): void {
  if (!isMatch(summary.lastElementChild, '.col-last')) return;
  const table = createElement(summary.ownerDocument, 'table');
  const caption = summary.previousElementSibling;
  if (caption && isMatch(caption, 'div.caption')) table.append(replaceElement(caption, 'caption'));
  let row: Element | null = null;
  for (const cell of [...summary.children]) {
    const { classList } = cell;
    if (row === null) {
      row = createElement(summary.ownerDocument, 'tr');
      table.append(row);
    }
    row.append(replaceElement(cell, classList.contains('table-header') ? 'th' : 'td'));
    if (classList.contains('col-last')) row = null;
  }
  summary.replaceWith(table);
}
