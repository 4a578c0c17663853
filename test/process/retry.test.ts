import { expect, test } from 'vitest';
import { retry } from '../../src/retry.ts';

const HOUR_MS = 3_600_000;

/** Creates work that fails some times, with a number in the error. */
function failing(times: number) {
  let tries = 0;
  return () => {
    tries++;
    if (tries <= times) throw new Error(String(tries));
    return tries;
  };
}

test('repeats work until it succeeds, or fails with an error that no try would change', async () => {
  expect(await retry(failing(2), () => 0)).toBe(3);
  const work = failing(5);
  const isLast = (error: unknown) => (error as Error).message === '2';
  await expect(retry(work, (error) => (isLast(error) ? null : 0))).rejects.toThrow('2');
  expect(await retry(work, () => 0)).toBe(6);
});

test('begins no try after its time', async () => {
  await expect(retry(failing(2), () => 0, { forMs: 0 })).rejects.toThrow('1');
});

test('an abort ends the pause, and no further try begins', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const work = failing(2);
  const pauseAfter = () => {
    setImmediate(() => controller.abort());
    return HOUR_MS;
  };
  await expect(retry(work, pauseAfter, { signal })).rejects.toThrow('1');
  await expect(retry(work, () => HOUR_MS, { signal })).rejects.toThrow('2');
  expect(work()).toBe(3);
});
