import { escapeHtml } from '../../html.ts';
import { toLine } from '../plain-text.ts';

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
const GROUP = '.notion-board-group';
const ITEM = '.notion-collection-item';
const MAX_ROWS = 1_000;
/** Labels of Notion's buttons in cells and groups. */
const LABEL = /^(?:open|new|\+|\+ new|new page|load more|calculate|count ?\d*)$/i;

type Inline = (element: Element) => string;

/** Converts a database. Of several views, readers open one at a time. */
export function convertDatabase(root: Element, inline: Inline): string {
  const views = [...root.querySelectorAll(OPENED_VIEW)];
  if (views.length < 2) return convertView(views[0] ?? root, inline);
  const group = `views-${[...root.ownerDocument.querySelectorAll(OPENED_VIEW)].indexOf(views[0] as Element)}`;
  const parts = views.map((view, i) => {
    const name = escapeHtml(view.getAttribute('data-embed-view') || `View ${i + 1}`);
    return `<details name="${group}"${i === 0 ? ' open' : ''}><summary>${name}</summary>${convertView(view, inline)}</details>`;
  });
  return `<div class="notion-views">${parts.join('')}</div>`;
}

/** Finds the title and the description before the views of a database. */
export function headIn(root: Element, text: string): readonly Element[] {
  const parts = [VIEWS, OPENED_VIEW, ROW, GROUP, ITEM, '[role="tablist"]', '[role="button"]'].join();
  return [...root.querySelectorAll(text)].filter(
    (one) => !one.closest(parts) && !one.querySelector(text) && nameOf(one) !== '',
  );
}

/** Converts a view: a table, or the list of its items, by groups if it has them. */
function convertView(root: Element, inline: Inline): string {
  const rows = [...root.querySelectorAll(ROW)].slice(0, MAX_ROWS);
  if (rows.length > 0) return tableOf(root, rows, inline);
  const groups = [...root.querySelectorAll(GROUP)];
  if (groups.length === 0) return itemsIn(root);
  return groups.map((group) => `${groupNameOf(group)}${itemsIn(group)}`).join('');
}

function tableOf(root: Element, rows: readonly Element[], inline: Inline): string {
  const headers = [...root.querySelectorAll(HEADER_CELL)].map(nameOf);
  const lines = rows.map((row) => [...row.querySelectorAll(CELL)].map((cell) => cellOf(cell, inline)));
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

function cellOf(cell: Element, inline: Inline): string {
  for (const button of cell.querySelectorAll('[role="button"], button')) {
    if (LABEL.test(button.textContent?.trim() ?? '')) button.remove();
  }
  const box = cell.querySelector('input[type="checkbox"], [role="checkbox"]');
  if (box) return box.hasAttribute('checked') || box.getAttribute('aria-checked') === 'true' ? '✓' : '';
  const tags = tagsIn(cell);
  return tags.length < 2 ? inline(cell) : tags.map(inline).join(', ');
}

/** The boxes of a cell with several tags, people or files. */
function tagsIn(cell: Element): readonly Element[] {
  const isWhole = (one: Element) =>
    one.localName === 'a' ||
    [...one.childNodes].some((node) => node.nodeType === node.TEXT_NODE && node.nodeValue?.trim());
  let box = cell;
  while (!isWhole(box) && box.children.length === 1 && box.firstElementChild) box = box.firstElementChild;
  if (isWhole(box)) return [];
  const boxes = [...box.children].filter((one) => !one.matches('.notion-record-icon'));
  const isTag = (one: Element) =>
    one.localName === 'div' || /border-radius|inline-(?:block|flex)/.test(one.getAttribute('style') ?? '');
  return boxes.every(isTag) ? boxes.filter((one) => nameOf(one) !== '') : [];
}

function groupNameOf(group: Element): string {
  const name = textsIn(group, (element) => element.closest(ITEM) === null)[0];
  return name === undefined ? '' : `<h3>${escapeHtml(name)}</h3>`;
}

function itemsIn(root: Element): string {
  const items = [...root.querySelectorAll(ITEM)].slice(0, MAX_ROWS).map(itemOf);
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

function itemOf(item: Element): string {
  const [name = '', ...properties] = textsIn(item, () => true);
  const link = item.localName === 'a' ? item : item.querySelector('a[href]');
  const href = link?.getAttribute('href');
  const title = href ? `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>` : escapeHtml(name);
  const picture = [...item.querySelectorAll('img')].find((image) => image.closest('.notion-record-icon') === null);
  const source = picture?.getAttribute('src');
  const shown = source ? `<img src="${escapeHtml(source)}" alt=""><br>` : '';
  return `<li>${shown}${[title, ...properties.map(escapeHtml)].join(' · ')}</li>`;
}

/** Returns the texts of the innermost elements, without icons and labels. */
function textsIn(root: Element, isPart: (element: Element) => boolean): readonly string[] {
  return [...root.querySelectorAll('*')]
    .filter((element) => element.childElementCount === 0 && isPart(element) && !element.closest('.notion-record-icon'))
    .map(nameOf)
    .filter((text) => text !== '' && !LABEL.test(text));
}

function nameOf(element: Element): string {
  return toLine(element.textContent);
}
