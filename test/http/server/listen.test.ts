import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { NO_TELEMETRY } from '../../../src/telemetry/telemetry.ts';
import { openRawService } from './open-raw-service.ts';
import { expectRequestTimeouts, SHORT_TIMEOUTS } from './slow-clients.ts';

const CLOSE = 'Connection: close\r\n\r\n';

const DETAILS = [
  'This is not an HTTP/1.1 request.',
  'This service is not a proxy: it has no tunnels for CONNECT.',
  'Send exactly one Host header, with a host and perhaps a port.',
  'The Host header and the path do not form a URL.',
];

const MALFORMED = {
  'two Hosts': `GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n${CLOSE}`,
  'two Hosts with other names': `GET /livez HTTP/1.1\r\nHost: a\r\nhOST: b\r\n${CLOSE}`,
  'two equal Hosts in HTTP/1.0': 'GET /livez HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n',
  'an empty Host before another': `GET /livez HTTP/1.1\r\nHost:\r\nHost: a\r\n${CLOSE}`,
  'an empty Host after another': `GET /livez HTTP/1.1\r\nHost: a\r\nHost:\r\n${CLOSE}`,
  'no Host': `GET /livez HTTP/1.1\r\n${CLOSE}`,
  'an empty Host': `GET /livez HTTP/1.1\r\nHost:\r\n${CLOSE}`,
  'a Host with a space': `GET /livez HTTP/1.1\r\nHost: a b\r\n${CLOSE}`,
  'a Host with a path': `GET /livez HTTP/1.1\r\nHost: a/b\r\n${CLOSE}`,
  'a Host with credentials': `GET /livez HTTP/1.1\r\nHost: a@b\r\n${CLOSE}`,
  'a Host with a port that is none': `GET /livez HTTP/1.1\r\nHost: a:99999\r\n${CLOSE}`,
  'a Host that is a broken address': `GET /livez HTTP/1.1\r\nHost: [::\r\n${CLOSE}`,
  'a Host of many colons': `GET /livez HTTP/1.1\r\nHost: a:b:c\r\n${CLOSE}`,
  'a number too large for an address': `GET /livez HTTP/1.1\r\nHost: 999.999.999.999\r\n${CLOSE}`,
  'a tunnel': `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n${CLOSE}`,
  'a tunnel without Host': `CONNECT example.com:443 HTTP/1.1\r\n${CLOSE}`,
  'no HTTP at all': 'hello\r\n\r\n',
  'a header without a name': `GET /livez HTTP/1.1\r\nHost: a\r\n: x\r\n${CLOSE}`,
  'two lengths': `POST /v1/embeds HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n${CLOSE}xx`,
  'a length and chunks': `POST /v1/embeds HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${CLOSE}0\r\n\r\n`,
};

test('refuses malformed messages with 400, each with a request id and a log line', async () => {
  const { send, logged } = await openRawService();
  for (const [fault, message] of Object.entries(MALFORMED)) {
    const reply = await send(message);
    expect([fault, reply]).toEqual([fault, expect.stringMatching(/^HTTP\/1\.1 400 Bad Request\r\n/)]);
    const [, requestId] = /\r\nx-request-id: ([\w.-]{8,64})\r\n/i.exec(reply) ?? [];
    expect(reply.toLowerCase()).toContain('content-type: application/problem+json');
    const problem = JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
    expect([fault, problem.code, problem.request_id]).toEqual([fault, 'malformed', requestId]);
    expect(DETAILS).toContain(problem.detail);
    expect(problem.detail.includes('CONNECT')).toBe(fault.includes('tunnel'));
    expect(reply.toLowerCase()).toContain('\r\nconnection: close\r\n');
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(reply) ?? [];
    expect(Number(length)).toBe(reply.length - reply.indexOf('{'));
    expect(logged.at(-1)).toMatchObject({ status: 400, message: 'request', requestId });
  }
  expect(logged.filter((line) => 'err' in line)).toEqual([]);
});

