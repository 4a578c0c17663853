import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { run } from '../../process/run.ts';

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
])('%s receives 413 for each large body', async (_client, send) => {
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
