import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createUnsentBound } from '../../../src/http/server/unsent-bytes.ts';

function openResponse(writableLength = 1) {
  const socket = {
    isClosed: false,
    destroy() {
      socket.isClosed = true;
    },
  };
  return Object.assign(new EventEmitter(), { writableLength, destroyed: false, req: { socket } });
}

/** Creates a bound of 10 bytes. */
function createBound() {
  const noteUnsent = createUnsentBound(10);
  return function note(body: string | Uint8Array, response = openResponse()) {
    noteUnsent(response as unknown as ServerResponse, body);
    return {
      isClosed: () => response.req.socket.isClosed,
      close: () => void response.emit('close'),
    };
  };
}

test('over the bound, the connection with the body that was requested least recently is closed', () => {
  const note = createBound();
  const responses = ['first', 'third'].map((text) => note(text));
  expect(responses.map(({ isClosed }) => isClosed())).toEqual([false, false]);
  responses.push(note('x'));
  expect(responses.map(({ isClosed }) => isClosed())).toEqual([true, false, false]);
});

test('a body that was read counts no longer', () => {
  const note = createBound();
  const kept = note('1234');
  for (let i = 0; i < 3; i++) note('123456').close();
  expect(kept.isClosed()).toBe(false);
});

test('equal texts count for each response', () => {
  const note = createBound();
  const responses = [note('123456'), note('123456')];
  expect(responses.map(({ isClosed }) => isClosed())).toEqual([true, false]);
});

test('bytes of a cache count once, until the last connection has read them', () => {
  const note = createBound();
  const bytes = new Uint8Array(6);
  const readers = [note(bytes), note(bytes)];
  readers[0]?.close();
  const other = note('1234');
  expect([readers[1]?.isClosed(), other.isClosed()]).toEqual([false, false]);
  // the bytes were requested before the other body
  const last = note('5');
  expect([readers[1]?.isClosed(), other.isClosed(), last.isClosed()]).toEqual([true, false, false]);
  readers[1]?.close();
  const kept = note(new Uint8Array(5));
  expect([other.isClosed(), last.isClosed()]).toEqual([false, false]);
  kept.close();
  for (let i = 0; i < 3; i++) note(bytes.subarray(0, 5)).close();
  expect([other.isClosed(), last.isClosed()]).toEqual([false, false]);
  note('567890');
  expect([other.isClosed(), last.isClosed()]).toEqual([true, false]);
});

test('a later request for bytes keeps the connections that wait for them', () => {
  const note = createBound();
  const bytes = new Uint8Array(5);
  const reader = note(bytes);
  const other = note('12345');
  note(bytes);
  note('6');
  expect([reader.isClosed(), other.isClosed()]).toEqual([false, true]);
});

test('a connection that was closed over the bound does not count again when it closes', () => {
  const note = createBound();
  const bytes = new Uint8Array(6);
  const closed = note(bytes);
  note('12345');
  expect(closed.isClosed()).toBe(true);
  const again = note(bytes);
  closed.close();
  const last = note('1234');
  expect([again.isClosed(), last.isClosed()]).toEqual([false, false]);
  note('5');
  expect(again.isClosed()).toBe(true);
});

test('responses that the system has taken, and those of closed connections, do not count', () => {
  const note = createBound();
  const kept = note('1234567890');
  note('taken', openResponse(0));
  note('gone', Object.assign(openResponse(), { destroyed: true }));
  expect(kept.isClosed()).toBe(false);
});
