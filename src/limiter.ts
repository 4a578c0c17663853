export type Limiter = ReturnType<typeof createLimiter>;

/** Creates a limiter, which runs a bounded number of works at the same time. Others wait in their order. */
export function createLimiter(maxRunning: number) {
  let running = 0;
  const waiting: PromiseWithResolvers<void>[] = [];
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < maxRunning) running++;
      else {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        await turn.promise;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next.resolve();
        else running--;
      }
    },
    /** Rejects the works that wait. */
    refuseWaiting(error: Error): void {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  };
}
