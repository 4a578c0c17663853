/**
 * Sends a mixture of requests for a long time, and prints the memory, the write-ahead log and the latencies of the
 * service over time. Neither memory nor log may grow without bound.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { inspectFile, reportResult } from './report.ts';
import { beginService, createScratchFolder, TOKEN } from './service.ts';

const options = createProgram(
  'soak',
  'Sends a mixture of requests for a long time. Heap and write-ahead log must stay within their limits.',
)
  .option('--requests <count>', 'number of requests', parseCount(1_000, 1_000_000_000), 1_000_000)
  .option('--seconds <seconds>', 'time limit', parseCount(1, 604_800), 7_200)
  .option('--clients <count>', 'number of concurrent clients', parseCount(1, 1_000), 8)
  .parse()
  .opts<{ requests: number; seconds: number; clients: number }>();
const REPORTS = 20;
const PAGES = 500;
const MAX_EMBEDS = 5_000;
const MAX_WAL_BYTES = 32 * 1024 * 1024;
/** Largest heap at the end, as a multiple of the heap after the first quarter. */
const MAX_HEAP_RATIO = 1.5;

/** Serves the source pages. */
const site = createServer((_request, response) => {
  const paragraph =
    '<p>Lentils want rinsing, and then half an hour at the lowest heat with a bay leaf and some salt.</p>';
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Lentils</title><article><h1>Lentils</h1>${paragraph.repeat(20)}</article>`);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const file = join(createScratchFolder(), 'embeds.db');
// prints the heap size after a garbage collection every 2 s
const probe = 'setInterval(() => { gc(); console.log("HEAP", process.memoryUsage().heapUsed) }, 2000).unref()';
const starting = await beginService(file, { ALLOW_PRIVATE_PAGES: 'true' }, [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(probe)}`,
]);
const service = await starting.ready;
const { hostname, port } = new URL(service.origin);

const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
const ids: string[] = [];
const faults: string[] = [];
let latenciesMs: number[] = [];
let sent = 0;

function send(method: string, path: string, body: object | null, headers: Record<string, string> = {}) {
  const startedAt = performance.now();
  sent++;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => {
          latenciesMs.push(performance.now() - startedAt);
          resolve({ status: response.statusCode ?? 0, text });
        });
        response.once('error', reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body ? JSON.stringify(body) : undefined);
  });
}

const graphql = (query: string, variables: object) => send('POST', '/graphql', { query, variables });

/** Sends one request. 8 % are creates, or deletes once there are 5,000 embeds. */
async function sendOne(): Promise<void> {
  const percent = randomInt(100);
  const id = ids[randomInt(Math.max(1, ids.length))];
  let expected = [200];
  let response: { status: number; text: string };
  if (id === undefined || (percent < 8 && ids.length < MAX_EMBEDS)) {
    const page_url = `${siteOrigin}/Lentils-${randomInt(PAGES).toString(16).padStart(32, '0')}`;
    const key: Record<string, string> = randomInt(2) === 1 ? { 'idempotency-key': randomUUID() } : {};
    expected = [201];
    response = await send('POST', '/v1/embeds', { page_url }, key);
    if (response.status === 201) ids.push((JSON.parse(response.text) as { embed: { id: string } }).embed.id);
  } else if (percent < 8) {
    ids.splice(ids.indexOf(id), 1);
    response = await send('DELETE', `/v1/embeds/${id}`, null);
  } else if (percent < 16) {
    // another client may have deleted the embed
    expected = [200, 404];
    response = await send('PATCH', `/v1/embeds/${id}`, { mode: ['light', 'dark', 'auto'][randomInt(3)] });
  } else if (percent < 22) {
    expected = [200, 404];
    response = await send('GET', '/', null, { host: `${id}.embeds.localhost:${port}` });
    if (response.status === 301 || response.status === 302 || response.status === 308) expected = [response.status];
  } else if (percent < 50) {
    expected = [200, 404];
    response = await send('GET', `/v1/embeds/${id}`, null);
  } else if (percent < 62) response = await send('GET', `/v1/embeds?first=${1 + randomInt(20)}`, null);
  else if (percent < 88)
    response = await graphql('query ($id: ID!) { embed(id: $id) { id embedUrl mode html } }', { id });
  else
    response = await graphql('query ($n: Int) { embeds(first: $n) { nodes { id } totalCount } }', {
      n: 1 + randomInt(20),
    });
  if (!expected.includes(response.status)) faults.push(`${response.status}: ${response.text.slice(0, 200)}`);
}

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const heaps: number[] = [];
let largestWal = 0;

function report(): void {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
  const heap = Number([...service.log().matchAll(/^HEAP (\d+)$/gm)].at(-1)?.[1] ?? 0);
  const wal = sizeOf(`${file}-wal`);
  heaps.push(heap);
  largestWal = Math.max(largestWal, wal);
  const sorted = latenciesMs.sort((left, right) => left - right);
  const p99 = (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1);
  latenciesMs = [];
  console.log(
    `${String(sent).padStart(8)} requests  rss ${megabytes(rss)} MB  heap ${megabytes(heap)} MB  wal ${megabytes(wal)} MB  file ${megabytes(sizeOf(file))} MB  p99 ${p99} ms  embeds ${ids.length}`,
  );
}

const total = options.requests;
const startedAt = Date.now();
const deadline = startedAt + options.seconds * 1_000;
let nextReport = { requests: total / REPORTS, time: startedAt + (options.seconds * 1_000) / REPORTS };
const clients = Array.from({ length: options.clients }, async () => {
  while (sent < total && Date.now() < deadline && faults.length < 10) {
    await sendOne();
    if (sent < nextReport.requests && Date.now() < nextReport.time) continue;
    nextReport = { requests: sent + total / REPORTS, time: Date.now() + (options.seconds * 1_000) / REPORTS };
    report();
  }
});
await Promise.all(clients);
const seconds = (Date.now() - startedAt) / 1_000;

const early = heaps[Math.floor(heaps.length / 4)] ?? 0;
const late = heaps.at(-1) ?? 0;
if (heaps.length >= 8 && late > early * MAX_HEAP_RATIO) faults.push(`the heap grew from ${early} to ${late} bytes`);
if (largestWal > MAX_WAL_BYTES) faults.push(`the write-ahead log grew to ${largestWal} bytes`);
if ((await service.stop()) !== 0) faults.push('the stop was not clean');
if (sizeOf(`${file}-wal`) > 0) faults.push('the stop left a write-ahead log');
site.close();
agent.destroy();
reportResult({ requests: sent, seconds: Math.round(seconds), perSecond: Math.round(sent / seconds) }, [
  ...faults,
  ...inspectFile(file),
]);
