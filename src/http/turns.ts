/** Work that has not begun by then waits for the next turn of the event loop, so that other requests are served between. */
export const MAX_TURN_MS = 20;

/** Begins work at once or, if work of this turn has taken {@link MAX_TURN_MS}, in a later turn. Work must not throw. */
type BeginInTurn = (work: () => void) => void;

/** Creates a queue of work that begins in the order of the calls. What work leaves to microtasks counts as its time. */
export function createTurns(): BeginInTurn {
  const queue: (() => void)[] = [];
  /** By the monotonic clock; null if nothing has begun in this turn. */
  let endMs: number | null = null;
  let isRunning = false;

  function runNext(): void {
    endMs ??= beginTurn();
    const work = performance.now() < endMs ? queue.shift() : undefined;
    isRunning = work !== undefined;
    if (!work) return;
    work();
    queueMicrotask(runNext);
  }

  function beginTurn(): number {
    setImmediate(endTurn);
    return performance.now() + MAX_TURN_MS;
  }

  function endTurn(): void {
    endMs = null;
    if (queue.length > 0) runNext();
  }

  return (work) => {
    queue.push(work);
    if (!isRunning) runNext();
  };
}
