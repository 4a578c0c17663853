/**
 * Sends a mixture of requests for a long time, and prints how the memory of the service, its log of writes and its
 * latencies develop. Neither memory nor log may grow without bound.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { beginService, scratchFolder, TOKEN } from './service.ts';
import { conclude, inspectFile } from './verdict.ts';

const options = createProgram(
  'soak',
  'A mixture of requests for a long time: memory, log of writes and latencies must not grow without bound.',
)
  .option('--requests <count>', 'how many are sent', parseCount(1_000, 1_000_000_000), 1_000_000)
  .option('--seconds <seconds>', 'when to stop in any case', parseCount(1, 604_800), 7_200)
  .option('--clients <count>', 'how many send at once', parseCount(1, 1_000), 8)
  .parse()
  .opts<{ requests: number; seconds: number; clients: number }>();
const REPORTS = 20;
const PAGES = 500;
const MAX_EMBEDS = 5_000;
const MAX_WAL_BYTES = 32 * 1024 * 1024;
/** What the heap may hold more at the end than after the first quarter: that which is noise. */
const MAX_GROWTH = 1.5;

/** A site of our own, for the pages that embeds show. */
const site = createServer((_request, response) => {
  const paragraph =
    '<p>Lentils want rinsing, and then half an hour at the lowest heat with a bay leaf and some salt.</p>';
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Lentils</title><article><h1>Lentils</h1>${paragraph.repeat(20)}</article>`);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const file = join(scratchFolder(), 'embeds.db');
// the service tells the size of its heap after a collection, on a line of its own
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

/** One request of the mixture: 8 of 100 create, as many delete once there are enough. */
async function act(): Promise<void> {
  const dice = randomInt(100);
  const id = ids[randomInt(Math.max(1, ids.length))];
  let wanted = [200];
  let answer: { status: number; text: string };
  if (id === undefined || (dice < 8 && ids.length < MAX_EMBEDS)) {
    const page_url = `${siteOrigin}/Lentils-${randomInt(PAGES).toString(16).padStart(32, '0')}`;
    const key: Record<string, string> = randomInt(2) === 1 ? { 'idempotency-key': randomUUID() } : {};
    wanted = [201];
    answer = await send('POST', '/v1/embeds', { page_url }, key);
    if (answer.status === 201) ids.push((JSON.parse(answer.text) as { embed: { id: string } }).embed.id);
  } else if (dice < 8) {
    ids.splice(ids.indexOf(id), 1);
    answer = await send('DELETE', `/v1/embeds/${id}`, null);
  } else if (dice < 16) {
    // another client may have deleted it
    wanted = [200, 404];
    answer = await send('PATCH', `/v1/embeds/${id}`, { mode: ['light', 'dark', 'auto'][randomInt(3)] });
  } else if (dice < 22) {
    wanted = [200, 404];
    answer = await send('GET', '/', null, { host: `${id}.embeds.localhost:${port}` });
    if (answer.status === 301 || answer.status === 302 || answer.status === 308) wanted = [answer.status];
  } else if (dice < 50) {
    wanted = [200, 404];
    answer = await send('GET', `/v1/embeds/${id}`, null);
  } else if (dice < 62) answer = await send('GET', `/v1/embeds?first=${1 + randomInt(20)}`, null);
  else if (dice < 88) answer = await graphql('query ($id: ID!) { embed(id: $id) { id embedUrl mode html } }', { id });
  else
    answer = await graphql('query ($n: Int) { embeds(first: $n) { nodes { id } totalCount } }', {
      n: 1 + randomInt(20),
    });
  if (!wanted.includes(answer.status)) faults.push(`${answer.status}: ${answer.text.slice(0, 200)}`);
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
    await act();
    if (sent < nextReport.requests && Date.now() < nextReport.time) continue;
    nextReport = { requests: sent + total / REPORTS, time: Date.now() + (options.seconds * 1_000) / REPORTS };
    report();
  }
});
await Promise.all(clients);
const seconds = (Date.now() - startedAt) / 1_000;

const early = heaps[Math.floor(heaps.length / 4)] ?? 0;
const late = heaps.at(-1) ?? 0;
if (heaps.length >= 8 && late > early * MAX_GROWTH) faults.push(`the heap grew from ${early} to ${late} bytes`);
if (largestWal > MAX_WAL_BYTES) faults.push(`the log of writes grew to ${largestWal} bytes`);
if ((await service.stop()) !== 0) faults.push('the stop was not clean');
if (sizeOf(`${file}-wal`) > 0) faults.push('the stop left a log of writes');
site.close();
agent.destroy();
conclude({ requests: sent, seconds: Math.round(seconds), perSecond: Math.round(sent / seconds) }, [
  ...faults,
  ...inspectFile(file),
]);
