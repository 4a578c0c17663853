import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseError } from '../open-options.ts';

type Provider = SqlMigrationAwareDriverAdapterFactory['provider'];

const PRISMA_FOLDER = fileURLToPath(new URL('../../../prisma/', import.meta.url));

/** Where the model of a kind of database and its migrations are. */
const folderOf = (provider: Provider) => (provider === 'postgres' ? join(PRISMA_FOLDER, 'postgresql') : PRISMA_FOLDER);
const migrationsFolderOf = (provider: Provider) => join(folderOf(provider), 'migrations');

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The names of the migrations that this version of the code has, oldest first. */
export async function knownMigrations(provider: Provider = 'sqlite'): Promise<readonly string[]> {
  const entries = await readdir(migrationsFolderOf(provider), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The SQL of a migration of a SQLite file. */
export function migrationScript(name: string): string {
  return readFileSync(join(migrationsFolderOf('sqlite'), name, 'migration.sql'), 'utf8');
}

/**
 * Brings a database to the newest migration.
 * @param applied the migrations that it has, or null when it is new
 * @returns the names of the migrations that were applied
 * @throws {DatabaseError} when the database is newer than the code
 */
export async function migrate(
  factory: SqlMigrationAwareDriverAdapterFactory,
  applied: readonly string[] | null,
): Promise<readonly string[]> {
  const known = await knownMigrations(factory.provider);
  if (applied) refuseNewer('The database', applied, known);
  // the engine takes a tenth of a second to load: not on a start that has nothing to migrate
  if (applied && applied.length === known.length) return [];
  return useSchemaEngine(factory, async (engine) => {
    const migrationsList = await readMigrations(factory.provider);
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/**
 * @param subject the database, as the message shall name it
 * @throws {DatabaseError} when it has migrations that this version of the code does not know
 */
export function refuseNewer(subject: string, applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new DatabaseError(
    `${subject} is newer than this version of the service: it has the migration ${unknown.join(', ')}.`,
  );
}

/**
 * The SQL that leads from the migrations to `schema.prisma`; null when they agree.
 * @param scratch any database of the kind: the engine works in a shadow of it
 */
export async function findSchemaDrift(scratch: SqlMigrationAwareDriverAdapterFactory): Promise<string | null> {
  return useSchemaEngine(scratch, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await readMigrations(scratch.provider)) },
      to: { tag: 'schemaDatamodel', ...(await readSchema(scratch.provider)) },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? null : stdout;
  });
}

/**
 * Writes the next migration: what leads from the existing ones to `schema.prisma`.
 * @returns the folder that it was written to, or null when nothing has changed
 */
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

/**
 * Opens Prisma's own schema engine, from its WebAssembly package (no download, no binary), for one piece of work. The
 * engine locks the database that it works on and never lets go by itself: its connections are closed here.
 */
async function useSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: engineModule.SchemaEngine) => Promise<T>,
): Promise<T> {
  wasm ??= loadWasm();
  await wasm;
  const connections: SqlDriverAdapter[] = [];
  const tracked: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    connect: async () => {
      const connection = await factory.connect();
      connections.push(connection);
      return connection;
    },
  };
  const { files } = await readSchema(factory.provider);
  const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
  const log = () => {};
  const engine = await engineModule.SchemaEngine.new({ datamodels }, log, bindMigrationAwareSqlAdapterFactory(tracked));
  try {
    return await work(engine);
  } finally {
    engine.free();
    for (const connection of connections) await connection.dispose();
  }
}

/** The glue holds one instance for the whole process: a second one would break the first. */
let wasm: Promise<void> | undefined;

async function loadWasm(): Promise<void> {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const { instance } = await WebAssembly.instantiate(await readFile(join(dirname(glue), 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
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

async function readMigrations(provider: Provider): Promise<engineModule.MigrationList> {
  const folder = migrationsFolderOf(provider);
  const lockfile = join(folder, 'migration_lock.toml');
  const names = await knownMigrations(provider);
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
