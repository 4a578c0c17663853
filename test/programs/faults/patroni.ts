/**
 * Kills the primary of a Patroni cluster under writes through three gateways. The embeds must match the responses, each
 * stream must see every change, and hosted pages must stay.
 */
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { Mirror } from './harness/mirror.ts';
import { type Cluster, findPrograms, openCluster } from './harness/patroni-cluster.ts';
import { reportResult } from './harness/report.ts';
import { startService, TOKEN } from './harness/service.ts';

const options = createProgram(
  'faults:patroni',
  'Kills the primary of a Patroni cluster under writes through three gateways.',
)
  .option('--rounds <count>', 'number of kills', parseCount(1, 100), 5)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 100), 6)
  .option('--seconds <seconds>', 'time limit; fewer rounds than requested are a failure', parseCount(60, 7_200), 1_200)
  .parse()
  .opts<{ rounds: number; clients: number; seconds: number }>();
const deadline = Date.now() + options.seconds * 1_000;
/** Load before and after a kill. */
const LOAD_MS = 3_000;
/** The lease of the killed primary, the promotion, and the checks of HAProxy, on a machine under load. */
const RECOVERY_TIMEOUT_MS = 60_000;
const WRITE_INTERVAL_MS = 20;
/** Pause of a client after a 503. */
const RETRY_MS = 500;
const VIEW_INTERVAL_MS = 100;
const VIEW_TIMEOUT_MS = 5_000;
const MAX_AWAY_MS = 1_000;
const EMBED_HOST = 'embeds.localhost';
const NOBODY = -1;

/** Views an embed at a gateway without a pause, and measures how long it is away. */
function watchPage(origin: string, embedUrl: string) {
  const { host, pathname } = new URL(embedUrl);
  let [isOver, views, longestAwayMs] = [false, 0, 0];
  let awaySince: number | null = null;
  const view = () =>
    new Promise<boolean>((resolve) => {
      const sent = request(`${origin}${pathname}`, { headers: { host }, timeout: VIEW_TIMEOUT_MS, agent: false });
      sent.on('timeout', () => sent.destroy()).on('error', () => resolve(false));
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      sent.end();
    });
  const done = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const isThere = await view();
      views++;
      if (!isThere) awaySince ??= startedAt;
      if (awaySince !== null) longestAwayMs = Math.max(longestAwayMs, performance.now() - awaySince);
      if (isThere) awaySince = null;
      await pause(VIEW_INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await done;
      return { views, longestAwayMs: Math.round(longestAwayMs) };
    },
  };
}

/** Creates an embed through the ledger, for a client that never changes it. */
async function createWatchedEmbed(ledger: Ledger, origin: string): Promise<string> {
  await ledger.write(NOBODY, origin);
  const response = await fetch(`${origin}/v1/embeds`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { embeds } = (await response.json()) as { embeds: readonly { embed_url: string }[] };
  return embeds[0]?.embed_url ?? '';
}

async function run(cluster: Cluster): Promise<void> {
  const ledger = new Ledger({ mayCommitBefore503: true });
  const { faults } = ledger;
  const services = await Promise.all(
    [1, 2, 3].map(() => startService('', { DATABASE_URL: cluster.url, EMBED_HOST, RENDERER: 'off' })),
  );
  process.once('exit', () => {
    for (const service of services) void service.kill();
  });
  const embedUrl = await createWatchedEmbed(ledger, services[0]?.origin ?? '');
  const watchers = services.map(({ origin }) => watchPage(origin, embedUrl));
  const mirrors = services.map(({ origin }) => new Mirror(() => origin));
  const recoveriesMs: number[] = [];
  let kills = 0;

  async function waitUntilReady(killedAt: number): Promise<void> {
    for (const { origin } of services) {
      for (;;) {
        const isReady = await fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) break;
        if (Date.now() > killedAt + RECOVERY_TIMEOUT_MS) {
          faults.push(`a gateway was not ready ${RECOVERY_TIMEOUT_MS} ms after the kill`);
          return;
        }
        await pause(VIEW_INTERVAL_MS);
      }
    }
    recoveriesMs.push(Date.now() - killedAt);
  }

  for (; kills < options.rounds && Date.now() < deadline; kills++) {
    let isOver = false;
    const clients = Array.from({ length: options.clients }, async (_, client) => {
      for (let turn = client; !isOver; turn++) {
        const { unavailable } = ledger.counts;
        await ledger.write(client, services[turn % services.length]?.origin ?? '');
        await pause(ledger.counts.unavailable > unavailable ? RETRY_MS : WRITE_INTERVAL_MS);
      }
    });
    await pause(LOAD_MS);
    const restart = await cluster.killPrimary();
    // /readyz needs a moment to notice
    const killedAt = Date.now();
    await pause(LOAD_MS);
    await waitUntilReady(killedAt);
    await pause(LOAD_MS);
    isOver = true;
    await Promise.all(clients);
    restart();
    await ledger.settle(services);
    for (const [i, mirror] of mirrors.entries()) faults.push(...(await mirror.compare(services[i]?.origin ?? '')));
    await cluster.waitUntilComplete();
    console.log(`kill ${kills + 1}: recovered after ${recoveriesMs.at(-1)} ms ${JSON.stringify(ledger.counts)}`);
  }
  if (kills < options.rounds) faults.push(`only ${kills} kills in ${options.seconds} s`);
  const views = await Promise.all(watchers.map((watcher) => watcher.stop()));
  const longestAwayMs = Math.max(...views.map((view) => view.longestAwayMs));
  if (longestAwayMs >= MAX_AWAY_MS) faults.push(`a hosted page was away for ${longestAwayMs} ms`);
  const streamEnds = mirrors.reduce((sum, { ends }) => sum + ends, 0);
  const events = mirrors.reduce((sum, mirror) => sum + mirror.events, 0);
  await Promise.all(mirrors.map((mirror) => mirror.close()));
  for (const service of services) if ((await service.stop()) !== 0) faults.push('a stop was not clean');
  const slowestRecoveryMs = Math.max(...recoveriesMs);
  const viewCount = views.reduce((sum, view) => sum + view.views, 0);
  reportResult(
    { kills, ...ledger.counts, events, streamEnds, views: viewCount, longestAwayMs, slowestRecoveryMs },
    faults,
  );
}

// runs the listeners that end all processes
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const programs = findPrograms();
if (programs) {
  const cluster = await openCluster(programs);
  try {
    await run(cluster);
  } finally {
    await cluster.close();
  }
}
