import { expect, test } from 'vitest';
import { createTurns } from '../../../src/http/turns.ts';
import { openApp } from '../../open-app.ts';

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Counts the turns of the event loop until the work is done, and returns how often each turn called `note`. */
async function countByTurn(work: (note: () => void) => Promise<unknown>): Promise<readonly number[]> {
  const counts = [0];
  let isOver = false;
  const countTurn = () => {
    counts.push(0);
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await work(() => counts.push((counts.pop() ?? 0) + 1));
  isOver = true;
  return counts;
}

test('begins work in order, and none after 20 ms of a turn, also if the work continues in microtasks', async () => {
  const begun: number[] = [];
  const counts = await countByTurn((note) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const beginInTurn = createTurns();
    for (let i = 0; i < 30; i++) {
      beginInTurn(() => {
        begun.push(i);
        note();
        queueMicrotask(() => block(6));
        if (i === 29) resolve();
      });
    }
    return promise;
  });
  expect(begun).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(Math.max(...counts)).toBeLessThanOrEqual(5);
});

test('many new documents are checked in several turns of the event loop', async () => {
  const ada = await (await openApp()).as('ada');
  const documentOf = (i: number) => `query Q${i} { ${'__typename '.repeat(900)} }`;
  await ada.graphql(documentOf(0));
  const counts = await countByTurn((note) => {
    const checks = Array.from({ length: 40 }, (_, i) => ada.graphql(documentOf(i + 1)).then(note));
    return Promise.all(checks);
  });
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(2);
});
