import { closeSync, copyFileSync, existsSync, ftruncateSync, openSync, readSync, rmSync, type Stats } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { statOf } from './database-files.ts';

// offsets in the index of the write-ahead log (https://sqlite.org/walformat.html, section 2)
const INDEX_BYTES = 136;
const MAX_FRAME = 16;
/** The salts of the log, which change each time it restarts. */
const SALTS = { start: 32, end: 40 };
/** `nBackfill`: the number of frames that are in the database file. */
const BACKFILLED = { start: 96, end: 100 };
/** `nBackfillAttempted`: the number of frames that a checkpoint has started to copy. */
const BACKFILL_ATTEMPTED = { start: 128, end: 132 };
const LOG_SALTS = 16;
/** Enough to distinguish databases: the header, the ids of the migrations, and the first accounts. */
const BEGINNING_BYTES = 64 * 1024;

/** A change by another program to the files of an open database. SQLite itself does not notice it. */
export interface FileFault {
  readonly code: 'SQLITE_READONLY_DBMOVED' | 'EMBEDS_LOG_LOST' | 'EMBEDS_OVERWRITTEN';
  readonly reason: string;
}

export interface OpenFiles {
  /**
   * Takes microseconds. Saves earlier writes if it can: copies a deleted log into the database file, and moves aside a log
   * whose database file was replaced.
   */
  findFault(): FileFault | null;
  beforeClose(): void;
  /** Call after closing the connection: closing a file releases all locks of the process on it, also SQLite's. */
  close(): void;
}

/**
 * With a write-ahead log, only checkpoints write to the database file, and the index records each. So a file that changed
 * without a checkpoint was written by another program, such as `cp`.
 */
export function openFilesOf(connection: BetterSqlite3.Database): OpenFiles {
  const file = connection.name;
  const [log, indexFile] = [`${file}-wal`, `${file}-shm`];
  const index = openSync(indexFile, 'r');
  const [current, known, latest] = [Buffer.alloc(INDEX_BYTES), Buffer.alloc(INDEX_BYTES), Buffer.alloc(INDEX_BYTES)];
  // always before the file: the next index explains what a checkpoint writes after this
  read(index, known);
  const original = { file: statOf(file), log: statOf(log), index: statOf(indexFile) };
  let knownFile = original.file;
  const descriptors = { index, file: openSync(file, 'r'), log: openSync(log, 'r+') };
  const logSalts = Buffer.alloc(SALTS.end - SALTS.start);
  const beginning = Buffer.alloc(BEGINNING_BYTES);
  read(descriptors.file, beginning);
  let overwritten: FileFault | null = null;
  let isLogSaved = false;
  let isLogForeign = false;

  /** Reads the index again, because a checkpoint may have run meanwhile. */
  const isIndexUnchanged = () => {
    read(index, latest);
    return !hasProgressed(current, latest);
  };

  function isOverwritten(status: Stats | undefined): boolean {
    const isChanged = status?.mtimeMs !== knownFile?.mtimeMs || status?.size !== knownFile?.size;
    if (isChanged && !hasProgressed(known, current) && !isCheckpointing(current) && isIndexUnchanged()) return true;
    current.copy(known);
    if (!isChanged) return false;
    knownFile = status;
    read(descriptors.file, beginning);
    return false;
  }

  function isLogOverwritten(): boolean {
    if (current.readUInt32LE(MAX_FRAME) === 0) return false;
    read(descriptors.log, logSalts, LOG_SALTS);
    return !logSalts.equals(current.subarray(SALTS.start, SALTS.end)) && isIndexUnchanged();
  }

  function saveLog(): void {
    if (isLogSaved || existsSync(log)) return;
    try {
      const [{ log: frames, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [Record<string, number>];
      isLogSaved = frames === checkpointed;
    } catch {
      // within a transaction, or on a failing disk: the next call retries
    }
  }

  function lostLog(): FileFault {
    saveLog();
    const saved = isLogSaved ? '; what it held is in the database file now' : '';
    return { code: 'EMBEDS_LOG_LOST', reason: `${log} was moved, deleted or overwritten${saved}` };
  }

  /** Moves the log aside if another database is there now: no process may copy the log into it. */
  function moveLogAside(): string {
    const currentBeginning = Buffer.alloc(BEGINNING_BYTES);
    read(descriptors.file, currentBeginning);
    if (currentBeginning.equals(beginning)) return '';
    const aside = `${log}.${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    try {
      copyFileSync(log, aside);
      rmSync(log);
      isLogForeign = true;
      return `; the write-ahead log of the previous database is kept as ${aside}`;
    } catch (error) {
      return `; the write-ahead log cannot be moved aside: ${(error as Error).message}`;
    }
  }

  return {
    findFault() {
      if (overwritten) return overwritten;
      read(index, current);
      const status = statOf(file);
      if (!isSame(status, original.file)) return { code: 'SQLITE_READONLY_DBMOVED', reason: `${file} was moved` };
      if (isOverwritten(status)) {
        overwritten = { code: 'EMBEDS_OVERWRITTEN', reason: `${file} was overwritten${moveLogAside()}` };
        return overwritten;
      }
      if (!isSame(statOf(log), original.log) || isLogOverwritten()) return lostLog();
      if (isSame(statOf(indexFile), original.index)) return null;
      return { code: 'EMBEDS_LOG_LOST', reason: `${indexFile} was moved or deleted` };
    },
    beforeClose() {
      // SQLite does not copy a log that is too short
      if (isLogForeign) ftruncateSync(descriptors.log);
    },
    close() {
      for (const descriptor of Object.values(descriptors)) closeSync(descriptor);
    },
  };
}

function read(descriptor: number, into: Buffer, position = 0): void {
  into.fill(0, readSync(descriptor, into, 0, into.length, position));
}

function isSame(status: Stats | undefined, original: Stats | undefined): boolean {
  return status?.ino === original?.ino && status?.dev === original?.dev;
}

function hasProgressed(earlier: Buffer, later: Buffer): boolean {
  return [SALTS, BACKFILLED, BACKFILL_ATTEMPTED].some(
    ({ start, end }) => earlier.compare(later, start, end, start, end) !== 0,
  );
}

function isCheckpointing(index: Buffer): boolean {
  const attempted = index.subarray(BACKFILL_ATTEMPTED.start, BACKFILL_ATTEMPTED.end);
  return !index.subarray(BACKFILLED.start, BACKFILLED.end).equals(attempted);
}
