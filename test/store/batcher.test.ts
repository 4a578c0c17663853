import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { createBatcher } from '../../src/store/performance/batcher.ts';

/** Creates a batcher whose batches the test completes. */
function openBatcher() {
  const batches: { readonly items: readonly string[]; readonly complete: (results: readonly string[]) => void }[] = [];
  const run = createBatcher<string, string>(
    (items) => new Promise((resolve) => batches.push({ items, complete: resolve })),
    {
      maxBatchSize: 3,
    },
  );
  return { batches, run };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const twoTurns = async () => {
  await nextTurn();
  await nextTurn();
};

test('items of two turns of the event loop are one batch, and each gets its own result', async () => {
  const { batches, run } = openBatcher();
  const first = run('a');
  await nextTurn();
  expect(batches).toEqual([]);
  const results = Promise.all([first, run('b')]);
  await nextTurn();
  expect(batches.map(({ items }) => items)).toEqual([['a', 'b']]);
  batches[0]?.complete(['A', 'B']);
  expect(await results).toEqual(['A', 'B']);
});

test('equal items share one result', async () => {
  const { batches, run } = openBatcher();
  const results = Promise.all(['a', 'b', 'a', 'a', 'a'].map(run));
  await twoTurns();
  expect(batches.map(({ items }) => items)).toEqual([['a', 'b']]);
  batches[0]?.complete(['A', 'B']);
  expect(await results).toEqual(['A', 'B', 'A', 'A', 'A']);
});

test('no item joins a batch that has started', async () => {
  const { batches, run } = openBatcher();
  const early = run('same');
  await twoTurns();
  const late = run('same');
  await twoTurns();
  expect(batches).toHaveLength(2);
  batches[0]?.complete(['before']);
  batches[1]?.complete(['after']);
  expect([await early, await late]).toEqual(['before', 'after']);
});

test('a batch is no larger than its maximum, and batches run in order of arrival', async () => {
  const { batches, run } = openBatcher();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void run(name);
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(batches.map(({ items }) => items.join(''))).toEqual(['abc', 'def', 'g']);
});

test('after an error each item is retried alone, and a refusal rejects the whole batch', async () => {
  const tried: string[] = [];
  const run = createBatcher<string, string>(
    async (items) => {
      tried.push(items.join(''));
      if (items.includes('x')) throw new Error('x is at fault');
      if (items.includes('busy')) throw new Refusal('unavailable', 'busy');
      return items.map((name) => name.toUpperCase());
    },
    { maxBatchSize: 10 },
  );
  const outcomes = async (names: string[]) =>
    (await Promise.allSettled(names.map(run))).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
    );
  expect(await outcomes(['a', 'x', 'b'])).toEqual(['A', 'x is at fault', 'B']);
  expect(tried).toEqual(['axb', 'a', 'x', 'b']);
  expect(await outcomes(['a', 'busy', 'b'])).toEqual(['busy', 'busy', 'busy']);
  expect(tried).toEqual(['axb', 'a', 'x', 'b', 'abusyb']);
});
