/**
 * Creates a queue of reads with large results. It begins them in the order of the calls, `max` at a time, and each that waited in
 * another turn of the event loop. So what a caller does with its result at once comes before the next results are in memory.
 * @returns a function that resolves to null if the read has not begun before `deadlineMs`, by the monotonic clock
 */
export function createReadQueue(max: number): <T>(read: () => Promise<T>, deadlineMs?: number) => Promise<T | null> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (read, deadlineMs = Infinity) => {
    if (running < max) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    const isLate = performance.now() >= deadlineMs;
    try {
      return isLate ? null : await read();
    } finally {
      const next = waiting.shift();
      if (!next) running--;
      else if (isLate) next();
      else setImmediate(next);
    }
  };
}
