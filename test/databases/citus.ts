import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distributeDatabase } from '../../src/store/postgresql/citus/distribute.ts';
import { findSystemUser, temporaryFolderOf } from './binaries.ts';
import { addNode, joinCluster, runOnAll } from './cluster.ts';
import { openPostgresqlServer, type PostgresqlServer } from './embedded.ts';

/** Debian's PostgreSQL 15, for which the extension is built. */
export const PROGRAMS = '/usr/lib/postgresql/15/bin';
const EXTENSION = '/usr/lib/postgresql/15/lib/citus.so';
const DATABASE = 'embeds';
const SHARDS = 8;

/** The reason why no cluster can be opened; null if one can. */
export const noCitus: string | null = existsSync(EXTENSION)
  ? null
  : `skipped: there is no ${EXTENSION} (PostgreSQL 15 with Citus 13)`;

/** A Citus cluster whose data are removed when it is closed. */
export interface CitusCluster {
  /** The URL of the distributed database. */
  readonly url: string;
  readonly coordinator: PostgresqlServer;
  readonly workers: readonly PostgresqlServer[];
  addWorker(): Promise<PostgresqlServer>;
  close(): Promise<void>;
}

/**
 * Opens a coordinator and workers.
 * @param flags of each server
 * @param distribute creates the tables; by default those of this version
 */
export async function openCitusCluster(
  flags: readonly string[],
  workers: number,
  distribute: (url: string) => Promise<unknown> = distributeDatabase,
): Promise<CitusCluster> {
  const nodes: PostgresqlServer[] = [];
  const folder = writePasswordFile();
  const settings = {
    shared_preload_libraries: 'citus',
    wal_level: 'logical',
    max_prepared_transactions: '200',
    max_worker_processes: '32',
    'citus.node_conninfo': 'sslmode=prefer',
    'citus.enable_unsafe_triggers': 'on',
    'citus.shard_count': String(SHARDS),
    'citus.enable_statistics_collection': 'off',
  };
  const allFlags = [...flags, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const openNode = async () => {
    const node = await openPostgresqlServer(allFlags, undefined, PROGRAMS);
    nodes.push(node);
    return node;
  };
  for (let i = 0; i <= workers; i++) await openNode();
  const servers = nodes.map((node) => node.urlOf('postgres'));
  await runOnAll(servers, `CREATE DATABASE ${DATABASE}`);
  const url = await joinCluster(servers, DATABASE);
  await distribute(url);
  return {
    url,
    coordinator: nodes[0] as PostgresqlServer,
    workers: nodes.slice(1),
    async addWorker() {
      const worker = await openNode();
      await runOnAll([worker.urlOf('postgres')], `CREATE DATABASE ${DATABASE}`);
      await addNode(url, worker.urlOf(DATABASE));
      await distributeDatabase(url);
      return worker;
    },
    async close() {
      for (const node of nodes) await node.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lets the nodes connect to each other. */
function writePasswordFile(): string {
  const user = findSystemUser();
  const folder = mkdtempSync(join(temporaryFolderOf(user), 'embed-gateway-citus-'));
  const file = join(folder, 'pgpass');
  writeFileSync(file, '*:*:*:*:password\n', { mode: 0o600 });
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  process.env.PGPASSFILE = file;
  return folder;
}
