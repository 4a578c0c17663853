import { setTimeout as pause } from 'node:timers/promises';

/** Without a request and without a change of the text. */
const QUIET_MS = 200;
/** A page with little text may wait for a timer of its own. It gets this time before it counts as still. */
const PATIENCE_MS = 3_000;
/** In characters: the shortest article. */
const MIN_TEXT_LENGTH = 250;
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

/** Resolves as soon as the page is still, or when the signal aborts. */
export async function waitUntilStill(
  activity: Activity,
  measureText: () => Promise<VisibleText | null>,
  signal: AbortSignal,
): Promise<void> {
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
    const hasEnoughText = text !== null && text.length >= MIN_TEXT_LENGTH;
    const quietMs = nowMs - Math.max(unchangedSinceMs, activity.lastActivityMs);
    if (activity.inFlight === 0 && quietMs >= QUIET_MS && (hasEnoughText || nowMs - startMs >= PATIENCE_MS)) return;
  }
}
