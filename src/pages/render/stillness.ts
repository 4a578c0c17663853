import { setTimeout as pause } from 'node:timers/promises';

/** Without a request and without a change of the text. */
const QUIET_MS = 200;
/** The same for a short text, which may be a teaser that a timer of the page replaces. */
const SHORT_TEXT_QUIET_MS = 2_000;
/** A page with little text may wait for a timer of its own: until a wall of consent is looked for, and after that. */
export const PATIENCE_MS = { first: 3_000, rest: 5_000 };
/** In characters: the shortest article. */
export const MIN_TEXT_LENGTH = 250;
/** In characters. A longer text is not short. */
const MAX_SHORT_TEXT_LENGTH = 1_500;
const POLL_INTERVAL_MS = 100;

export interface VisibleText {
  readonly length: number;
  readonly hash: number;
}

/** The activity of a page. */
export interface Activity {
  readonly inFlight: number;
  readonly lastActivityMs: number;
}

/** Resolves to the length of the text as soon as the page is still, or when the signal aborts. */
export async function waitUntilStill(
  activity: Activity,
  measureText: () => Promise<VisibleText | null>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<number> {
  const startMs = performance.now();
  let last: VisibleText | null = null;
  let unchangedSinceMs = startMs;
  while (!signal.aborted) {
    await pause(POLL_INTERVAL_MS);
    if (activity.inFlight > 0) continue;
    const text = await measureText();
    const nowMs = performance.now();
    if (text === null || text.hash !== last?.hash || text.length !== last.length) unchangedSinceMs = nowMs;
    last = text;
    const length = text?.length ?? 0;
    const neededMs = length <= MAX_SHORT_TEXT_LENGTH ? SHORT_TEXT_QUIET_MS : QUIET_MS;
    const isQuiet = nowMs - Math.max(unchangedSinceMs, activity.lastActivityMs) >= neededMs;
    const hasWaited = length >= MIN_TEXT_LENGTH || nowMs - startMs >= patienceMs;
    if (activity.inFlight === 0 && isQuiet && hasWaited) return length;
  }
  return last?.length ?? 0;
}
