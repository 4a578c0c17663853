import { expect, test } from 'vitest';
import { intervalAfter, nextCheckAt } from '../../src/domain/watch.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-01-31T12:00:00Z');

test.each<[watch: string, hours: number, isChanged: boolean | null, expected: number]>([
  ['HOURLY', 4, true, 1],
  ['HOURLY', 4, null, 1],
  ['DAILY', 4, true, 23],
  ['DAILY', 4, null, 23],
  ['ADAPTIVE', 4, null, 4],
  ['ADAPTIVE', 4, true, 2],
  ['ADAPTIVE', 1, true, 1],
  ['ADAPTIVE', 1.5, true, 1],
  ['ADAPTIVE', 4, false, 8],
  ['ADAPTIVE', 20, false, 23],
  // of a later version
  ['WEEKLY', 4, false, 23],
])(
  'after an interval of a page that is watched %s of %d h, with the change %s, the next is %d h',
  (watch, hours, isChanged, expected) => {
    expect(intervalAfter(watch, hours * HOUR_MS, isChanged)).toBe(expected * HOUR_MS);
  },
);

/** Returns the shortest and the longest delay of many checks, in hours. */
function delaysOf(intervalMs: number, isUnreachable: boolean): readonly [shortest: number, longest: number] {
  const delays = Array.from(
    { length: 500 },
    () => nextCheckAt(NOW, intervalMs, isUnreachable).getTime() - NOW.getTime(),
  );
  return [Math.min(...delays) / HOUR_MS, Math.max(...delays) / HOUR_MS];
}

test('checks are spread over the last tenth of their interval', () => {
  const [shortest, longest] = delaysOf(10 * HOUR_MS, false);
  expect(shortest).toBeGreaterThanOrEqual(9);
  expect(shortest).toBeLessThan(9.2);
  expect(longest).toBeLessThanOrEqual(10);
  expect(longest).toBeGreaterThan(9.8);
  expect(Number.isInteger(nextCheckAt(NOW, HOUR_MS, false).getTime())).toBe(true);
});

test('a page that cannot be reached is checked again within an hour, and no later than its interval', () => {
  expect(delaysOf(10 * HOUR_MS, true)[1]).toBeLessThanOrEqual(1);
  expect(delaysOf(10 * HOUR_MS, true)[0]).toBeGreaterThanOrEqual(0.9);
  expect(delaysOf(HOUR_MS / 2, true)[1]).toBeLessThanOrEqual(0.5);
});
