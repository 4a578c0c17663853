/**
 * Two gateways on a PostgreSQL with a synchronous standby behind one address, under concurrent writes: the server is
 * stopped and started, its connections are cut, and at last it is killed and the standby promoted. Every answer is accounted for.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { openPostgresqlServer, type PostgresqlServer } from '../databases/embedded.ts';
import { Ledger } from './ledger.ts';
import { type Service, startService } from './service.ts';
import { conclude } from './verdict.ts';

const options = createProgram(
  'faults:failover',
  'Two gateways on a PostgreSQL that is stopped, cut off, and killed with its standby promoted, under writes.',
)
  .option('--clients <count>', 'how many write at once', parseCount(1, 1_000), 8)
  .option('--away <seconds>', 'for how many seconds the server is stopped', parseCount(1, 3_600), 20)
  .parse()
  .opts<{ clients: number; away: number }>();
const awayMs = options.away * 1_000;
/** How soon a gateway must work again once its database does. */
const BACK_WITHIN_MS = 15_000;
/** ... and tell that it does not, while it does not. */
const REFUSED_WITHIN_MS = 7_000;
const LOADED_MS = 3_000;
/** How long a key that died at work stays taken. */
const LEASE_MS = 10_000;

const ledger = new Ledger({ mayHideWrite: true });
const recoveriesMs: number[] = [];

/** One address before servers that take turns. */
async function openProxy(first: number) {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.once('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    turnTo(port: number) {
      target = port;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const portOf = (server: PostgresqlServer) => Number(new URL(server.urlOf('postgres')).port);

async function query(server: PostgresqlServer, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client(server.urlOf('postgres'));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function until(what: string, isSo: () => Promise<boolean>, withinMs: number): Promise<number> {
  const began = Date.now();
  while (Date.now() - began < withinMs) {
    if (await isSo().catch(() => false)) return Date.now() - began;
    await pause(50);
  }
  ledger.faults.push(`${what} took more than ${withinMs} ms`);
  return withinMs;
}

const readyz = async (service: Service) => {
  const response = await fetch(`${service.origin}/readyz`);
  return { status: response.status, body: (await response.json()) as { detail?: string } };
};

/** Writes from all clients while something is done to the database; afterwards everything must be as it was told. */
async function underLoad(services: readonly Service[], name: string, harm: () => Promise<void>): Promise<void> {
  let isOver = false;
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    for (let turn = client; !isOver; turn++) {
      await ledger.act(client, services[turn % services.length]?.origin ?? '');
      await pause(5);
    }
  });
  await pause(LOADED_MS);
  await harm();
  for (const service of services) {
    recoveriesMs.push(
      await until(`${name}: recovery`, async () => (await readyz(service)).status === 200, BACK_WITHIN_MS),
    );
  }
  await pause(LOADED_MS);
  isOver = true;
  await Promise.all(clients);
  await pause(ledger.openKeys > 0 ? LEASE_MS : 0);
  for (const { origin } of services) {
    await ledger.account(origin);
    await ledger.repeatKeys(origin);
    await ledger.account(origin);
  }
  console.log(`${name}: ${JSON.stringify(ledger.counts)}`);
}

/** A standby that every commit waits for: a copy of the stopped primary, which then follows it. */
async function addStandby(primary: PostgresqlServer): Promise<PostgresqlServer> {
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.stop();
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-standby-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // with its owner, who is not root
  execFileSync('cp', ['-a', `${primary.folder}/.`, folder]);
  writeFileSync(join(folder, 'standby.signal'), '');
  await primary.start();
  const standby = await openPostgresqlServer(
    ['-c', `primary_conninfo=host=127.0.0.1 port=${portOf(primary)} user=postgres password=password`],
    folder,
  );
  await until(
    'the standby',
    async () => {
      const rows = await query(primary, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
      return rows.length === 1;
    },
    BACK_WITHIN_MS,
  );
  return standby;
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

await underLoad(services, 'stopped and started', async () => {
  await primary.stop();
  for (const service of services) {
    await until(
      'the refusal',
      async () => {
        const { status, body } = await readyz(service);
        return status === 503 && body.detail === 'The database cannot be reached; try again.';
      },
      REFUSED_WITHIN_MS,
    );
  }
  await pause(awayMs);
  await primary.start();
});

await underLoad(services, 'connections cut', async () => {
  for (let i = 0; i < 10; i++) {
    await query(
      primary,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'embed-gateway'",
    );
    await pause(200);
  }
});

await underLoad(services, 'primary killed, standby promoted', async () => {
  await primary.kill();
  await query(standby, `ALTER SYSTEM SET synchronous_standby_names = ''`);
  await query(standby, 'SELECT pg_reload_conf(), pg_promote()');
  proxy.turnTo(portOf(standby));
});

for (const service of services) if ((await service.stop()) !== 0) ledger.faults.push('a stop was not clean');
proxy.close();
const wrong = await query(
  standby,
  'SELECT id FROM "Account" WHERE "embedCount" <> (SELECT count(*) FROM "Embed" WHERE "accountId" = "Account".id)',
);
if (wrong.length > 0) ledger.faults.push(`wrong totals: ${JSON.stringify(wrong)}`);
await standby.close();
await primary.close();
conclude({ ...ledger.counts, embeds: ledger.size, slowestRecoveryMs: Math.max(...recoveriesMs) }, ledger.faults);
