import { expect, onTestFinished, test } from 'vitest';
import type { FetchAttempt, PageVersion, StoredPage } from '../../src/domain/page-copy.ts';
import { openPages, type PageStore } from '../../src/store/pages.ts';
import { openClient } from '../databases/client.ts';
import { newDatabase } from '../databases/database.ts';
import { statementsOf } from './embeds/statements-of.ts';

const MAX_TOTAL_BYTES = 20_000;

/** Opens a page store of 20 kB. */
async function openCopies() {
  const url = await newDatabase();
  const client = openClient(url);
  return {
    client,
    copies: openPages(client, () => new Date(), MAX_TOTAL_BYTES),
    again: () => openPages(client, () => new Date(), MAX_TOTAL_BYTES),
  };
}

function failedAttempt(freshUntil: Date): FetchAttempt {
  return { freshUntil, triedAt: new Date(), failure: { state: 'UNREACHABLE', reason: 'The site did not answer.' } };
}

/** Creates a copy that is fresh for some minutes. */
function copy(name: string, minutes: number, content: string | null = null): StoredPage {
  const article = {
    title: name,
    headTitle: null,
    site: 'Baker',
    language: null,
    direction: 'ltr' as const,
    icon: null,
    byline: null,
    publishedAt: null,
    description: null,
    image: null,
    hero: null,
    isPaywalled: false,
    content,
  };
  const pageUrl = `https://baker.example/${name}`;
  return {
    pageUrl,
    freshUntil: new Date(Date.now() + minutes * 60_000),
    triedAt: new Date(),
    failure: null,
    version: {
      fetchedAt: new Date(),
      url: pageUrl,
      etag: '"1"',
      movedTo: null,
      lastModified: null,
      status: content === null ? { state: 'NO_ARTICLE', reason: 'No article.' } : { state: 'SHOWN', reason: null },
      article,
    },
  };
}

type Copies = Awaited<ReturnType<typeof openCopies>>;

/** Returns the size of all texts in the table. */
async function sizeOf({ client }: Copies): Promise<number> {
  const rows = await client.page.findMany();
  return Buffer.byteLength(rows.map((row) => row.pageUrl + (row.article ?? '')).join(''));
}

test('find returns the newest copy of a page', async () => {
  const { copies } = await openCopies();
  for (const kept of [
    copy('bread', 1, '<p>Brot'),
    copy('bread', 2, '<p>Brot & Salz'),
    copy('bread', 3),
    { ...copy('bread', 4), ...failedAttempt(new Date()), version: null },
  ]) {
    await copies.save(kept);
    expect(await copies.find(kept.pageUrl)).toEqual({ ...kept, isLeased: false });
  }
  expect(await copies.find('https://baker.example/salt')).toBeNull();
});

test('a failed attempt is recorded beside the content, until the next copy', async () => {
  const { copies } = await openCopies();
  const kept = copy('bread', 1, '<p>Brot');
  await copies.save(kept);
  const attempt = failedAttempt(new Date(Date.now() + 5_000));
  await copies.recordFailure(kept.pageUrl, attempt);
  expect(await copies.find(kept.pageUrl)).toEqual({ ...kept, ...attempt, isLeased: false });
  await copies.save(kept);
  expect(await copies.find(kept.pageUrl)).toEqual({ ...kept, isLeased: false });
  const pageUrl = 'https://baker.example/salt';
  await copies.recordFailure(pageUrl, attempt);
  expect(await copies.find(pageUrl)).toEqual({ pageUrl, ...attempt, version: null, isLeased: false });
});

