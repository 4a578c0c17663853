import { expect, onTestFinished, test } from 'vitest';
import { createArticleReader } from '../../../packages/reader/src/article-reader.ts';
import { articlePage } from '../site.ts';
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

test('the reader stops reading a page that takes too long, and reads the next', async () => {
  // enough for a small page, and too short for one of many links, which takes twice as long
  const reader = createArticleReader({ maxProcessorMs: 1_500, maxHeapMb: 2_048 });
  onTestFinished(() => reader.close());
  const jobOf = (html: string) => ({ html, url: 'https://baker.example/bread', robots: null });
  const readings = await Promise.all([
    reader.read(jobOf('<div><a href="/x">lorem ipsum dolor sit amet, </a></div>'.repeat(14_000))),
    reader.read(jobOf(articlePage('Bread'))),
  ]);
  expect(readings).toMatchObject([{ kind: 'unreadable', error: null }, { article: { title: 'Bread' } }]);
});
