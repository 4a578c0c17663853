import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../open-options.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { troubleOf } from './errors.ts';
import { checkQuickly } from './integrity.ts';

/**
 * Makes a SQLite file, and its folder, where there is none.
 * @throws {DatabaseError} when there is something else, or none can be made
 */
export function requireSqliteFile(file: string): void {
  explainErrors(file, () => {
    makeFolder(dirname(file));
    withSqlite(file, (database) => database.pragma('schema_version'));
  });
}

/**
 * Makes a SQLite file ready for Prisma: switches it to write-ahead logging (which the adapter never does, and without
 * which a busy commit loses acknowledged writes), checks that it took, that the file can be written, its schema and its
 * integrity.
 * @param known the migrations of this version of the code
 * @returns the migrations that it has, oldest first; null for a new file.
 * @throws {DatabaseError} with the reason in one line
 */
export function prepareSqliteFile(file: string, known: readonly string[]): readonly string[] | null {
  return explainErrors(file, () =>
    withSqlite(file, (database) => {
      const applied = appliedMigrations(database, file);
      const mode = database.pragma('journal_mode = WAL', { simple: true });
      if (mode !== 'wal') throw new DatabaseError(`The database ${file} does not support write-ahead logging.`);
      // BEGIN IMMEDIATE alone is content with a read-only file
      database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
      // a database that is newer is refused when it is migrated
      if (applied?.every((name) => known.includes(name))) checkQuickly(database, file, { applied, known });
      return applied;
    }),
  );
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: string | null;
}

/**
 * The migrations that a database has, oldest first; null for an empty one.
 * @throws {DatabaseError} when the database is not ours, or a migration did not finish
 */
export function appliedMigrations(database: BetterSqlite3.Database, file: string): readonly string[] | null {
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
      `The database ${file} is half-migrated: ${failed.migration_name} did not finish. Restore a backup: npm run restore -- FILE`,
    );
  }
  return rows.map((row) => row.migration_name);
}

/** Runs work on a file with a connection of its own. */
export function withSqlite<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Runs work; what the system or SQLite says against it becomes one line for the operator. */
export function explainErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(reasonOf(error, file), { cause: error });
  }
}

function reasonOf(error: unknown, file: string): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  if (code === 'SQLITE_NOTADB') {
    return `${file} is not a SQLite database. If it was one, restore a backup: npm run restore -- FILE`;
  }
  if (code.startsWith('SQLITE_BUSY')) return `The database ${file} is locked by another program.`;
  switch (troubleOf(code)) {
    case 'damaged':
      return `The database ${file} is damaged: restore a backup with npm run restore -- FILE`;
    case 'full':
      return `The disk of ${file} is full.`;
    case null:
      if (!/^E[A-Z]+$/.test(code)) return `The database ${file} cannot be opened: ${message}.`;
  }
  return `The database ${file} cannot be written: ${message}.`;
}

/** Not by `recursive`, with which Node tries for ever where a file system takes no folders, such as /proc. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
