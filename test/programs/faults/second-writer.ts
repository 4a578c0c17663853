/**
 * Writes concurrently through two services on one file, while another process holds the write lock for short times and
 * for longer than a statement waits. Afterwards the embeds must match the responses: a 503 means that nothing was written.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { createProgram, parseCount } from '../program.ts';
import { Ledger } from './harness/ledger.ts';
import { formatP99, inspectFile, reportResult } from './harness/report.ts';
import { createScratchFolder, type Service, startService } from './harness/service.ts';

const options = createProgram(
  'faults:second-writer',
  'Writes through two services on one file, while another connection holds the write lock.',
)
  .option('--seconds <seconds>', 'duration of each phase', parseCount(1, 3_600), 10)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .parse()
  .opts<{ seconds: number; clients: number }>();

const PHASES: readonly {
  readonly name: string;
  readonly services: number;
  /** Shortest and longest time for which a third connection holds the write lock; null for none. */
  readonly holdMs: [number, number] | null;
}[] = [
  { name: 'one service', services: 1, holdMs: null },
  { name: 'two services', services: 2, holdMs: null },
  { name: 'two services, short locks', services: 2, holdMs: [10, 200] },
  { name: 'two services, long locks', services: 2, holdMs: [700, 1_500] },
];

const file = join(createScratchFolder(), 'embeds.db');
const services: Service[] = [await startService(file), await startService(file)];
const first = services[0] as Service;
const faults: string[] = [];

/** Writes embeds of another account, and holds the write lock during each transaction. */
async function holdLocks([least, most]: [number, number], until: number): Promise<void> {
  const raw = new BetterSqlite3(file, { timeout: 5_000 });
  while (Date.now() < until) {
    raw.exec('BEGIN IMMEDIATE');
    raw.exec(`INSERT OR IGNORE INTO Account (id, createdAt) VALUES ('other', '2026-01-01T00:00:00.000+00:00');
      INSERT INTO Embed (position, id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, version, terms)
        SELECT coalesce(max(position), 0) + 16, lower(hex(randomblob(13))), 'other', '2026-01-01T00:00:00.000+00:00',
          'https://example.com/', 'x', 'x', 'LIGHT', 'default', 1, 1, ' x' FROM Embed`);
    await pause(randomInt(least, most));
    raw.exec('COMMIT');
    await pause(randomInt(least, most));
  }
  raw.close();
}

const ledger = new Ledger();
for (const { name, services: count, holdMs } of PHASES) {
  const until = Date.now() + options.seconds * 1_000;
  ledger.latenciesMs.length = 0;
  const before = { ...ledger.counts };
  const holder = holdMs ? holdLocks(holdMs, until) : Promise.resolve();
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    while (Date.now() < until) await ledger.write(client, services[randomInt(count)]?.origin ?? '');
  });
  await Promise.all([holder, ...clients]);
  const since = (key: keyof typeof before) => ledger.counts[key] - before[key];
  const tries = ledger.latenciesMs.length;
  console.log(
    `${name}: ${tries} writes, ${Math.round(tries / options.seconds)}/s, p99 ${formatP99(ledger)} ms, rejected ${since('unavailable')} (${((100 * since('unavailable')) / tries).toFixed(1)} %), without a response ${since('noResponse')}`,
  );
  await ledger.verify(first.origin);
}

await ledger.settle([first]);
if (ledger.pendingKeys > 0) faults.push(`${ledger.pendingKeys} keys stayed in progress after their lease`);
if (ledger.counts.noResponse > 0) faults.push(`${ledger.counts.noResponse} requests got no response`);
for (const service of services) if ((await service.stop()) !== 0) faults.push('a stop was not clean');
reportResult({ ...ledger.counts, embeds: ledger.size }, [...faults, ...ledger.faults, ...inspectFile(file)]);
