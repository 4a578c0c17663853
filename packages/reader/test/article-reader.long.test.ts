import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { articlePage, hardPage } from '../../../test/pages/site.ts';
import type { FormJob } from '../src/article-forms.ts';
import { createArticleReader, MAX_QUEUED, type ReadJob } from '../src/article-reader.ts';

const DROPPED = { kind: 'dropped' };
const UNREADABLE = { kind: 'unreadable', error: null };

function openReader(limits: Parameters<typeof createArticleReader>[0] = {}) {
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
  const reader = openReader({ maxHeapMb: 32, busyTimeoutMs: 120_000 });
  const readings = await Promise.all([reader.read(job('Hard', hardPage())), reader.read(job('Bread'))]);
  expect(readings).toMatchObject([UNREADABLE, { article: { title: 'Bread' } }]);
});

test.skipIf(process.platform !== 'linux')('counts processor time, not the time that a busy machine takes', async () => {
  const limited = openReader({ maxProcessorMs: 1_000, maxHeapMb: 2_048 });
  expect(await limited.read(job('Hard', hardPage()))).toEqual(UNREADABLE);
  limited.close();

  const reader = openReader({ busyTimeoutMs: 12_000, maxHeapMb: OWN_HEAP_MB });
  reader.start();
  expect(await reader.read(job('Bread'))).toMatchObject({ article: { title: 'Bread' } });
  for (const pid of workers()) process.kill(pid, 'SIGSTOP');
  expect(await reader.read(job('Bread'))).toEqual(DROPPED);
  await expect.poll(workers).toEqual([]);
});

/** Tells the reader of a test from those of other tests in this process. */
const OWN_HEAP_MB = 301;

/** Returns the processes of the readers with {@link OWN_HEAP_MB}. */
function workers(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        const isOwn = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--max-old-space-size=${OWN_HEAP_MB}\0`);
        return isOwn && state !== 'Z' && Number(parent) === process.pid ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}

const formJob = (content: string) =>
  ({ form: 'text', article: { content, hero: null, language: null } }) satisfies FormJob;

test('cuts parts after the pages that wait, then makes other forms, and drops those over 32 MB that wait', async () => {
  const reader = openReader();
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  const first = reader.read(job('Bread')).then(note('first page'));
  const form = reader.makeForm(formJob('<p>Salt</p>'));
  const part = reader.makeForm({ ...formJob('<p id="s-salt">Salt</p>'), form: 'part', anchor: 'salt' });
  const cut = part.then(note('part'));
  const second = reader.read(job('Flour')).then(note('second page'));
  expect(await form).toEqual({ kind: 'form', form: 'Salt' });
  await Promise.all([first, second, cut]);
  expect(done).toEqual(['first page', 'second page', 'part']);
  expect(await part).toMatchObject({ form: { content: '<p id="s-salt">Salt</p>', anchor: 's-salt' } });

  const large = formJob('x'.repeat(16_000_000));
  const waiting = [reader.read(job('Water')), ...[large, large, formJob('x')].map((each) => reader.makeForm(each))];
  expect(await waiting.at(-1)).toEqual(DROPPED);
  expect(await reader.makeForm({ ...formJob('x'), form: 'part', anchor: 'x' })).toEqual({ kind: 'form', form: null });
  reader.close();
  expect(await reader.makeForm(formJob('x'))).toEqual(DROPPED);
});

test('stops making a form that takes too much time, and goes on', async () => {
  const reader = openReader({ maxProcessorMs: 2_000 });
  const slow = { ...formJob('<p>a <em>b</em> c</p>'.repeat(200_000)), form: 'markdown' } as const;
  const results = await Promise.all([reader.makeForm(slow), reader.makeForm(formJob('<p>Salt</p>'))]);
  expect(results).toEqual([UNREADABLE, { kind: 'form', form: 'Salt' }]);
});
