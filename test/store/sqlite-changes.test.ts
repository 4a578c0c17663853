import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { openSqliteChanges } from '../../src/store/sqlite/changes.ts';

const SECOND_MS = 1_000;
const MARK = 'ab'.repeat(8);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Opens the changes of a file with a number of changes, which all have one mark. */
function openChanges(count: number) {
  const file = { count, mark: MARK, oldest: 1, version: 1, reads: 0 };
  const passed: number[] = [];
  const missed: string[] = [];
  async function all({ sql, values }: Prisma.Sql) {
    if (sql.includes('changeCount')) return [{ number: file.count, mark: file.count > 0 ? file.mark : null }];
    file.reads++;
    const from = Math.max(Number(values[1]), file.oldest);
    const numbers = Array.from({ length: Math.max(0, file.count - from + 1) }, (_, i) => from + i);
    const row = { mark: file.mark, kind: 'CREATED', embedId: 'a', atMs: 0 };
    return numbers.slice(0, Number(values[2])).map((number) => ({ number, ...row }));
  }
  const changes = openSqliteChanges({ all } as Parameters<typeof openSqliteChanges>[0], () => file.version, {
    onChange: ({ number }) => void passed.push(number),
    onMissed: (accountId) => void missed.push(accountId),
    onSilence: () => {},
  });
  onTestFinished(changes.close);
  async function follow(accountId = 'ada') {
    const subscription = changes.subscribe(accountId);
    await subscription.ready;
    return subscription;
  }
  const publish = async (accountId = 'ada') => {
    changes.publish({ accountId } as Parameters<typeof changes.publish>[0]);
    await nextTurn();
  };
  async function wait(): Promise<void> {
    vi.advanceTimersByTime(SECOND_MS);
    await nextTurn();
  }
  return { file, passed, missed, follow, publish, wait };
}

test('passes on each change after the start once, also if many came at once', async () => {
  const { file, passed, missed, follow, publish } = openChanges(3);
  const { position } = await follow();
  await publish();
  expect([passed, position().number]).toEqual([[], 3]);
  for (const [before, after] of [
    [3, 4],
    [4, 4],
    [4, 504],
    [504, 1_604],
  ] as const) {
    file.count = after;
    const { reads } = file;
    await publish();
    expect(passed.splice(0)).toEqual(Array.from({ length: after - before }, (_, i) => before + 1 + i));
    expect(file.reads - reads).toBe(1 + Math.floor((after - before) / 500));
  }
  expect([missed, position().number]).toEqual([[], 1_604]);
});

test('reads the changes of other processes each second, if one has written', async () => {
  const { file, passed, follow, wait } = openChanges(0);
  await follow();
  await wait();
  const { reads } = file;
  file.count = 1;
  await wait();
  expect([passed, file.reads]).toEqual([[], reads]);
  file.version = 2;
  await wait();
  expect(passed).toEqual([1]);
});

test('reads nothing for accounts that nobody follows any more', async () => {
  const { file, passed, follow, publish, wait } = openChanges(0);
  const [ada, bob] = [await follow('ada'), await follow('bob')];
  const later = await follow('ada');
  // a later subscription of the account stays
  ada.unsubscribe();
  file.count = 1;
  await publish('ada');
  expect(passed).toEqual([1]);
  later.unsubscribe();
  const { reads } = file;
  await publish('ada');
  expect(file.reads).toBe(reads);
  file.version = 2;
  await wait();
  expect(file.reads).toBe(reads + 1);
  bob.unsubscribe();
  expect(vi.getTimerCount()).toBe(0);
  await follow('ada');
  expect(vi.getTimerCount()).toBe(1);
});

test.each<[string, (file: { mark: string; oldest: number; count: number }) => void]>([
  ['were deleted', (file) => Object.assign(file, { oldest: 9, count: 9 })],
  ['are of another file', (file) => Object.assign(file, { mark: 'cd'.repeat(8), count: 5 })],
])('says that changes are missed if those after the position %s', async (_state, change) => {
  const { file, passed, missed, follow, publish } = openChanges(3);
  await follow();
  change(file);
  await publish();
  expect([passed, missed]).toEqual([[], ['ada']]);
});
