/**
 * Creates a queue of reads with large results. It begins them in the order of the calls, `max` at a time, and each that waited in
 * another turn of the event loop. So what a caller does with its result at once comes before the next results are in memory.
 */
export function createReadQueue(max: number): <T>(read: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (read) => {
    if (running < max) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else running--;
    }
  };
}
