import { setTimeout as pause } from 'node:timers/promises';
import type { OpenPage } from '../page-scripts.ts';

const MAX_SCREENS = 60;
const SCREEN_PAUSE_MS = 80;
/** In characters of HTML, of all rows. The rest is left out. */
const MAX_LENGTH = 2_000_000;
/** Some lists move back a little at their end. After so many screens without a new row, it is reached. */
const MAX_SCREENS_WITHOUT_ROWS = 3;

/** Elements that may be rows of a list, or texts in them. */
export const BLOCKS = `[...document.querySelectorAll('p, li, tr, [role="row"], [role="listitem"], [data-index], div:not(:has(*)), span:not(:has(*))')]`;

/**
 * Returns the number of rows so far, null at their limit and without a list. Remembers those on the screen, in their order, in the
 * world of the service's scripts. The list is the element with the most rows, without texts that were also there at its end.
 */
const COLLECT_ROWS = `(() => {
  const rows = (globalThis.embedRows ??= new Map());
  if (!globalThis.embedList?.isConnected) {
    const blocks = ${BLOCKS}.filter((one) => !globalThis.embedTextsAtEnd.has(one.textContent.trim())).slice(0, 200);
    const lists = new Map();
    for (const block of blocks)
      for (let row = block; row.parentElement; row = row.parentElement)
        lists.set(row.parentElement, (lists.get(row.parentElement) ?? new Set()).add(row));
    globalThis.embedList = [...lists].sort(([, a], [, b]) => b.size - a.size)[0]?.[0];
  }
  if (!globalThis.embedList) return null;
  const shown = [...globalThis.embedList.children].map((row) => ({ row, top: row.getBoundingClientRect().top }));
  for (const { row } of shown.sort((a, b) => a.top - b.top)) {
    const text = row.textContent.trim();
    const number = row.dataset.index ?? row.getAttribute('aria-rowindex') ?? row.getAttribute('aria-posinset');
    const key = number ?? (text || row.querySelector('img')?.src);
    // a row may get its text later
    if (!key || text.length <= (rows.get(key)?.textContent.trim().length ?? -1)) continue;
    globalThis.embedLength = (globalThis.embedLength ?? 0) + row.outerHTML.length;
    if (globalThis.embedLength > ${MAX_LENGTH}) return null;
    rows.set(key, row.cloneNode(true));
  }
  return rows.size;
})()`;

/** Leaves a list as it is that has removed no rows. */
const SHOW_ROWS = `globalThis.embedList?.children.length < globalThis.embedRows.size
  && globalThis.embedList.replaceChildren(...globalThis.embedRows.values())`;

/** Scrolls from the start of a list that shows only the rows on the screen, and shows all that were seen. Returns false if it was not the end. */
export async function collectRows({ evaluate, signal }: OpenPage, scroll: () => Promise<boolean>): Promise<boolean> {
  let count: unknown = 0;
  let screensWithoutRows = 0;
  let isEnd = false;
  for (let screens = 0; screens < MAX_SCREENS && !isEnd && !signal.aborted; screens++) {
    const current = await evaluate(COLLECT_ROWS);
    if (current === null) break;
    screensWithoutRows = current === count ? screensWithoutRows + 1 : 0;
    count = current;
    isEnd = !(await scroll()) || screensWithoutRows >= MAX_SCREENS_WITHOUT_ROWS;
    await pause(SCREEN_PAUSE_MS);
  }
  await evaluate(COLLECT_ROWS);
  await evaluate(SHOW_ROWS);
  return isEnd;
}
