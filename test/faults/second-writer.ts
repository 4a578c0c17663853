/**
 * Two services on one file under concurrent writes, alone and beside a program that holds the write lock, shortly and
 * for longer than a statement waits. Every answer is accounted for: a 503 means that nothing was written.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { Ledger } from './ledger.ts';
import { type Service, scratchFolder, startService } from './service.ts';
import { conclude, inspectFile, p99 } from './verdict.ts';

const options = createProgram(
  'faults:second-writer',
  'Two services on one file under concurrent writes, alone and beside a program that holds the write lock.',
)
  .option('--seconds <seconds>', 'how long each of the phases takes', parseCount(1, 3_600), 10)
  .option('--clients <count>', 'how many write at once', parseCount(1, 1_000), 8)
  .parse()
  .opts<{ seconds: number; clients: number }>();

/** How long the third program holds the write lock each time; null for none. */
const PHASES: readonly {
  readonly name: string;
  readonly services: number;
  readonly holdMs: [number, number] | null;
}[] = [
  { name: 'one service', services: 1, holdMs: null },
  { name: 'two services', services: 2, holdMs: null },
  { name: 'two services, short locks', services: 2, holdMs: [10, 200] },
  { name: 'two services, long locks', services: 2, holdMs: [700, 1_500] },
];
/** A key whose request was refused is free at once, or after its lease. */
const SETTLE_MS = 11_000;

const file = join(scratchFolder(), 'embeds.db');
const services: Service[] = [await startService(file), await startService(file)];
const first = services[0] as Service;
const faults: string[] = [];

/** Writes embeds of an account of its own, holding the lock each time. */
async function holdLocks([least, most]: [number, number], until: number): Promise<void> {
  const raw = new BetterSqlite3(file, { timeout: 5_000 });
  while (Date.now() < until) {
    raw.exec('BEGIN IMMEDIATE');
    raw.exec(`INSERT OR IGNORE INTO Account (id, createdAt) VALUES ('other', '2026-01-01T00:00:00.000+00:00');
      INSERT INTO Embed SELECT lower(hex(randomblob(13))), 'other', '2026-01-01T00:00:00.000+00:00', 'https://example.com/', 'x', 'x', 'LIGHT', 'default', 1, 1, '["x"]'`);
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
    while (Date.now() < until) await ledger.act(client, services[randomInt(count)]?.origin ?? '');
  });
  await Promise.all([holder, ...clients]);
  const since = (key: keyof typeof before) => ledger.counts[key] - before[key];
  const tries = ledger.latenciesMs.length;
  console.log(
    `${name}: ${tries} writes, ${Math.round(tries / options.seconds)}/s, p99 ${p99(ledger)} ms, refused ${since('busy')} (${((100 * since('busy')) / tries).toFixed(1)} %), without an answer ${since('unanswered')}`,
  );
  await ledger.account(first.origin);
}

await pause(ledger.openKeys > 0 ? SETTLE_MS : 0);
await ledger.repeatKeys(first.origin);
await ledger.account(first.origin);
if (ledger.openKeys > 0) faults.push(`${ledger.openKeys} keys never came free`);
if (ledger.counts.unanswered > 0) faults.push(`${ledger.counts.unanswered} requests got no answer`);
for (const service of services) if ((await service.stop()) !== 0) faults.push('a stop was not clean');
conclude({ ...ledger.counts, embeds: ledger.size }, [...faults, ...ledger.faults, ...inspectFile(file)]);
