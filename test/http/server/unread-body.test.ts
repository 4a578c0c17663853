import { expect, onTestFinished, test } from 'vitest';
import { reply } from '../../../src/http/reply.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { NO_TELEMETRY } from '../../../src/telemetry/telemetry.ts';
import { connectRaw, openRawService } from './open-raw-service.ts';
import { expectDiscardTimeout, HEAD, readUntil, SHORT_TIMEOUTS } from './slow-clients.ts';

const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

test('an error reaches a client that still sends its body, and the connection serves the next request', async () => {
  const { send, as } = await openRawService();
  const { authorization } = await as('ada');
  const json = { 'content-type': 'application/json' };
  for (const [status, path, more] of [
    [413, '/v1/embeds', { ...json, authorization }],
    [401, '/v1/embeds', json],
    [404, '/nowhere', { authorization }],
    [405, '/livez', { authorization }],
    [415, '/v1/embeds', { 'content-type': 'text/plain', 'content-encoding': 'gzip', authorization }],
  ] as const) {
    const headers = { ...more, 'content-length': '1000000' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`;
    const response = await send(`${head}${'x'.repeat(1_000_000)}${LIVEZ}`);
    expect([...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, found]) => found)).toEqual([String(status), '200']);
  }
});

test('a client that waits for 100 Continue receives the error instead, and the connection closes', async () => {
  // the listener closes, and not the end of the time for the body
  const { send, as } = await openRawService({}, NO_TELEMETRY, { discardMs: 600_000 });
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

test('a client that was sent 100 Continue for a body that is too large receives the error, and the connection stays', async () => {
  const { open, as } = await openRawService();
  const { authorization } = await as('ada');
  const socket = open();
  const expecting = 'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n';
  socket.write(`${HEAD}Authorization: ${authorization}\r\n${expecting}\r\n`);
  await readUntil(socket, /100 Continue\r\n\r\n/);
  socket.write(`${(200_000).toString(16)}\r\n${'x'.repeat(200_000)}\r\n`);
  const refused = await readUntil(socket, /\}$/);
  expect(refused).toMatch(/^HTTP\/1\.1 413 /);
  expect(refused.toLowerCase()).not.toContain('connection: close');
  socket.write(`0\r\n\r\n${LIVEZ}`);
  expect(await readUntil(socket, /ok"\}/)).toMatch(/HTTP\/1\.1 200 /);
});

test('closes the connection instead of reading more than 64 MB of a body that it does not use', async () => {
  const { open } = await openRawService();
  for (const [length, isClosed] of [
    [64_000_000, false],
    [64_000_001, true],
  ] as const) {
    const socket = open();
    socket.write(`${HEAD}Content-Length: ${length}\r\n\r\n`);
    const refused = await readUntil(socket, /\}$/);
    expect([length, refused.toLowerCase().includes('\r\nconnection: close\r\n')]).toEqual([length, isClosed]);
    socket.destroy();
  }
});

test('disconnects a client that sends more than 64 MB in chunks of a body that the service does not use', async () => {
  const { open } = await openRawService({}, NO_TELEMETRY, { discardMs: 600_000 });
  const socket = open();
  socket.on('error', () => {});
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
  await readUntil(socket, /\}$/);
  socket.resume();
  const chunk = `${(1_000_000).toString(16)}\r\n${'x'.repeat(1_000_000)}\r\n`;
  let sent = 0;
  while (sent < 200 && !socket.destroyed) {
    await new Promise((written) => socket.write(chunk, written));
    sent++;
  }
  expect(sent).toBeGreaterThan(64);
  expect(sent).toBeLessThan(200);
});

test('a response without a body reaches a client that still sends its own', async () => {
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: () => reply(null, { status: 204 }) });
  onTestFinished(() => listener.close(0));
  const socket = connectRaw(listener.port).open();
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
  expect(await readUntil(socket, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 204 /);
  socket.write('0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await readUntil(socket, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 204 /);
  socket.destroy();
});

test('closes the connection of a client that stops sending an unused body, also if it sent another request before', async () => {
  const { open, send } = await openRawService({}, NO_TELEMETRY, SHORT_TIMEOUTS);
  await expectDiscardTimeout(open);
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
  await listener.close(100);
  await closed;
});