test('the outlines of many pages are read by one statement, without content', async () => {
  const { copies } = await openCopies();
  const kept = Array.from({ length: 5 }, (_, i) => copy(`page-${i}`, 1, i === 0 ? null : '<p>Brot'));
  for (const [i, page] of kept.entries()) await copies.save(page, { narrowPx: 900 + i, widePx: 700 });
  const attempt = failedAttempt(new Date());
  await copies.recordFailure(kept[4]?.pageUrl ?? '', attempt);
  const statements = await statementsOf(async () => {
    const urls = [...kept.map(({ pageUrl }) => pageUrl), 'https://baker.example/salt'];
    const outlines = await Promise.all(urls.map((pageUrl) => copies.findOutline(pageUrl)));
    const expected = kept.map(({ failure, version }, i) => {
      const { etag: _, lastModified: __, article, ...rest } = version as PageVersion;
      return {
        bytes: expect.any(Number),
        watchRefusal: null,
        failure: i === 4 ? attempt.failure : failure,
        version: { ...rest, title: article.title, site: article.site, heights: { narrowPx: 900 + i, widePx: 700 } },
      };
    });
    expect(outlines).toEqual([...expected, null]);
  });
  expect(statements).toHaveLength(1);
  expect(statements[0]).not.toContain('article');
});

test('a copy that replaces another is sent once', async () => {
  const { copies } = await openCopies();
  await copies.save(copy('bread', 1, '<p>Brot'));
  const statements = await statementsOf(() => copies.save(copy('bread', 2, '<p>Brot & Salz')));
  expect(statements.join().match(/\barticle\b/g)).toHaveLength(1);
});

test('a reason that is recorded during a save leaves the size of the new copy', async () => {
  const { client, copies } = await openCopies();
  const page = copy('bread', 1, 'x'.repeat(3_000));
  await copies.save(copy('bread', 1));
  const saving = client.$extends({
    query: {
      page: {
        async findUnique({ args, query }) {
          const found = await query(args);
          await copies.save(page);
          return found;
        },
      },
    },
  });
  const others = openPages(saving as unknown as typeof client, () => new Date(), MAX_TOTAL_BYTES);
  await others.recordRefusal(page.pageUrl, 'The site refuses robots.');
  const outline = await copies.findOutline(page.pageUrl);
  expect(outline).toMatchObject({ watchRefusal: 'The site refuses robots.' });
  expect(outline?.bytes).toBeGreaterThan(3_000);
});

test('the stalest copies are evicted above the maximum', async () => {
  const opened = await openCopies();
  for (let i = 0; i < 12; i++) await opened.copies.save(copy(`page-${i}`, i, 'x'.repeat(3_000)));
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
  expect(await opened.copies.find('https://baker.example/page-0')).toBeNull();
  expect(await opened.copies.find('https://baker.example/page-11')).not.toBeNull();
});

test('a page that is being fetched keeps its lease when others are evicted', async () => {
  const { copies } = await openCopies();
  const lease = await copies.lease('https://baker.example/new');
  for (let i = 0; i < 12; i++) await copies.save(copy(`page-${i}`, i, 'x'.repeat(3_000)));
  expect(await copies.find('https://baker.example/page-0')).toBeNull();
  expect(await copies.lease('https://baker.example/new')).toBeNull();
  await lease?.release();
});

