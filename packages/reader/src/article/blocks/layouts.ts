import { mark } from './tree.ts';

/** Columns stand side by side where there is room. Of the views of a database, readers choose one. */
const LAYOUTS = { columns: 'div.notion-columns, div.wp-block-columns', views: 'div.notion-views' };

/** Marks columns of Notion and WordPress, and databases of Notion with several views. */
export function markLayouts(document: Document): void {
  for (const [name, selector] of Object.entries(LAYOUTS)) {
    for (const layout of document.querySelectorAll(selector)) if (layout.children.length > 1) mark(layout, name);
  }
}
