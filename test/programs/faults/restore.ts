/**
 * Restores a PostgreSQL server, and a Citus cluster, to a named point from base backups and the archived log: every write
 * that was acknowledged before must be there, and none of those after. Then restores dumps as one should not: the service
 * must refuse them, and its message must lead to a database with every write.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyDatabase } from '../../../src/store/copy/copy.ts';
import { migrateDatabase } from '../../../src/store/database.ts';
import { distributeDatabase } from '../../../src/store/postgresql/citus/distribute.ts';
import { recountDatabase } from '../../../src/store/postgresql/totals.ts';
import {
  ARCHIVING,
  archiveLog,
  noBackups,
  removeArchives,
  restoreTo,
  runProgram,
  takeBaseBackup,
} from '../../databases/backup.ts';
import { noCitus, openCitusCluster, PROGRAMS } from '../../databases/citus.ts';
import { joinCluster, runOnAll } from '../../databases/cluster.ts';
import { openPostgresqlServer, type PostgresqlServer } from '../../databases/embedded.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { reportResult } from './harness/report.ts';
import { createScratchFolder, startService } from './harness/service.ts';

const { clients, seconds } = createProgram(
  'faults:restore',
  'Restores PostgreSQL and Citus from base backups, archived logs and dumps. Nothing may be lost.',
)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 100), 4)
  .option('--seconds <count>', 'duration of the writes before and after the base backup', parseCount(1, 600), 3)
  .parse()
  .opts<{ clients: number; seconds: number }>();

/** The database, the servers with its rows, and what depends on their kind. */
interface Target {
  readonly name: string;
  readonly url: string;
  /** The coordinator of a cluster first. */
  readonly servers: readonly PostgresqlServer[];
  readonly createRestorePoint: string;
  /** Creates an empty, migrated database. */
  createDatabase(name: string): Promise<string>;
  close(): Promise<void>;
}

const POINT = 'before-the-mistake';
const faults: string[] = [];
const counts: Record<string, number> = {};

if (noBackups) console.log(noBackups);
else {
  await run(await openPostgresql());
  if (noCitus) console.log(noCitus);
  else await run(await openCitus());
  reportResult(counts, faults);
}

async function run(target: Target): Promise<void> {
  const ledger = new Ledger({ mayCommitBefore503: true });
  try {
    await restoreToPoint(target, ledger);
    await refuseUndistributed(target, ledger);
    await refuseRowsAlone(target, ledger);
    await copyBothWays(target, ledger);
  } finally {
    await target.close();
    removeArchives(target.servers);
  }
  for (const fault of ledger.faults) faults.push(`${target.name}: ${fault}`);
  counts[target.name] = ledger.counts.created + ledger.counts.updated + ledger.counts.deleted;
}

async function openPostgresql(): Promise<Target> {
  const server = await openPostgresqlServer(ARCHIVING, undefined, PROGRAMS);
  const createDatabase = async (name: string) => {
    await runOnAll([server.urlOf('postgres')], `CREATE DATABASE ${name}`);
    await migrateDatabase(server.urlOf(name), SILENT_LOG);
    return server.urlOf(name);
  };
  const createRestorePoint = `SELECT pg_create_restore_point('${POINT}')`;
  const url = await createDatabase('embeds');
  return { name: 'postgresql', url, servers: [server], createRestorePoint, createDatabase, close: server.close };
}

async function openCitus(): Promise<Target> {
  const cluster = await openCitusCluster(ARCHIVING, 2);
  const servers = [cluster.coordinator, ...cluster.workers];
  const urls = servers.map((server) => server.urlOf('postgres'));
  return {
    name: 'citus',
    url: cluster.url,
    servers,
    createRestorePoint: `SELECT citus_create_restore_point('${POINT}')`,
    async createDatabase(name) {
      await runOnAll(urls, `CREATE DATABASE ${name}`);
      const url = await joinCluster(urls, name);
      await distributeDatabase(url);
      return url;
    },
    close: cluster.close,
  };
}

