import pg from 'pg';
import { distributeDatabase } from '../../src/store/postgresql/citus/distribute.ts';

/** Runs a statement on each server, and returns the rows of the first one. */
export async function runOnAll(servers: readonly string[], sql: string): Promise<readonly Record<string, unknown>[]> {
  const results = await Promise.all(
    servers.map(async (url) => {
      const connection = new pg.Client(url);
      await connection.connect();
      try {
        return (await connection.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await connection.end();
      }
    }),
  );
  return results[0] ?? [];
}

export function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns the coordinator and its workers; only the server itself if the database belongs to no Citus cluster. */
export async function findServers(url: string): Promise<readonly string[]> {
  const extensions = await runOnAll([url], `SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  const coordinator = withDatabase(url, 'postgres');
  if (extensions.length === 0) return [coordinator];
  const nodes = await runOnAll([url], 'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0');
  const workers = nodes.map(({ nodename, nodeport }) => {
    const worker = new URL(coordinator);
    worker.hostname = String(nodename);
    worker.port = String(nodeport);
    return worker.href;
  });
  return [coordinator, ...workers];
}

const hostAndPortOf = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || '5432'}`;

/** Makes a cluster of the databases of this name, which are empty. */
export async function joinCluster(servers: readonly string[], name: string): Promise<string> {
  const [coordinator = '', ...workers] = servers.map((server) => withDatabase(server, name));
  await runOnAll([coordinator], 'CREATE EXTENSION citus');
  await runOnAll([coordinator], `SELECT citus_set_coordinator_host(${hostAndPortOf(coordinator)})`);
  for (const worker of workers) await addNode(coordinator, worker);
  return coordinator;
}

/** Adds an empty database to a cluster. */
export async function addNode(coordinator: string, worker: string): Promise<void> {
  await runOnAll([worker], 'CREATE EXTENSION citus');
  await runOnAll([coordinator], `SELECT citus_add_node(${hostAndPortOf(worker)})`);
}

/** Creates a distributed database on all servers, from which others can be copied. */
export async function createClusterTemplate(servers: readonly string[], name: string): Promise<void> {
  await runOnAll(servers, `CREATE DATABASE ${name}`);
  await distributeDatabase(await joinCluster(servers, name));
  // no connection may use a template, nor Citus' own processes
  await runOnAll(servers, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runOnAll(servers, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`);
}
