import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { runOrRecover } from '../../awaitable.ts';
import { auditFileOf } from '../audit/audit.ts';
import { DatabaseError } from '../database-errors.ts';
import { findDriverError } from '../prisma/errors.ts';
import { MIGRATIONS_TABLE, refuseNewer } from '../prisma/migrations.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { reasonOfSqliteCode } from './errors.ts';
import { checkSchema } from './integrity/integrity.ts';
import { findSchemaFault } from './integrity/schema-check.ts';
import { takeExclusiveLock } from './lock.ts';

/** Accepts a file that does not exist, and does not create it: an empty one beside an audit log would then be refused. */
export function requireSqliteFile(file: string): void {
  explainErrors(file, () => {
    makeFolder(dirname(file));
    refuseLostDatabase(file);
    if (existsSync(file)) withSqlite(file, (database) => database.pragma('schema_version'));
    // the slash refuses a file in place of the folder
    else accessSync(`${dirname(file)}/`, constants.W_OK);
  });
}

const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? null;

/** Rejects a database that lost its content: SQLite would delete what is left in the write-ahead log, and begin an empty database. */
export function refuseLostDatabase(file: string): void {
  // before the file: another process that creates the database writes to the file first
  const [log, audit] = [sizeOf(`${file}-wal`), sizeOf(auditFileOf(file))];
  const size = sizeOf(file);
  if (size) return;
  // a removed file was removed on purpose, unless its log remains
  const remains = log ? `${file}-wal` : size === 0 && audit ? auditFileOf(file) : null;
  if (remains === null || (!log && isBeingCreated(file))) return;
  const moved = [size === null ? [] : file, log ? `${file}-wal` : []].flat().join(' and ');
  throw new DatabaseError(
    `The database ${file} has no content, but ${remains} has: restore a backup with npx embed-gateway restore FILE. To begin an empty database, move ${moved} away.`,
  );
}

/** Returns whether an empty file is in use, or has content now: a process that creates it takes the lock first. */
function isBeingCreated(file: string): boolean {
  try {
    takeExclusiveLock(file).release();
  } catch {
    return true;
  }
  return sizeOf(file) !== 0;
}

/**
 * Enables the write-ahead log, and checks that the file can be written, and its schema. Prisma's adapter never
 * enables the log, and without it a busy commit loses later writes (https://github.com/prisma/orm/issues/29933).
 * @returns the applied migrations, oldest first; null for a new file
 */
export function prepareSqliteFile(file: string, known: readonly string[]): readonly string[] | null {
  return withSqlite(file, (database) => {
    readAppliedMigrations(database, file);
    const mode = database.pragma('journal_mode = WAL', { simple: true });
    if (mode !== 'wal') throw new DatabaseError(`The database ${file} does not support write-ahead logging.`);
    database.exec('BEGIN');
    const applied = readAppliedMigrations(database, file);
    if (applied) {
      refuseNewer('The database', applied, known);
      checkSchema(database, file, { applied, known });
    }
    database.exec('COMMIT');
    // a migration writes, after it has waited for another process that migrates; BEGIN IMMEDIATE alone succeeds on a read-only file
    if (applied?.length === known.length) database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
    return applied;
  });
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: string | null;
}

/**
 * Returns the names, oldest first; null for a database without tables. Earlier versions recorded that a migration had begun.
 * If it has changed nothing, it is pending.
 */
export function readAppliedMigrations(database: BetterSqlite3.Database, file: string): readonly string[] | null {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return null;
  if (!tables.includes(MIGRATIONS_TABLE)) {
    throw new DatabaseError(`The database ${file} belongs to another program: it has tables that are not ours.`);
  }
  const rows = database
    .prepare<[], MigrationRow>(
      `SELECT migration_name, finished_at FROM ${MIGRATIONS_TABLE} WHERE rolled_back_at IS NULL ORDER BY migration_name`,
    )
    .all();
  const begun = rows.find((row) => row.finished_at === null);
  const applied = rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name);
  if (begun && findSchemaFault(database, { applied, known: [...applied, begun.migration_name] }) !== null) {
    throw new DatabaseError(
      `The database ${file} is half-migrated: ${begun.migration_name} did not finish. Restore a backup: npx embed-gateway restore FILE`,
    );
  }
  return applied;
}

export function withSqlite<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Throws errors of SQLite, Prisma and Node's file system as those for the operator. Any other error is a bug. */
export function explainErrors<T>(file: string, work: () => T): T {
  return runOrRecover<unknown>(work, (error) => {
    throw databaseErrorOf(error, file);
  }) as T;
}

export function databaseErrorOf(error: unknown, file: string): unknown {
  const cause = findDriverError(error) ?? (isSystemError(error) ? error : null);
  return cause ? new DatabaseError(describeError(cause, file), { cause: error }) : error;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function describeError(error: unknown, file: string): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  if (code === 'SQLITE_NOTADB') {
    return `${file} is not a SQLite database. If it was one, restore a backup: npx embed-gateway restore FILE`;
  }
  switch (reasonOfSqliteCode(code)) {
    case 'busy':
      return `The database ${file} is locked by another program.`;
    case 'damaged':
      return `The database ${file} is damaged: restore a backup with npx embed-gateway restore FILE`;
    case 'full':
      return `The disk of ${file} is full.`;
    case null:
      if (!/^E[A-Z]+$/.test(code)) return `The database ${file} cannot be opened: ${message}.`;
  }
  return `The database ${file} cannot be written: ${message}.`;
}

/** Creates a folder and its parents. Node's `recursive` never returns where a file system rejects folders, such as /proc. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
