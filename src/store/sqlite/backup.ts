import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../database-errors.ts';
import { knownMigrations, refuseNewer } from '../prisma/migrations.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { statOf } from './database-files.ts';
import { reasonOfSqliteCode } from './errors.ts';
import {
  databaseErrorOf,
  explainErrors,
  makeFolder,
  readAppliedMigrations,
  requireSqliteFile,
  withSqlite,
} from './file.ts';
import { type Contents, checkWhole } from './integrity/integrity.ts';
import { takeExclusiveLock, takeSharedLock } from './lock.ts';

export interface Copy extends Contents {
  readonly bytes: number;
  readonly pendingMigrations: readonly string[];
}

/** Pages per turn of the event loop: about 8 MB, so that a signal is handled soon. */
const PAGES_PER_STEP = 2_000;

const LOG_SUFFIXES = ['-wal', '-shm', '-journal'];
const SUFFIXES = ['', ...LOG_SUFFIXES];

/**
 * The database may be in use. SQLite's backup API copies the pages of one snapshot without blocking writes; VACUUM INTO would
 * rebuild every table, and could not be interrupted. The target appears complete or not at all.
 */
export async function backUp(file: string, target: string, signal?: AbortSignal): Promise<Copy> {
  if (existsSync(target)) throw targetExists(target);
  const folder = dirname(target);
  if (!statOf(folder)?.isDirectory()) throw new DatabaseError(`There is no folder ${folder}: create it first.`);
  if (!existsSync(file)) throw new DatabaseError(`There is no database ${file}.`);
  requireSqliteFile(file);
  const lock = takeSharedLock(file);
  try {
    return await withPartial(partialOf(target), async (partial) => {
      const copy = await copyAndCheck(file, partial, target, signal);
      explainErrors(target, () => publish(partial, target));
      return copy;
    });
  } catch (error) {
    throw (error as { cause?: { code?: string } }).cause?.code === 'EEXIST' ? targetExists(target) : error;
  } finally {
    lock.release();
  }
}

export interface Restored extends Copy {
  readonly previousFile: string | null;
}

/** The file exists at any moment, and never together with the write-ahead log of another. The previous one is kept beside it. */
export async function restore(file: string, source: string, now: Date, signal?: AbortSignal): Promise<Restored> {
  if (!existsSync(source)) throw new DatabaseError(`There is no backup ${source}.`);
  explainErrors(file, () => makeFolder(dirname(file)));
  const lock = takeExclusiveLock(file);
  try {
    return await withPartial(partialOf(file), async (partial) => {
      const copy = await copyAndCheck(source, partial, file, signal);
      const previousFile = explainErrors(file, () => replaceDatabase(partial, file, now));
      return { ...copy, previousFile };
    });
  } finally {
    lock.release();
  }
}

/**
 * Replaces the target with a copy, so that it is complete at any moment. Only reads the database, which may be locked for writes.
 * One process at a time does this, so that the next one replaces what a killed one has left.
 */
export async function replaceWithCopy(file: string, target: string): Promise<void> {
  await withPartial(`${target}.part`, async (partial) => {
    await copyPages(file, partial, target);
    sync(partial);
    renameSync(partial, target);
    syncFolder(target);
  });
}

/** The name of an unfinished file, which no other process uses. */
function partialOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.${process.pid}.part`);
}

function targetExists(target: string): DatabaseError {
  return new DatabaseError(`${target} is already there: name a new file.`);
}

async function withPartial<T>(partial: string, work: (partial: string) => Promise<T>): Promise<T> {
  const remove = () => {
    for (const suffix of SUFFIXES) rmSync(partial + suffix, { force: true });
  };
  explainErrors(partial, remove);
  try {
    return await work(partial);
  } finally {
    remove();
  }
}

async function copyAndCheck(from: string, to: string, target: string, signal?: AbortSignal): Promise<Copy> {
  const known = knownMigrations('sqlite');
  await copyPages(from, to, target, signal);
  return explainErrors(from, () => {
    const copy = withSqlite(to, (database) => {
      const applied = readAppliedMigrations(database, from);
      if (!applied) throw new DatabaseError(`${from} is empty.`);
      refuseNewer(from, applied, known);
      const contents = checkWhole(database, from, { applied, known });
      database.pragma('journal_mode = DELETE');
      return { ...contents, pendingMigrations: known.filter((name) => !applied.includes(name)) };
    });
    sync(to);
    return { ...copy, bytes: statSync(to).size };
  });
}

/** @param target the name for errors: `to` is unfinished */
async function copyPages(from: string, to: string, target: string, signal?: AbortSignal): Promise<void> {
  const database = explainErrors(
    from,
    () => new BetterSqlite3(from, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true }),
  );
  try {
    // one snapshot for all steps: otherwise each write by another process would restart the copy
    explainErrors(from, () => database.exec('PRAGMA query_only = ON; BEGIN; SELECT COUNT(*) FROM sqlite_master'));
    const progress = () => {
      signal?.throwIfAborted();
      return PAGES_PER_STEP;
    };
    await database.backup(to, { progress });
    signal?.throwIfAborted();
  } catch (error) {
    throw signal?.aborted ? new DatabaseError('Stopped; nothing was changed.') : databaseErrorOf(error, target);
  } finally {
    database.close();
  }
}

/** Names a complete file. Unlike a rename, a link never replaces a file that was created meanwhile. */
function publish(partial: string, target: string): void {
  linkSync(partial, target);
  try {
    syncFolder(target);
  } catch (error) {
    rmSync(target);
    throw error;
  }
}

/** @returns the name of the previous database; null if there was none */
function replaceDatabase(partial: string, file: string, now: Date): string | null {
  const previous = keepPrevious(file, now);
  try {
    renameSync(partial, file);
  } catch (error) {
    previous?.undo();
    throw error;
  }
  syncFolder(file);
  return previous?.file ?? null;
}

/**
 * Links the previous database to a second name, with its log if it is too damaged for a checkpoint. A log that is left of a lost
 * database gets the name too: SQLite would apply it to the backup.
 */
function keepPrevious(file: string, now: Date) {
  const name = `${file}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  // opening an empty file would delete the log
  if (!statOf(file)?.size) {
    moveLog(file, findFree(name));
    return null;
  }
  try {
    withSqlite(file, (database) => database.pragma('journal_mode = DELETE'));
  } catch (error) {
    // damage is the usual reason for a restore; a database that another program has open must stay in place
    if (reasonOfSqliteCode((error as { code?: string }).code ?? '') !== 'damaged') throw error;
  }
  const previousFile = findFree(name);
  linkSync(file, previousFile);
  const undo = () => {
    moveLog(previousFile, file);
    rmSync(previousFile);
  };
  try {
    moveLog(file, previousFile);
  } catch (error) {
    undo();
    throw error;
  }
  return { file: previousFile, undo };
}

function moveLog(from: string, to: string): void {
  for (const suffix of LOG_SUFFIXES) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}

/** Appends a number to a name that an earlier restore of the same second has used, for a database or its log. */
function findFree(name: string): string {
  const isFree = (other: string) => SUFFIXES.every((suffix) => !existsSync(other + suffix));
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (isFree(free)) return free;
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(file: string): void {
  sync(dirname(file));
}
