import { setTimeout as pause } from 'node:timers/promises';
import { OBSERVES, type OpenPage, ROOTS } from '../page-scripts.ts';
import { BLOCKS, collectRows } from './long-list.ts';

/** In pixels of the page, or of the boxes in it. What is further down is left out. */
const MAX_DISTANCE = 72_000;
/** A box may be far lower than the screen. */
const MAX_SCREENS = 60;
/** Pages that grow at their end, such as endless lists, are scrolled so many times. */
const MAX_ROUNDS = 8;
/** For observers of what becomes visible. */
const SCREEN_PAUSE_MS = 60;
/** Of the first texts, so many or such a share may change meanwhile. */
const MAX_CHANGED = 8;
const MAX_CHANGED_SHARE = 0.5;

/** Scrolls the page, its frames, and boxes that scroll in it, by one screen. Returns by how many pixels, 0 at the end. */
const SCROLL = `(() => {
  ${ROOTS}
  const scrolls = (box) => box.scrollHeight > box.clientHeight + 100 && box.clientHeight > 300 && /auto|scroll/.test(getComputedStyle(box).overflowY);
  const roots = rootsIn(document);
  const pages = roots.map((root) => root.scrollingElement).filter(Boolean);
  const inner = roots.flatMap((root) => [...root.querySelectorAll('main, div, section, article')]).slice(0, 3000);
  const boxes = [...pages, ...inner.filter(scrolls).slice(0, 3)];
  let distance = 0;
  for (const box of boxes) {
    const before = box.scrollTop;
    box.scrollTo({ top: before + box.clientHeight, behavior: 'instant' });
    distance = Math.max(distance, box.scrollTop - before);
  }
  return distance;
})()`;

const SCROLL_BACK = `(() => {
  for (const box of document.querySelectorAll('*')) if (box.scrollTop > 0) box.scrollTo({ top: 0, behavior: 'instant' });
})()`;

/** The texts of the blocks. That of the whole page would have its scripts in it. */
const TEXTS = `${BLOCKS}.map((block) => block.textContent.trim())`;
const FIRST_TEXTS = `${TEXTS}.filter((text) => text.length > 2 && text.length < 2000).slice(0, 100)`;

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

/** 0 for a page that waits for nothing to be on the screen. */
const MEASURE_CONTENT = `(() => {
  ${ROOTS}
  const roots = rootsIn(document);
  if (!roots.some((root) => root.documentElement?.hasAttribute('${OBSERVES}'))) return 0;
  return roots.reduce((sum, root) => sum + (root.body ?? root).textContent.length, 0);
})()`;

/** Scrolls to the end, so that the page builds what becomes visible. Returns true if the page shows only a part at a time. */
export async function scrollThrough(page: OpenPage): Promise<boolean> {
  const { evaluate, blink, waitUntilStill, signal } = page;
  const scroll = async () => Number(await evaluate(SCROLL));
  const texts = (await evaluate<readonly string[]>(FIRST_TEXTS)) ?? [];
  let screens = 0;
  let distance = 0;
  let length = 0;
  const canScroll = () => screens < MAX_SCREENS && distance < MAX_DISTANCE && !signal.aborted;
  for (let round = 0; round < MAX_ROUNDS && canScroll(); round++) {
    const before = screens;
    while (canScroll()) {
      const moved = await scroll();
      if (moved < 1) break;
      screens++;
      distance += moved;
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
  if (missing > Math.min(MAX_CHANGED, texts.length * MAX_CHANGED_SHARE)) {
    await evaluate(SCROLL_BACK);
    await waitUntilStill();
    if (!(await collectRows(page, async () => (await scroll()) >= 1))) return true;
  }
  return (await evaluate(HAS_MORE_ROWS)) === true;
}
