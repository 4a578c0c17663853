import { LRUCache } from 'lru-cache';
import { type Awaitable, andThen } from '../../awaitable.ts';

interface Entry {
  readonly value: unknown;
  readonly generation: symbol;
  readonly dataVersion: number;
  readonly size: number;
}

/**
 * Never serves stale data: each write of this process starts a new generation of its subject, when it begins and when it
 * ends, and an entry is valid only for the generation and the `dataVersion` that it was read in.
 * @param dataVersion returns another number after each change by another connection (`PRAGMA data_version`)
 */
export function createReadCache(
  dataVersion: () => number,
  { maxSubjects, maxSize }: { readonly maxSubjects: number; readonly maxSize: number },
) {
  const entries = new LRUCache<string, Entry>({ maxSize, sizeCalculation: ({ size }) => size });
  const generations = new LRUCache<string, symbol>({ max: maxSubjects });

  function generationOf(subject: string): symbol {
    const current = generations.get(subject);
    if (current) return current;
    const generation = Symbol(subject);
    generations.set(subject, generation);
    return generation;
  }

  return {
    /** Returns a cached value at once. Does not cache values of size 0. `query` distinguishes the values of one subject. */
    get<T>(subject: string, query: string, read: () => Awaitable<T>, sizeOf: (value: T) => number): Awaitable<T> {
      const state = { generation: generationOf(subject), dataVersion: dataVersion() };
      const key = `${subject} ${query}`;
      const hit = entries.get(key);
      if (hit?.generation === state.generation && hit.dataVersion === state.dataVersion) return hit.value as T;
      return andThen(read(), (value) => {
        const size = sizeOf(value);
        if (size > 0 && generations.get(subject) === state.generation) entries.set(key, { value, ...state, size });
        return value;
      });
    },
    async invalidateAround<T>(subject: string, write: () => Promise<T>): Promise<T> {
      generations.delete(subject);
      try {
        return await write();
      } finally {
        generations.delete(subject);
      }
    },
  };
}
