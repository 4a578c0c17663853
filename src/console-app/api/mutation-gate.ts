/** Knows whether writes are under way. */
export interface MutationGate {
  begin(key: number): void;
  end(key: number): void;
  /** Resolves when all writes that have begun are over, in the order of the calls. */
  come(): Promise<unknown>;
}

export function createMutationGate(): MutationGate {
  const ends = new Map<number, () => void>();
  let calm: Promise<unknown> = Promise.resolve();
  return {
    begin(key) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(key, resolve);
      calm = Promise.all([calm, promise]);
    },
    end(key) {
      ends.get(key)?.();
      ends.delete(key);
    },
    come: () => calm,
  };
}
