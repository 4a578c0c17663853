import { setImmediate as nextTurn } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../log.ts';
import { createMigrationRow, knownMigrations, MIGRATIONS_TABLE, readMigration } from '../prisma/migrations.ts';
import { replaceWithCopy } from './backup.ts';
import { readAppliedMigrations } from './file.ts';
import { waitForLock } from './lock.ts';

/** Wait for another process that migrates: as long as a copy and a migration of 100 GB may take. */
const MAX_WAIT_MS = 3_600_000;

/** The copy of a database as it was before its last update. */
export const beforeUpdateFileOf = (file: string) => `${file}.before-update`;

/** In the format of Prisma, whose commands read it. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE "${MIGRATIONS_TABLE}" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

/**
 * Applies all pending migrations in one transaction, so that an interrupted update changes nothing. Before it, copies the
 * database to {@link beforeUpdateFileOf}. If several processes start at once, the others wait.
 * @param applied what the file had when it was checked; null for a new file
 * @returns the names of the applied migrations
 */
export async function migrateSqlite(
  file: string,
  applied: readonly string[] | null,
  log: Log,
): Promise<readonly string[]> {
  const known = knownMigrations('sqlite');
  if (applied?.length === known.length) return [];
  // waiting for a lock would block the event loop, which the owner of the lock may need
  const database = new BetterSqlite3(file, { timeout: 0 });
  try {
    // a migration may replace a table that others refer to
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF');
    const waitingFor = 'another process, which updates the database or locks it';
    await waitForLock(log, waitingFor, MAX_WAIT_MS, () => database.exec('BEGIN IMMEDIATE'));
    const present = readAppliedMigrations(database, file);
    const pending = known.filter((name) => !present?.includes(name));
    if (pending.length === 0) return [];
    if (present) {
      const copy = beforeUpdateFileOf(file);
      log.info({ copy, migrations: pending }, 'updating the database; the copy is kept until the next start');
      await replaceWithCopy(file, copy);
    } else database.exec(CREATE_MIGRATIONS_TABLE);
    database.exec(`DELETE FROM "${MIGRATIONS_TABLE}" WHERE "finished_at" IS NULL`);
    const record = database.prepare(
      `INSERT INTO "${MIGRATIONS_TABLE}" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
       VALUES (:id, :checksum, :migration_name, :finished_at, :finished_at, 1)`,
    );
    for (const name of pending) {
      const sql = readMigration('sqlite', name);
      database.exec(sql);
      record.run(createMigrationRow(name, sql));
      // so that a signal is handled
      await nextTurn();
    }
    database.exec('COMMIT');
    return pending;
  } finally {
    // rolls back a transaction that is open
    database.close();
  }
}
