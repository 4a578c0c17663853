import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { run } from '../process/run.ts';
import { openRawService } from './open-raw-service.ts';

/** Sends a request with a body, and returns the status. */
type Send = (url: string, headers: Record<string, string>, body: Buffer) => Promise<number>;

function* pieces(body: Buffer): Generator<Buffer> {
  for (let i = 0; i < body.length; i += 16_384) yield body.subarray(i, i + 16_384);
}

const sendByFetch: Send = async (url, headers, body) => {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  await response.text();
  return response.status;
};

const sendChunksByFetch: Send = async (url, headers, body) => {
  const stream = Readable.toWeb(Readable.from(pieces(body))) as ReadableStream<Uint8Array>;
  const response = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
  await response.text();
  return response.status;
};

function sendByHttp(agent: Agent, isChunked: boolean): Send {
  return (url, headers, body) =>
    new Promise((resolve, reject) => {
      const length = isChunked ? {} : { 'content-length': String(body.length) };
      const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } });
      sent.on('error', reject).on('response', (response: IncomingMessage) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      if (isChunked) Readable.from(pieces(body)).pipe(sent);
      else sent.end(body);
    });
}

const TOKEN = 'a-token-for-the-test';

/** The service runs in its own process, so that it can close a connection while a client writes. */
const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
let url = '';
let stop = () => {};

beforeAll(async () => {
  const port = await findFreePort();
  const databaseUrl = `file:${join(folder, 'embeds.db')}`;
  const variables = { PORT: String(port), DATABASE_URL: databaseUrl, ACCESS_TOKEN: TOKEN };
  const service = run('src/main.ts', [], variables, (end) => {
    stop = end;
  });
  await service.waitForOutput('"msg":"ready"');
  url = `http://127.0.0.1:${port}/v1/embeds`;
  await sendByFetch(url, { authorization: `Bearer ${TOKEN}` }, Buffer.from('first'));
});

afterAll(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

const keepAliveAgent = new Agent({ keepAlive: true });
const newConnectionAgent = new Agent({ keepAlive: false });

test.each<[string, Send]>([
  ['fetch', sendByFetch],
  ['fetch, in chunks', sendChunksByFetch],
  ['node:http with keep-alive', sendByHttp(keepAliveAgent, false)],
  ['node:http with keep-alive, in chunks', sendByHttp(keepAliveAgent, true)],
  ['node:http with new connections', sendByHttp(newConnectionAgent, false)],
  ['node:http with new connections, in chunks', sendByHttp(newConnectionAgent, true)],
])('%s receives 413 for each large body', { timeout: 60_000 }, async (_client, send) => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const statuses: number[] = [];
  for (const size of [200_000, 1_000_000, 2_000_000]) {
    const body = Buffer.alloc(size, 'x');
    statuses.push(...(await Promise.all(Array.from({ length: 16 }, () => send(url, headers, body)))));
  }
  expect(statuses).toEqual(Array(48).fill(413));
});

test('a request without a token receives 401 while it sends its body, also without keep-alive', async () => {
  const send = sendByHttp(newConnectionAgent, true);
  const body = Buffer.alloc(1_000_000, 'x');
  const statuses = await Promise.all(Array.from({ length: 48 }, () => send(url, {}, body)));
  expect(statuses).toEqual(Array(48).fill(401));
});

const HEAD = 'POST /v1/embeds HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

test.each([
  ['no token', 401, '/v1/embeds', {}],
  ['an unknown path', 404, '/nowhere', {}],
  ['a method that is not allowed', 405, '/livez', {}],
  ['an unknown media type', 415, '/v1/embeds', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }],
])(
  'a request with %s receives %i while it sends its body, and the connection serves the next request',
  async (...row) => {
    const [, status, path, more] = row;
    const { send, as } = await openRawService();
    const { authorization } = await as('ada');
    const headers = { ...(status !== 401 && { authorization }), ...more, 'content-length': '1000000' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`;
    const response = await send(`${head}${'x'.repeat(1_000_000)}${LIVEZ}`);
    expect([...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, found]) => found)).toEqual([String(status), '200']);
  },
);

/** Reads until the received text matches the pattern. */
function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const read = (part: string) => {
      received += part;
      if (!pattern.test(received)) return;
      socket.off('data', read);
      resolve(received);
    };
    socket.on('data', read).once('close', () => reject(new Error(`closed after: ${received}`)));
  });
}

test('a client that waits for 100 Continue receives the error instead, and the connection closes', async () => {
  const { send, as } = await openRawService();
  const { authorization } = await as('ada');
  const expecting = 'Expect: 100-continue\r\nContent-Length: 200000\r\n';
  for (const [head, status] of [
    [`${HEAD}Authorization: ${authorization}\r\n`, 413],
    [HEAD, 401],
  ] as const) {
    const response = await send(`${head}${expecting}\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n');
  }
});

test('a client that waits for 100 Continue receives it if the service reads the body', async () => {
  const { open, as } = await openRawService();
  const { authorization } = await as('ada');
  const body = '{"page_url":"https://example.com/about"}';
  const socket = open();
  socket.write(
    `${HEAD}Authorization: ${authorization}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  expect(await readUntil(socket, /\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  expect(await readUntil(socket, /\}/)).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  socket.end();
});

test('reads at most 64 MB of a body that it does not use', async () => {
  const { open, send } = await openRawService();
  expect((await send(`${HEAD}Content-Length: 64000001\r\nExpect: 100-continue\r\n\r\n`)).toLowerCase()).toContain(
    '\r\nconnection: close\r\n',
  );
  const socket = open().on('error', () => {});
  const answered = readUntil(socket, /\r\n\r\n/);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
  const chunk = Buffer.from(`${(1_000_000).toString(16)}\r\n${'x'.repeat(1_000_000)}\r\n`);
  const writeMore = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', writeMore);
  expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
  writeMore();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(100_000_000);
});

test('closes the connection of a client that stops sending an unused body', { timeout: 30_000 }, async () => {
  const { open } = await openRawService();
  const socket = open();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
  expect(await readUntil(socket, /\}$/)).not.toMatch(/connection: close/i);
  await closed;
});

test('a request that arrives with the end of another receives one response, also if its body stops', {
  timeout: 30_000,
}, async () => {
  const { send } = await openRawService();
  const response = await send(`${HEAD}Content-Length: 1\r\n\r\n{${HEAD}Content-Length: 1000\r\n\r\n{`);
  expect([...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, found]) => found)).toEqual(['401', '401']);
});

test('closing waits for an unused body no longer than its time limit', async () => {
  const { listener, open } = await openRawService();
  const socket = open().on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answered = readUntil(socket, /\r\n\r\n/);
  socket.write(`${HEAD}Content-Length: 1000000\r\n\r\nx`);
  expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
  await listener.close(500);
  await closed;
});
