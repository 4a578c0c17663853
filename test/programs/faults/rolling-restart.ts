/**
 * Restarts three gateways on one PostgreSQL one after the other under load. Clients retry at another gateway only if the
 * connection was refused, because the request was certainly not sent. Any other failure is a fault.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresqlServer, WITHOUT_SYNC } from '../../databases/embedded.ts';
import { createProgram, parseCount } from '../program.ts';
import { reportResult } from './harness/report.ts';
import { type Service, startService, TOKEN } from './harness/service.ts';

const { rounds, clients } = createProgram(
  'faults:rolling-restart',
  'Restarts three gateways on one PostgreSQL one after the other under load. No request may fail.',
)
  .option('--rounds <count>', 'number of restarts of each gateway', parseCount(1, 1_000), 20)
  .option('--clients <count>', 'number of clients of each of three kinds', parseCount(1, 100), 4)
  .parse()
  .opts<{ rounds: number; clients: number }>();
const GATEWAYS = 3;
/** Time between two restarts. */
const LOAD_MS = 500;
/** Interval of the requests of clients that do not wait for responses. */
const INTERVAL_MS = 20;
/** Pause after each response, for every second client that waits for responses. */
const IDLE_MS = 50;

interface Reply {
  readonly status: number;
  readonly body: { readonly detail?: string; readonly total_count?: number };
}

type Send = (origin: string, pageUrl: string | null) => Promise<Reply>;

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

function createSend(agent: Agent | false): Send {
  return (origin, pageUrl) =>
    new Promise((resolve, reject) => {
      const method = pageUrl === null ? 'GET' : 'POST';
      const sent = request(`${origin}/v1/embeds`, { agent, method, headers });
      const fault = (error: NodeJS.ErrnoException) => {
        if (sent.reusedSocket) error.code += ', on a reused connection';
        reject(error);
      };
      sent.on('error', fault).on('response', async (response: IncomingMessage) => {
        try {
          resolve({ status: response.statusCode ?? 0, body: (await json(response)) as Reply['body'] });
        } catch (error) {
          reject(error);
        }
      });
      sent.end(pageUrl === null ? undefined : JSON.stringify({ page_url: pageUrl }));
    });
}

const viaFetch: Send = async (origin, pageUrl) => {
  const body = pageUrl === null ? null : JSON.stringify({ page_url: pageUrl });
  const response = await fetch(`${origin}/v1/embeds`, { method: body === null ? 'GET' : 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
};

/** As in Node's global agent. An agent without a timeout keeps connections for longer than `Keep-Alive` allows. */
const IDLE_TIMEOUT_MS = 5_000;

/** Two kinds of clients with keep-alive, and one that opens a connection for each request. */
const SENDS: Readonly<Record<string, Send>> = {
  'node:http, keep-alive': createSend(new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS })),
  'fetch, keep-alive': viaFetch,
  'node:http, new connections': createSend(false),
};

const faults: string[] = [];
/** Number of failed requests by cause. */
const failures = new Map<string, number>();
const counts = { creates: 0, reads: 0, refusedConnections: 0, restarts: 0, slowestStopMs: 0 };
let isOver = false;

function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
  return code ?? cause?.code ?? String(error);
}

function countFailure(cause: string): void {
  failures.set(cause, (failures.get(cause) ?? 0) + 1);
}

async function sendWithRetry(name: string, send: Send, turn: number): Promise<void> {
  const isCreate = turn % 2 === 0;
  for (let tries = 0; ; tries++) {
    try {
      const origin = services[(turn + tries) % services.length]?.origin ?? '';
      const { status, body } = await send(origin, isCreate ? 'https://example.com/Page' : null);
      if (status === (isCreate ? 201 : 200)) counts[isCreate ? 'creates' : 'reads']++;
      else countFailure(`${name}: ${status} (${body.detail}) at restart ${counts.restarts + 1}`);
      return;
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED') {
        countFailure(`${name}: ${codeOf(error)} at restart ${counts.restarts + 1}`);
        return;
      }
      counts.refusedConnections++;
    }
  }
}

const server = await openPostgresqlServer(WITHOUT_SYNC);
const services: Service[] = [];
try {
  await restartAll();
} finally {
  isOver = true;
  for (const service of services) await service.stop();
  await server.close();
}
for (const [cause, times] of failures) faults.push(`${cause}, ${times} times`);
reportResult(counts, faults);

async function restartAll(): Promise<void> {
  const variables = { DATABASE_URL: server.urlOf('postgres') };
  for (let i = 0; i < GATEWAYS; i++) services.push(await startService('', variables));
  const loops = Object.entries(SENDS).flatMap(([name, send]) => [
    ...Array.from({ length: clients }, (_, client) => sendSequentially(name, send, client)),
    sendAtInterval(name, send),
  ]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, service] of services.entries()) {
      await pause(LOAD_MS);
      const began = performance.now();
      if ((await service.stop()) !== 0) faults.push('a stop was not clean');
      counts.slowestStopMs = Math.max(counts.slowestStopMs, Math.round(performance.now() - began));
      services[i] = await startService('', { ...variables, PORT: new URL(service.origin).port });
      counts.restarts++;
    }
  }
  isOver = true;
  await Promise.all(loops);
  const total = (await viaFetch(services[0]?.origin ?? '', null)).body.total_count;
  if (total !== counts.creates) faults.push(`${counts.creates} creates returned 201, but ${total} embeds exist`);
}

/** Sends one request after the other. Every second client pauses, so that its connection is mostly idle. */
async function sendSequentially(name: string, send: Send, client: number): Promise<void> {
  for (let turn = client; !isOver; turn++) {
    await sendWithRetry(name, send, turn);
    await pause(client % 2 === 0 ? 0 : IDLE_MS);
  }
}

/** Sends requests without waiting for the responses. */
async function sendAtInterval(name: string, send: Send): Promise<void> {
  const inFlight: Promise<void>[] = [];
  for (let turn = 0; !isOver; turn++) {
    inFlight.push(sendWithRetry(name, send, turn));
    await pause(INTERVAL_MS);
  }
  await Promise.all(inFlight);
}
