/**
 * Three gateways on one PostgreSQL, restarted one after the other under load. Clients try a request elsewhere only where the
 * connection was refused, and then it was certainly not made: any other failure is a fault.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, parseCount } from '../../src/cli/program.ts';
import { openPostgresqlServer, WITHOUT_SYNC } from '../databases/embedded.ts';
import { type Service, startService, TOKEN } from './service.ts';
import { conclude } from './verdict.ts';

const { rounds, clients } = createProgram(
  'faults:rolling-restart',
  'Restarts three gateways on one PostgreSQL one after the other under load, and accounts for every request.',
)
  .option('--rounds <count>', 'how often each is restarted', parseCount(1, 1_000), 20)
  .option('--clients <count>', 'how many clients of each kind', parseCount(1, 100), 4)
  .parse()
  .opts<{ rounds: number; clients: number }>();
const GATEWAYS = 3;
/** Between two restarts. */
const LOADED_MS = 500;
/** Of the clients that do not wait for answers. */
const EVERY_MS = 20;
/** Of those that do, and then pause. */
const IDLE_MS = 50;

/** What a client was told. */
interface Reply {
  readonly status: number;
  readonly body: { readonly embed?: { readonly id: string }; readonly total_count?: number };
}

type Send = (origin: string, pageUrl: string | null) => Promise<Reply>;

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

function through(agent: Agent | false): Send {
  return (origin, pageUrl) =>
    new Promise((resolve, reject) => {
      const method = pageUrl === null ? 'GET' : 'POST';
      const sent = request(`${origin}/v1/embeds`, { agent, method, headers });
      const fault = (error: NodeJS.ErrnoException) => {
        if (sent.reusedSocket) error.code += ', on a kept connection';
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

/** As Node's global agent has it: an agent without one keeps connections for longer than `Keep-Alive` promises. */
const KEPT_MS = 5_000;

/** The clients that people have: two that keep connections, and one that makes a new one for each request. */
const SENDS: Readonly<Record<string, Send>> = {
  'node:http, kept': through(new Agent({ keepAlive: true, timeout: KEPT_MS })),
  'fetch, kept': viaFetch,
  'node:http, new': through(false),
};

const faults: string[] = [];
/** How often a request failed otherwise than it may, by how. */
const failures = new Map<string, number>();
const counts = { creates: 0, reads: 0, refusedConnections: 0, restarts: 0, slowestStopMs: 0 };
let isOver = false;

function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
  return code ?? cause?.code ?? String(error);
}

function fail(how: string): void {
  failures.set(how, (failures.get(how) ?? 0) + 1);
}

async function act(name: string, send: Send, turn: number): Promise<void> {
  const isCreate = turn % 2 === 0;
  for (let tries = 0; ; tries++) {
    try {
      const origin = services[(turn + tries) % services.length]?.origin ?? '';
      const { status } = await send(origin, isCreate ? 'https://example.com/Page' : null);
      if (status !== (isCreate ? 201 : 200)) fail(`${name}: ${status} at restart ${counts.restarts + 1}`);
      counts[isCreate ? 'creates' : 'reads']++;
      return;
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED') {
        fail(`${name}: ${codeOf(error)} at restart ${counts.restarts + 1}`);
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
for (const [how, times] of failures) faults.push(`${how}, ${times} times`);
conclude(counts, faults);

async function restartAll(): Promise<void> {
  const variables = { DATABASE_URL: server.urlOf('postgres') };
  for (let i = 0; i < GATEWAYS; i++) services.push(await startService('', variables));
  const users = Object.entries(SENDS).flatMap(([name, send]) => [
    ...Array.from({ length: clients }, (_, client) => waitForAnswers(name, send, client)),
    waitForNothing(name, send),
  ]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, service] of services.entries()) {
      await pause(LOADED_MS);
      const began = performance.now();
      if ((await service.stop()) !== 0) faults.push('a stop was not clean');
      counts.slowestStopMs = Math.max(counts.slowestStopMs, Math.round(performance.now() - began));
      services[i] = await startService('', { ...variables, PORT: new URL(service.origin).port });
      counts.restarts++;
    }
  }
  isOver = true;
  await Promise.all(users);
  const total = (await viaFetch(services[0]?.origin ?? '', null)).body.total_count;
  if (total !== counts.creates) faults.push(`${counts.creates} creates were answered, and ${total} embeds are there`);
}

/** Every other one pauses, so that its connections are mostly idle. */
async function waitForAnswers(name: string, send: Send, client: number): Promise<void> {
  for (let turn = client; !isOver; turn++) {
    await act(name, send, turn);
    await pause(client % 2 === 0 ? 0 : IDLE_MS);
  }
}

async function waitForNothing(name: string, send: Send): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let turn = 0; !isOver; turn++) {
    underWay.push(act(name, send, turn));
    await pause(EVERY_MS);
  }
  await Promise.all(underWay);
}
