import { expect, onTestFinished, test, vi } from 'vitest';
import type { Query } from '../../src/store/engine.ts';
import { openDatabaseClock, readClock } from '../../src/store/postgresql/database-clock.ts';

test('the clock of the database is that of its quickest response, at the start and later', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const aheadMs = 1_000_000;
  /** The times until the server reads its clock. It responds 1 ms later. */
  let delaysMs = [300, 40, 1, 8, 40];
  const query: Query = async () => {
    vi.advanceTimersByTime(delaysMs.shift() ?? 1);
    const serverMs = performance.now() + aheadMs;
    vi.advanceTimersByTime(1);
    return [{ serverMs }] as never;
  };
  const clock = openDatabaseClock(query, await readClock(query));
  onTestFinished(clock.stop);
  const errorMs = () => clock.now().getTime() - performance.now() - aheadMs;
  expect(errorMs()).toBe(0);

  // all are slow: the reading before counts
  delaysMs = [1_500, 1_500, 1_500, 1_500, 1_500];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(delaysMs).toEqual([]);
  expect(errorMs()).toBe(0);
});