test('answers a complete request before it disconnects because of what follows', async () => {
  const { send } = await openRawService();
  for (const [path, status] of [
    ['/embed.js', 200],
    ['/v1/embeds', 401],
  ]) {
    const reply = await send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nhello\r\n\r\n`);
    expect([path, reply.match(/^HTTP\/1\.1 \d+/gm)]).toEqual([path, [`HTTP/1.1 ${status}`]]);
  }
});

const TARGETS = [
  '*',
  '//',
  '/%',
  '/%ZZ',
  '/v1/embeds/%00',
  '/\\',
  '/v1//embeds',
  '/..;/',
  '/?%',
  'x:y',
  'http://[',
  '/é',
];

test('any request target gets a response below 500', async () => {
  const { send } = await openRawService();
  const methods = ['GET', 'OPTIONS', 'POST', 'TRACE', 'PURGE'];
  for (const target of TARGETS) {
    const replies = await Promise.all(
      methods.map((method) => send(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${CLOSE}`)),
    );
    for (const reply of replies)
      expect([target, reply]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 [2-4]\d\d /)]);
  }
});

test('accepts HTTP/1.0 without Host, and refuses headers that are too large with 431', async () => {
  const { send } = await openRawService();
  expect(await send('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const reply = await send(`GET /livez HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n${CLOSE}`);
  expect(reply).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(reply).toContain('"detail":"The headers must be at most 16384 bytes in all.","code":"headers_too_large"');
});

test.each(['gzip, chunked', 'deflate,Chunked'])(
  'refuses the transfer coding %j, which it would read as it is',
  async (coding) => {
    const { send } = await openRawService();
    const head = `POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n`;
    const reply = await send(`${head}${CLOSE}2\r\n{}\r\n0\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
    expect(reply).toContain('"code":"not_implemented"');
  },
);

test('ignores expectations that it does not know', async () => {
  const { send, as, logged } = await openRawService();
  const { authorization } = await as('ada');
  const headers = `Host: a\r\nExpect: 200-ok\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 2`;
  const reply = await send(`POST /v1/embeds HTTP/1.1\r\n${headers}\r\n${CLOSE}{}`);
  expect(reply).toMatch(/^HTTP\/1\.1 422 /);
  expect(logged.at(-1)).toMatchObject({ path: '/v1/embeds', status: 422, message: 'request' });
});

test('ends a request with unfinished headers or body with 408', async () => {
  const { send, as } = await openRawService({}, NO_TELEMETRY, SHORT_TIMEOUTS);
  await expectRequestTimeouts(send, (await as('ada')).authorization);
});

test('reads a body in any number of chunks, and refuses one that is too large', async () => {
  const { send, as } = await openRawService();
  const { authorization } = await as('ada');
  const head = `POST /v1/embeds HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n`;
  const chunked = (parts: readonly string[]) =>
    `Transfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
  const pieces = ['page_url=https', '://example.com', '/'];
  expect(await send(head + chunked(pieces))).toMatch(/^HTTP\/1\.1 201 /);
  expect(await send(`${head}Content-Length: ${pieces.join('').length}\r\n\r\n${pieces.join('')}`)).toMatch(
    /^HTTP\/1\.1 201 /,
  );
  const large = Array(11).fill('x'.repeat(10_000));
  expect(await send(head + chunked(large))).toMatch(/^HTTP\/1\.1 413 /);
  expect(await send(`${head}Content-Length: 110000\r\n\r\n${large.join('')}`)).toMatch(/^HTTP\/1\.1 413 /);
});

test('closes the connection of a tunnel whose client does not, and answers the request before it first', async () => {
  const { open, send, listener } = await openRawService({}, NO_TELEMETRY, SHORT_TIMEOUTS);
  const tunnel = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n';
  const pipelined = await send(`GET /livez HTTP/1.1\r\nHost: a\r\n\r\n${tunnel}`);
  expect(pipelined.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
  const socket = open();
  socket.allowHalfOpen = true;
  socket.write(tunnel);
  const closed = new Promise((resolve) => socket.resume().once('close', resolve));
  await listener.close(30_000);
  socket.destroy();
  await closed;
});

test('closes without waiting for connections that sent nothing or half a request', async () => {
  const { listener, open, send } = await openRawService();
  const [silent, halfway] = [open().resume(), open().resume()];
  const closed = Promise.all(
    [silent, halfway].map(
      (socket) => new Promise<void>((resolve) => socket.on('error', () => {}).on('close', resolve)),
    ),
  );
  await new Promise<void>((resolve) => halfway.write('GET /livez HTTP/1.1\r\nHo', () => resolve()));
  await send(`GET /livez HTTP/1.1\r\nHost: a\r\n${CLOSE}`);
  await listener.close(60_000);
  await closed;
});

test('serves one more request of an idle connection while it stops, with Connection: close', async () => {
  const { listener } = await openRawService();
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 5_000 });
  const sendRequest = () =>
    new Promise<{ readonly connection: string | undefined; readonly isReused: boolean }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: listener.port, path: '/livez', agent });
      sent.on('error', reject).on('response', (response: IncomingMessage) => {
        response.resume().on('end', () => {
          resolve({ connection: response.headers.connection, isReused: sent.reusedSocket });
        });
      });
      sent.end();
    });
  expect(await sendRequest()).toEqual({ connection: 'keep-alive', isReused: false });
  const closed = listener.close(60_000);
  expect(await sendRequest()).toEqual({ connection: 'close', isReused: true });
  await closed;
  await expect(sendRequest()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('serves connections that were accepted just before it stopped listening', async () => {
  const { listener, send } = await openRawService();
  const responses = Array.from({ length: 40 }, () => send('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'));
  await listener.close(60_000);
  for (const reply of await Promise.all(responses)) {
    if (reply === '') continue;
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply.toLowerCase()).toContain('\r\nconnection: close\r\n');
  }
});

