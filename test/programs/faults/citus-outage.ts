/**
 * Kills, and then freezes, one of two workers of a Citus cluster, under requests of accounts on both. Every request of an
 * account on the other worker must succeed. The cluster runs here: Debian's PostgreSQL 15 with the extension.
 */
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../../../src/cli/program.ts';
import { createEmbedIdGenerator } from '../../../src/domain/embed/id.ts';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { type CitusCluster, noCitus, openCitusCluster } from '../../databases/citus.ts';
import { runOnAll } from '../../databases/cluster.ts';
import type { PostgresqlServer } from '../../databases/embedded.ts';
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
/** Longest time until a gateway reports a change of a worker. */
const DETECTION_TIMEOUT_MS = 15_000;
const EMBED_HOST = 'embeds.localhost';
const PAGE_URL = 'https://example.com/Soup';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Account {
  readonly name: string;
  readonly authorization: string;
  readonly port: number;
  readonly embedId: string;
}

const faults: string[] = [];
const counts = { living: 0, away: 0, awayServed: 0, startsMeanwhile: 0 };
const slowestMs = { killed: 0, frozen: 0 };
const newIdentity = createEmbedIdGenerator();

if (noCitus) console.log(noCitus);
else await run();

async function run(): Promise<void> {
  const cluster = await openCitusCluster(FLAGS, 2);
  const services: Service[] = [];
  try {
    const began = performance.now();
    services.push(await startGateway(cluster.url));
    console.log(`a start took ${Math.round(performance.now() - began)} ms`);
    const accounts = await createAccounts(cluster.url, services[0]?.origin ?? '');
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
  }
  reportResult({ ...counts, slowestKilledMs: slowestMs.killed, slowestFrozenMs: slowestMs.frozen }, faults);
}

function startGateway(url: string): Promise<Service> {
  return startService('', { DATABASE_URL: url, METRICS_TOKEN, STALE_IF_ERROR: '0', RENDERER: 'off', EMBED_HOST });
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
  const began = performance.now();
  const started = await startGateway(cluster.url).catch((error: Error) => {
    faults.push(`${name}: a gateway did not start: ${error.message.slice(-300)}`);
  });
  if (started) {
    services.push(started);
    counts.startsMeanwhile++;
    console.log(`${name}: a start took ${Math.round(performance.now() - began)} ms`);
    const living = accounts.filter((account) => account.port !== port).slice(0, 3);
    clients.push(...living.map((account) => client(name, started.origin, account, port, endsAt)));
  }
  await Promise.all([...clients, readiness]);
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

async function createAccounts(url: string, origin: string): Promise<readonly Account[]> {
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
    const response = await fetch(`${origin}/v1/embeds`, {
      method: 'POST',
      headers: { authorization, ...JSON_TYPE },
      body: JSON.stringify({ page_url: PAGE_URL }),
    });
    const { embed } = (await response.json()) as { embed: { id: string } };
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
      const isServed = typeof status === 'number' && status < 400;
      if (isAway) {
        counts.away++;
        if (isServed) counts.awayServed++;
        else if (status !== 503) faults.push(`${outage}: ${name} of an account that is away: ${status}`);
        continue;
      }
      counts.living++;
      slowestMs[outage] = Math.max(slowestMs[outage], ms);
      if (name === 'a hosted page of an unknown id' ? status !== 404 : !isServed) {
        faults.push(`${outage}: ${name} of ${account.name}: ${status} after ${ms} ms`);
      }
    }
  }
}

function requestsOf(origin: string, account: Account): readonly (readonly [string, () => Promise<number>])[] {
  const rest = (method: string, path: string, body?: object, headers?: Record<string, string>) => () =>
    send(origin, account, method, path, body, headers);
  const embed = `/v1/embeds/${account.embedId}`;
  const page = { page_url: PAGE_URL };
  return [
    ['a retrieve', rest('GET', embed)],
    ['a list', rest('GET', '/v1/embeds')],
    ['a filtered list', rest('GET', '/v1/embeds?search=soup')],
    ['a create', rest('POST', '/v1/embeds', page)],
    ['a create with a key', rest('POST', '/v1/embeds', page, { 'idempotency-key': crypto.randomUUID() })],
    ['an update', rest('PATCH', embed, { font: `Font ${Math.floor(Math.random() * 1e6)}` })],
    ['the audit events', rest('GET', '/v1/audit')],
    ['the tokens', rest('GET', '/v1/tokens')],
    ['a new token', rest('POST', '/v1/tokens', { name: 'new', scopes: ['read'] })],
    ['a hosted page', () => view(origin, account.embedId)],
    ['a hosted page of an unknown id', () => view(origin, newIdentity(account.name).id)],
    ['the states of pages', () => listPages(origin, account)],
  ];
}

async function send(
  origin: string,
  { authorization }: Account,
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization, ...(body && JSON_TYPE), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function listPages(origin: string, { authorization }: Account): Promise<number> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { authorization, ...JSON_TYPE },
    body: JSON.stringify({ query: '{ embeds(first: 5) { nodes { id page { state } } totalCount } }' }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string }; message: string }[] };
  if (!errors) return response.status;
  if (errors.every(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')) return 503;
  throw new Error(JSON.stringify(errors));
}

/** Follows no redirect. */
function view(origin: string, embedId: string): Promise<number> {
  const headers = { host: `${embedId}.${EMBED_HOST}` };
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/`, { headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}

async function expectReady(name: string, { origin }: Service, endsAt: number): Promise<void> {
  while (performance.now() < endsAt) {
    const response = await fetch(`${origin}/readyz`);
    if (response.status !== 200) faults.push(`${name}: /readyz returns ${response.status}: ${await response.text()}`);
    await pause(200);
  }
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
