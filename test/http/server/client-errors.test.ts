import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { reply } from '../../../src/http/reply.ts';
import { createClientErrorHandler } from '../../../src/http/server/client-errors.ts';

const EXTENSION_MS = 300;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
  onTestFinished(() => void vi.useRealTimers());
});

interface LateRequest {
  complete: boolean;
  readableFlowing: boolean | null;
}

interface Given {
  /** Of the last request of the connection; null without one. */
  readonly request?: LateRequest | null;
  readonly handle?: () => Promise<ReturnType<typeof reply>>;
}

/** Opens a connection on which a message was not complete in time. */
function openLate({ request = null, handle = async () => reply('Late.', { status: 408 }) }: Given = {}) {
  const headers: Record<string, unknown> = {};
  const socket = Object.assign(new EventEmitter(), {
    writable: true,
    destroyed: false,
    bytesRead: 10,
    bytesWritten: 20,
    sent: '',
    end(text: string) {
      socket.sent += text;
    },
    destroy() {
      socket.destroyed = true;
    },
  });
  function setHeader(name: string, value: unknown): void {
    headers[name] = value;
  }
  const respondTo = (req: LateRequest) => ({ req, headersSent: false, setHeader });
  const last = { response: request && respondTo(request) };
  const onClientError = createClientErrorHandler({
    findResponse: () => last.response as ServerResponse | null,
    handle,
    extensionMs: EXTENSION_MS,
  });
  const fail = (code: string) => onClientError(Object.assign(new Error(), { code }), socket as unknown as Socket);
  const nextTurn = () => vi.advanceTimersByTimeAsync(0);
  const extend = () => vi.advanceTimersByTimeAsync(EXTENSION_MS);
  function begin(req: LateRequest): void {
    last.response = respondTo(req);
  }
  return {
    socket,
    response: last.response,
    begin,
    headers,
    fail,
    timeOut: () => fail('ERR_HTTP_REQUEST_TIMEOUT'),
    nextTurn,
    extend,
  };
}

const LATE = 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 5\r\nconnection: close\r\n\r\nLate.';

test('half a request gets 408 in the next turn of the event loop', async () => {
  const { socket, timeOut, nextTurn } = openLate();
  timeOut();
  expect(socket.sent).toBe('');
  await nextTurn();
  expect(socket.sent).toBe(LATE);
  expect(socket.destroyed).toBe(false);
});

test('a client whose bytes the service had not read gets one extension', async () => {
  const { socket, timeOut, nextTurn, extend } = openLate();
  timeOut();
  socket.bytesRead++;
  await nextTurn();
  await vi.advanceTimersByTimeAsync(EXTENSION_MS - 1);
  expect(socket.sent).toBe('');
  // further bytes do not help
  socket.bytesRead++;
  await extend();
  expect(socket.sent).toContain('408');
});

test('a body that the service does not read is not late, and its client gets an extension afterwards', async () => {
  const request = { complete: false, readableFlowing: null as boolean | null };
  const { socket, timeOut, nextTurn, extend } = openLate({ request });
  timeOut();
  await nextTurn();
  for (let i = 0; i < 3; i++) await extend();
  request.readableFlowing = true;
  await extend();
  expect(socket.sent).toBe('');
  await extend();
  expect(socket.sent).toContain('408');
});

test('a body that the service reads is late like half a request', async () => {
  const { socket, timeOut, nextTurn } = openLate({ request: { complete: false, readableFlowing: true } });
  timeOut();
  await nextTurn();
  expect(socket.sent).toContain('408');
});

test.each<[string, (late: ReturnType<typeof openLate>) => void]>([
  ['has its response', ({ response }) => Object.assign(response ?? {}, { headersSent: true })],
  ['has a response of which bytes were sent', ({ socket }) => void socket.bytesWritten++],
  ['is complete now', ({ response }) => void Object.assign(response?.req ?? {}, { complete: true })],
  ['has lost its connection', ({ socket }) => socket.destroy()],
])('a late request that %s gets no 408', async (_state, change) => {
  const late = openLate({ request: { complete: false, readableFlowing: true } });
  const { socket, headers, timeOut, extend } = late;
  timeOut();
  change(late);
  const { destroyed } = socket;
  await extend();
  expect([headers, socket.sent, socket.destroyed]).toEqual([{}, '', destroyed]);
});

test('a request whose headers have arrived with the end of its time gets no 408', async () => {
  const late = openLate();
  late.timeOut();
  late.begin({ complete: true, readableFlowing: null });
  await late.extend();
  expect([late.headers, late.socket.sent, late.socket.destroyed]).toEqual([{}, '', false]);
});

test('half a request behind a complete one closes the connection after the response to that', async () => {
  const { socket, headers, timeOut, nextTurn } = openLate({ request: { complete: true, readableFlowing: null } });
  timeOut();
  await nextTurn();
  expect([headers, socket.sent, socket.destroyed]).toEqual([{ connection: 'close' }, '', false]);
});

test.each<[string, (late: ReturnType<typeof openLate>) => void]>([
  ['whose client has reset it', ({ fail }) => fail('ECONNRESET')],
  [
    'that cannot be written to',
    ({ socket, fail }) => {
      socket.writable = false;
      fail('HPE_INVALID_METHOD');
    },
  ],
  [
    'on which a response has begun',
    ({ response, fail }) => {
      Object.assign(response ?? {}, { headersSent: true });
      fail('HPE_INVALID_METHOD');
    },
  ],
])('a connection %s is closed without a response', async (_state, end) => {
  const late = openLate({ request: { complete: false, readableFlowing: true } });
  end(late);
  await late.nextTurn();
  expect([late.socket.sent, late.socket.destroyed]).toEqual(['', true]);
});

test('a connection is closed if the response to a malformed message fails', async () => {
  const { socket, fail, nextTurn } = openLate({ handle: () => Promise.reject(new Error('No memory.')) });
  fail('HPE_INVALID_METHOD');
  await nextTurn();
  expect([socket.sent, socket.destroyed]).toEqual(['', true]);
});
