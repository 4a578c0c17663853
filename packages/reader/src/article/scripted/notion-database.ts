import { escapeHtml } from '../../html.ts';
import { hasOwnText } from '../blocks/tree.ts';
import { toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { inlineOf, TEXT } from './notion-text.ts';

/** The views of a database, as Notion's scripts build them. */
export const VIEWS = ['table', 'board', 'list', 'gallery', 'calendar', 'timeline']
  .map((name) => `.notion-${name}-view`)
  .join();
/** Copies of views that the renderer has opened, with their names. */
const OPENED_VIEW = '[data-embed-view]';
export const DATABASE = '.notion-collection_view-block, .notion-collection_view_page-block';
const ROW = '.notion-table-view-row';
const CELL = '.notion-table-view-cell';
const HEADER_CELL = '.notion-table-view-header-cell';
const COLUMN = '.notion-board-group';
const ITEM = '.notion-collection-item';
/** The button that closes a group of a table, a list or a gallery. Its name stands beside it. */
const GROUP_BUTTON = '[role="button"][aria-expanded]:not([aria-haspopup])';
const BUTTON = '[role="button"], button';
const MAX_ROWS = 1_000;
/** Labels of Notion's buttons in cells and groups. */
const LABEL = /^(?:\+|(?:\+ ?)?new(?: page)?|open|load more|calculate|count ?\d*)$/i;

/** Converts a database. Of several views, readers open one at a time. */
export function convertDatabase(root: Element): string {
  const views = selectAll(root, OPENED_VIEW);
  if (views.length < 2) return convertView(views[0] ?? root);
  const group = `views-${selectAll(root.ownerDocument, OPENED_VIEW).indexOf(views[0] as Element)}`;
  const parts = views.map((view, i) => {
    const name = escapeHtml(view.getAttribute('data-embed-view') || `View ${i + 1}`);
    return `<details name="${group}"${i === 0 ? ' open' : ''}><summary>${name}</summary>${convertView(view)}</details>`;
  });
  return `<div class="notion-views">${parts.join('')}</div>`;
}

/** Converts the title and the description before the views of a database. */
export function headOf(database: Element): string {
  const parts = [VIEWS, OPENED_VIEW, ROW, COLUMN, ITEM, '[role="tablist"]', '[role="button"]'].join();
  const texts = selectAll(database, TEXT).filter(
    (one) => !selectClosest(one, parts) && !selectFirst(one, TEXT) && nameOf(one) !== '',
  );
  const [title = '', description = ''] = texts.map(inlineOf);
  return [title && `<h3>${title}</h3>`, description && `<p>${description}</p>`].join('');
}

/** Converts a view: a table, or the list of its items, by groups if it has them. */
function convertView(root: Element): string {
  const columns = selectAll(root, COLUMN);
  if (columns.length > 0) return boardOf(columns);
  const isTable = selectFirst(root, ROW) !== null;
  let html = '';
  let entries: Element[] = [];
  const flush = () => {
    if (entries.length > 0) html += isTable ? tableOf(root, entries) : listOf(entries);
    entries = [];
  };
  const parts = selectAll(root, `${GROUP_BUTTON}, ${isTable ? ROW : ITEM}`);
  for (const part of parts.slice(0, MAX_ROWS)) {
    if (isMatch(part, isTable ? ROW : ITEM)) entries.push(part);
    else if (!selectClosest(part, `${ITEM}, ${ROW}, ${HEADER_CELL}`) && part.parentElement) {
      const [name] = textsIn(part.parentElement, (element) => !part.contains(element));
      if (name === undefined) continue;
      flush();
      html += titleOf(name);
    }
  }
  flush();
  return html;
}

/** Converts a board. The names of its columns stand in them, or in a row above all of them. */
function boardOf(columns: readonly Element[]): string {
  const heads = [...(columns[0]?.parentElement?.previousElementSibling?.children ?? [])];
  const names = columns.map((column, i) => {
    const head = heads[i];
    const [name] = textsIn(column, (element) => selectClosest(element, ITEM) === null);
    const [nameAbove = ''] = head ? textsIn(head, () => true) : [];
    return name ?? nameAbove;
  });
  return columns.map((column, i) => titleOf(names[i] ?? '') + listOf(selectAll(column, ITEM))).join('');
}

function titleOf(name: string): string {
  return name === '' ? '' : `<h3>${escapeHtml(name)}</h3>`;
}

function tableOf(root: Element, rows: readonly Element[]): string {
  const headers = selectAll(root, HEADER_CELL).map(nameOf);
  const lines = rows.map((row) => selectAll(row, CELL).map(cellOf));
  const columnCount = Math.max(0, ...lines.map(({ length }) => length));
  const isNamed = (text: string) => text !== '';
  const head = headers.some(isNamed)
    ? `<thead><tr>${headers
        .slice(0, columnCount)
        .map((name) => `<th>${escapeHtml(name)}</th>`)
        .join('')}</tr></thead>`
    : '';
  const body = lines.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<table>${head}<tbody>${body}</tbody></table>`;
}

function cellOf(cell: Element): string {
  let href: string | null = null;
  for (const button of selectAll(cell, `${BUTTON}, a`)) {
    if (!LABEL.test(nameOf(button))) continue;
    href ??= button.getAttribute('href');
    button.remove();
  }
  const box = selectFirst(cell, 'input[type="checkbox"], [role="checkbox"]');
  if (box) return box.hasAttribute('checked') || box.getAttribute('aria-checked') === 'true' ? '✓' : '';
  const tags = tagsIn(cell);
  const content = tags.length < 2 ? inlineOf(cell) : tags.map(inlineOf).join(', ');
  return href === null || content.includes('<a ') ? content : `<a href="${escapeHtml(href)}">${content}</a>`;
}

/** The boxes of a cell with several tags, people or files. */
function tagsIn(cell: Element): readonly Element[] {
  const isWhole = (one: Element) => one.localName === 'a' || hasOwnText(one);
  let box = cell;
  while (!isWhole(box) && box.children.length === 1 && box.firstElementChild) box = box.firstElementChild;
  if (isWhole(box)) return [];
  const boxes = [...box.children].filter((one) => !isMatch(one, '.notion-record-icon'));
  const isTag = (one: Element) =>
    one.localName === 'div' || /border-radius|inline-(?:block|flex)/.test(one.getAttribute('style') ?? '');
  return boxes.every(isTag) ? boxes.filter((one) => nameOf(one) !== '') : [];
}

function listOf(items: readonly Element[]): string {
  return items.length === 0 ? '' : `<ul>${items.slice(0, MAX_ROWS).map(itemOf).join('')}</ul>`;
}

function itemOf(item: Element): string {
  const [name = '', ...properties] = textsIn(item, () => true);
  const link = item.localName === 'a' ? item : selectFirst(item, 'a[href]');
  const href = link?.getAttribute('href');
  const title = href ? `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>` : escapeHtml(name);
  const picture = selectAll(item, 'img').find((image) => selectClosest(image, '.notion-record-icon') === null);
  const source = picture?.getAttribute('src');
  const shown = source ? `<img src="${escapeHtml(source)}" alt=""><br>` : '';
  return `<li>${shown}${[title, ...properties.map(escapeHtml)].join(' · ')}</li>`;
}

/** Finds the texts of the innermost elements, without icons and the labels of buttons. */
function* textsIn(root: Element, isPart: (element: Element) => boolean): Generator<string, void> {
  for (const element of selectAll(root, '*')) {
    if (element.childElementCount > 0 || !isPart(element) || selectClosest(element, '.notion-record-icon')) continue;
    const text = nameOf(element);
    if (text !== '' && !(LABEL.test(text) && selectClosest(element, BUTTON))) yield text;
  }
}

function nameOf(element: Element): string {
  return toLine(element.textContent);
}
