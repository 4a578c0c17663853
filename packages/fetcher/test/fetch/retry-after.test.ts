import { expect, onTestFinished, test, vi } from 'vitest';
import { parseRetryAfterMs } from '../../src/fetch/retry-after.ts';

const NOON = 'Sat, 01 Aug 2026 12:00:00 GMT';
const LATER = 'Sat, 01 Aug 2026 12:00:30 GMT';

test.each<[string, string | undefined, number | null]>([
  ['120', undefined, 120_000],
  [' 7 ', NOON, 7_000],
  ['0', undefined, null],
  [LATER, NOON, 30_000],
  [NOON, NOON, null],
  [NOON, LATER, null],
  ['-5', NOON, null],
  ['1 Aug 2026 12:00:30 GMT', NOON, 30_000],
  ['2026-08-01T12:00:30+00:00', NOON, 30_000],
  ['soon', NOON, null],
  ['', NOON, null],
])('Retry-After: %j, sent at %j, asks for %j ms', (retryAfter, date, expected) => {
  expect(parseRetryAfterMs(retryAfter, date)).toBe(expected);
});

test('a response without Retry-After asks for nothing', () => {
  expect(parseRetryAfterMs()).toBeNull();
});

test.each([undefined, 'today'])('a date counts from now if the response was sent at %j', (date) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOON) });
  onTestFinished(() => void vi.useRealTimers());
  expect(parseRetryAfterMs(LATER, date)).toBe(30_000);
});
