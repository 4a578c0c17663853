import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../src/store/database.ts';
import { createClusterTemplate, findServers, runOnAll, withDatabase } from './cluster.ts';
import { openPostgresqlServer } from './embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the database `postgres` of each server, the coordinator of a cluster first; absent on SQLite. */
    postgresql?: readonly string[];
  }
}

/** Prefix of the names of all test databases. */
export const PREFIX = 'embed_gateway_test_';
export const SILENT_LOG = { info() {}, warn() {}, error() {} };

/** The migrated template of all test databases. */
export const TEMPLATE = `${PREFIX}template`;

/**
 * Prepares one PostgreSQL server for all tests: the one of `TEST_DATABASE_URL`, or one for this run. If that URL names a
 * database of a Citus cluster, the test databases are distributed over its nodes.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await openPostgresqlServer();
  const servers = await findServers(given ?? server?.urlOf('postgres') ?? '');
  const [first = '', ...workers] = servers;
  await dropAll(servers);
  if (workers.length > 0) await createClusterTemplate(servers, TEMPLATE);
  else {
    await runOnAll(servers, `CREATE DATABASE ${TEMPLATE}`);
    await migrateDatabase(withDatabase(first, TEMPLATE), SILENT_LOG);
  }
  project.provide('postgresql', servers);
  return async () => {
    if (given) await dropAll(servers);
    await server?.close();
  };
}

async function dropAll(servers: readonly string[]): Promise<void> {
  for (const server of servers) {
    for (const { datname } of await runOnAll([server], 'SELECT datname FROM pg_database')) {
      if (String(datname).startsWith(PREFIX)) await runOnAll([server], `DROP DATABASE "${datname}" WITH (FORCE)`);
    }
  }
}
