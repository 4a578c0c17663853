/**
 * Writes through two gateways on a PostgreSQL with a synchronous standby behind one address, while the server stops and
 * starts, its connections end, and the standby replaces the killed primary. The embeds must match the responses.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresqlServer } from '../../databases/embedded.ts';
import { openProxy } from '../../databases/proxy.ts';
import { addStandby, administer, portOf, promote } from '../../databases/standby.ts';
import { createProgram, parseCount } from '../program.ts';
import { openContinuedMirror } from './harness/continued-mirror.ts';
import { Ledger } from './harness/ledger.ts';
import { reportResult } from './harness/report.ts';
import { type Service, startService } from './harness/service.ts';

const options = createProgram(
  'faults:failover',
  'Writes while PostgreSQL is stopped, loses its connections, and fails over to a standby.',
)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .option('--away <seconds>', 'time for which PostgreSQL is stopped', parseCount(1, 3_600), 20)
  .parse()
  .opts<{ clients: number; away: number }>();
const awayMs = options.away * 1_000;
/** Longest time until a gateway is ready after its database is. */
const RECOVERY_TIMEOUT_MS = 15_000;
/** Longest time until a gateway reports that its database is away. */
const DETECTION_TIMEOUT_MS = 7_000;
/** Load before and after a fault. */
const LOAD_MS = 3_000;

const ledger = new Ledger({ mayCommitBefore503: true });
const recoveriesMs: number[] = [];

async function waitUntil(name: string, condition: () => Promise<boolean>, timeoutMs: number): Promise<number> {
  const began = Date.now();
  while (Date.now() - began < timeoutMs) {
    if (await condition().catch(() => false)) return Date.now() - began;
    await pause(50);
  }
  ledger.faults.push(`${name} took more than ${timeoutMs} ms`);
  return timeoutMs;
}

const readyz = async (service: Service) => {
  const response = await fetch(`${service.origin}/readyz`);
  return { status: response.status, body: (await response.json()) as { detail?: string } };
};

/** Injects a fault while all clients write, and then compares the embeds with the responses. */
async function runUnderLoad(
  services: readonly Service[],
  name: string,
  injectFault: () => Promise<void>,
): Promise<void> {
  const endClients = ledger.startClients(options.clients, services);
  await pause(LOAD_MS);
  await injectFault();
  for (const service of services) {
    recoveriesMs.push(
      await waitUntil(`${name}: recovery`, async () => (await readyz(service)).status === 200, RECOVERY_TIMEOUT_MS),
    );
  }
  await pause(LOAD_MS);
  await endClients();
  await ledger.settle(services);
  console.log(`${name}: ${JSON.stringify(ledger.counts)}`);
}

const primary = await openPostgresqlServer([]);
const standby = await addStandby(primary);
const proxy = await openProxy(portOf(primary));
const url = new URL(primary.urlOf('postgres'));
url.port = String(proxy.port);
const services = [
  await startService('', { DATABASE_URL: url.href }),
  await startService('', { DATABASE_URL: url.href }),
];

const mirrors = services.map(({ origin }) => openContinuedMirror(origin));
for (const mirror of mirrors) await mirror.connected;

await runUnderLoad(services, 'stopped and started', async () => {
  await primary.stop();
  for (const service of services) {
    await waitUntil(
      'the detection',
      async () => {
        const { status, body } = await readyz(service);
        return status === 503 && body.detail === 'The database cannot be reached; try again.';
      },
      DETECTION_TIMEOUT_MS,
    );
  }
  await pause(awayMs);
  await primary.start();
});

await runUnderLoad(services, 'connections cut', async () => {
  for (let i = 0; i < 10; i++) {
    await administer(
      primary,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'embed-gateway'",
    );
    await pause(200);
  }
});

await runUnderLoad(services, 'primary killed, standby promoted', async () => {
  await primary.kill();
  await promote(standby);
  proxy.switchTo(portOf(standby));
});

for (const [i, mirror] of mirrors.entries()) ledger.faults.push(...(await mirror.compare(services[i]?.origin ?? '')));
for (const service of services) if ((await service.stop()) !== 0) ledger.faults.push('a stop was not clean');
proxy.stop();
const wrong = await administer(
  standby,
  'SELECT id FROM "Account" WHERE "embedCount" <> (SELECT count(*) FROM "Embed" WHERE "accountId" = "Account".id)',
);
if (wrong.length > 0) ledger.faults.push(`wrong totals: ${JSON.stringify(wrong)}`);
await standby.close();
await primary.close();
reportResult({ ...ledger.counts, embeds: ledger.size, slowestRecoveryMs: Math.max(...recoveriesMs) }, ledger.faults);
