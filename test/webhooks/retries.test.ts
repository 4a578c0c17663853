import { expect, test } from 'vitest';
import { nextAttemptOf } from '../../src/webhooks/attempt.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-01-31T12:00:00Z');

const ENABLED = { disabledAt: null };
const FAILED = { type: 'embed.created', attempts: 1, createdAt: NOW, webhook: ENABLED };

test.each([
  [1, 5 * SECOND_MS],
  [2, 15 * SECOND_MS],
  [3, 45 * SECOND_MS],
  [8, 5 * SECOND_MS * 3 ** 7],
  [9, 6 * HOUR_MS],
  [20, 6 * HOUR_MS],
])('after %d attempts, the next one follows in %d ms, or up to a fifth later', (attempts, delayMs) => {
  const delays = Array.from({ length: 500 }, () => {
    const next = nextAttemptOf({ ...FAILED, attempts }, NOW);
    return Number(next) - NOW.getTime();
  });
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(delayMs);
  expect(Math.max(...delays)).toBeLessThanOrEqual(1.2 * delayMs);
  // they are spread
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(0.1 * delayMs);
});

test.each([
  ['a delivery of almost three days', { createdAt: new Date(NOW.getTime() - 3 * DAY_MS + 1) }, true],
  ['a delivery of three days', { createdAt: new Date(NOW.getTime() - 3 * DAY_MS) }, false],
  ['a test', { type: 'webhook.test' }, false],
  ['a delivery of a disabled webhook', { webhook: { disabledAt: NOW } }, false],
])('after a failed attempt of %s, another one follows: %s', (_what, facts, isRetried) => {
  expect(nextAttemptOf({ ...FAILED, ...facts }, NOW) !== null).toBe(isRetried);
});
