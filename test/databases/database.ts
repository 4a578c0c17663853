import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { PREFIX, TEMPLATE } from './server.ts';

/** Which engine the tests of this run are on. */
export const isOnPostgresql = inject('postgresql') !== undefined;

/** A new folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The URL of a new database of the engine that the tests are on; it goes away with the test. */
export async function newDatabase(): Promise<string> {
  const server = inject('postgresql');
  return server === undefined ? `file:${join(temporaryFolder(), 'embeds.db')}` : borrowPostgresql(server);
}

/** Emptied databases that the next test may have: to make one takes a tenth of a second. */
const emptied: string[] = [];
/** Those whose tables are not what they were. */
const altered = new Set<string>();

async function borrowPostgresql(server: string): Promise<string> {
  const url = emptied.pop() ?? (await createPostgresql(server, TEMPLATE));
  onTestFinished(async () => {
    if (altered.has(url)) return;
    await administer(url, TABLES.map((table) => `DELETE FROM "${table}";`).join(''));
    emptied.push(url);
  });
  return url;
}

/** Whoever refers to others first. */
const TABLES = ['Embed', 'EmbedTerm', 'Token', 'Account', 'IdempotentCreate', 'Import', 'Page', 'Quota'];

/** The URL of a new database of the server without any table. */
export async function newEmptyPostgresql(): Promise<string> {
  return createPostgresql(inject('postgresql') ?? '', 'template0');
}

/** It goes away with the server's set-up. */
async function createPostgresql(server: string, template: string): Promise<string> {
  const name = `${PREFIX}${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(url: string, sql: string): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(sql);
  await admin.end();
}

/** A row as the driver gives it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
export type Row = Record<string, any>;

/** A connection beside the store's, with SQL that both engines understand. */
export interface Raw {
  query(sql: string): Promise<readonly Row[]>;
}

/** Closed with the test. */
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
    };
  }
  const connection = new pg.Client(url);
  connection.on('error', () => {});
  await connection.connect();
  onTestFinished(() => connection.end());
  return {
    async query(sql) {
      if (/^\s*(ALTER|CREATE|DROP)/i.test(sql)) altered.add(url);
      return (await connection.query<Row>(sql)).rows;
    },
  };
}
