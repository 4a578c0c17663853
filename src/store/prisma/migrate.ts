import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseError } from '../database-errors.ts';
import { withSchemaEngine } from './wasm-engine.ts';

type Provider = SqlMigrationAwareDriverAdapterFactory['provider'];

const PRISMA_FOLDER = fileURLToPath(new URL('../../../prisma/', import.meta.url));

const folderOf = (provider: Provider) => (provider === 'postgres' ? join(PRISMA_FOLDER, 'postgresql') : PRISMA_FOLDER);
const migrationsFolderOf = (provider: Provider) => join(folderOf(provider), 'migrations');

/** Tables of SQLite that are not in the model: the full-text index with the tables that it creates, and its words. */
const INDEX_TABLES = [
  ...['EmbedIndex', 'EmbedIndex_config', 'EmbedIndex_data', 'EmbedIndex_idx'],
  ...['EmbedIndexTerm', 'EmbedWord'],
];
const filtersOf = (provider: Provider) => ({
  externalTables: provider === 'sqlite' ? INDEX_TABLES : [],
  externalEnums: [],
});

export function knownMigrations(provider: Provider = 'sqlite'): readonly string[] {
  return readdirSync(migrationsFolderOf(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function readSqliteMigration(name: string): string {
  return readFileSync(join(migrationsFolderOf('sqlite'), name, 'migration.sql'), 'utf8');
}

/**
 * @param applied null for a new database
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  factory: SqlMigrationAwareDriverAdapterFactory,
  applied: readonly string[] | null,
): Promise<readonly string[]> {
  const known = knownMigrations(factory.provider);
  if (applied) refuseNewer('The database', applied, known);
  // the engine takes 0.1 s to load
  if (applied && applied.length === known.length) return [];
  return runSchemaEngine(factory, async (engine) => {
    const migrationsList = await readMigrations(factory.provider);
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList,
      filters: filtersOf(factory.provider),
    });
    return appliedMigrationNames;
  });
}

export function refuseNewer(subject: string, applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new DatabaseError(
    `${subject} is newer than this version of the service: it has the migration ${unknown.join(', ')}.`,
  );
}

/** Returns the SQL that leads from the migrations to `schema.prisma`; null if they agree. `scratch` is any database of the provider. */
export async function findSchemaDrift(scratch: SqlMigrationAwareDriverAdapterFactory): Promise<string | null> {
  return runSchemaEngine(scratch, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await readMigrations(scratch.provider)) },
      to: { tag: 'schemaDatamodel', ...(await readSchema(scratch.provider)) },
      script: true,
      exitCode: true,
      filters: filtersOf(scratch.provider),
    });
    return exitCode === 0 ? null : stdout;
  });
}

/** @returns the folder of the new migration; null if nothing has changed */
export async function writeMigration(
  scratch: SqlMigrationAwareDriverAdapterFactory,
  name: string,
): Promise<string | null> {
  const sql = await findSchemaDrift(scratch);
  if (sql === null) return null;
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsFolderOf(scratch.provider), `${timestamp}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), sql);
  return folder;
}

async function runSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { files } = await readSchema(factory.provider);
  return withSchemaEngine(factory, files, work);
}

async function readSchema(provider: Provider) {
  const folder = folderOf(provider);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma'));
  const files = names.map(async (name) => {
    const path = join(folder, name);
    return { path, content: await readFile(path, 'utf8') };
  });
  return { files: await Promise.all(files) };
}

async function readMigrations(provider: Provider): Promise<MigrationList> {
  const folder = migrationsFolderOf(provider);
  const lockfile = join(folder, 'migration_lock.toml');
  const names = knownMigrations(provider);
  const migrationDirectories = names.map(async (name) => {
    const content = await readFile(join(folder, name, 'migration.sql'), 'utf8');
    return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: content } } };
  });
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: existsSync(lockfile) ? await readFile(lockfile, 'utf8') : null },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}
