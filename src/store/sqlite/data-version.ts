import type BetterSqlite3 from 'better-sqlite3';

/**
 * Creates a function that returns another number after each change by another connection (`PRAGMA data_version`). Looks once
 * until the microtasks have run: the requests that are answered until then arrived before. Returns NaN, which equals no other
 * number, if the file cannot be read: the next statement reports why.
 */
export function createDataVersion(connection: BetterSqlite3.Database): () => number {
  const statement = connection.prepare('PRAGMA data_version').safeIntegers(false).pluck();
  let current: number | null = null;
  const expire = () => {
    current = null;
  };
  return () => {
    if (current !== null) return current;
    try {
      current = statement.get() as number;
    } catch {
      return Number.NaN;
    }
    queueMicrotask(expire);
    return current;
  };
}
