import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import {
  folderOf,
  knownMigrations,
  migrationsFolderOf,
  type Provider,
  readMigration,
} from '../../src/store/prisma/migrations.ts';
import { withSchemaEngine } from './wasm-engine.ts';

type Scratch = SqlMigrationAwareDriverAdapterFactory & { readonly provider: Provider };

/** Tables of SQLite that are not in the model: the full-text index with the tables that it creates, its words, and the changes. */
const INDEX_TABLES = [
  ...['EmbedIndex', 'EmbedIndex_config', 'EmbedIndex_data', 'EmbedIndex_idx'],
  ...['EmbedIndexTerm', 'EmbedWord', 'EmbedChange'],
];

/** Returns the SQL that leads from the migrations to `schema.prisma`; null if they agree. `scratch` is any database of the provider. */
export async function findSchemaDrift(scratch: Scratch): Promise<string | null> {
  return runSchemaEngine(scratch, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await readMigrations(scratch.provider)) },
      to: { tag: 'schemaDatamodel', ...(await readSchema(scratch.provider)) },
      script: true,
      exitCode: true,
      filters: { externalTables: scratch.provider === 'sqlite' ? INDEX_TABLES : [], externalEnums: [] },
    });
    return exitCode === 0 ? null : stdout;
  });
}

/** @returns the folder of the new migration; null if nothing has changed */
export async function writeMigration(scratch: Scratch, name: string): Promise<string | null> {
  const sql = await findSchemaDrift(scratch);
  if (sql === null) return null;
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsFolderOf(scratch.provider), `${timestamp}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), sql);
  return folder;
}

async function runSchemaEngine<T>(scratch: Scratch, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { files } = await readSchema(scratch.provider);
  return withSchemaEngine(scratch, files, work);
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
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: existsSync(lockfile) ? await readFile(lockfile, 'utf8') : null },
    shadowDbInitScript: '',
    migrationDirectories: knownMigrations(provider).map((name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: readMigration(provider, name) } },
    })),
  };
}
