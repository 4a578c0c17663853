/**
 * Fills the disk of a running service while a reader prevents checkpoints of the write-ahead log, and then frees space.
 * Meanwhile writes must return 503 and reads must work. Needs root on Linux.
 */
import { appendFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createProgram, parseCount } from '../../program.ts';
import { fillCompletely, mountMemory } from '../harness/disk.ts';
import { REST } from '../harness/doors.ts';
import { Ledger } from '../harness/ledger.ts';
import { inspectFile, reportResult } from '../harness/report.ts';
import { startService } from '../harness/service.ts';

const options = createProgram(
  'faults:full-disk',
  'Fills the disk of a running service, and frees space again. Needs root on Linux.',
)
  .option('--rounds <count>', 'number of rounds with each of three amounts of free space', parseCount(1, 1_000), 3)
  .parse()
  .opts<{ rounds: number }>();
const DISK_BYTES = 32 * 1024 * 1024;
/** Free bytes: too few for the next part of the WAL index (32 kB), too few for a large write, or enough for many writes. */
const FREE_BYTES = [16 * 1024, 40 * 1024, 1024 * 1024];
const CLIENTS = 4;
const MAX_WRITES = 20_000;
const ENOUGH_REJECTIONS = 100;

/** Grows the write-ahead log to just below 4,096 frames, where its index grows by 32 kB. */
function growLog(file: string): void {
  const raw = new BetterSqlite3(file, { timeout: 5_000 });
  const write = raw.prepare(
    "INSERT OR REPLACE INTO Page (pageUrl, freshUntil, bytes, article) VALUES ('x', '2026-01-01', 0, hex(randomblob(20000)))",
  );
  while (statSync(`${file}-wal`).size < 4_050 * 4_120) write.run();
  raw.close();
}

/** Leaves this much free, although the service writes meanwhile. */
function fillExcept(filler: string, freeBytes: number): void {
  for (;;) {
    const { bavail, bsize } = statfsSync(dirname(filler));
    const excess = bavail * bsize - freeBytes;
    if (excess < bsize) return;
    appendFileSync(filler, Buffer.alloc(Math.max(bsize, excess >> 1)));
  }
}

const disk = mountMemory(DISK_BYTES);
if (disk) {
  const file = join(disk.folder, 'embeds.db');
  const filler = join(disk.folder, 'filler');
  const service = await startService(file);
  const ledger = new Ledger();
  const faults: string[] = [];
  const readyz = async () => (await fetch(`${service.origin}/readyz`)).status;
  const expectStatus = (when: string, actual: number, expected: number) => {
    if (actual !== expected) faults.push(`/readyz returned ${actual} ${when}, not ${expected}`);
  };

  for (let i = 0; i < 50; i++) await ledger.write(i % CLIENTS, service.origin);
  for (let round = 0; round < options.rounds * FREE_BYTES.length; round++) {
    const reader = new BetterSqlite3(file);
    reader.exec('BEGIN; SELECT COUNT(*) FROM Embed');
    if (round % FREE_BYTES.length === 0) growLog(file);
    const freeBytes = FREE_BYTES[round % FREE_BYTES.length] ?? 0;
    fillExcept(filler, freeBytes);
    const rejectedBefore = ledger.counts.unavailable;
    let writes = 0;
    while (ledger.counts.unavailable - rejectedBefore < ENOUGH_REJECTIONS && writes < MAX_WRITES) {
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ledger.write(client, service.origin)));
      writes += CLIENTS;
    }
    const rejected = ledger.counts.unavailable - rejectedBefore;
    if (rejected === 0) faults.push('the disk never filled up');
    fillCompletely(filler);
    while (ledger.counts.unavailable - rejectedBefore === rejected) await ledger.write(0, service.origin);
    expectStatus('on a full disk', await readyz(), 503);
    await ledger.verify(service.origin);

    rmSync(filler);
    reader.close();
    expectStatus('after space was freed', await readyz(), 200);
    await ledger.repeatKeys(service.origin);
    const { total } = await REST.list(service.origin);
    console.log(`${freeBytes} bytes free: ${writes} writes, ${rejected} rejected with 503, ${total} embeds`);
    const unavailableBefore = ledger.counts.unavailable;
    for (let i = 0; i < 50; i++) await ledger.write(i % CLIENTS, service.origin);
    if (ledger.counts.unavailable > unavailableBefore) faults.push('writes were rejected after space was freed');
    await ledger.verify(service.origin);
  }

  const countInLog = (text: string) => service.log().split(text).length - 1;
  const counts = {
    linesFull: countInLog('the disk is full'),
    linesFailing: countInLog('the disk fails'),
    linesRecovered: countInLog('again"'),
  };
  if (counts.linesFull === 0 || counts.linesRecovered === 0)
    faults.push('the log does not report the full disk and its end');
  if (countInLog('"msg":"bug"') > 0) faults.push('a full disk was logged as a bug');
  if (ledger.counts.noResponse > 0) faults.push(`${ledger.counts.noResponse} requests got no response`);
  if (!service.isRunning()) faults.push('the service ended');
  if ((await service.stop()) !== 0) faults.push('the stop was not clean');
  reportResult({ ...ledger.counts, ...counts }, [...faults, ...ledger.faults, ...inspectFile(file)]);
}