test('all copies are measured once for an eviction', async () => {
  const { copies } = await openCopies();
  for (let i = 0; i < 20; i++) await copies.save(copy(`page-${i}`, i));
  const statements = await statementsOf(async () => {
    await copies.save(copy('last', 30, 'x'.repeat(MAX_TOTAL_BYTES / 2 + 3_000)));
  });
  expect(await copies.find('https://baker.example/page-0')).toBeNull();
  expect(statements.filter((text) => /SUM\(/i.test(text))).toHaveLength(1);
});

test('copies that grow also cause evictions', async () => {
  const opened = await openCopies();
  for (let i = 0; i < 8; i++) await opened.copies.save(copy(`page-${i}`, i));
  for (let i = 0; i < 8; i++) await opened.copies.save(copy(`page-${i}`, 100 + i, 'x'.repeat(4_000)));
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
});

test('texts count with their size in UTF-8', async () => {
  const opened = await openCopies();
  for (let i = 0; i < 8; i++) await opened.copies.save(copy(`page-${i}`, i, '漢'.repeat(1_500)));
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
});

test.each<[what: string, record: (copies: PageStore, pageUrl: string) => Promise<void>]>([
  ['could not be fetched', (copies, pageUrl) => copies.recordFailure(pageUrl, failedAttempt(new Date()))],
  [
    'could not be fetched under a lease',
    async (copies, pageUrl) => {
      const lease = await copies.lease(pageUrl);
      await copies.recordFailure(pageUrl, failedAttempt(new Date()));
      await lease?.release();
    },
  ],
  ['robots may not check', (copies, pageUrl) => copies.recordRefusal(pageUrl, 'The site refuses robots.')],
])('pages that %s count, too', async (_, record) => {
  const opened = await openCopies();
  const path = 'a'.repeat(1_000);
  for (let i = 0; i < 30; i++) await record(opened.copies, `https://baker.example/${path}${i}`);
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
});

test('the reason why a watched page is not checked stays until it is', async () => {
  const { copies } = await openCopies();
  const kept = copy('bread', 1);
  await copies.save(kept);
  for (const pageUrl of [kept.pageUrl, 'https://baker.example/salt']) {
    for (const refusal of ['The site refuses robots.', 'Its rules cannot be read.', null, null]) {
      await copies.recordRefusal(pageUrl, refusal);
      expect(await copies.findOutline(pageUrl)).toMatchObject({ watchRefusal: refusal });
    }
  }
  expect(await copies.find(kept.pageUrl)).toEqual({ ...kept, isLeased: false });
});

test('the maximum holds after a restart, and for two gateways on one database', async () => {
  const opened = await openCopies();
  for (let i = 0; i < 5; i++) await opened.copies.save(copy(`page-${i}`, i, 'x'.repeat(3_000)));
  const other = opened.again();
  for (let i = 5; i < 12; i++) await other.save(copy(`page-${i}`, i, 'x'.repeat(3_000)));
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
  await opened.copies.save(copy('last', 100, 'x'.repeat(10_000)));
  await opened.copies.save(copy('very-last', 100, 'x'.repeat(10_000)));
  expect(await sizeOf(opened)).toBeLessThan(MAX_TOTAL_BYTES);
});

test('a copy larger than the maximum is evicted', async () => {
  const { copies } = await openCopies();
  await copies.save(copy('bread', 1, 'x'.repeat(MAX_TOTAL_BYTES)));
  expect(await copies.find('https://baker.example/bread')).toBeNull();
  await copies.save(copy('salt', 1));
  expect(await copies.find('https://baker.example/salt')).not.toBeNull();
});

test('an article that a gateway of an earlier version wrote without its state is stale, and can be fetched', async () => {
  const { client, copies } = await openCopies();
  const page = copy('bread', 10, '<p>Bread</p>');
  await copies.save(page);
  expect(await copies.lease(page.pageUrl)).toBeNull();
  await client.page.updateMany({ data: { state: null } });
  const found = await copies.find(page.pageUrl);
  expect(found).toMatchObject({ version: null, freshUntil: page.version?.fetchedAt });
  const lease = await copies.lease(page.pageUrl);
  expect(lease).not.toBeNull();
  await lease?.release();
});

test('reads few copies in one turn of the event loop, whatever their number, and goes on after one that fails', async () => {
  const { copies } = await openCopies();
  const page = copy('bread', 5, 'x'.repeat(1_000));
  await copies.save(page);
  let turn = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  const turns = await Promise.all(Array.from({ length: 60 }, () => copies.find(page.pageUrl).then(() => turn)));
  const perTurn = [...Map.groupBy(turns, (at) => at).values()].map(({ length }) => length);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(4);
  const failing = Array.from({ length: 10 }, () => copies.find(null as never).catch(() => 'failed'));
  expect(new Set(await Promise.all(failing))).toEqual(new Set(['failed']));
  expect(await copies.find(page.pageUrl)).not.toBeNull();
});

test('drops reads that have not begun before their deadline', async () => {
  const { copies } = await openCopies();
  const page = copy('bread', 5);
  await copies.save(page);
  const deadlineMs = performance.now();
  const before = Array.from({ length: 4 }, () => copies.find(page.pageUrl));
  const late = Array.from({ length: 100 }, () => copies.find(page.pageUrl, { deadlineMs }));
  const after = copies.find(page.pageUrl, { deadlineMs: Infinity });
  expect(new Set(await Promise.all(late))).toEqual(new Set([null]));
  expect(await Promise.all([...before, after])).not.toContain(null);
});
