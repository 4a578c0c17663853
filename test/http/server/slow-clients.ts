import type { Socket } from 'node:net';
import { expect } from 'vitest';
import type { Timeouts } from '../../../src/http/server/listen.ts';
import type { RawService } from './open-raw-service.ts';

/** Short enough to wait for in a test. */
export const SHORT_TIMEOUTS: Partial<Timeouts> = {
  headersMs: 300,
  requestMs: 600,
  checkIntervalMs: 50,
  discardMs: 300,
};

/** The head of a request without a token, before its length. */
export const HEAD = 'POST /v1/embeds HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** Expects 408 for unfinished headers and for an unfinished body. */
export async function expectRequestTimeouts(send: RawService['send'], authorization: string): Promise<void> {
  const head = `POST /v1/embeds HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n`;
  const body = 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
  for (const reply of await Promise.all([send(head), send(head + body)])) {
    expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(reply).toContain('"detail":"The request did not arrive in time.","code":"request_timeout"');
  }
}

/** Expects that the connection of a client that stops sending an unused body is closed. */
export async function expectDiscardTimeout(open: RawService['open']): Promise<void> {
  const socket = open();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
  expect(await readUntil(socket, /\}$/)).not.toMatch(/connection: close/i);
  await closed;
}

/** Reads until the received text matches the pattern. */
export function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
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
