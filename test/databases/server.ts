import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/store/database.ts';
import { openPostgresqlServer } from './embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server's database `postgres`; absent where the tests run on SQLite. */
    postgresql?: string;
  }
}

/** Prefix of the names of all test databases. */
export const PREFIX = 'embed_gateway_test_';
/** The migrated template of all test databases. */
export const TEMPLATE = `${PREFIX}template`;

/** Prepares one PostgreSQL server for all tests: the one of `TEST_DATABASE_URL`, or one for this run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await openPostgresqlServer();
  const url = given ?? server?.urlOf('postgres') ?? '';
  const admin = new pg.Client(url);
  await admin.connect();
  await dropAll(admin);
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await (await openDatabase(template.href)).close();
  project.provide('postgresql', url);
  return async () => {
    if (given) await dropAll(admin);
    await admin.end();
    await server?.close();
  };
}

async function dropAll(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database');
  for (const { datname } of rows) {
    if (datname.startsWith(PREFIX)) await admin.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  }
}
