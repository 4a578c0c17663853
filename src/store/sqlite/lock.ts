import BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../log.ts';
import { retry } from '../../retry.ts';
import { DatabaseError } from '../database-errors.ts';
import { logWaiting } from '../database-log.ts';
import { isBusy } from '../prisma/errors.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';

const LOCK_RETRY_MS = 200;

/** Marks a database as in use. Released at the latest when the process ends. */
export interface Lock {
  release(): void;
}

/** The lock is on an empty file beside the database, so it works for a damaged one. SQLite locks it, because Node has no file locks. */
const lockFileOf = (file: string) => `${file}.lock`;

/** @throws {DatabaseError} while another process holds the lock exclusively */
export function takeSharedLock(file: string): Lock {
  return lock(file, 'BEGIN; SELECT 1 FROM sqlite_master', 'is being restored: wait until that is done');
}

/** @throws {DatabaseError} while another process uses the database */
export function takeExclusiveLock(file: string): Lock {
  return lock(file, 'BEGIN EXCLUSIVE', 'is in use by a running service or command: stop it first');
}

function lock(file: string, sql: string, reason: string): Lock {
  let connection: BetterSqlite3.Database | undefined;
  try {
    connection = new BetterSqlite3(lockFileOf(file), { timeout: BUSY_TIMEOUT_MS });
    connection.exec(sql);
  } catch (error) {
    connection?.close();
    const { code = '', message } = error as { code?: string; message: string };
    if (code.startsWith('SQLITE_BUSY')) throw new DatabaseError(`The database ${file} ${reason}.`);
    throw new DatabaseError(`The database ${file} cannot be locked: ${lockFileOf(file)}: ${message}.`, {
      cause: error,
    });
  }
  return { release: () => void connection.close() };
}

/** Repeats a part of a start while another connection locks the database. Between two tries, signals are handled. */
export function waitForLock<T>(log: Log, waitingFor: string, maxWaitMs: number, part: () => T): Promise<T> {
  const pauseAfter = (error: unknown) => (isBusy(error) ? LOCK_RETRY_MS : null);
  return logWaiting(log, waitingFor, () => retry(part, pauseAfter, { forMs: maxWaitMs }));
}
