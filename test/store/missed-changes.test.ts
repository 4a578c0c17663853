import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { type ChangeListener, type ChangeStream, openChanges } from '../../src/store/changes/changes.ts';
import { eventIdOf, type FeedChange, type FeedPosition } from '../../src/store/changes/feed.ts';

const START: FeedPosition = { mark: 'ab'.repeat(8), number: 0 };
const MISSED = 'Changes may have been missed';

/** Opens the changes of an account with a number of changes, of which all but the last `behind` were passed on. */
function openFeed(count: number, behind = 0) {
  const feed = { count, passed: count - behind, limits: [] as number[], onRead: () => {} };
  const changeAt = (number: number): FeedChange => {
    return { mark: START.mark, number, kind: 'UPDATED', accountId: 'ada', embedId: 'a', at: new Date(0) };
  };
  let listener: ChangeListener | undefined;
  const changes = openChanges((opened) => {
    listener = opened;
    return {
      publish: () => {},
      subscribe: () => ({
        ready: Promise.resolve(),
        position: () => ({ ...START, number: feed.passed }),
        unsubscribe: () => {},
      }),
      readPosition: async () => ({ ...START, number: feed.count }),
      async readAfter(_accountId, position, limit) {
        const from = (position?.number ?? 0) + 1;
        const length = Math.min(limit, feed.count - from + 1);
        feed.limits.push(limit);
        feed.onRead();
        return Array.from({ length }, (_, i) => changeAt(from + i));
      },
      close: () => {},
    };
  });
  onTestFinished(changes.close);
  /** Passes on the changes up to a number, which are committed by then. */
  function pass(number: number): void {
    feed.count = Math.max(feed.count, number);
    while (feed.passed < number) {
      feed.passed += 1;
      listener?.onChange(changeAt(feed.passed));
    }
  }
  return { feed, pass, follow: (after = START) => changes.follow('ada', eventIdOf(after)) };
}

async function readNumbers(stream: ChangeStream, count: number): Promise<readonly number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) numbers.push((await stream.next()).value?.number ?? 0);
  return numbers;
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('a stream reads the changes that it has missed in parts, when its reader needs them', async () => {
  const { feed, follow, pass } = openFeed(950);
  const stream = await follow();
  expect(await readNumbers(stream, 200)).toEqual(upTo(200));
  // those that are passed on meanwhile are read too
  pass(970);
  expect(feed.limits).toEqual([200]);
  expect(await readNumbers(stream, 770)).toEqual(upTo(970, 201));
  expect(feed.limits).toEqual(Array(5).fill(200));
  pass(1_300);
  expect(await readNumbers(stream, 330)).toEqual(upTo(1_300, 971));
  expect(feed.limits).toHaveLength(5);
});

test.each([0, 150, 200, 399, 400])(
  'a stream that has missed %i changes gets those once that are passed on during a read',
  async (count) => {
    const { feed, follow, pass } = openFeed(count, Math.min(count, 50));
    // before and after the database has found the changes
    feed.onRead = () => {
      pass(feed.passed + 30);
      queueMicrotask(() => pass(feed.passed + 30));
    };
    const stream = await follow();
    const numbers = await readNumbers(stream, count + 1);
    feed.onRead = () => {};
    pass(feed.count + 1);
    expect([...numbers, ...(await readNumbers(stream, feed.count - numbers.length))]).toEqual(upTo(feed.count));
  },
);

test('a stream continues after at most 10,000 missed changes', async () => {
  const { follow } = openFeed(10_001);
  await expect((await follow()).next()).rejects.toThrow(MISSED);
  const stream = await follow({ ...START, number: 1 });
  expect(await readNumbers(stream, 10_000)).toEqual(upTo(10_001, 2));
});

test('a stream repeats the read of missed changes while the database is away, and ends with another failure', async () => {
  const { feed, follow } = openFeed(500);
  const stream = await follow();
  await readNumbers(stream, 200);
  let failures: Error[] = [new Refusal('unavailable', 'away')];
  feed.onRead = () => {
    const failure = failures.pop();
    if (failure) throw failure;
  };
  expect(await readNumbers(stream, 200)).toEqual(upTo(400, 201));
  failures = [new Error('a bug')];
  await expect(stream.next()).rejects.toThrow('a bug');
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('a stream can be ended while it reads missed changes', async () => {
  const { feed, follow } = openFeed(500);
  const stream = await follow();
  await readNumbers(stream, 200);
  const next = stream.next();
  await stream.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(feed.limits).toHaveLength(2);
});
