/**
 * Kills, and then freezes, one of two workers of a Citus cluster, under requests of accounts on both. Every request of an
 * account on the other worker must succeed. The cluster runs here: Debian's PostgreSQL 15 with the extension.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { type CitusCluster, noCitus, openCitusCluster } from '../../databases/citus.ts';
import { runOnAll } from '../../databases/cluster.ts';
import type { PostgresqlServer } from '../../databases/embedded.ts';
import { createProgram, parseCount } from '../program.ts';
import { type Account, EMBED_HOST, isServed, PAGE_URL, requestsOf, send } from './harness/account-requests.ts';
import { reportResult } from './harness/report.ts';
import { type Service, startService } from './harness/service.ts';

const { accounts: accountCount, seconds } = createProgram(
  'faults:citus-outage',
  'Kills and freezes one of two workers of a Citus cluster under requests of accounts on both.',
)
  .option('--accounts <count>', 'number of accounts', parseCount(2, 200), 12)
  .option('--seconds <count>', 'duration of the load in each outage', parseCount(1, 600), 8)
  .parse()
  .opts<{ accounts: number; seconds: number }>();

/** A killed process loses nothing that it has written to the operating system. */
const FLAGS = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
const METRICS_TOKEN = 'metrics of the outage';
/** Longest time until a gateway reports a change of a worker, checks a page that is due, or sends an event. */
const DETECTION_TIMEOUT_MS = 15_000;
const PAST = '2026-01-01';

const faults: string[] = [];
const counts = { living: 0, away: 0, awayServed: 0, startsMeanwhile: 0, events: 0 };
/** The times in ms of requests that failed, by kind. */
const failures = new Map<string, readonly number[]>();
const slowestMs = { killed: 0, frozen: 0 };
/** The time of the last event of each account, by `performance.now()`. */
const eventAt = new Map<string, number>();

if (noCitus) console.log(noCitus);
else await run();

async function run(): Promise<void> {
  const cluster = await openCitusCluster(FLAGS, 2);
  const receiver = await openReceiver();
  const services: Service[] = [];
  try {
    const began = performance.now();
    services.push(await startGateway(cluster.url));
    console.log(`a start took ${Math.round(performance.now() - began)} ms`);
    const accounts = await createAccounts(
      cluster.url,
      services[0]?.origin ?? '',
      (receiver.address() as AddressInfo).port,
    );
    const worker = cluster.workers[1] as PostgresqlServer;
    for (const [name, fail] of [
      ['killed', () => kill(worker)],
      ['frozen', async () => worker.freeze()],
    ] as const) {
      await runOutage({ name, fail, worker, cluster, services, accounts });
    }
    await failAll(cluster, services);
  } finally {
    for (const service of services) if ((await service.stop()) !== 0) faults.push('a stop was not clean');
    await cluster.close();
    receiver.closeAllConnections();
    receiver.close();
  }
  for (const [kind, ms] of failures) faults.push(`${kind}, ${ms.length} times, after ${Math.min(...ms)} ms or more`);
  reportResult({ ...counts, slowestKilledMs: slowestMs.killed, slowestFrozenMs: slowestMs.frozen }, faults);
}

function startGateway(url: string): Promise<Service> {
  const variables = { METRICS_TOKEN, STALE_IF_ERROR: '0', RENDERER: 'off', EMBED_HOST, ALLOW_PRIVATE_PAGES: 'true' };
  return startService('', { DATABASE_URL: url, ...variables });
}

