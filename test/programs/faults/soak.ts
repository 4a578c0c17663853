/**
 * Sends a mixture of requests at a fixed rate for a long time, and prints the memory, the write-ahead log and the
 * latencies of the service over time. Neither memory nor log may grow without bound.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../program.ts';
import { inspectFile, reportResult } from './harness/report.ts';
import { beginService, createScratchFolder } from './harness/service.ts';
import { createClient } from './soak/client.ts';
import { PROBE_OPTIONS, readMemory } from './soak/memory.ts';
import { createMixture } from './soak/mixture.ts';
import { openSite } from './soak/site.ts';
import { openStreams } from './soak/streams.ts';

const options = createProgram(
  'soak',
  'Sends a mixture of requests at a fixed rate. Memory and write-ahead log must stay within their limits.',
)
  .option('--minutes <count>', 'duration', parseCount(1, 10_080), 25)
  .option('--rate <count>', 'requests per second', parseCount(1, 10_000), 200)
  .option('--streams <count>', 'open event streams', parseCount(1, 20), 16)
  .parse()
  .opts<{ minutes: number; rate: number; streams: number }>();

const CHROMIUM = '/usr/bin/chromium';
const REPORT_MS = 30_000;
const TICK_MS = 10;
const MAX_IN_FLIGHT = 200;
const MAX_FAULTS = 10;
const MAX_RSS_MB = 400;
/** Largest memory at the end, as a multiple of the memory after the first third, in runs of 10 minutes and more. */
const MAX_GROWTH = 1.15;
const MIN_FLAT_REPORTS = 20;
const MAX_WAL_BYTES = 32 * 1024 * 1024;

const browser = existsSync(CHROMIUM)
  ? { RENDERER: CHROMIUM, RENDERER_SANDBOX: String(process.getuid?.() !== 0) }
  : { RENDERER: 'off' };
if (browser.RENDERER === 'off') console.log(`Without ${CHROMIUM}, pages that scripts build stay cards.`);

const site = await openSite();
const file = join(createScratchFolder(), 'embeds.db');
const variables = {
  ...browser,
  ALLOW_PRIVATE_PAGES: 'true',
  IMAGE_PROXY: 'true',
  RATE_LIMIT: '999999999',
  // as bin/embed-gateway.js sets it
  MALLOC_ARENA_MAX: '2',
};
const service = await (await beginService(file, variables, ['--max-semi-space-size=16', ...PROBE_OPTIONS])).ready;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', () => service.isRunning() && process.kill(service.pid));
const client = createClient(service.origin, MAX_IN_FLIGHT);
const mixture = createMixture(client, site.origin);
const faults: string[] = [];
await mixture.prepare();
const streams = openStreams(client, options.streams, (fault) => faults.push(fault));

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const rssMbs: number[] = [];
let largestWal = 0;

function report(seconds: number, sent: number): void {
  const memory = readMemory(service);
  if (!memory) return;
  const wal = sizeOf(`${file}-wal`);
  rssMbs.push(megabytes(memory.rss));
  largestWal = Math.max(largestWal, wal);
  const durations = client.takeDurations();
  const p99 = (durations[Math.floor(durations.length * 0.99)] ?? 0).toFixed(0);
  const columns = [
    `${String(seconds).padStart(5)} s`,
    `rss ${megabytes(memory.rss)} MB`,
    `heap ${megabytes(memory.heapUsed)} of ${megabytes(memory.heapTotal)} MB`,
    `external ${megabytes(memory.external)} MB (buffers ${megabytes(memory.arrayBuffers)} MB)`,
    `wal ${megabytes(wal)} MB`,
    `file ${megabytes(sizeOf(file))} MB`,
    `p99 ${p99} ms`,
    `requests ${sent}`,
    `embeds ${mixture.embedCount()}`,
    `events ${streams.events()}`,
  ];
  console.log(columns.join('  '));
}

const startedAt = performance.now();
const durationMs = options.minutes * 60_000;
let sent = 0;
let inFlight = 0;
let nextReportMs = REPORT_MS;
for (let elapsedMs = 0; elapsedMs < durationMs && faults.length < MAX_FAULTS; ) {
  // requests that find the service busy are not made up for
  const due = Math.min(Math.floor((elapsedMs * options.rate) / 1_000) - sent, MAX_IN_FLIGHT - inFlight);
  for (let i = 0; i < due; i++) {
    sent++;
    inFlight++;
    void mixture
      .sendOne()
      .then((fault) => fault && faults.push(fault))
      .catch((error) => faults.push(String(error)))
      .finally(() => inFlight--);
  }
  await pause(TICK_MS);
  elapsedMs = performance.now() - startedAt;
  if (elapsedMs < nextReportMs) continue;
  nextReportMs += REPORT_MS;
  report(Math.round(elapsedMs / 1_000), sent);
}
const seconds = (performance.now() - startedAt) / 1_000;
while (inFlight > 0) await pause(TICK_MS);
streams.close();

const last = rssMbs.at(-1) ?? 0;
const early = rssMbs[Math.floor(rssMbs.length / 3)] ?? 0;
if (last > MAX_RSS_MB) faults.push(`the memory is ${last} MB: at most ${MAX_RSS_MB} MB are allowed`);
if (rssMbs.length >= MIN_FLAT_REPORTS && last > early * MAX_GROWTH)
  faults.push(`the memory grew from ${early} MB after a third of the time to ${last} MB`);
if (largestWal > MAX_WAL_BYTES) faults.push(`the write-ahead log grew to ${largestWal} bytes`);
if ((await service.stop()) !== 0) faults.push('the stop was not clean');
if (sizeOf(`${file}-wal`) > 0) faults.push('the stop left a write-ahead log');
site.close();
client.close();
reportResult({ requests: sent, seconds: Math.round(seconds), perSecond: Math.round(sent / seconds) }, [
  ...faults,
  ...inspectFile(file),
]);
