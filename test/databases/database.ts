import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { OLD_IDS_TABLE } from '../../src/store/postgresql/citus/id-lookup.ts';
import { PLACED_TABLES } from '../../src/store/postgresql/citus/tables.ts';
import { type RegisterCleanup, temporaryFolder } from '../temporary-folder.ts';
import { joinCluster, runOnAll, withDatabase } from './cluster.ts';
import { PREFIX, TEMPLATE } from './server.ts';

const servers = inject('postgresql') ?? [];

export const isOnPostgresql = servers.length > 0;
/** The test databases are distributed over several servers. */
export const isOnCitus = servers.length > 1;

/** Returns true on Citus, and prints why a test cannot run there. */
export function cannotHoldOnCitus(reason: string): boolean {
  if (isOnCitus) console.warn(`Skipped on Citus: ${reason}.`);
  return isOnCitus;
}

/** Creates a migrated database of the current project, which is removed after the test, and returns its URL. */
export async function newDatabase(registerCleanup: RegisterCleanup = onTestFinished): Promise<string> {
  return isOnPostgresql ? borrowPostgresql(registerCleanup) : newSqlite(registerCleanup);
}

/** Creates a migrated SQLite file, which is removed after the test, and returns its URL. */
export async function newSqlite(registerCleanup: RegisterCleanup = onTestFinished): Promise<string> {
  const file = join(temporaryFolder(registerCleanup), 'embeds.db');
  migratedFile ??= migrateFile();
  writeFileSync(file, await migratedFile);
  return `file:${file}`;
}

/** The content of a migrated SQLite file: writing it takes a tenth of the time of migrating. */
let migratedFile: Promise<Buffer> | undefined;

async function migrateFile(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
  const file = join(folder, 'embeds.db');
  await (await openDatabase(`file:${file}`)).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Returns the URL of a SQLite file that does not exist. */
export function missingFile(): string {
  return `file:${join(temporaryFolder(), 'embeds.db')}`;
}

/** Emptied databases for the next tests: to create one takes a tenth of a second. */
const emptied: string[] = [];
/** Databases whose tables have been changed. */
const altered = new Set<string>();

async function borrowPostgresql(registerCleanup: RegisterCleanup): Promise<string> {
  const url = emptied.pop() ?? (await newPostgresql());
  registerCleanup(async () => {
    if (altered.has(url)) return;
    // to delete them takes longer than to create a database
    if ((await runOnAll([url], 'SELECT 1 FROM "Embed" OFFSET 2000 LIMIT 1')).length > 0) return;
    await runOnAll([url], TABLES.map((table) => `DELETE FROM "${table}";`).join(''));
    // a test that fails may leave tables of its own, such as that of an unfinished copy
    const others = await runOnAll(
      [url],
      `SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', '${TABLES.join("', '")}')`,
    );
    if (others.length === 0) emptied.push(url);
  });
  return url;
}

/** All tables that tests fill, those with foreign keys first. */
const TABLES = [
  ...['Quota', 'Page', 'Token'],
  ...(isOnCitus ? [OLD_IDS_TABLE] : []),
  ...PLACED_TABLES.map(({ name }) => name).reverse(),
];

/** Creates a migrated PostgreSQL database for any number of tests, which is removed after the run, and returns its URL. */
export function newPostgresql(): Promise<string> {
  return createPostgresql(servers, TEMPLATE);
}

/** As {@link newPostgresql}, without any table, and on one server only. */
export function newEmptyPostgresql(): Promise<string> {
  return createPostgresql(servers.slice(0, 1), 'template0');
}

/** As {@link newEmptyPostgresql}, on all servers of the cluster. */
export async function newEmptyCluster(): Promise<string> {
  const url = await createPostgresql(servers, 'template0');
  return joinCluster(servers, new URL(url).pathname.slice(1));
}

async function createPostgresql(on: readonly string[], template: string): Promise<string> {
  const name = `${PREFIX}${randomUUID().replaceAll('-', '')}`;
  await runOnAll(on, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return withDatabase(on[0] ?? '', name);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
export type Row = Record<string, any>;

/** A connection past the store. */
export interface Raw {
  query(sql: string): Promise<readonly Row[]>;
  /** Closes the connection before the end of the test. */
  close(): Promise<void>;
}

/** Opens a connection that is closed after the test. */
export async function openRaw(url: string): Promise<Raw> {
  if (url.startsWith('file:')) {
    const database = new BetterSqlite3(url.slice('file:'.length));
    onTestFinished(() => void database.close());
    return {
      async query(sql) {
        const statement = database.prepare<[], Row>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      },
      close: async () => void database.close(),
    };
  }
  const connection = new pg.Client(url);
  connection.on('error', () => {});
  await connection.connect();
  let isOpen = true;
  const close = async () => {
    if (isOpen) await connection.end();
    isOpen = false;
  };
  onTestFinished(close);
  return {
    close,
    async query(sql) {
      if (/^\s*(ALTER|CREATE|DROP)/i.test(sql)) altered.add(url);
      return (await connection.query<Row>(sql)).rows;
    },
  };
}
