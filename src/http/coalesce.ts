import type { Awaitable } from '../awaitable.ts';
import { createTurns } from './turns.ts';

export type Coalesce<T> = (key: string, work: () => Awaitable<T>) => Promise<T>;

interface Pending<T> extends PromiseWithResolvers<T> {
  readonly work: () => Awaitable<T>;
}

/**
 * Runs work of one key once for all calls in one turn of the event loop. No call joins work that has started. Work that takes
 * long is divided among several turns.
 */
export function createCoalescer<T>(): Coalesce<T> {
  const beginInTurn = createTurns();
  let pending = new Map<string, Pending<T>>();

  function start(): void {
    const batch = pending;
    // a cleared map could keep its memory until the next major garbage collection
    pending = new Map();
    for (const each of batch.values()) beginInTurn(() => run(each));
  }

  function run({ work, resolve, reject }: Pending<T>): void {
    try {
      resolve(work());
    } catch (error) {
      reject(error);
    }
  }

  return (key, work) => {
    const existing = pending.get(key);
    if (existing) return existing.promise;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    pending.set(key, { work, promise, resolve, reject });
    if (pending.size === 1) setImmediate(start);
    return promise;
  };
}