/** Takes base backups while clients write, and restores to a point that some writes came after. */
async function restoreToPoint({ name, url, servers, createRestorePoint }: Target, ledger: Ledger): Promise<void> {
  const service = await startService('', { DATABASE_URL: url });
  const endClients = ledger.startClients(clients, [service]);
  await pause(seconds * 1_000);
  for (const server of servers) takeBaseBackup(server);
  await pause(seconds * 1_000);
  await endClients();
  await ledger.verify(service.origin);
  await runOnAll([url], createRestorePoint);
  const mistakes = new Ledger();
  const endMistakes = mistakes.startClients(clients, [service]);
  await pause(seconds * 1_000);
  await endMistakes();
  if (mistakes.size === 0) faults.push(`${name}: nothing was written after the restore point`);
  for (const server of servers) await archiveLog(server);
  await service.stop();
  for (const server of servers) await server.kill();
  for (const server of servers) await restoreTo(server, POINT);
  if (servers.length > 1) await runOnAll([url], 'SELECT recover_prepared_transactions()');
  await verify(url, ledger);
}

/** A dump of a coordinator has all rows, and restores the tables undistributed. */
async function refuseUndistributed({ name, url, servers, createDatabase }: Target, ledger: Ledger): Promise<void> {
  const [first] = servers as [PostgresqlServer, ...PostgresqlServer[]];
  const dump = runProgram('pg_dump', ['--no-owner', url]);
  await runOnAll([first.urlOf('postgres')], 'CREATE DATABASE dumped');
  const dumped = first.urlOf('dumped');
  runProgram('psql', ['--quiet', '--output=/dev/null', dumped], dump);
  if (servers.length === 1) return verify(dumped, ledger);
  await expectRefusal(name, dumped, /not distributed: .* "npx embed-gateway copy --from /);
  const target = await createDatabase('copied');
  await copy(dumped, target);
  await verify(target, ledger);
}

/**
 * Triggers of workers count and index the rows of a dump without a schema again. On a single server they fail, because the
 * dump empties the `search_path`; without that line they do the same.
 */
async function refuseRowsAlone({ name, url, servers, createDatabase }: Target, ledger: Ledger): Promise<void> {
  const dump = runProgram('pg_dump', ['--data-only', '--exclude-table=_prisma_migrations', url]);
  const rows = servers.length > 1 ? dump : dump.replace(/^SELECT pg_catalog\.set_config\('search_path', .*$/m, '');
  const target = await createDatabase('rows_alone');
  runProgram('psql', ['--quiet', '--output=/dev/null', '--set=ON_ERROR_STOP=1', target], rows);
  await expectRefusal(name, target, /run "npx embed-gateway recount"/);
  const { wrongTotals } = await recountDatabase(target);
  if (wrongTotals === 0) faults.push(`${name}: recount found no wrong total`);
  await verify(target, ledger);
}

async function copyBothWays({ url, createDatabase }: Target, ledger: Ledger): Promise<void> {
  const folder = createScratchFolder();
  const file = `file:${join(folder, 'embeds.db')}`;
  const back = await createDatabase('copied_back');
  await copy(url, file);
  await copy(file, back);
  await verify(back, ledger);
  rmSync(folder, { recursive: true });
}

async function copy(from: string, to: string): Promise<void> {
  const progress = { begin() {}, advance() {} };
  await copyDatabase(from, to, { progress, log: SILENT_LOG, signal: new AbortController().signal });
}

async function expectRefusal(name: string, url: string, message: RegExp): Promise<void> {
  const outcome = await startService('', { DATABASE_URL: url }).then(
    async (service) => {
      await service.stop();
      return 'it started';
    },
    (error: Error) => error.message,
  );
  if (!message.test(outcome)) faults.push(`${name}: the start must fail with ${message}: ${outcome}`);
}

async function verify(url: string, ledger: Ledger): Promise<void> {
  const service = await startService('', { DATABASE_URL: url });
  await ledger.verify(service.origin);
  if ((await service.stop()) !== 0) faults.push('a stop was not clean');
}
