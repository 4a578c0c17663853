import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

/** The index of the log of writes, up to the end of its facts about checkpoints (https://sqlite.org/walformat.html, section 2). */
const INDEX_BYTES = 136;
/** Where the index has `mxFrame`: how many frames of the log are in use. */
const MAX_FRAME = 16;
/** Where the index has the salts of the log: others each time that the log begins anew. */
const SALTS = { start: 32, end: 40 };
/** Where the index has how many frames are in the database file, and up to which a checkpoint began to copy them. */
const COPIED = { start: 96, end: 100 };
const BEING_COPIED = { start: 128, end: 132 };
/** Where the log itself has its salts. */
const LOG_SALTS = 16;
/** No two databases begin alike for so long: the header, the identifiers of the migrations, and the first accounts. */
const BEGINNING_BYTES = 64 * 1024;

/** What another program did to the files of a database that is in use. SQLite itself does not notice it. */
export interface FileFault {
  /** Read by `troubleOf`. */
  readonly code: 'SQLITE_READONLY_DBMOVED' | 'EMBEDS_LOG_LOST' | 'EMBEDS_OVERWRITTEN';
  /** For the operator's log. */
  readonly reason: string;
}

/** The files of an open database. While they are in their places, the next start finds what was written. */
export interface OpenFiles {
  /**
   * Finds what another program did, in microseconds, and saves what it can of earlier writes: the content of a deleted log
   * goes into the database file, and a log whose database file was replaced by another one is put aside.
   */
  findFault(): FileFault | null;
  /** To be called before the connection closes. */
  beforeClose(): void;
  /** To be called after the connection is closed: to close a file gives up all locks of the process on it, SQLite's too. */
  close(): void;
}

interface Checkpoint {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Remembers which files a connection has open. In write-ahead mode only checkpoints write to the database file, and the
 * index tells of each: a file that changed without one was written by another program, such as `cp`.
 * @param index descriptor of the index of the log
 */
export function openFilesOf(connection: BetterSqlite3.Database, index: number): OpenFiles {
  const file = connection.name;
  const [log, indexFile] = [`${file}-wal`, `${file}-shm`];
  const [current, seen, again] = [Buffer.alloc(INDEX_BYTES), Buffer.alloc(INDEX_BYTES), Buffer.alloc(INDEX_BYTES)];
  // always before the file: what a checkpoint writes after this is explained by the next index
  read(index, seen);
  const atFirst = { file: statusOf(file), log: statusOf(log), index: statusOf(indexFile) };
  let seenFile = atFirst.file;
  const descriptors = { file: openSync(file, 'r'), log: openSync(log, 'r+') };
  const logSalts = Buffer.alloc(SALTS.end - SALTS.start);
  const beginning = Buffer.alloc(BEGINNING_BYTES);
  read(descriptors.file, beginning);
  let overwritten: FileFault | null = null;
  let isLogSaved = false;
  let isLogForeign = false;

  /** Whether no checkpoint moved on since the index was read. */
  const isStill = () => {
    read(index, again);
    return !hasProgressed(current, again);
  };

  function isOverwritten(status: Stats | undefined): boolean {
    const isChanged = status?.mtimeMs !== seenFile?.mtimeMs || status?.size !== seenFile?.size;
    if (isChanged && !hasProgressed(seen, current) && !isCopying(current) && isStill()) return true;
    current.copy(seen);
    if (!isChanged) return false;
    seenFile = status;
    read(descriptors.file, beginning);
    return false;
  }

  /** Whether the log does not begin as its index says: another program emptied it, or wrote over it. */
  function isLogOverwritten(): boolean {
    if (current.readUInt32LE(MAX_FRAME) === 0) return false;
    read(descriptors.log, logSalts, LOG_SALTS);
    return !logSalts.equals(current.subarray(SALTS.start, SALTS.end)) && isStill();
  }

  function saveLog(): void {
    if (isLogSaved || existsSync(log)) return;
    try {
      const [result] = connection.pragma('wal_checkpoint(PASSIVE)') as [Checkpoint];
      isLogSaved = result.log === result.checkpointed;
    } catch {
      // within a transaction, or on a failing disk: the next call tries again
    }
  }

  function lostLog(): FileFault {
    saveLog();
    const saved = isLogSaved ? '; what it held is in the database file now' : '';
    return { code: 'EMBEDS_LOG_LOST', reason: `${log} was moved, deleted or overwritten${saved}` };
  }

  /** Another database may be there now: the log must not be copied into it, neither by this process nor by the next. */
  function putLogAside(): string {
    const now = Buffer.alloc(BEGINNING_BYTES);
    read(descriptors.file, now);
    if (now.equals(beginning)) return '';
    const aside = `${log}.${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    try {
      copyFileSync(log, aside);
      rmSync(log);
      isLogForeign = true;
      return `; the log of writes of the database that was there is kept as ${aside}`;
    } catch (error) {
      return `; the log of writes cannot be put aside: ${(error as Error).message}`;
    }
  }

  return {
    findFault() {
      if (overwritten) return overwritten;
      read(index, current);
      const status = statusOf(file);
      if (!isSame(status, atFirst.file)) return { code: 'SQLITE_READONLY_DBMOVED', reason: `${file} was moved` };
      if (isOverwritten(status)) {
        overwritten = { code: 'EMBEDS_OVERWRITTEN', reason: `${file} was overwritten${putLogAside()}` };
        return overwritten;
      }
      if (!isSame(statusOf(log), atFirst.log) || isLogOverwritten()) return lostLog();
      if (isSame(statusOf(indexFile), atFirst.index)) return null;
      return { code: 'EMBEDS_LOG_LOST', reason: `${indexFile} was moved or deleted` };
    },
    beforeClose() {
      // SQLite gives up to copy a log that is too short
      if (isLogForeign) ftruncateSync(descriptors.log);
    },
    close() {
      for (const descriptor of Object.values(descriptors)) closeSync(descriptor);
    },
  };
}

/** What is past the end reads as zeros. */
function read(descriptor: number, into: Buffer, position = 0): void {
  into.fill(0, readSync(descriptor, into, 0, into.length, position));
}

function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Whether a name still leads to the same file. */
function isSame(status: Stats | undefined, atFirst: Stats | undefined): boolean {
  return status?.ino === atFirst?.ino && status?.dev === atFirst?.dev;
}

/** Whether there was a checkpoint, or a new beginning of the log, between two readings of the index. */
function hasProgressed(earlier: Buffer, later: Buffer): boolean {
  return [SALTS, COPIED, BEING_COPIED].some(({ start, end }) => earlier.compare(later, start, end, start, end) !== 0);
}

/** Whether a checkpoint writes to the database file at this moment. */
function isCopying(index: Buffer): boolean {
  return !index.subarray(COPIED.start, COPIED.end).equals(index.subarray(BEING_COPIED.start, BEING_COPIED.end));
}
