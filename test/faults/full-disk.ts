/**
 * Fills the disk under a service, by its own writes and while a reader keeps the log of writes from being reused, and
 * gives it room again: 503s in between, reads go on, the process lives, no answer was wrong. Needs root on Linux.
 */
import { appendFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { mountMemory } from './disk.ts';
import { REST } from './doors.ts';
import { Ledger } from './ledger.ts';
import { startService } from './service.ts';
import { conclude, inspectFile } from './verdict.ts';

const options = createProgram(
  'faults:full-disk',
  'Fills the disk under a service and gives it room again. Needs root on Linux.',
)
  .option('--rounds <count>', 'how often, in each of the three ways', parseCount(1, 1_000), 3)
  .parse()
  .opts<{ rounds: number }>();
const DISK_BYTES = 32 * 1024 * 1024;
/** Less than the index of the log (-shm) grows by at a time, or than the log does: either may be what does not fit. */
const LEFTOVERS = [16 * 1024, 40 * 1024, 1024 * 1024];
const CLIENTS = 4;
const MAX_WRITES = 20_000;
const ENOUGH_REFUSALS = 100;

/** The index of the log grows by 32 kB with each 4,096 frames: brings it shortly before that. */
function growLog(file: string): void {
  const raw = new BetterSqlite3(file, { timeout: 5_000 });
  const write = raw.prepare(
    "INSERT OR REPLACE INTO Page (pageUrl, freshUntil, bytes, article) VALUES ('x', '2026-01-01', 0, hex(randomblob(20000)))",
  );
  while (statSync(`${file}-wal`).size < 4_050 * 4_120) write.run();
  raw.close();
}

/** A small write would still find room where a larger one was refused. */
function fillToTheBrim(filler: string): void {
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
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
  const expectStatus = (what: string, actual: number, wanted: number) => {
    if (actual !== wanted) faults.push(`${what} answered ${actual}, not ${wanted}`);
  };

  for (let i = 0; i < 50; i++) await ledger.act(i % CLIENTS, service.origin);
  for (let round = 0; round < options.rounds * LEFTOVERS.length; round++) {
    const reader = new BetterSqlite3(file);
    reader.exec('BEGIN; SELECT COUNT(*) FROM Embed');
    if (round % LEFTOVERS.length === 0) growLog(file);
    const { bavail, bsize } = statfsSync(disk.folder);
    const leftover = LEFTOVERS[round % LEFTOVERS.length] ?? 0;
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftover)));
    const refusedBefore = ledger.counts.busy;
    let writes = 0;
    while (ledger.counts.busy - refusedBefore < ENOUGH_REFUSALS && writes < MAX_WRITES) {
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ledger.act(client, service.origin)));
      writes += CLIENTS;
    }
    const refused = ledger.counts.busy - refusedBefore;
    if (refused === 0) faults.push('the disk never filled up');
    fillToTheBrim(filler);
    while (ledger.counts.busy - refusedBefore === refused) await ledger.act(0, service.origin);
    expectStatus('readyz on a full disk', await readyz(), 503);
    await ledger.account(service.origin);

    rmSync(filler);
    reader.close();
    expectStatus('readyz after room came back', await readyz(), 200);
    await ledger.repeatKeys(service.origin);
    const probe = await REST.list(service.origin);
    console.log(`${leftover} bytes left: ${writes} writes, ${refused} refused with 503, ${probe.total} embeds`);
    const busyBefore = ledger.counts.busy;
    for (let i = 0; i < 50; i++) await ledger.act(i % CLIENTS, service.origin);
    if (ledger.counts.busy > busyBefore) faults.push('writes were refused after room came back');
    await ledger.account(service.origin);
  }

  const said = (text: string) => service.log().split(text).length - 1;
  const counts = {
    linesFull: said('the disk is full'),
    linesFailing: said('the disk fails'),
    linesAgain: said('again"'),
  };
  if (counts.linesFull === 0 || counts.linesAgain === 0) faults.push('the log does not tell of it');
  if (said('"msg":"bug"') > 0) faults.push('a full disk was logged as a bug');
  if (ledger.counts.unanswered > 0) faults.push(`${ledger.counts.unanswered} requests got no answer`);
  if (!service.isRunning()) faults.push('the service ended');
  if ((await service.stop()) !== 0) faults.push('the stop was not clean');
  conclude({ ...ledger.counts, ...counts }, [...faults, ...ledger.faults, ...inspectFile(file)]);
}
