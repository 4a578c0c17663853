import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../open-options.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';

/** Says that a database is in use. It ends with the process, however that ends. */
export interface Lock {
  release(): void;
}

/**
 * The lock is on an empty file beside the database, so that it says the same when the database is damaged. SQLite takes
 * it, for Node cannot.
 */
const lockFileOf = (file: string) => `${file}.lock`;

/**
 * Holds a database for use, together with whoever else uses it.
 * @throws {DatabaseError} while somebody has it alone
 */
export function holdLock(file: string): Lock {
  return take(file, 'BEGIN; SELECT 1 FROM sqlite_master', 'is being restored: wait until that is done');
}

/**
 * Holds a database alone.
 * @throws {DatabaseError} while anybody uses it
 */
export function holdLockAlone(file: string): Lock {
  return take(file, 'BEGIN EXCLUSIVE', 'is in use by a running service or command: stop it first');
}

function take(file: string, sql: string, excuse: string): Lock {
  let held: BetterSqlite3.Database | undefined;
  try {
    held = new BetterSqlite3(lockFileOf(file), { timeout: BUSY_TIMEOUT_MS });
    held.exec(sql);
  } catch (error) {
    held?.close();
    const { code = '', message } = error as { code?: string; message: string };
    if (code.startsWith('SQLITE_BUSY')) throw new DatabaseError(`The database ${file} ${excuse}.`);
    throw new DatabaseError(`The database ${file} cannot be locked: ${lockFileOf(file)}: ${message}.`, {
      cause: error,
    });
  }
  return { release: () => void held.close() };
}