/** Opens an endless stream on a connection that the client reads at its own pace. */
async function openStream(read: (socket: Socket) => void, maxWaitMs = 300) {
  const body = new Readable({
    read() {
      this.push('x'.repeat(1_000));
    },
  });
  const reply = () => Promise.resolve({ status: 200, headers: {}, body });
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: reply, timeouts: { maxWaitMs } });
  const socket = connect(listener.port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    return listener.close(0);
  });
  const ended = Promise.all([
    new Promise<void>((resolve) => body.once('close', resolve)),
    new Promise<void>((resolve) => socket.on('error', () => {}).once('close', resolve)),
  ]);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  read(socket);
  return { body, socket, ended };
}

test('ends a stream that the client does not read', async () => {
  const { socket, ended, body } = await openStream((socket) => void socket.pause());
  await new Promise<void>((resolve) => body.once('close', resolve));
  // the client can still read the buffers of the network
  socket.resume();
  await ended;
});

test('ends a stream that the client reads too slowly to drain the buffer', async () => {
  const { socket, ended, body } = await openStream((socket) => {
    socket.pause();
    const reading = setInterval(() => socket.read(5), 10);
    onTestFinished(() => clearInterval(reading));
  });
  await new Promise<void>((resolve) => body.once('close', resolve));
  socket.resume();
  await ended;
});

test('continues a stream that the client reads as fast as it is sent', async () => {
  let length = 0;
  const { body, socket } = await openStream((socket) => {
    socket.on('data', (part) => {
      length += part.length;
    });
  }, 10_000);
  // several times the limit of the buffer and the buffers of the network
  await expect.poll(() => length > 20_000_000).toBe(true);
  expect([body.destroyed, socket.destroyed]).toEqual([false, false]);
});
