import { expect, onTestFinished, test } from 'vitest';
import { openInternet, openWebHost } from './internet.ts';

test('a fetch times out after five seconds by default', async () => {
  const site = await openWebHost();
  onTestFinished(site.close);
  const { fetcher, calls } = openInternet(site, () => new Promise(() => {}));
  const startedAt = performance.now();
  expect(await fetcher.fetch('http://site.example/')).toEqual({ kind: 'failed', reason: 'timeout' });
  const took = performance.now() - startedAt;
  expect(took).toBeGreaterThan(4_900);
  expect(took).toBeLessThan(6_000);
  expect(calls).toEqual([]);
});
