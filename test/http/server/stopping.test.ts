import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Reply, reply } from '../../../src/http/reply.ts';
import { OK, openListener, openUsed, REQUEST } from './open-listener.ts';
import { readUntil } from './slow-clients.ts';

test('closes idle connections soon after it began to stop', async () => {
  const { listener, open } = await openListener({ timeouts: { lastRequestMs: 100 } });
  const idle = await openUsed(open);
  await Promise.all([once(idle, 'close'), listener.close(60_000)]);
});

/** Opens a connection whose request waits for its reply. */
async function openWaiting() {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const begun = Promise.withResolvers<void>();
  const answer = () => {
    begun.resolve();
    return promise;
  };
  const { listener, open } = await openListener({ handle: answer });
  const socket = open();
  socket.write(REQUEST);
  await begun.promise;
  return { listener, open, socket, answer: resolve };
}

test('1 s after a stop, connections without a byte are closed, and half a request is still completed and answered', async () => {
  const { listener, open, socket, answer } = await openWaiting();
  const [silent, halfway] = [
    open()
      .on('error', () => {})
      .resume(),
    open(),
  ];
  await new Promise<void>((done) => halfway.write('GET / HTTP/1.1\r\nHo', () => done()));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = listener.close(60_000);
  // that of the grace, and that of connections without a byte
  await expect.poll(() => vi.getTimerCount()).toBe(2);
  const silentClosed = once(silent, 'close');
  vi.advanceTimersByTime(1_000);
  await silentClosed;
  const answered = [readUntil(socket, OK), readUntil(halfway, OK)];
  halfway.write('st: a\r\n\r\n');
  answer(reply(null));
  await Promise.all([...answered, closed]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a response to a request from before the stop says Connection: close', async () => {
  const { listener, socket, answer } = await openWaiting();
  const answered = readUntil(socket, OK);
  const closed = listener.close(60_000);
  answer(reply(null));
  expect((await answered).toLowerCase()).toContain('\r\nconnection: close\r\n');
  await closed;
});

test('a response that is sent after a stop began arrives once no connection is accepted any longer', async () => {
  const { listener, open, socket, answer } = await openWaiting();
  const answered = readUntil(socket, OK);
  const closed = listener.close(60_000);
  answer(reply(null));
  await answered;
  await expect(once(open(), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await closed;
});

test('a request without a response is disconnected at the end of the grace of a stop', async () => {
  const { listener, socket } = await openWaiting();
  socket.on('error', () => {}).resume();
  await Promise.all([once(socket, 'close'), listener.close(100)]);
});

test('half a request may be completed after idle connections were closed', async () => {
  const { listener, open } = await openListener({ timeouts: { lastRequestMs: 50 } });
  const [used, halfway] = [await openUsed(open), open()];
  await new Promise<void>((done) => halfway.write('GET / HTTP/1.1\r\nHo', () => done()));
  const answered = readUntil(halfway, OK);
  const closed = listener.close(60_000);
  used.once('close', () => halfway.write('st: a\r\n\r\n'));
  await Promise.all([answered, closed]);
});

/** Opens a listener, and stops its clock. */
async function openUnderFakeClock() {
  const { listener, open } = await openListener();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  /** Returns whether the listener accepts a connection. */
  async function connect(): Promise<boolean> {
    const socket = open();
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isConnected;
  }
  return { listener, connect };
}

test('a listener that stops accepts connections for 300 ms while they arrive, and then until a turn brings none', async () => {
  const { listener, connect } = await openUnderFakeClock();
  const closed = listener.close(60_000);
  for (let i = 0; i < 10; i++) {
    await pause(5);
    expect([i, await connect()]).toEqual([i, true]);
  }
  vi.advanceTimersByTime(300);
  let more = 0;
  for (; more < 100 && (await connect()); more++) await pause(5);
  expect(more).toBeLessThan(100);
  await closed;
});

test('a listener that stops accepts connections for half of the grace, if no turn is short', async () => {
  const { listener, connect } = await openUnderFakeClock();
  const graceMs = 10_000_000;
  let isBusy = true;
  onTestFinished(() => {
    isBusy = false;
  });
  const takeLong = () => {
    if (!isBusy) return;
    vi.advanceTimersByTime(1);
    setImmediate(takeLong);
  };
  const closed = listener.close(graceMs);
  takeLong();
  for (let i = 0; i < 10; i++) {
    await pause(5);
    expect([i, await connect()]).toEqual([i, true]);
  }
  vi.advanceTimersByTime(graceMs / 2);
  for (let turns = 0; turns < 5; turns++) await nextTurn();
  expect(await connect()).toBe(false);
  await closed;
});
