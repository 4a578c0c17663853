import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../database-errors.ts';
import { refuseNewer } from '../prisma/migrate.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { reasonOfSqliteCode } from './errors.ts';
import { checkSchema } from './integrity/integrity.ts';

export function requireSqliteFile(file: string): void {
  explainErrors(file, () => {
    makeFolder(dirname(file));
    withSqlite(file, (database) => database.pragma('schema_version'));
  });
}

/**
 * Enables the write-ahead log, and checks that the file can be written, and its schema. Prisma's adapter never
 * enables the log, and without it a busy commit loses later writes (https://github.com/prisma/orm/issues/29933).
 * @returns the applied migrations, oldest first; null for a new file
 */
export function prepareSqliteFile(file: string, known: readonly string[]): readonly string[] | null {
  return explainErrors(file, () =>
    withSqlite(file, (database) => {
      const applied = readAppliedMigrations(database, file);
      const mode = database.pragma('journal_mode = WAL', { simple: true });
      if (mode !== 'wal') throw new DatabaseError(`The database ${file} does not support write-ahead logging.`);
      // BEGIN IMMEDIATE alone succeeds on a read-only file
      database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
      if (applied) {
        refuseNewer('The database', applied, known);
        checkSchema(database, file, { applied, known });
      }
      return applied;
    }),
  );
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: string | null;
}

/** Returns the names, oldest first; null for a database without tables. */
export function readAppliedMigrations(database: BetterSqlite3.Database, file: string): readonly string[] | null {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return null;
  if (!tables.includes('_prisma_migrations')) {
    throw new DatabaseError(`The database ${file} belongs to another program: it has tables that are not ours.`);
  }
  const rows = database
    .prepare<[], MigrationRow>(
      'SELECT migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
    )
    .all();
  const failed = rows.find((row) => row.finished_at === null);
  if (failed) {
    throw new DatabaseError(
      `The database ${file} is half-migrated: ${failed.migration_name} did not finish. Restore a backup: npx embed-gateway restore FILE`,
    );
  }
  return rows.map((row) => row.migration_name);
}

export function withSqlite<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export function explainErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(describeError(error, file), { cause: error });
  }
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
