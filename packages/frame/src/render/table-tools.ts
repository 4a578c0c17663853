import { html, type Markup } from '../../../reader/src/html.ts';
import type { FrameWords } from './frame-words.ts';

/** Tables with fewer rows have no tools. The script of the tables has the same number. */
export const MIN_LIVE_ROWS = 9;
const TABLE = /<div class="embed-table">.*?<\/table>/gs;
/** Line breaks, and starts and ends of blocks. */
const LINE_END = /<\/?(?:br|hr|p|li|d[dt]|h[2-6]|blockquote|summary|details)\b/g;

/** Returns whether an article has a table that may have tools. */
export function hasLongTable(content: string): boolean {
  return [...content.matchAll(TABLE)].some(([table]) => isLong(table));
}

function isLong(table: string): boolean {
  return table.split('<tr').length > MIN_LIVE_ROWS + 1;
}

/** Separates the lines in the cells of long tables by blanks, for the script of the tables, which reads only their texts. */
export function separateLines(content: string): string {
  return content.replace(TABLE, (table) => (isLong(table) ? table.replace(LINE_END, ' $&') : table));
}

/** Renders the tools of a table, of which the script of the tables makes one copy for each. */
export function renderTableTools({ words: { table: words }, attributes }: FrameWords): Markup {
  const value = (name: string) => html`<label hidden>${name}<input step="any"></label>`;
  return html`
<div hidden><div class="table-tools"${attributes}>
<label>${words.search}<input type="search"></label>
<label>${words.filter}<select><option value="">${words.allColumns}</option></select></label>
<label hidden>${words.value}<select><option value="">${words.allValues}</option></select></label>
${value(words.from)}${value(words.to)}
<output data-rows="${words.rows}"></output>
<button type="button">${words.download}</button>
</div></div>`;
}
