import { setTimeout as pause } from 'node:timers/promises';

/** For one level of toggles, so that the clicks end. A page has at most five levels, and the time limit of its rendering. */
const MAX_TOGGLES = 200;
/** For the answer of the page to a click. */
const CLICK_PAUSE_MS = 50;

/** A place in pixels of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds the next closed toggle of a page of Notion, whose text is loaded only by a click, and marks it for the reader. The
 * button must be what is at its place, so that nothing else is clicked.
 */
const FIND_TOGGLE = `(() => {
  for (const button of document.querySelectorAll('.notion-page-content [role="button"][aria-expanded="false"]:not([aria-haspopup])')) {
    const block = button.closest('[class*="-block"]');
    if (!block || block.hasAttribute('data-embed-opened')) continue;
    block.setAttribute('data-embed-opened', '');
    button.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = button.getBoundingClientRect();
    const point = { x: x + width / 2, y: y + height / 2 };
    if (button.contains(document.elementFromPoint(point.x, point.y))) return point;
  }
  return null;
})()`;

interface Page {
  evaluate(expression: string): Promise<unknown>;
  click(point: Point): Promise<void>;
  readonly signal: AbortSignal;
}

/** Opens the closed toggles of a page. Returns their number. */
export async function openToggles({ evaluate, click, signal }: Page): Promise<number> {
  for (let count = 0; count < MAX_TOGGLES && !signal.aborted; count++) {
    const point = (await evaluate(FIND_TOGGLE)) as Point | null;
    if (point === null) return count;
    await click(point);
    await pause(CLICK_PAUSE_MS);
  }
  return MAX_TOGGLES;
}
