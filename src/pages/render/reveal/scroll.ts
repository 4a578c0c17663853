import { setTimeout as pause } from 'node:timers/promises';
import { OBSERVES, type OpenPage } from '../page-scripts.ts';
import { BLOCKS, collectRows } from './long-list.ts';

/** Screens of 6,000 pixels. What is further down is left out. */
const MAX_SCREENS = 12;
/** Pages that grow at their end, such as endless lists, are scrolled so many times. */
const MAX_ROUNDS = 8;
/** For observers of what becomes visible. */
const SCREEN_PAUSE_MS = 60;
/** Share of the first texts that may change meanwhile. */
const MAX_CHANGED_SHARE = 0.5;

/** Scrolls the page, and boxes that scroll in it, by one screen. Returns false at the end. */
const SCROLL = `(() => {
  const page = document.scrollingElement ?? document.documentElement;
  const scrolls = (box) => box.scrollHeight > box.clientHeight + 100 && box.clientHeight > 300 && /auto|scroll/.test(getComputedStyle(box).overflowY);
  const boxes = [page, ...[...document.querySelectorAll('main, div, section, article')].slice(0, 3000).filter(scrolls).slice(0, 3)];
  let hasMoved = false;
  for (const box of boxes) {
    const before = box.scrollTop;
    box.scrollTo({ top: before + box.clientHeight, behavior: 'instant' });
    hasMoved ||= box.scrollTop > before + 1;
  }
  return hasMoved;
})()`;

const SCROLL_BACK = `(() => {
  for (const box of document.querySelectorAll('*')) if (box.scrollTop > 0) box.scrollTo({ top: 0, behavior: 'instant' });
})()`;

/** The texts of the blocks. That of the whole page would have its scripts in it. */
const TEXTS = `${BLOCKS}.map((block) => block.textContent.trim())`;
const FIRST_TEXTS = `${TEXTS}.filter((text) => text.length > 10 && text.length < 2000).slice(0, 20)`;

const findMissing = (texts: readonly string[]) => `(() => {
  globalThis.embedTextsAtEnd = new Set(${TEXTS});
  return ${JSON.stringify(texts)}.filter((text) => !globalThis.embedTextsAtEnd.has(text)).length;
})()`;

/** Detects lists that say that they have more rows than there are. */
const HAS_MORE_ROWS = `[...document.querySelectorAll('[aria-rowcount], [aria-setsize]')].some((list) => {
  const rows = Number(list.getAttribute('aria-rowcount') ?? list.getAttribute('aria-setsize'));
  const parent = list.hasAttribute('aria-rowcount') ? list : list.parentElement;
  return rows > parent.querySelectorAll('[role="row"], tr, [aria-setsize]').length + 2;
})`;

const MEASURE_CONTENT = `document.documentElement.hasAttribute('${OBSERVES}') ? document.body.textContent.length : 0`;

/** Scrolls to the end, so that the page builds what becomes visible. Returns true if the page shows only a part at a time. */
export async function scrollThrough(page: OpenPage): Promise<boolean> {
  const { evaluate, blink, waitUntilStill, signal } = page;
  const scroll = async () => (await evaluate(SCROLL)) === true;
  const texts = ((await evaluate(FIRST_TEXTS)) ?? []) as readonly string[];
  let screens = 0;
  let length = 0;
  for (let round = 0; round < MAX_ROUNDS && screens < MAX_SCREENS && !signal.aborted; round++) {
    const before = screens;
    while (screens < MAX_SCREENS && !signal.aborted && (await scroll())) {
      screens++;
      await pause(SCREEN_PAUSE_MS);
    }
    const current = Number(await evaluate(MEASURE_CONTENT));
    if (screens === before && current === length) break;
    length = current;
    // observers report an element only when it enters or leaves the screen
    if (length > 0) await blink();
    await waitUntilStill();
  }
  const missing = screens === 0 ? 0 : Number(await evaluate(findMissing(texts)));
  if (missing > texts.length * MAX_CHANGED_SHARE) {
    await evaluate(SCROLL_BACK);
    await waitUntilStill();
    if (!(await collectRows(page, scroll))) return true;
  }
  return (await evaluate(HAS_MORE_ROWS)) === true;
}