/** Opens the receiver of all webhooks. The path of a request is the name of an account. */
async function openReceiver() {
  const receiver = createServer((request, response) => {
    eventAt.set((request.url ?? '').slice(1), performance.now());
    counts.events++;
    request.resume().once('end', () => response.writeHead(204).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return receiver;
}

async function kill(worker: PostgresqlServer): Promise<() => Promise<void>> {
  await worker.kill();
  return worker.start;
}

interface Outage {
  readonly name: keyof typeof slowestMs;
  /** Returns a function that ends the outage. */
  readonly fail: () => Promise<() => void | Promise<void>>;
  readonly worker: PostgresqlServer;
  readonly cluster: CitusCluster;
  readonly services: Service[];
  readonly accounts: readonly Account[];
}

async function runOutage({ name, fail, worker, cluster, services, accounts }: Outage): Promise<void> {
  const node = new URL(worker.urlOf('postgres')).host;
  const port = Number(node.split(':')[1]);
  const [first] = services as [Service, ...Service[]];
  const recover = await fail();
  const endsAt = performance.now() + seconds * 1_000;
  const clients = accounts.flatMap((account) =>
    Array.from({ length: account.port === port ? 6 : 2 }, () => client(name, first.origin, account, port, endsAt)),
  );
  const readiness = expectReady(name, first, endsAt);
  const living = accounts.filter((account) => account.port !== port);
  const watches = Promise.all(living.map((account) => expectChecked(name, cluster.url, account)));
  const began = performance.now();
  const started = await startGateway(cluster.url).catch((error: Error) => {
    faults.push(`${name}: a gateway did not start: ${error.message.slice(-300)}`);
  });
  if (started) {
    services.push(started);
    counts.startsMeanwhile++;
    console.log(`${name}: a start took ${Math.round(performance.now() - began)} ms`);
    clients.push(...living.slice(0, 3).map((account) => client(name, started.origin, account, port, endsAt)));
  }
  await Promise.all([...clients, readiness, watches]);
  await Promise.all(living.map((account) => expectEvent(name, first.origin, account)));
  await waitUntil(`${name}: a metric of the worker that is away`, async () => (await nodeMetric(first, node)) === 0);
  if (!first.log().includes(`"node":"${node}"`)) faults.push(`${name}: the log does not name the worker`);
  await recover();
  await waitUntil(`${name}: a metric of the worker that is back`, async () => (await nodeMetric(first, node)) === 1);
  for (const account of accounts) {
    let status = 0;
    await waitUntil(`${name}: ${account.name} after the outage`, async () => {
      status = await send(first.origin, account, 'GET', `/v1/embeds/${account.embedId}`);
      return status === 200;
    });
    if (status !== 200) faults.push(`${name}: ${account.name} on ${account.port} (away: ${port}): ${status}`);
  }
}

/** Without any worker no request of an account can succeed. */
async function failAll({ workers }: CitusCluster, [service]: readonly Service[]): Promise<void> {
  const status = async () => (await fetch(`${service?.origin}/readyz`)).status;
  for (const worker of workers) await worker.kill();
  await waitUntil('/readyz without workers', async () => (await status()) === 503);
  for (const worker of workers) await worker.start();
  await waitUntil('/readyz after the workers are back', async () => (await status()) === 200);
}

async function createAccounts(url: string, origin: string, receiverPort: number): Promise<readonly Account[]> {
  const database = await openDatabase(url);
  const accounts: Account[] = [];
  for (let i = 0; i < accountCount; i++) {
    const name = `account-${i}`;
    const { text, token } = createToken({ accountId: name, name: 'test', scopes: SCOPES, expiresAt: null }, new Date());
    await database.tokens.ensureAccount(name, token.createdAt);
    await database.tokens.insert(token);
    const [row] = await runOnAll(
      [url],
      `SELECT nodeport FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('"Embed"', '${name}')`,
    );
    const authorization = `Bearer ${text}`;
    const hook = { url: `http://127.0.0.1:${receiverPort}/${name}`, events: ['embed.created'] };
    await send(origin, { authorization }, 'POST', '/v1/webhooks', hook);
    const response = await fetch(`${origin}/v1/embeds`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ page_url: PAGE_URL }),
    });
    const { embed } = (await response.json()) as { embed: { id: string } };
    await send(origin, { authorization }, 'PATCH', `/v1/embeds/${embed.id}/settings`, { watch: 'hourly' });
    accounts.push({ name, authorization, port: Number(row?.nodeport), embedId: embed.id });
  }
  await database.close();
  const ports = new Set(accounts.map(({ port }) => port));
  if (ports.size < 2) throw new Error('all accounts are on one worker: use more accounts');
  return accounts;
}

/** Sends all kinds of requests of one account in turn. */
async function client(
  outage: Outage['name'],
  origin: string,
  account: Account,
  awayPort: number,
  endsAt: number,
): Promise<void> {
  const isAway = account.port === awayPort;
  while (performance.now() < endsAt) {
    for (const [name, request] of requestsOf(origin, account)) {
      const began = performance.now();
      const status = await request().catch((error: Error) => error.message);
      const ms = Math.round(performance.now() - began);
      const isGood = typeof status === 'number' && isServed(name, status);
      if (isAway) {
        counts.away++;
        if (isGood) counts.awayServed++;
        else if (status !== 503) faults.push(`${outage}: ${name} of an account that is away: ${status}`);
        continue;
      }
      counts.living++;
      slowestMs[outage] = Math.max(slowestMs[outage], ms);
      if (isGood) continue;
      const kind = `${outage}: ${name} of an account on the living worker: ${status}`;
      failures.set(kind, [...(failures.get(kind) ?? []), ms]);
    }
  }
}

async function expectReady(name: string, { origin }: Service, endsAt: number): Promise<void> {
  while (performance.now() < endsAt) {
    const response = await fetch(`${origin}/readyz`);
    if (response.status !== 200) faults.push(`${name}: /readyz returns ${response.status}: ${await response.text()}`);
    await pause(200);
  }
}

/** Creates an embed, and waits until the webhook of the account has received an event. */
async function expectEvent(outage: string, origin: string, account: Account): Promise<void> {
  const sentAt = performance.now();
  await send(origin, account, 'POST', '/v1/embeds', { page_url: PAGE_URL });
  await waitUntil(`${outage}: ${account.name}: an event`, async () => (eventAt.get(account.name) ?? 0) > sentAt);
}

/** Makes the watch of an account due, and waits until its page was checked. */
async function expectChecked(outage: string, url: string, { name }: Account): Promise<void> {
  const isOf = `"accountId" = '${name}'`;
  await runOnAll([url], `UPDATE "Watch" SET "dueAt" = '${PAST}' WHERE ${isOf}`);
  await waitUntil(`${outage}: ${name}: a check of its watched page`, async () => {
    const rows = await runOnAll([url], `SELECT 1 FROM "Watch" WHERE ${isOf} AND "dueAt" > '${PAST}'`);
    return rows.length > 0;
  });
}

/** Returns 1 for a worker that answers, 0 for one that is away, undefined without the metric. */
async function nodeMetric({ origin }: Service, node: string): Promise<number | undefined> {
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const line = new RegExp(`^embed_gateway_database_node_up{node="${node}"} (\\d)$`, 'm').exec(await response.text());
  return line ? Number(line[1]) : undefined;
}

async function waitUntil(name: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DETECTION_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await condition().catch(() => false)) return;
    await pause(100);
  }
  faults.push(`${name}: waited in vain for ${DETECTION_TIMEOUT_MS} ms`);
}
