import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../database-errors.ts';
import { knownMigrations, refuseNewer } from '../prisma/migrate.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { reasonOfSqliteCode } from './errors.ts';
import { explainErrors, makeFolder, readAppliedMigrations, requireSqliteFile, withSqlite } from './file.ts';
import { type Contents, checkWhole } from './integrity/integrity.ts';
import { takeExclusiveLock, takeSharedLock } from './lock.ts';

export interface Copy extends Contents {
  readonly bytes: number;
  readonly pendingMigrations: readonly string[];
}

/** Pages per turn of the event loop: about 8 MB, so that a signal is handled soon. */
const PAGES_PER_STEP = 2_000;

/**
 * The database may be in use. SQLite's backup API copies the pages of one snapshot without blocking writes; VACUUM INTO would
 * rebuild every table, and could not be interrupted. The target appears complete or not at all.
 */
export async function backUp(file: string, target: string, signal?: AbortSignal): Promise<Copy> {
  if (existsSync(target)) throw targetExists(target);
  if (!existsSync(file)) throw new DatabaseError(`There is no database ${file}.`);
  requireSqliteFile(file);
  const lock = takeSharedLock(file);
  try {
    return await withPartial(target, async (partial) => {
      const copy = await copyAndCheck(file, partial, signal);
      // unlike a rename, a link never replaces a file that was created meanwhile
      explainErrors(target, () => linkSync(partial, target));
      syncFolder(target);
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
    return await withPartial(file, async (partial) => {
      const copy = await copyAndCheck(source, partial, signal);
      const previousFile = explainErrors(file, () => keepPrevious(file, now));
      explainErrors(file, () => renameSync(partial, file));
      syncFolder(file);
      return { ...copy, previousFile };
    });
  } finally {
    lock.release();
  }
}

function targetExists(target: string): DatabaseError {
  return new DatabaseError(`${target} is already there: name a new file.`);
}

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

async function copyAndCheck(from: string, to: string, signal?: AbortSignal): Promise<Copy> {
  const known = knownMigrations();
  await copyPages(from, to, signal);
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

async function copyPages(from: string, to: string, signal?: AbortSignal): Promise<void> {
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

/** Links the previous database to a second name, with its log if it is too damaged for a checkpoint. */
function keepPrevious(file: string, now: Date): string | null {
  if (!existsSync(file)) return null;
  const previousFile = `${file}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  try {
    withSqlite(file, (database) => database.pragma('journal_mode = DELETE'));
  } catch (error) {
    // damage is the usual reason for a restore; a database that another program has open must stay in place
    if (reasonOfSqliteCode((error as { code?: string }).code ?? '') !== 'damaged') throw error;
  }
  linkSync(file, previousFile);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, previousFile + suffix);
  }
  return previousFile;
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
