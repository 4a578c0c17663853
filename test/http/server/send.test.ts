import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { IncomingRequest } from '../../../src/http/exchange.ts';
import { type Reply, reply } from '../../../src/http/reply.ts';
import { listen } from '../../../src/http/server/listen.ts';
import type { NodeRequest } from '../../../src/http/server/node-request.ts';
import { connectRaw } from './open-raw-service.ts';
import { readUntil } from './slow-clients.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
const MAX_WAIT_MS = 30_000;

async function openListener(answer: () => Reply, maxWaitMs = MAX_WAIT_MS) {
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: answer, timeouts: { maxWaitMs } });
  onTestFinished(() => listener.close(0));
  return connectRaw(listener.port);
}

test('a response has the length of its body, unless it has none by definition', async () => {
  const lengthOf = async (sent: Reply, method = 'GET') => {
    const received = await (await openListener(() => sent)).send(REQUEST.replace('GET', method) + CLOSE);
    return /\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? null;
  };
  expect(await lengthOf(reply('é'))).toBe('2');
  expect(await lengthOf(reply(null))).toBe('0');
  expect(await lengthOf(reply(null, { status: 204 }))).toBeNull();
  expect(await lengthOf(reply(null, { status: 304 }))).toBeNull();
  expect(await lengthOf(reply(null, { headers: { 'transfer-encoding': 'chunked' } }), 'HEAD')).toBeNull();
  expect(await lengthOf(reply(null, { headers: { 'content-length': '7' } }), 'HEAD')).toBe('7');
});

test('a response that is there before its request has ended keeps the connection for the next one', async () => {
  const { send } = await openListener(() => reply('ok'));
  const received = await send(`${REQUEST}\r\n${REQUEST}${CLOSE}`);
  expect(received.match(/ok/g)).toHaveLength(2);
});

/** Longer than the system buffers for a connection. */
const LONG = 32_000_000;
const LONG_TEXT = 'x'.repeat(LONG);
const LONG_BYTES = Buffer.alloc(LONG);

test.each([
  ['texts', () => LONG_TEXT, [false, true, true]],
  ['bytes', () => Buffer.from(LONG_BYTES), [false, true, true]],
  ['bytes that all connections share', () => LONG_BYTES, [true, true, true]],
])(
  'over the limit of %s that clients have not read, the oldest connection is closed',
  async (_, createBody, isWhole) => {
    let answered = 0;
    const handle = () => {
      answered += 1;
      return reply(createBody());
    };
    const listener = await listen({ port: 0, host: '127.0.0.1', handle, maxUnsentBytes: 80_000_000 });
    onTestFinished(() => listener.close(0));
    const { open } = connectRaw(listener.port);
    const sockets: Socket[] = [];
    for (let i = 1; i <= 3; i++) {
      const socket = open().on('error', () => {});
      onTestFinished(() => void socket.destroy());
      socket.write(REQUEST + CLOSE);
      sockets.push(socket);
      await vi.waitUntil(() => answered === i);
    }
    expect(await Promise.all(sockets.map(receivesAll))).toEqual(isWhole);
  },
);

test('a response that waits behind another one of its connection counts, and closes the connection over the limit', async () => {
  const bodies = [LONG_BYTES, LONG_TEXT, LONG_BYTES, LONG_TEXT];
  const handle = () => reply(bodies.shift() ?? null);
  const listener = await listen({ port: 0, host: '127.0.0.1', handle, maxUnsentBytes: 80_000_000 });
  onTestFinished(() => listener.close(0));
  const { open } = connectRaw(listener.port);
  const sockets: Socket[] = [];
  for (const left of [2, 1, 0]) {
    const socket = open().on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write((left === 2 ? `${REQUEST}\r\n` : '') + REQUEST + CLOSE);
    sockets.push(socket);
    await vi.waitUntil(() => bodies.length === left);
  }
  expect(await Promise.all(sockets.map(receivesAll))).toEqual([false, true, true]);
});

/** Reads until the connection closes. */
async function receivesAll(socket: Socket): Promise<boolean> {
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  await once(socket, 'close');
  return length > LONG;
}

/** Opens a stream that the test writes to. */
async function openStream(maxWaitMs?: number) {
  const body = new Readable({ read() {} });
  const { open } = await openListener(() => reply(body, { headers: { 'x-kind': 'stream' } }), maxWaitMs);
  const socket = open().on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(`${REQUEST}\r\n`);
  return { body, socket };
}

