/**
 * Writes through two gateways behind a pgbouncer in transaction mode, while the pooler is killed and the sessions of the
 * server end. The embeds, and what the event streams say of them, must match the responses.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresqlServer, WITHOUT_SYNC } from '../../databases/embedded.ts';
import { findPgbouncers, openPgbouncer, versionOf } from '../../databases/pgbouncer.ts';
import { administer } from '../../databases/standby.ts';
import { createProgram, parseCount } from '../program.ts';
import { openContinuedMirror } from './harness/continued-mirror.ts';
import { Ledger } from './harness/ledger.ts';
import { reportResult } from './harness/report.ts';
import { startService } from './harness/service.ts';

const options = createProgram(
  'faults:pgbouncer',
  'Writes and follows changes through a pgbouncer in transaction mode, which is killed and started again.',
)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .option('--rounds <count>', 'number of faults for each version of pgbouncer', parseCount(1, 100), 4)
  .parse()
  .opts<{ clients: number; rounds: number }>();
/** Load before and after a fault. */
const LOAD_MS = 2_000;
const AWAY_MS = 1_000;
const SESSIONS =
  "FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";

async function test(program: string): Promise<void> {
  const ledger = new Ledger({ mayCommitBefore503: true });
  const server = await openPostgresqlServer(WITHOUT_SYNC);
  const pooler = await openPgbouncer(program, server.urlOf('postgres'));
  const variables = { DATABASE_URL: pooler.through(server.urlOf('postgres')) };
  const services = [await startService('', variables), await startService('', variables)];
  const mirrors = services.map(({ origin }) => openContinuedMirror(origin));
  for (const mirror of mirrors) await mirror.connected;

  const endClients = ledger.startClients(options.clients, services);
  for (let round = 0; round < options.rounds; round++) {
    await pause(LOAD_MS);
    if (round % 2 === 0) {
      await pooler.kill();
      await pause(AWAY_MS);
      await pooler.start();
    } else await administer(server, `SELECT pg_terminate_backend(pid) ${SESSIONS}`);
  }
  await pause(LOAD_MS);
  await endClients();
  await ledger.settle(services);
  for (const [i, mirror] of mirrors.entries()) ledger.faults.push(...(await mirror.compare(services[i]?.origin ?? '')));
  for (const service of services) if ((await service.stop()) !== 0) ledger.faults.push('a stop was not clean');
  await pooler.close();
  await server.close();
  reportResult({ version: versionOf(program), ...ledger.counts, embeds: ledger.size }, ledger.faults);
}

const programs = findPgbouncers();
if (programs.length === 0) console.log('Skipped: pgbouncer is not installed, and TEST_PGBOUNCER does not name it.');
for (const program of programs) {
  if (process.exitCode) break;
  await test(program);
}
