import { setTimeout as pause } from 'node:timers/promises';

/** Without a request and without a change of the text. */
const QUIET_MS = 200;
/**
 * A short text may be a teaser that a timer of the page replaces: it must be unchanged for `shortTextMs`. A page with little text
 * may wait for a timer of its own: until a wall of consent is looked for, and after that. What follows a click or a scroll comes at once.
 */
export const PATIENCE = {
  first: { littleTextMs: 3_000, shortTextMs: 2_000 },
  rest: { littleTextMs: 5_000, shortTextMs: 2_000 },
  reveal: { littleTextMs: 0, shortTextMs: 800 },
} as const;
/** In characters: the shortest article. */
export const MIN_TEXT_LENGTH = 250;
/** In characters. A longer text is not short. */
const MAX_SHORT_TEXT_LENGTH = 1_500;
const POLL_INTERVAL_MS = 100;
/** A longer text is read although a clock in it ticks: its length has changed by no more than this share for this time. */
const STEADY_MS = 2_000;
const MAX_STEADY_CHANGE = 0.02;

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
  { littleTextMs, shortTextMs }: (typeof PATIENCE)[keyof typeof PATIENCE],
): Promise<number> {
  const startMs = performance.now();
  let last: VisibleText | null = null;
  let unchangedSinceMs = startMs;
  let steady = { length: 0, sinceMs: startMs };
  while (!signal.aborted) {
    await pause(POLL_INTERVAL_MS);
    if (activity.inFlight > 0) continue;
    const text = await measureText();
    const nowMs = performance.now();
    if (text === null || text.hash !== last?.hash || text.length !== last.length) unchangedSinceMs = nowMs;
    last = text;
    const length = text?.length ?? 0;
    const neededMs = length <= MAX_SHORT_TEXT_LENGTH ? shortTextMs : QUIET_MS;
    const isUnchanged = nowMs - unchangedSinceMs >= neededMs;
    const hasWaited = length >= MIN_TEXT_LENGTH || nowMs - startMs >= littleTextMs;
    if (Math.abs(length - steady.length) > steady.length * MAX_STEADY_CHANGE) steady = { length, sinceMs: nowMs };
    const isSteady = length > MAX_SHORT_TEXT_LENGTH && nowMs - steady.sinceMs >= STEADY_MS;
    const isQuiet = activity.inFlight === 0 && nowMs - activity.lastActivityMs >= neededMs;
    if (isQuiet && (isSteady || (isUnchanged && hasWaited))) return length;
  }
  return last?.length ?? 0;
}
