import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { createBatcher } from '../../src/store/performance/batcher.ts';

/** Work whose moments the test decides. */
function openWork() {
  const begun: { readonly asks: readonly string[]; readonly end: (answers: readonly string[]) => void }[] = [];
  const ask = createBatcher<string, string>((asks) => new Promise((resolve) => begun.push({ asks, end: resolve })), {
    maxBatchSize: 3,
  });
  return { begun, ask };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const twoTurns = async () => {
  await nextTurn();
  await nextTurn();
};

test('what waits in two turns is done together, and each gets its own answer', async () => {
  const { begun, ask } = openWork();
  const first = ask('a');
  await nextTurn();
  expect(begun).toEqual([]);
  const answers = Promise.all([first, ask('b')]);
  await nextTurn();
  expect(begun.map(({ asks }) => asks)).toEqual([['a', 'b']]);
  begun[0]?.end(['A', 'B']);
  expect(await answers).toEqual(['A', 'B']);
});

test('what is asked for twice is done once', async () => {
  const { begun, ask } = openWork();
  const answers = Promise.all(['a', 'b', 'a', 'a', 'a'].map(ask));
  await twoTurns();
  expect(begun.map(({ asks }) => asks)).toEqual([['a', 'b']]);
  begun[0]?.end(['A', 'B']);
  expect(await answers).toEqual(['A', 'B', 'A', 'A', 'A']);
});

test('nobody joins work that has begun', async () => {
  const { begun, ask } = openWork();
  const early = ask('same');
  await twoTurns();
  const late = ask('same');
  await twoTurns();
  expect(begun).toHaveLength(2);
  begun[0]?.end(['before']);
  begun[1]?.end(['after']);
  expect([await early, await late]).toEqual(['before', 'after']);
});

test('no more are done together than the bound says, in the order in which they came', async () => {
  const { begun, ask } = openWork();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void ask(name);
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(begun.map(({ asks }) => asks.join(''))).toEqual(['abc', 'def', 'g']);
});

test('a fault is for the one whose fault it is, a refusal for all', async () => {
  const tried: string[] = [];
  const ask = createBatcher<string, string>(
    async (asks) => {
      tried.push(asks.join(''));
      if (asks.includes('x')) throw new Error('x is at fault');
      if (asks.includes('busy')) throw new Refusal('unavailable', 'busy');
      return asks.map((name) => name.toUpperCase());
    },
    { maxBatchSize: 10 },
  );
  const outcomes = async (names: string[]) =>
    (await Promise.allSettled(names.map(ask))).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
    );
  expect(await outcomes(['a', 'x', 'b'])).toEqual(['A', 'x is at fault', 'B']);
  expect(tried).toEqual(['axb', 'a', 'x', 'b']);
  expect(await outcomes(['a', 'busy', 'b'])).toEqual(['busy', 'busy', 'busy']);
  expect(tried).toEqual(['axb', 'a', 'x', 'b', 'abusyb']);
});
