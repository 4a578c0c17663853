/**
 * Writes through three gateways on a Citus cluster while a worker is added and a part of the shards moves to it. The embeds
 * must match the responses. The cluster runs here: Debian's PostgreSQL 15 with the extension.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type CitusCluster, noCitus, openCitusCluster } from '../../databases/citus.ts';
import { runOnAll } from '../../databases/cluster.ts';
import { WITHOUT_SYNC } from '../../databases/embedded.ts';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { reportResult } from './harness/report.ts';
import { type Service, startService } from './harness/service.ts';

const { clients: clientCount, accounts } = createProgram(
  'faults:citus-worker',
  'Writes while a worker is added to a Citus cluster and shards move to it. Nothing may be lost.',
)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 100), 6)
  .option('--accounts <count>', 'number of other accounts with an embed', parseCount(0, 1_000), 40)
  .parse()
  .opts<{ clients: number; accounts: number }>();
const GATEWAYS = 3;
/** Load before and after the move. */
const LOAD_MS = 3_000;
const MOVE_TIMEOUT_MS = 180_000;

if (noCitus) console.log(noCitus);
else await run();

async function run(): Promise<void> {
  const ledger = new Ledger({ mayCommitBefore503: true });
  const cluster = await openCitusCluster(WITHOUT_SYNC, 1);
  const { url } = cluster;
  const services: Service[] = [];
  const counts = { movedShards: 0, moveMs: 0, embeds: 0 };
  try {
    for (let i = 0; i < GATEWAYS; i++) services.push(await startService('', { DATABASE_URL: url }));
    await fillOtherAccounts(url);

    const endClients = ledger.startClients(clientCount, services);
    await pause(LOAD_MS);
    const began = performance.now();
    counts.movedShards = await moveShards(cluster);
    counts.moveMs = Math.round(performance.now() - began);
    await pause(LOAD_MS);
    await endClients();
    if (counts.movedShards === 0) ledger.faults.push('no shard has moved');
    await ledger.settle(services);
    const [row] = await runOnAll(
      [url],
      `SELECT count(*)::int AS wrong FROM "Account" AS a LEFT JOIN
        (SELECT "accountId", count(*) AS count FROM "Embed" GROUP BY "accountId") AS e ON e."accountId" = a."id"
        WHERE a."embedCount" <> coalesce(e.count, 0)`,
    );
    if (row?.wrong !== 0) ledger.faults.push(`${row?.wrong} accounts have a wrong total`);
    counts.embeds = ledger.size;
  } finally {
    for (const service of services) if ((await service.stop()) !== 0) ledger.faults.push('a stop was not clean');
    await cluster.close();
  }
  reportResult({ ...ledger.counts, ...counts }, ledger.faults);
}

/** Fills the other shards. */
async function fillOtherAccounts(url: string): Promise<void> {
  for (let i = 0; i < accounts; i++) {
    await runOnAll([url], `INSERT INTO "Account" ("id", "createdAt") VALUES ('other-${i}', now())`);
    await runOnAll(
      [url],
      `INSERT INTO "Embed" ("id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "terms")
        VALUES ('${String(i).padStart(26, '0')}', 'other-${i}', now(), 'https://example.com/', 'x', 'x', 'LIGHT', 'default', true, '["x"]')`,
    );
  }
}

/** Adds a worker, and returns the number of shards of embeds that it has then. */
async function moveShards({ url, addWorker }: CitusCluster): Promise<number> {
  const { port } = new URL((await addWorker()).urlOf('postgres'));
  await runOnAll([url], 'SELECT citus_rebalance_start()');
  await runOnAll([`${url}?statement_timeout=${MOVE_TIMEOUT_MS}`], 'SELECT citus_rebalance_wait()');
  const [row] = await runOnAll(
    [url],
    `SELECT count(*)::int AS count FROM citus_shards WHERE table_name = '"Embed"'::regclass AND nodeport = ${port}`,
  );
  return Number(row?.count);
}
