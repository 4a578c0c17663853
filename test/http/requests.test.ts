import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { IncomingRequest } from '../../src/http/exchange.ts';
import { type Reply, reply } from '../../src/http/reply.ts';
import { listen } from '../../src/http/server/listen.ts';
import { connectRaw, openRawService } from './server/open-raw-service.ts';

const CLOSE = 'Connection: close\r\n\r\n';

function get(path: string, ...headers: readonly string[]): string {
  return `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].map((line) => `${line}\r\n`).join('')}`;
}

function statusesOf(replies: string): readonly string[] {
  return [...replies.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status);
}

async function listenWith(answer: (request: IncomingRequest) => Reply | Promise<Reply>) {
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: answer });
  onTestFinished(() => listener.close(0));
  return connectRaw(listener.port);
}

test('refuses repeated headers instead of choosing one of them', async () => {
  const { send, as } = await openRawService();
  const good = `Authorization: ${(await as('ada')).authorization}`;
  const bad = 'Authorization: Bearer nope';
  expect(statusesOf(await send(get('/v1/embeds', good) + CLOSE))).toEqual(['200']);
  for (const [first = '', second = ''] of [
    [good, bad],
    [bad, good],
    [good, good],
  ]) {
    expect(statusesOf(await send(get('/v1/embeds', first, second) + CLOSE))).toEqual(['401']);
  }
  const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\n';
  const body = '{"query":"{ __typename }"}';
  const post = `POST /graphql HTTP/1.1\r\nHost: a\r\n${good}\r\n${types}Content-Length: ${body.length}\r\n${CLOSE}${body}`;
  expect(statusesOf(await send(post))).toEqual(['415']);
});

test('a preflight and a header with as many letters as Host are accepted, and the log has the address', async () => {
  const { send, logged } = await openRawService();
  const wish = 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n';
  const preflight = await send(`OPTIONS /v1/embeds HTTP/1.1\r\nHost: localhost\r\n${wish}${CLOSE}`);
  expect(preflight.toLowerCase()).toContain('\r\naccess-control-allow-methods: get, post, head, options\r\n');
  const plain = await send(`OPTIONS /v1/embeds HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\n${CLOSE}`);
  expect(plain.toLowerCase()).not.toContain('access-control-allow-methods');
  expect(statusesOf(await send(get('/livez', 'From: ada@example.com') + CLOSE))).toEqual(['200']);
  expect(logged.at(-1)).toMatchObject({ message: 'request', path: '/livez', address: '127.0.0.1' });
});

test('takes the host of a target in absolute form, and refuses other schemes than http', async () => {
  const { send, as } = await openRawService();
  const { host, pathname } = new URL((await (await as('ada')).create()).embed_url);
  for (const [target, status] of [
    [`http://${host}${pathname}`, '200'],
    [`HTTP://${host}${pathname}`, '200'],
    ['http://localhost/livez', '200'],
    ['file:///livez', '400'],
    ['x:http://localhost/livez', '400'],
    ['ftp://localhost/livez', '400'],
    ['xhttp://localhost/livez', '400'],
    ['*', '404'],
  ] as const) {
    expect([target, ...statusesOf(await send(get(target) + CLOSE))]).toEqual([target, status]);
  }
});

test('answers pipelined requests in their order, and begins at most 64 before it lets others end', async () => {
  let [running, most] = [0, 0];
  const { send } = await listenWith(async ({ url }) => {
    most = Math.max(most, ++running);
    await null;
    running--;
    if (url.endsWith('0')) await nextTurn();
    return reply(`<${new URL(url).pathname}>`);
  });
  const paths = Array.from({ length: 200 }, (_, i) => `/${i}`);
  const requests = paths.map((path) => `${get(path)}\r\n`).join('');
  const received = await send(requests + get('/last') + CLOSE);
  expect(received.match(/<[^>]*>/g)).toEqual([...paths, '/last'].map((path) => `<${path}>`));
  expect(most).toBeLessThanOrEqual(64);
});

test('answers requests that wait for nothing in the same turn of the event loop', async () => {
  const count = 60;
  let [turns, answers] = [0, 0];
  const countTurns = () => {
    turns++;
    if (answers < count) setImmediate(countTurns);
  };
  const { send } = await listenWith(() => {
    if (answers++ === 0) countTurns();
    return reply(null);
  });
  await send(`${get('/')}\r\n`.repeat(count - 1) + get('/') + CLOSE);
  expect(answers).toBe(count);
  // a turn that takes long ends earlier
  expect(turns).toBeLessThan(count / 2);
});

test('sends no error in place of the response before a malformed message', async () => {
  const fastAnswered = Promise.withResolvers<void>();
  const { open } = await listenWith(({ url }) => {
    if (url.endsWith('/slow')) return new Promise(() => {});
    fastAnswered.resolve();
    return reply('fast');
  });
  const socket = open();
  let received = '';
  socket.on('data', (part: string) => {
    received += part;
  });
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  socket.write(`${get('/slow')}\r\n${get('/fast')}\r\n`);
  await fastAnswered.promise;
  await nextTurn();
  socket.write('hello\r\n\r\n');
  await closed;
  expect(received).toBe('');
});

test('refuses a burst without tokens with 401, and not as overload', async () => {
  const { send } = await openRawService();
  const requests = `${get('/v1/embeds')}\r\n`.repeat(559);
  expect(new Set(statusesOf(await send(requests + get('/v1/embeds') + CLOSE)))).toEqual(new Set(['401']));
});

test('disconnects a client whose request cannot be answered, and answers the others of the same turn', async () => {
  const failures: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
    '/throws': () => {
      throw new Error('a bug');
    },
    '/rejects': () => Promise.reject(new Error('a bug')),
    '/invalid': () => reply('x', { headers: { 'x-invalid': 'a\nb' } }),
    '/invalid-later': async () => reply('x', { headers: { 'x-invalid': 'a\nb' } }),
  };
  const { send } = await listenWith(({ url }) => failures[new URL(url).pathname]?.() ?? reply('fine'));
  const paths = ['/before', ...Object.keys(failures), '/after'];
  const replies = await Promise.all(paths.map((path) => send(get(path) + CLOSE)));
  expect(replies.map((text) => text.split('\r\n\r\n')[1] ?? '')).toEqual(['fine', '', '', '', '', 'fine']);
});

test('serves others after clients that disconnect at once', async () => {
  const { open, send } = await openRawService();
  const gone = Array.from({ length: 50 }, () => {
    const socket = open().on('error', () => {});
    socket.write(get('/v1/embeds') + CLOSE, () => socket.resetAndDestroy());
    return new Promise((resolve) => socket.on('close', resolve));
  });
  await Promise.all(gone);
  expect(statusesOf(await send(get('/livez') + CLOSE))).toEqual(['200']);
});

test('serves others after a connection that could not be accepted', async () => {
  const { send } = await listenWith(() => reply('fine'));
  const servers = new Set<Server>();
  const add = (message: unknown) => void servers.add((message as { readonly server: Server }).server);
  subscribe('http.server.request.start', add);
  onTestFinished(() => void unsubscribe('http.server.request.start', add));
  await send(get('/') + CLOSE);
  expect(servers.size).toBe(1);
  // as Node does it if the process has no file descriptors left
  for (const server of servers) server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  expect(statusesOf(await send(get('/') + CLOSE))).toEqual(['200']);
});
