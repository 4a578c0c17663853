import { closeSync, openSync, readSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

/** The two copies of the header of the log's index (https://sqlite.org/walformat.html, section 2.1). */
const HEADER_BYTES = 96;

export interface DataVersion {
  /**
   * Returns another number after each change by another connection (`PRAGMA data_version`). Looks once until the microtasks
   * have run: the requests that are answered until then arrived before. Returns NaN, which equals no other number, if the file
   * cannot be read: the next statement reports why.
   */
  read(): number;
  readonly index: number | null;
  /** Call after closing the connection: closing a file releases all locks of the process on it, also SQLite's. */
  close(): void;
}

/**
 * Runs the pragma only if the header of the log's index has changed, as it does with each commit of any connection. The pragma
 * takes a lock, which costs ten times as much as reading the header.
 */
export function openDataVersion(connection: BetterSqlite3.Database): DataVersion {
  const statement = connection.prepare('PRAGMA data_version').safeIntegers(false).pluck();
  const query = () => statement.get() as number;
  // the first query creates the index
  let version = query();
  if (connection.memory) return { read: query, index: null, close() {} };
  const index = openSync(`${connection.name}-shm`, 'r');
  let [header, seen] = [Buffer.alloc(HEADER_BYTES), Buffer.alloc(HEADER_BYTES)];
  let isCurrent = false;
  const expire = () => {
    isCurrent = false;
  };
  return {
    index,
    read() {
      if (isCurrent) return version;
      try {
        readSync(index, header, 0, HEADER_BYTES, 0);
        if (!header.equals(seen)) {
          version = query();
          [header, seen] = [seen, header];
        }
      } catch {
        return Number.NaN;
      }
      isCurrent = true;
      queueMicrotask(expire);
      return version;
    },
    close: () => closeSync(index),
  };
}
