/** Runs a bounded number of works at the same time. Others wait in their order. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects the works that wait. */
  refuseWaiting(error: Error): void;
}

export function createLimiter(maxRunning: number): Limiter {
  let running = 0;
  const waiting: PromiseWithResolvers<void>[] = [];
  return {
    async run(work) {
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
    refuseWaiting(error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  };
}
