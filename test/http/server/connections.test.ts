import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { IncomingRequest } from '../../../src/http/exchange.ts';
import { type Reply, reply } from '../../../src/http/reply.ts';
import { OK, openListener, openUsed, REQUEST } from './open-listener.ts';
import { openRawService } from './open-raw-service.ts';
import { HEAD, readUntil } from './slow-clients.ts';

const LAST_REQUEST = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const TIMEOUTS = { headersMs: 100, requestMs: 200, checkIntervalMs: 20 };

async function readOnce(socket: Socket): Promise<string> {
  const answered = readUntil(socket, OK);
  socket.write(REQUEST);
  return answered;
}

test('refuses a port that is in use', async () => {
  const { listener } = await openListener();
  await expect(openListener({ port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('tells clients that idle connections are kept for 65 s', async () => {
  const { listener } = await openListener();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = await once(get({ port: listener.port, agent }), 'response');
  expect((response as IncomingMessage).headers['keep-alive']).toBe('timeout=65');
});

test('over the limit, the connection that has been idle for the longest time is closed', async () => {
  const { open } = await openListener({ maxConnections: 3 });
  const [first, second, third] = [await openUsed(open), await openUsed(open), await openUsed(open)];
  await readOnce(first);
  const closed = once(second, 'close');
  const fourth = await openUsed(open);
  await closed;
  for (const socket of [first, third, fourth]) expect(await readOnce(socket)).toMatch(OK);
});

test('over the limit, connections with a request stay, and further ones are closed', async () => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  let begun = 0;
  const answer = () => {
    begun++;
    return promise;
  };
  const { open } = await openListener({ maxConnections: 2, handle: answer });
  const sockets = [open(), open()];
  const answers = sockets.map((socket) => readUntil(socket, OK));
  for (const socket of sockets) socket.write(REQUEST);
  await expect.poll(() => begun).toBe(2);
  const further = open()
    .on('error', () => {})
    .resume();
  await once(further, 'close');
  resolve(reply(null));
  expect(await Promise.all(answers)).toEqual([expect.stringMatching(OK), expect.stringMatching(OK)]);
});

test('over the limit, connections without a request are closed in the order in which they were opened', async () => {
  const { open } = await openListener({ maxConnections: 2 });
  const openSilent = async () => {
    const socket = open()
      .on('error', () => {})
      .resume();
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const oldest = [await openSilent(), await openSilent()];
  for (let i = 0; i < 3; i++) {
    const closed = once(oldest.shift() as Socket, 'close').then(() => 'the oldest');
    const newest = await openSilent();
    oldest.push(newest);
    expect(await Promise.race([closed, once(newest, 'close').then(() => 'the newest')])).toBe('the oldest');
  }
});

test('a connection whose client has left makes room for another', async () => {
  const begun = Promise.withResolvers<void>();
  const answers = [new Promise<Reply>(() => {})];
  const answer = () => {
    begun.resolve();
    return answers.shift() ?? reply(null);
  };
  const { open, send } = await openListener({ maxConnections: 1, handle: answer });
  const leaving = open();
  leaving.write(REQUEST);
  await begun.promise;
  leaving.destroy();
  await expect.poll(() => send(LAST_REQUEST)).toMatch(OK);
});

test('a connection is idle after the response to the last of pipelined requests', async () => {
  const { open, send } = await openListener({ maxConnections: 1 });
  const pipelining = open();
  onTestFinished(() => void pipelining.destroy());
  pipelining.write(REQUEST.repeat(3));
  await readUntil(pipelining, /(HTTP\/1\.1 200 .*?\r\n\r\n){3}$/s);
  await expect.poll(() => send(LAST_REQUEST)).toMatch(OK);
});

test('over the limit, a connection whose pipelined request waits for its response stays', async () => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const answers = [reply(null), promise];
  const { open } = await openListener({ maxConnections: 1, handle: () => answers.shift() ?? reply(null) });
  const pipelining = open();
  const both = readUntil(pipelining, /(HTTP\/1\.1 200 .*?\r\n\r\n){2}$/s);
  pipelining.write(REQUEST.repeat(2));
  await readUntil(pipelining, OK);
  const further = open()
    .on('error', () => {})
    .resume();
  await once(further, 'close');
  resolve(reply(null));
  await both;
});

test('a connection of HTTP/1.0 with chunks is closed after the response, and nothing behind the chunks is a request', async () => {
  const paths: string[] = [];
  const answer = ({ url }: IncomingRequest) => {
    paths.push(new URL(url).pathname);
    return reply(null);
  };
  const { send } = await openListener({ handle: answer });
  const chunked =
    'POST /first HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n';
  const received = await send(`${chunked}GET /second HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
  expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
  expect(paths).toEqual(['/first']);
});

test('a connection of HTTP/1.1 with chunks, and one of HTTP/1.0 without them, serves further requests', async () => {
  const { send } = await openListener();
  for (const first of [
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  ]) {
    const received = await send(`${first}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  }
});

/** Blocks this process, and with it the listener. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a request that arrived while the process was blocked for longer than its time is served', async () => {
  const { open, as } = await openRawService({}, undefined, TIMEOUTS);
  const { authorization } = await as('ada');
  const body = '{"page_url":"https://example.com/about"}';
  const head = `${HEAD}Authorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n`;
  // the first part is read before the process is blocked, if there is one
  for (const [before, after] of [
    ['', head + body],
    [head.slice(0, 20), head.slice(20) + body],
    [head, body],
  ] as const) {
    const socket = open();
    await once(socket, 'connect');
    await new Promise<void>((done) => socket.write(before, () => done()));
    // the listener accepts, and reads the first part
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    socket.write(after);
    block(2 * TIMEOUTS.requestMs);
    expect(await readUntil(socket, /\}$/)).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  }
});

test('a body that the service does not begin to read for longer than its time is read later', async () => {
  const { promise: isTimeOver, resolve } = Promise.withResolvers<void>();
  const answer = async (request: IncomingRequest) => {
    await isTimeOver;
    let length = 0;
    for await (const chunk of request.body ?? []) length += chunk.length;
    return reply(String(length));
  };
  const { open } = await openListener({ handle: answer, timeouts: TIMEOUTS });
  const socket = open();
  const answered = readUntil(socket, /\d+$/);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
  socket.write('x'.repeat(1_000_000));
  // several times the time of the request
  setTimeout(resolve, 4 * TIMEOUTS.requestMs);
  expect(await answered).toMatch(/^HTTP\/1\.1 200 .*1000000$/s);
  socket.destroy();
});

test('requests that take long are answered in several turns of the event loop', async () => {
  const [count, longMs] = [40, 5];
  const { promise: allSent, resolve } = Promise.withResolvers<void>();
  const answersByTurn: number[] = [];
  let answers = 0;
  const answer = () => {
    if (answers === 0) countTurns();
    answersByTurn.push((answersByTurn.pop() ?? 0) + 1);
    block(longMs);
    if (++answers === count) resolve();
    return reply(null);
  };
  const countTurns = () => {
    answersByTurn.push(0);
    if (answers < count) setImmediate(countTurns);
  };
  const { open } = await openListener({ handle: answer });
  const socket = open();
  onTestFinished(() => void socket.destroy());
  socket.write(REQUEST.repeat(count));
  await allSent;
  expect(Math.max(...answersByTurn)).toBeLessThanOrEqual(4);
});
