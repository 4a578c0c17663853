import { setTimeout as pause } from 'node:timers/promises';
import { type OpenPage, PLACE_OF } from '../page-scripts.ts';

/** For one level of toggles, so that the clicks end. A page has at most five levels, and the time limit of its rendering. */
const MAX_TOGGLES = 200;
/** Of all databases of a page. */
const MAX_VIEWS = 20;
/** Of rows, for each view. */
const MAX_LOADS = 10;
/** For the answer of the page to a click. */
const CLICK_PAUSE_MS = 50;

const VIEWS =
  '.notion-table-view, .notion-board-view, .notion-list-view, .notion-gallery-view, .notion-calendar-view, .notion-timeline-view';

/** Finds the next closed toggle, or group of a database, of a page of Notion, whose text is loaded only by a click, and marks it for the reader. */
const FIND_TOGGLE = `(() => {
  ${PLACE_OF}
  for (const button of document.querySelectorAll(':is(.notion-page-content, ${VIEWS}) [role="button"][aria-expanded="false"]:not([aria-haspopup])')) {
    const block = button.closest('${VIEWS}') ? button.parentElement : button.closest('[class*="-block"]');
    if (!block || block.hasAttribute('data-embed-opened')) continue;
    block.setAttribute('data-embed-opened', '');
    const place = placeOf(button);
    if (place) return place;
  }
  return null;
})()`;

/** Keeps a copy of the open view of each database of Notion that has tabs, and finds the next tab that was not open yet. */
const FIND_TAB = `(() => {
  ${PLACE_OF}
  for (const list of document.querySelectorAll('[class*="notion-collection_view"] [role="tablist"]')) {
    const tabs = [...list.querySelectorAll('[role="tab"]')];
    const database = list.closest('[class*="notion-collection_view"]');
    const view = [...database.querySelectorAll('${VIEWS}')].find((one) => !one.closest('[data-embed-view]'));
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
      const place = placeOf(tab);
      if (place) return place;
    }
  }
  return null;
})()`;

/** Opens the closed toggles of a page. Returns their number. */
export async function openToggles({ click, signal }: OpenPage): Promise<number> {
  for (let count = 0; count < MAX_TOGGLES && !signal.aborted; count++) {
    if (!(await click(FIND_TOGGLE))) return count;
    await pause(CLICK_PAUSE_MS);
  }
  return MAX_TOGGLES;
}

/** Finds the next button for more rows of a database. One that shows no more rows stays as it is. */
const FIND_MORE_ROWS = `(() => {
  ${PLACE_OF}
  for (const button of document.querySelectorAll('#notion-app [role="button"]')) {
    if (!/^load more$/i.test(button.textContent.trim()) || button.closest('[data-embed-view]')) continue;
    const view = button.closest('[class*="notion-collection_view"]') ?? button.parentElement.parentElement;
    const count = String(view.querySelectorAll('.notion-collection-item, .notion-table-view-row').length);
    if (button.dataset.embedRows === count) continue;
    button.dataset.embedRows = count;
    const place = placeOf(button);
    if (place) return place;
  }
  return null;
})()`;

async function loadRows({ click, waitUntilStill, signal }: OpenPage): Promise<void> {
  for (let count = 0; count < MAX_LOADS && !signal.aborted; count++) {
    if (!(await click(FIND_MORE_ROWS))) return;
    await waitUntilStill();
  }
}

/** Opens the views of databases one after the other. The reader finds a copy of each. */
export async function openDatabaseViews(page: OpenPage): Promise<void> {
  const { click, waitUntilStill, signal } = page;
  for (let count = 0; count < MAX_VIEWS && !signal.aborted; count++) {
    await loadRows(page);
    if (!(await click(FIND_TAB))) return;
    await waitUntilStill();
  }
}
