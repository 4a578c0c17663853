import type { Point } from './toggles.ts';

/** Of all databases of a page. */
const MAX_VIEWS = 20;

/**
 * Keeps a copy of the open view of each database of Notion that has tabs, and finds the next tab that was not open yet. The
 * tab must be what is at its place, so that nothing else is clicked.
 */
const FIND_TAB = `(() => {
  const VIEWS = '.notion-table-view, .notion-board-view, .notion-list-view, .notion-gallery-view';
  for (const list of document.querySelectorAll('[class*="notion-collection_view"] [role="tablist"]')) {
    const tabs = [...list.querySelectorAll('[role="tab"]')];
    const database = list.closest('[class*="notion-collection_view"]');
    const view = [...database.querySelectorAll(VIEWS)].find((one) => !one.closest('[data-embed-view]'));
    if (tabs.length < 2 || !view) continue;
    const open = tabs.find((tab) => tab.getAttribute('aria-selected') === 'true');
    if (open && !open.hasAttribute('data-embed-kept')) {
      const copy = document.createElement('div');
      copy.setAttribute('data-embed-view', open.textContent.trim());
      copy.append(view.cloneNode(true));
      database.append(copy);
      open.setAttribute('data-embed-kept', '');
    }
    for (const tab of tabs) {
      if (tab.hasAttribute('data-embed-kept') || tab.hasAttribute('data-embed-tried')) continue;
      tab.setAttribute('data-embed-tried', '');
      tab.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = tab.getBoundingClientRect();
      const point = { x: x + width / 2, y: y + height / 2 };
      if (tab.contains(document.elementFromPoint(point.x, point.y))) return point;
    }
  }
  return null;
})()`;

interface Page {
  evaluate(expression: string): Promise<unknown>;
  click(point: Point): Promise<void>;
  waitUntilStill(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Opens the views of databases one after the other. The reader finds a copy of each. */
export async function openDatabaseViews({ evaluate, click, waitUntilStill, signal }: Page): Promise<void> {
  for (let count = 0; count < MAX_VIEWS && !signal.aborted; count++) {
    const point = (await evaluate(FIND_TAB)) as Point | null;
    if (point === null) return;
    await click(point);
    await waitUntilStill();
  }
}