async function push(body: Readable, socket: Socket, text: string): Promise<string> {
  const received = readUntil(socket, new RegExp(text));
  body.push(text);
  return received;
}

const closedOf = (body: Readable) => new Promise<void>((resolve) => body.once('close', resolve));

test('a stream ends with its last chunk, and its connection with it', async () => {
  const { body, socket } = await openStream();
  const head = await push(body, socket, 'first');
  expect(head.toLowerCase()).toContain('\r\nx-kind: stream\r\n');
  expect(head.toLowerCase()).toContain('\r\nconnection: close\r\n');
  const received = readUntil(socket, /last\r\n0\r\n\r\n$/);
  const closed = once(socket, 'close');
  body.push('last');
  body.push(null);
  await Promise.all([received, closed]);
});

test('a stream that fails is cut off, so that no client takes it for complete', async () => {
  const { body, socket } = await openStream();
  let received = await push(body, socket, 'first');
  socket.on('data', (text: string) => {
    received += text;
  });
  const closed = once(socket, 'close');
  body.destroy(new Error('a fault'));
  await closed;
  expect(received.endsWith('0\r\n\r\n')).toBe(false);
});

test('a stream ends when its client disconnects, also if nothing is sent', async () => {
  const { body, socket } = await openStream();
  await push(body, socket, 'first');
  const closed = closedOf(body);
  socket.destroy();
  await closed;
});

test('a stream ends when its client sends what is no request', async () => {
  const { body, socket } = await openStream();
  await push(body, socket, 'first');
  const closed = closedOf(body);
  socket.resume().write('hello\r\n\r\n');
  await closed;
});

test('a stream is read no faster than the network takes it', async () => {
  const chunk = Buffer.alloc(1_000);
  const length = 2_000 * chunk.length;
  let left = length;
  let maxWaiting = 0;
  const handle = (request: IncomingRequest) => {
    const { response } = request as NodeRequest;
    return reply(
      new Readable({
        read() {
          maxWaiting = Math.max(maxWaiting, response.writableLength);
          left -= chunk.length;
          this.push(left < 0 ? null : chunk);
        },
      }),
    );
  };
  const listener = await listen({ port: 0, host: '127.0.0.1', handle });
  onTestFinished(() => listener.close(0));
  const received = await connectRaw(listener.port).send(`${REQUEST}\r\n`);
  expect(received.length).toBeGreaterThan(length);
  expect(received.endsWith('0\r\n\r\n')).toBe(true);
  // the bound, and the chunk that reaches it
  expect(maxWaiting).toBeLessThan(20_000);
});

test('a stream ends with its first chunks if its client has disconnected before the response', async () => {
  let reads = 0;
  const body = new Readable({
    highWaterMark: 0,
    read() {
      reads += 1;
      this.push(reads < 1_000 ? 'chunk' : null);
    },
  });
  const answer = Promise.withResolvers<Reply>();
  const arrived = Promise.withResolvers<NodeRequest>();
  const handle = (request: IncomingRequest) => {
    arrived.resolve(request as NodeRequest);
    return answer.promise;
  };
  const listener = await listen({ port: 0, host: '127.0.0.1', handle });
  onTestFinished(() => listener.close(0));
  const socket = connectRaw(listener.port).open();
  socket.write(`${REQUEST}\r\n`);
  const { response } = await arrived.promise;
  socket.destroy();
  await once(response, 'close');
  const closed = closedOf(body);
  answer.resolve(reply(body));
  await closed;
  expect(reads).toBeLessThan(10);
});

test('a stream with one chunk that the client does not read is closed', async () => {
  const { body, socket } = await openStream(300);
  await push(body, socket, 'first');
  socket.pause();
  const closed = closedOf(body);
  body.push(Buffer.alloc(30_000_000));
  await closed;
});

test('a stream whose chunks are read stays open, however long it lasts and however long it pauses', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { body, socket } = await openStream();
  for (const text of ['first', 'second', 'third', 'fourth']) {
    await push(body, socket, text);
    vi.advanceTimersByTime(0.6 * MAX_WAIT_MS);
  }
  vi.advanceTimersByTime(3 * MAX_WAIT_MS);
  await push(body, socket, 'fifth');
  expect([body.destroyed, socket.destroyed]).toEqual([false, false]);
});
