/**
 * Fills the disk of a PostgreSQL server under writes through two gateways: first that of its tables, then that of its
 * write-ahead log, which ends the server. Then frees space. Needs root on Linux.
 */
import { cpSync, lchownSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresqlServer, type PostgresqlServer } from '../../../databases/embedded.ts';
import { createProgram, parseCount } from '../../program.ts';
import { fillCompletely, mountMemory } from '../harness/disk.ts';
import { Ledger } from '../harness/ledger.ts';
import { reportResult } from '../harness/report.ts';
import { type Service, startService } from '../harness/service.ts';

const { clients, seconds } = createProgram(
  'faults:full-disk-postgresql',
  'Fills the disks of a PostgreSQL server under writes, and frees space again. Needs root on Linux.',
)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .option('--seconds <seconds>', 'time for which a disk is full', parseCount(1, 600), 10)
  .parse()
  .opts<{ clients: number; seconds: number }>();

const DISK_BYTES = 160 * 1024 * 1024;
/** No segment of the log is used again. */
const SETTINGS = ['-c', 'max_wal_size=4GB', '-c', 'checkpoint_timeout=1h'];
const RECOVERY_TIMEOUT_MS = 60_000;

const ledger = new Ledger({ mayCommitBefore503: true });
const faults: string[] = [];
const counts: Record<string, number> = {};

/** Moves a folder of a stopped server to a disk of its own. */
function moveTo(disk: string, server: PostgresqlServer, name: string): void {
  const [from, to] = [join(server.folder, name), join(disk, name)];
  const { uid, gid } = statSync(from);
  cpSync(from, to, { recursive: true });
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
  for (const path of ['', ...readdirSync(disk, { recursive: true, encoding: 'utf8' })])
    lchownSync(join(disk, path), uid, gid);
}

const statusOf = async ({ origin }: Service) => (await fetch(`${origin}/readyz`)).status;

/** Begins another segment of the log, of 16 MB. */
async function useLog(url: string): Promise<void> {
  const connection = new pg.Client(url);
  connection.on('error', () => {});
  try {
    await connection.connect();
    await connection.query('SELECT pg_switch_wal()');
  } catch {
    // the server has ended
  } finally {
    await connection.end().catch(() => {});
  }
}

/** @param options.restart starts a server that has ended, as systemd does */
async function fillUnderLoad(
  name: string,
  disk: string,
  services: readonly Service[],
  { whileFull, restart }: { whileFull: () => Promise<void>; restart: () => Promise<void> },
): Promise<void> {
  const filler = join(disk, 'filler');
  const endClients = ledger.startClients(clients, services);
  await pause(1_000);
  const before = ledger.counts.unavailable;
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(100)) {
    fillCompletely(filler);
    await whileFull();
  }
  const rejected = ledger.counts.unavailable - before;
  counts[`${name}Rejected`] = rejected;
  if (rejected === 0) faults.push(`${name}: no write was rejected`);
  rmSync(filler);
  await restart();
  for (const service of services) {
    const deadline = Date.now() + RECOVERY_TIMEOUT_MS;
    while ((await statusOf(service)) !== 200 && Date.now() < deadline) await pause(100);
    if ((await statusOf(service)) !== 200) faults.push(`${name}: /readyz is not 200 after space was freed`);
  }
  const [rejectedBefore, createdBefore] = [ledger.counts.unavailable, ledger.counts.created];
  await pause(3_000);
  if (ledger.counts.created === createdBefore) faults.push(`${name}: no write worked after space was freed`);
  if (ledger.counts.unavailable - rejectedBefore > clients)
    faults.push(`${name}: writes were rejected after space was freed`);
  await endClients();
  await ledger.settle(services);
  console.log(`${name}: ${JSON.stringify(ledger.counts)}`);
}

const disks = [mountMemory(DISK_BYTES), mountMemory(DISK_BYTES)];
const [ofTables, ofLog] = disks;
if (ofTables && ofLog) {
  const server = await openPostgresqlServer(SETTINGS);
  const services: Service[] = [];
  try {
    await server.stop();
    moveTo(ofTables.folder, server, 'base');
    moveTo(ofLog.folder, server, 'pg_wal');
    await server.start();
    const variables = { DATABASE_URL: server.urlOf('postgres') };
    for (let i = 0; i < 2; i++) services.push(await startService('', variables));
    const nothing = async () => {};
    await fillUnderLoad('tables', ofTables.folder, services, { whileFull: nothing, restart: nothing });
    await fillUnderLoad('log', ofLog.folder, services, {
      whileFull: () => useLog(variables.DATABASE_URL),
      async restart() {
        await server.stop();
        await server.start();
      },
    });
    for (const service of services) {
      if (service.log().includes('"msg":"bug"'))
        faults.push(`a full disk was logged as a bug: ${/.*"msg":"bug".*/.exec(service.log())?.[0].slice(0, 600)}`);
      if (!service.isRunning()) faults.push('a gateway ended');
      else if ((await service.stop()) !== 0) faults.push('a stop was not clean');
    }
    services.length = 0;
  } finally {
    for (const service of services) await service.stop();
    await server.close();
  }
  reportResult({ ...counts, ...ledger.counts }, [...faults, ...ledger.faults]);
}
