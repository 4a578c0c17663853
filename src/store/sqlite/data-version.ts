import { closeSync, openSync, readSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/** The header of the index of the log of writes, twice (https://sqlite.org/walformat.html, section 2.1). */
const HEADER_BYTES = 96;

/** What tells whether a file has changed. */
export interface DataVersion {
  /** Another number after each change that another connection made (`PRAGMA data_version`). */
  read(): number;
  /** Descriptor of the index of the log; null for a database in memory. */
  readonly index: number | null;
  /** After the connection: to close a file gives up all locks of the process on it, SQLite's too. */
  close(): void;
}

/**
 * SQLite is asked only where the header of the index differs from the one before the last question, as it does after each
 * commit of anybody: the question takes and gives back a lock, which costs ten times as much as to read the header.
 */
export function openDataVersion(connection: BetterSqlite3.Database): DataVersion {
  const statement = BetterSqlite3.prototype.prepare.call(connection, 'PRAGMA data_version').pluck();
  const ask = () => statement.get() as number;
  // the first question makes the index where there is none yet
  let version = ask();
  if (connection.memory) return { read: ask, index: null, close() {} };
  const index = openSync(`${connection.name}-shm`, 'r');
  let [header, seen] = [Buffer.alloc(HEADER_BYTES), Buffer.alloc(HEADER_BYTES)];
  return {
    index,
    read() {
      readSync(index, header, 0, HEADER_BYTES, 0);
      if (header.equals(seen)) return version;
      version = ask();
      [header, seen] = [seen, header];
      return version;
    },
    close: () => closeSync(index),
  };
}
