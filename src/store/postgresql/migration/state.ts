import type pg from 'pg';
import { DatabaseError } from '../../database-errors.ts';
import { knownMigrations, MIGRATIONS_TABLE, refuseNewer } from '../../prisma/migrations.ts';
import { readTableNames } from '../connection.ts';

/** Returns true for a migration that removes what only the previous release uses. All others leave that release working. */
export function isContraction(migration: string): boolean {
  return migration.endsWith('_contract');
}

/**
 * Returns the migrations, oldest first; null for a database without tables.
 * @param subject the database, for messages
 * @throws {DatabaseError} if the tables are those of another program
 */
export async function readAppliedMigrations(connection: pg.Client, subject: string): Promise<readonly string[] | null> {
  const tables = await readTableNames(connection);
  if (tables.size === 0) return null;
  if (!tables.has(MIGRATIONS_TABLE)) {
    throw new DatabaseError(`${subject} belongs to another program: it has tables that are not ours.`);
  }
  const { rows } = await connection.query<{ name: string }>(
    `SELECT "migration_name" AS "name" FROM "${MIGRATIONS_TABLE}"
     WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL ORDER BY "migration_name"`,
  );
  return rows.map(({ name }) => name);
}

/** @throws {DatabaseError} if a newer version has removed what this one uses. It may have added anything. */
export function refuseContracted(subject: string, applied: readonly string[], known: readonly string[]): void {
  refuseNewer(subject, applied.filter(isContraction), known);
}

/**
 * @param command applies the migrations
 * @returns true if there are contractions to apply
 * @throws {DatabaseError} unless this version can use the database
 */
export async function requireMigrated(
  connection: pg.Client,
  subject: string,
  command: 'migrate' | 'distribute',
): Promise<boolean> {
  const hint = `run "npx embed-gateway ${command}".`;
  const known = knownMigrations('postgres');
  const applied = await readAppliedMigrations(connection, subject);
  if (applied === null) throw new DatabaseError(`${subject} is empty: ${hint}`);
  refuseContracted(subject, applied, known);
  const pending = known.filter((name) => !applied.includes(name));
  const missing = pending.filter((name) => !isContraction(name));
  if (missing.length > 0) {
    throw new DatabaseError(
      `${subject} lacks the migration ${missing.join(', ')}: ${hint} Gateways of the previous release go on serving meanwhile.`,
    );
  }
  return pending.length > 0;
}
