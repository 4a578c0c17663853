import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../open-options.ts';
import { knownMigrations, refuseNewer } from '../prisma/migrate.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { troubleOf } from './errors.ts';
import { appliedMigrations, explainErrors, makeFolder, requireSqliteFile, withSqlite } from './file.ts';
import { type Contents, checkWhole } from './integrity.ts';
import { holdLock, holdLockAlone } from './lock.ts';

/** What is in a copy whose integrity was checked. */
export interface Copy extends Contents {
  readonly bytes: number;
  /** The migrations that the next start will apply to it. */
  readonly pendingMigrations: readonly string[];
}

/** Copied between two turns of the event loop: about 8 MB, so that a signal need not wait. */
const PAGES_A_STEP = 2_000;

/**
 * Takes a consistent copy of a database that may be in use. SQLite's backup API copies the pages of one snapshot, at the
 * speed of the disk and without holding up anybody's writes; VACUUM INTO would rebuild every table in one uninterruptible go.
 * @param target a file that does not exist; it appears whole or not at all
 * @throws {DatabaseError} when it cannot be made, or the database is damaged
 */
export async function backUp(file: string, target: string, signal?: AbortSignal): Promise<Copy> {
  if (existsSync(target)) throw alreadyThere(target);
  if (!existsSync(file)) throw new DatabaseError(`There is no database ${file}.`);
  requireSqliteFile(file);
  const lock = holdLock(file);
  try {
    return await withPartial(target, async (partial) => {
      const copy = await copyAndCheck(file, partial, signal);
      // unlike a rename, a link never takes the place of a file that came in between
      explainErrors(target, () => linkSync(partial, target));
      syncFolder(target);
      return copy;
    });
  } catch (error) {
    throw (error as { cause?: { code?: string } }).cause?.code === 'EEXIST' ? alreadyThere(target) : error;
  } finally {
    lock.release();
  }
}

export interface Restored extends Copy {
  /** Where the database is that was there before; null when there was none. */
  readonly kept: string | null;
}

/**
 * Puts a copy in the place of a database that nobody uses. What was there is kept beside it. At no moment is the place
 * empty, or a new file beside the log of an old one.
 * @throws {DatabaseError} when the database is in use, or the copy is damaged, foreign or newer than the code
 */
export async function restore(file: string, source: string, now: Date, signal?: AbortSignal): Promise<Restored> {
  if (!existsSync(source)) throw new DatabaseError(`There is no backup ${source}.`);
  explainErrors(file, () => makeFolder(dirname(file)));
  const lock = holdLockAlone(file);
  try {
    return await withPartial(file, async (partial) => {
      const copy = await copyAndCheck(source, partial, signal);
      const kept = explainErrors(file, () => keepOld(file, now));
      explainErrors(file, () => renameSync(partial, file));
      syncFolder(file);
      return { ...copy, kept };
    });
  } finally {
    lock.release();
  }
}

function alreadyThere(target: string): DatabaseError {
  return new DatabaseError(`${target} is already there: name a new file.`);
}

/** Runs work with the name of a file beside the target that is gone afterwards. */
async function withPartial<T>(target: string, work: (partial: string) => Promise<T>): Promise<T> {
  const partial = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  const remove = () => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
  };
  remove();
  try {
    return await work(partial);
  } finally {
    remove();
  }
}

/** Makes one file that needs no log, checks all of it, and syncs it to disk. */
async function copyAndCheck(from: string, to: string, signal?: AbortSignal): Promise<Copy> {
  const known = await knownMigrations();
  await copyPages(from, to, signal);
  return explainErrors(from, () => {
    const copy = withSqlite(to, (database) => {
      const applied = appliedMigrations(database, from);
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

async function copyPages(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const database = explainErrors(
    from,
    () => new BetterSqlite3(from, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true }),
  );
  try {
    // one snapshot for all steps: without it, each write of another process would start the copy anew
    explainErrors(from, () => database.exec('PRAGMA query_only = ON; BEGIN; SELECT COUNT(*) FROM sqlite_master'));
    const progress = () => {
      signal?.throwIfAborted();
      return PAGES_A_STEP;
    };
    const error = await database.backup(to, { progress }).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (signal?.aborted) throw new DatabaseError('Stopped; nothing was changed.');
    if (error) {
      explainErrors(to, () => {
        throw error;
      });
    }
  } finally {
    database.close();
  }
}

/** Gives the old database a second name, with its log, where it is too damaged to be without one. */
function keepOld(file: string, now: Date): string | null {
  if (!existsSync(file)) return null;
  const kept = `${file}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  try {
    withSqlite(file, (database) => database.pragma('journal_mode = DELETE'));
  } catch (error) {
    // a damaged database is what a restore is for; one that another program has open must not lose its place
    if (troubleOf((error as { code?: string }).code ?? '') !== 'damaged') throw error;
  }
  linkSync(file, kept);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  }
  return kept;
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the name of a file durable (fsync(2)). */
function syncFolder(file: string): void {
  sync(dirname(file));
}
