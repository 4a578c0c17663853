import { expect, onTestFinished, test } from 'vitest';
import { createArticleReader, MAX_QUEUED, type ReadJob } from '../../src/pages/article-reader.ts';
import { articlePage, hardPage } from './site.ts';

const DROPPED = { kind: 'dropped' };
const UNREADABLE = { kind: 'unreadable', error: null };

function openReader(limits: { timeoutMs?: number; maxHeapMb?: number } = {}) {
  const reader = createArticleReader(limits);
  onTestFinished(() => reader.close());
  return reader;
}

function job(title: string, html = articlePage(title)): ReadJob {
  return { html, url: 'https://baker.example/bread', robots: null };
}

test('reads one page after the other, in the order of the calls', async () => {
  const reader = openReader();
  expect(await reader.read(job('Bread'))).toMatchObject({
    article: { title: 'Bread', content: expect.stringContaining('<p>') },
  });
  expect(await reader.read(job('Salt'))).toMatchObject({ article: { title: 'Salt' } });
  const titles = ['Flour', 'Water', 'Time'];
  const done: string[] = [];
  await Promise.all(titles.map((title) => reader.read(job(title)).then(() => done.push(title))));
  expect(done).toEqual(titles);
});

test('stops reading a page that takes too long, and reads the next', async () => {
  // enough for a small page even on a busy machine, and far too short for ten hard ones
  const reader = openReader({ timeoutMs: 1_000, maxHeapMb: 2_048 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage().repeat(10))), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([UNREADABLE, { article: { title: 'Bread' } }]);
});

test('stops reading a page that takes too much memory, and reads the next', async () => {
  const reader = openReader({ maxHeapMb: 32 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage())), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([UNREADABLE, { article: { title: 'Bread' } }]);
});

test('returns a bug of its own as an error, and reads the next page', async () => {
  const reader = openReader();
  const broken = { ...job('Broken'), url: 'not a URL' };
  const readings = await Promise.all([reader.read(broken), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([
    { kind: 'unreadable', error: expect.any(TypeError) },
    { article: { title: 'Bread' } },
  ]);
});

test('drops a page at once when the queue is full', async () => {
  const reader = openReader();
  const accepted = Array.from({ length: 1 + MAX_QUEUED }, (_, i) => reader.read(job(`Page ${i}`)));
  expect(await Promise.race([reader.read(job('One too many')), accepted[0]])).toEqual(DROPPED);
  expect(await Promise.all(accepted)).toMatchObject(accepted.map((_, i) => ({ article: { title: `Page ${i}` } })));
  expect(await reader.read(job('Bread'))).toMatchObject({ article: { title: 'Bread' } });
});

test('drops all pages when it is closed, including the one being read', async () => {
  const reader = openReader();
  await reader.read(job('Bread'));
  const readings = [reader.read(job('Hard', hardPage())), reader.read(job('Salt'))];
  reader.close();
  expect(await Promise.all(readings)).toEqual([DROPPED, DROPPED]);
  expect(await reader.read(job('Bread'))).toEqual(DROPPED);
});
