import { expect, onTestFinished, test } from 'vitest';
import { articlePage, hardPage } from '../../../test/pages/site.ts';
import { createArticleReader, MAX_QUEUED, type ReadJob } from '../src/article-reader.ts';

const DROPPED = { kind: 'dropped' };
const UNREADABLE = { kind: 'unreadable', error: null };

function openReader(limits: { maxHeapMb?: number } = {}) {
  const reader = createArticleReader(limits);
  onTestFinished(() => reader.close());
  return reader;
}

function job(title: string, html = articlePage(title)): ReadJob {
  return { html, url: 'https://baker.example/bread', robots: null };
}

test('reads pages in the order of the calls, and drops pages over the bound of the queue, and all when it is closed', async () => {
  const reader = openReader();
  expect(await reader.read(job('Bread'))).toMatchObject({
    article: { title: 'Bread', content: expect.stringContaining('<p>') },
  });
  const titles = ['Flour', 'Water', 'Time'];
  const done: string[] = [];
  await Promise.all(titles.map((title) => reader.read(job(title)).then(() => done.push(title))));
  expect(done).toEqual(titles);

  // a bug of its own is an error
  const broken = { ...job('Broken'), url: 'not a URL' };
  const readings = await Promise.all([reader.read(broken), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([
    { kind: 'unreadable', error: expect.any(TypeError) },
    { article: { title: 'Bread' } },
  ]);

  const accepted = Array.from({ length: 1 + MAX_QUEUED }, (_, i) => reader.read(job(`Page ${i}`)));
  expect(await Promise.race([reader.read(job('One too many')), accepted[0]])).toEqual(DROPPED);
  expect(await Promise.all(accepted)).toMatchObject(accepted.map((_, i) => ({ article: { title: `Page ${i}` } })));
  expect(await reader.read(job('Bread'))).toMatchObject({ article: { title: 'Bread' } });

  const dropped = [reader.read(job('Hard', hardPage())), reader.read(job('Salt'))];
  reader.close();
  expect(await Promise.all(dropped)).toEqual([DROPPED, DROPPED]);
  expect(await reader.read(job('Bread'))).toEqual(DROPPED);
});

test('stops reading a page that takes too much memory, and reads the next', async () => {
  const reader = openReader({ maxHeapMb: 32 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage())), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([UNREADABLE, { article: { title: 'Bread' } }]);
});
