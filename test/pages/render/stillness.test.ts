import { expect, test } from 'vitest';
import { PATIENCE, waitUntilStill } from '../../../src/pages/render/stillness.ts';

test('reads a long text in which a clock ticks while the page polls, and waits for one that grows', async () => {
  const polling = {
    inFlight: 0,
    get lastActivityMs() {
      return performance.now();
    },
  };
  let looks = 0;
  const signal = AbortSignal.timeout(60_000);
  const ticking = async () => ({ length: 2_000 + (looks % 3), hash: ++looks });
  expect(await waitUntilStill(polling, ticking, signal, PATIENCE.first)).toBeGreaterThanOrEqual(2_000);
  expect(signal.aborted).toBe(false);
  looks = 0;
  const growing = async () => ({ length: Math.min(2_000 + ++looks * 100, 5_000), hash: looks });
  expect(await waitUntilStill(polling, growing, signal, PATIENCE.first)).toBe(5_000);
  expect(signal.aborted).toBe(false);
});
