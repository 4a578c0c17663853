import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import { keepStatements } from './statements.ts';

/** Why a database cannot be used: one line for the operator. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** How long a statement waits for another process's lock. The wait blocks the event loop, so it is short. */
const BUSY_TIMEOUT_MS = 500;

/**
 * Makes a SQLite file ready for Prisma: creates it and its folder when missing, switches it to write-ahead logging
 * (which the adapter never does, and without which a busy commit loses acknowledged writes) and checks that it took.
 * @returns the migrations that it has, oldest first; null for a new file.
 * @throws {DatabaseError} when the file is not a database or cannot be written.
 */
export function prepareSqliteFile(file: string): readonly string[] | null {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const database = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      const mode = database.pragma('journal_mode = WAL', { simple: true });
      if (mode !== 'wal') throw new DatabaseError(`The database ${file} does not support write-ahead logging.`);
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return appliedMigrations(database, file);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(reasonOf(error, file), { cause: error });
  }
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: string | null;
}

function appliedMigrations(database: BetterSqlite3.Database, file: string): readonly string[] | null {
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
  if (failed)
    throw new DatabaseError(`The database ${file} is half-migrated: ${failed.migration_name} did not finish.`);
  return rows.map((row) => row.migration_name);
}

function reasonOf(error: unknown, file: string): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  if (code === 'SQLITE_NOTADB') return `${file} is not a SQLite database.`;
  if (code.startsWith('SQLITE_CORRUPT')) return `The database ${file} is damaged: restore it from a backup.`;
  if (code.startsWith('SQLITE_BUSY')) return `The database ${file} is locked by another program.`;
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || /^E[A-Z]+$/.test(code)) {
    return `The database ${file} cannot be written: ${message}.`;
  }
  return `The database ${file} cannot be opened: ${message}.`;
}

/**
 * Prisma's adapter with our durability: an acknowledged write has been synced to disk (`synchronous=FULL`; the
 * adapter's default in WAL mode is NORMAL, which a power cut can undo).
 */
export class DurableSqlite extends PrismaBetterSqlite3 {
  constructor(file: string) {
    super({ url: `file:${file}`, timeout: BUSY_TIMEOUT_MS });
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    await adapter.executeScript('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    const { rows } = await adapter.queryRaw({ sql: 'PRAGMA synchronous', args: [], argTypes: [] });
    if (Number(rows[0]?.[0]) !== 2) throw new DatabaseError('SQLite did not accept synchronous=FULL.');
    keepStatements(adapter);
    return adapter;
  }

  /** The engine sends a whole migration as one statement to its shadow database, which the driver takes only as a script. */
  override async connectToShadowDb(): Promise<SqlDriverAdapter> {
    const shadow = await super.connectToShadowDb();
    const executeRaw = shadow.executeRaw.bind(shadow);
    shadow.executeRaw = async (query) => {
      if (query.args.length > 0) return executeRaw(query);
      await shadow.executeScript(query.sql);
      return 0;
    };
    return shadow;
  }
}
