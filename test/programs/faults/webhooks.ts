/**
 * Sends SIGKILL to one of two gateways on one database at random moments, under creates, updates and deletes, while the
 * receiver of their webhook fails, is slow, breaks connections and goes away. Then every acknowledged write must have
 * arrived as an event, in the order of its embed, and every repetition with the same id.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { openPostgresqlServer } from '../../databases/embedded.ts';
import { createProgram, parseCount } from '../program.ts';
import { reportResult } from './harness/report.ts';
import { createScratchFolder, type Service, startService, TOKEN } from './harness/service.ts';

const { kills, seconds, postgresql } = createProgram(
  'faults:webhooks',
  'Kills gateways and disturbs a receiver, and then checks that no event was lost, reordered or repeated under another id.',
)
  .option('--kills <count>', 'number of kills', parseCount(1, 1_000), 20)
  .option('--seconds <seconds>', 'time limit', parseCount(1, 86_400), 600)
  .option('--postgresql', 'use PostgreSQL instead of SQLite')
  .parse()
  .opts<{ kills: number; seconds: number; postgresql?: true }>();
const deadline = Date.now() + seconds * 1_000;

const faults: string[] = [];
/** Acknowledged writes and events, as `<type> <embed> <font>`. */
const expected = new Set<string>();
/** Ids of messages by the event that they carry. */
const idsOfEvents = new Map<string, Set<string>>();
/** Confirmed events of each embed, in their order. Each once. */
const confirmed = new Map<string, string[]>();
const counts = { kills: 0, writes: 0, messages: 0, repeated: 0, refused: 0, slow: 0, broken: 0, absences: 0 };

let secret = '';
let isHealthy = false;

function isEvent(body: unknown): body is { type: string; data: { embed: { id: string; font: string } } } {
  return typeof body === 'object' && body !== null && 'type' in body && 'data' in body;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  new Webhook(secret).verify(text, request.headers as Record<string, string>);
  const body: unknown = JSON.parse(text);
  if (!isEvent(body)) throw new Error(`no event: ${text}`);
  const { id, font } = body.data.embed;
  const event = `${body.type} ${id} ${font}`;
  const ids = idsOfEvents.get(event) ?? new Set();
  counts.messages++;
  if (ids.size > 0) counts.repeated++;
  idsOfEvents.set(event, ids.add(String(request.headers['webhook-id'])));
  const chance = isHealthy ? 100 : randomInt(100);
  if (chance < 10) {
    counts.broken++;
    return void request.socket.destroy();
  }
  if (chance < 20) {
    counts.slow++;
    await pause(randomInt(50, 1_500));
  } else if (chance < 35) {
    counts.refused++;
    return void response.writeHead(randomInt(2) === 0 ? 500 : 307, { location: '/elsewhere' }).end();
  }
  const events = confirmed.get(id) ?? [];
  if (!events.includes(event)) confirmed.set(id, [...events, event]);
  response.writeHead(204).end();
}

