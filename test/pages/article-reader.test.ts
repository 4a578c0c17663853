import { expect, onTestFinished, test } from 'vitest';
import { createArticleReader, MAX_WAITING, type ReadJob } from '../../src/pages/article-reader.ts';
import { articlePage, hardPage } from './site.ts';

function openReader(limits: { timeoutMs?: number; maxHeapMb?: number } = {}) {
  const bugs: unknown[] = [];
  const reader = createArticleReader({ onBug: (error) => bugs.push(error), ...limits });
  onTestFinished(() => reader.close());
  return { reader, bugs };
}

function job(title: string, html = articlePage(title)): ReadJob {
  return { html, url: 'https://baker.example/bread', robots: null };
}

test('reads one page after the other, in the order in which they came', async () => {
  const { reader } = openReader();
  expect(await reader.read(job('Bread'))).toMatchObject({ title: 'Bread', content: expect.stringContaining('<p>') });
  expect(await reader.read(job('Salt'))).toMatchObject({ title: 'Salt' });
  const titles = ['Flour', 'Water', 'Time'];
  const done: string[] = [];
  await Promise.all(titles.map((title) => reader.read(job(title)).then(() => done.push(title))));
  expect(done).toEqual(titles);
});

test('gives up a page that takes too long, and reads the next', async () => {
  // long enough for a small page even on a busy machine, and far too short for ten hard ones
  const { reader, bugs } = openReader({ timeoutMs: 1_000, maxHeapMb: 2_048 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage().repeat(10))), reader.read(job('Bread'))]);
  expect(readings).toEqual(['unreadable', expect.objectContaining({ title: 'Bread' })]);
  expect(bugs).toEqual([]);
});

test('gives up a page that takes too much memory, and reads the next', async () => {
  const { reader, bugs } = openReader({ maxHeapMb: 32 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage())), reader.read(job('Bread'))]);
  expect(readings).toEqual(['unreadable', expect.objectContaining({ title: 'Bread' })]);
  expect(bugs).toEqual([]);
});

test('survives a failure of its own, tells of it, and reads the next', async () => {
  const { reader, bugs } = openReader();
  const broken = { ...job('Broken'), url: 'no URL' };
  const readings = await Promise.all([reader.read(broken), reader.read(job('Bread'))]);
  expect(readings).toEqual(['unreadable', expect.objectContaining({ title: 'Bread' })]);
  expect(bugs).toEqual([expect.any(TypeError)]);
});

test('drops at once what would have to wait behind too many', async () => {
  const { reader } = openReader();
  const accepted = Array.from({ length: 1 + MAX_WAITING }, (_, i) => reader.read(job(`Page ${i}`)));
  expect(await Promise.race([reader.read(job('One too many')), accepted[0]])).toBe('dropped');
  expect(await Promise.all(accepted)).toEqual(accepted.map((_, i) => expect.objectContaining({ title: `Page ${i}` })));
  expect(await reader.read(job('Bread'))).toMatchObject({ title: 'Bread' });
});

test('drops all when it is closed, in the middle of a page too', async () => {
  const { reader, bugs } = openReader();
  await reader.read(job('Bread'));
  const readings = [reader.read(job('Hard', hardPage())), reader.read(job('Salt'))];
  reader.close();
  expect(await Promise.all(readings)).toEqual(['dropped', 'dropped']);
  expect(await reader.read(job('Bread'))).toBe('dropped');
  expect(bugs).toEqual([]);
});
