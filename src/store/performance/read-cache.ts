import { LRUCache } from 'lru-cache';
import { type Awaitable, andThen } from '../../awaitable.ts';
import { ENTRY_BYTES } from '../../cache-bytes.ts';

interface Entry {
  /** By query. A read caches its value only if the subject still has the same map: after a write it has none, or another. */
  readonly values: Map<string, unknown>;
  readonly dataVersion: number;
  readonly size: number;
}

/**
 * Never serves stale data: each write of this process removes the values of its subject, when it begins and when it ends, and
 * values are valid only for the `dataVersion` that they were read in.
 * @param dataVersion returns another number after each change by another connection (`PRAGMA data_version`)
 */
export function createReadCache(dataVersion: () => number, maxSize: number) {
  const entries = new LRUCache<string, Entry>({ maxSize, sizeCalculation: ({ size }) => size });

  function begin(subject: string, version: number): Entry {
    const entry = { values: new Map(), dataVersion: version, size: ENTRY_BYTES };
    entries.set(subject, entry);
    return entry;
  }

  const forget = (subject: string) => void entries.delete(subject);

  return {
    /** Returns a cached value at once. Does not cache values of size 0. `query` distinguishes the values of one subject. */
    get<T>(subject: string, query: string, read: () => Awaitable<T>, sizeOf: (value: T) => number): Awaitable<T> {
      const version = dataVersion();
      const known = entries.get(subject);
      const { values } = known?.dataVersion === version ? known : begin(subject, version);
      const hit = values.get(query);
      if (hit !== undefined) return hit as T;
      return andThen(read(), (value) => {
        const entry = entries.peek(subject);
        if (entry?.values !== values) return value;
        const size = sizeOf(value);
        if (size > 0 && !values.has(query)) {
          values.set(query, value);
          entries.set(subject, { ...entry, size: entry.size + size });
        } else if (values.size === 0) forget(subject);
        return value;
      });
    },
    forget,
    async invalidateAround<T>(subject: string, write: () => Promise<T>): Promise<T> {
      forget(subject);
      try {
        return await write();
      } finally {
        forget(subject);
      }
    },
  };
}