const receiver = createServer((request, response) => {
  receive(request, response).catch((error) => {
    if (!request.socket.destroyed) faults.push(`the receiver: ${error}`);
    response.destroy();
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;

/** Kills the receiver for a moment. */
async function leave(): Promise<void> {
  counts.absences++;
  receiver.closeAllConnections();
  receiver.close();
  await pause(randomInt(100, 1_000));
  receiver.listen(port, '127.0.0.1');
  await once(receiver, 'listening');
}

/** Returns undefined if the gateway did not respond. */
// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
async function call(service: Service, method: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) };
  try {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(service.origin + path, init);
    if (response.ok) return await response.json();
    if (response.status < 500) faults.push(`${method} ${path} returned ${response.status}`);
  } catch {
    // the gateway was killed
  }
  return undefined;
}

/** Creates, changes and deletes embeds through one gateway, until it is killed. */
async function write(service: Service, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver() && service.isRunning(); n++) {
    const created = await call(service, 'POST', '/v1/embeds', { page_url: 'https://example.com/x', font: 'F0' });
    if (!created) continue;
    const { id } = created.embed;
    note('embed.created', id, 'F0');
    const fonts = Array.from({ length: randomInt(3) }, (_, i) => `F${i + 1}`);
    let last = 'F0';
    for (const font of fonts) {
      if (!(await call(service, 'PATCH', `/v1/embeds/${id}`, { font }))) return;
      note('embed.updated', id, font);
      last = font;
    }
    if (n % 3 === 0 && (await call(service, 'DELETE', `/v1/embeds/${id}`))) note('embed.deleted', id, last);
    await pause(20);
  }
}

function note(type: string, id: string, font: string): void {
  counts.writes++;
  expected.add(`${type} ${id} ${font}`);
}

const isMissing = (event: string) => !confirmed.get(event.split(' ')[1] ?? '')?.includes(event);

/** Compares what the receiver has confirmed with what the gateways have acknowledged. */
function check(): void {
  for (const event of expected) if (isMissing(event)) faults.push(`lost: ${event}`);
  for (const [event, ids] of idsOfEvents) if (ids.size > 1) faults.push(`${ids.size} ids: ${event}`);
  const ranks = ['embed.created', 'embed.updated', 'embed.deleted'];
  const rankOf = (event: string) => ranks.indexOf(event.split(' ')[0] ?? '') * 100 + Number(event.split(' F')[1]);
  for (const events of confirmed.values()) {
    const isOrdered = events.every((event, i) => i === 0 || rankOf(events[i - 1] ?? '') < rankOf(event));
    if (!isOrdered) faults.push(`order: ${events.join(', ')}`);
  }
}

const server = postgresql ? await openPostgresqlServer() : null;
const file = join(createScratchFolder(), 'embeds.db');
const variables = { ALLOW_PRIVATE_PAGES: 'true', ...(server && { DATABASE_URL: server.urlOf('postgres') }) };
const start = () => startService(file, variables);
const gateways = [await start(), await start()];
const events = ['embed.created', 'embed.updated', 'embed.deleted'];
const hook = { url: `http://127.0.0.1:${port}/`, events };
const added = await call(gateways[0] as Service, 'POST', '/v1/webhooks', hook);
secret = added.secret;

while (counts.kills < kills && Date.now() < deadline) {
  let isOver = false;
  const writing = gateways.map((gateway) => write(gateway, () => isOver));
  await pause(randomInt(200, 2_000));
  if (counts.kills % 4 === 3) await leave();
  const victim = randomInt(2);
  await gateways[victim]?.kill();
  counts.kills++;
  isOver = true;
  await Promise.all(writing);
  gateways[victim] = await start();
}
isHealthy = true;
const [gateway] = gateways as [Service, Service];
const path = `/v1/webhooks/${added.webhook.id}/deliveries?first=100`;
// longer than the lease of a killed gateway
for (let tries = 0; tries < 60 && [...expected].some(isMissing) && Date.now() < deadline; tries++) {
  await pause(1_000);
  // instead of waiting for hours: the oldest first, so that each embed keeps its order
  if (tries < 25) continue;
  const waiting: { readonly id: string }[] = [];
  for (let after = ''; ; ) {
    const page = await call(gateway, 'GET', path + after);
    waiting.push(...page.deliveries.filter(({ state }: { readonly state: string }) => state === 'waiting'));
    if (!page.pagination.has_next_page) break;
    after = `&after=${page.pagination.end_cursor}`;
  }
  for (const { id } of waiting.reverse()) await call(gateway, 'POST', `/v1/deliveries/${id}/redeliver`);
}
check();
if (counts.kills < kills) faults.push(`only ${counts.kills} of ${kills} kills within ${seconds} s`);
for (const each of gateways) if ((await each.stop()) !== 0) faults.push('a stop was not clean');
await server?.close();
receiver.closeAllConnections();
receiver.close();
reportResult({ ...counts, events: expected.size }, faults);
