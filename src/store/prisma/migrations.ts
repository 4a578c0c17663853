import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseError } from '../database-errors.ts';

export type Provider = 'sqlite' | 'postgres';

const PRISMA_FOLDER = fileURLToPath(new URL('../../../prisma/', import.meta.url));

/** The folder of the model and its migrations. */
export const folderOf = (provider: Provider) =>
  provider === 'postgres' ? join(PRISMA_FOLDER, 'postgresql') : PRISMA_FOLDER;
export const migrationsFolderOf = (provider: Provider) => join(folderOf(provider), 'migrations');

/** Returns the names of the migrations, oldest first. */
export function knownMigrations(provider: Provider): readonly string[] {
  return readdirSync(migrationsFolderOf(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Returns the SQL with the line ends of Unix, whatever those of the checkout are. */
export function readMigration(provider: Provider, name: string): string {
  return readFileSync(join(migrationsFolderOf(provider), name, 'migration.sql'), 'utf8').replaceAll('\r\n', '\n');
}

/** The table of Prisma in which `prisma migrate status` finds the applied migrations. */
export const MIGRATIONS_TABLE = '_prisma_migrations';

/** A row of that table. Migrations are recorded when they are done, so `started_at` is the same time as `finished_at`. */
export interface MigrationRow {
  readonly id: string;
  /** SHA-256 of the SQL, in hex. */
  readonly checksum: string;
  readonly migration_name: string;
  /** ISO 8601. */
  readonly finished_at: string;
}

export function createMigrationRow(name: string, sql: string): MigrationRow {
  return {
    id: randomUUID(),
    checksum: createHash('sha256').update(sql).digest('hex'),
    migration_name: name,
    finished_at: new Date().toISOString().replace('Z', '+00:00'),
  };
}

/** @throws {DatabaseError} if there are migrations that this version does not have */
export function refuseNewer(subject: string, applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new DatabaseError(
    `${subject} is newer than this version of the service: it has the migration ${unknown.join(', ')}.`,
  );
}
