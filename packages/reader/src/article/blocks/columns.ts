import { mark } from './tree.ts';

/** Columns of Notion and WordPress: their parts stand side by side where there is room. */
export function markColumns(document: Document): void {
  for (const columns of document.querySelectorAll('div.notion-columns, div.wp-block-columns')) {
    if (columns.children.length > 1) mark(columns, 'columns');
  }
}
