import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Article } from '../../src/domain/page/article.ts';
import type { KeptPage } from '../../src/domain/page/copy.ts';
import { type ArticleCache, createArticleCache, MAX_REVALIDATIONS } from '../../src/pages/article-cache.ts';
import { createArticleReader } from '../../src/pages/article-reader.ts';
import { createPageFetcher } from '../../src/pages/fetch/fetch.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { isOnPostgresql, newDatabase, openRaw } from '../open-app.ts';
import { articlePage, hardPage, openSite } from './site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Service {
  readonly library: ArticleCache & { readonly findArticle: (pageUrl: string) => Promise<Article | null> };
  readonly database: Database;
  readonly url: string;
  readonly bugs: unknown[];
  /** What its `onLook` was told. */
  readonly told: string[];
  /** Once all looks are over. */
  readonly close: () => Promise<void>;
}

/** Its process takes longer to start than pages to be read: most tests share one. A bug of it fails them all. */
const sharedReader = createArticleReader({
  onBug(error) {
    throw error;
  },
});
afterAll(() => sharedReader.close());

interface Setting {
  /** Of a database that is there. */
  readonly url?: string;
  /** Asks for a reader of its own, which closes with the library. */
  readonly maxHeapMb?: number;
}

/** A library with its copies in a real database. */
async function openLibrary({ url: given, maxHeapMb }: Setting = {}) {
  const url = given ?? (await newDatabase());
  const database = await openDatabase(url);
  const bugs: unknown[] = [];
  const told: string[] = [];
  const onBug = (error: unknown) => void bugs.push(error);
  const library = createArticleCache({
    fetcher: createPageFetcher({ policy: { allowPrivatePages: true }, isOwnHost: () => false, userAgent: 'Test' }),
    copies: database.pages,
    reader: maxHeapMb === undefined ? { ...sharedReader, close() {} } : createArticleReader({ onBug, maxHeapMb }),
    onBug,
    onOutcome: (outcome, seconds = 0) =>
      told.push(seconds >= 0 && seconds < 60 ? outcome : `${outcome} in ${seconds} s`),
  });
  const findArticle = async (pageUrl: string) => (await library.findCopy(pageUrl))?.article ?? null;
  const close = async () => {
    await library.close();
    await database.close();
  };
  onTestFinished(close);
  return { library: { ...library, findArticle }, database, url, bugs, told, close } satisfies Service;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const sends =
  (html: string, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
const refuses =
  (status: number): Respond =>
  (_request, response) =>
    void response.writeHead(status).end();

/** A site of which one page changes with the test. */
async function openChangingSite(first: Respond) {
  const now = { respond: first };
  const site = await openSite((request, response) => now.respond(request, response));
  return { ...site, page: `${site.origin}/bread`, now };
}

async function copyOf({ database }: Service, pageUrl: string): Promise<KeptPage> {
  const copy = await database.pages.find(pageUrl);
  if (!copy) throw new Error(`there is no copy of ${pageUrl}`);
  return copy;
}

/** Lets time pass for a copy: its look is due, and its version was fetched so long ago. */
async function age(service: Service, pageUrl: string, fetchedMsAgo: number): Promise<void> {
  const { version } = await copyOf(service, pageUrl);
  await service.database.pages.keep({
    pageUrl,
    freshUntil: new Date(Date.now() - 1),
    version: version && { ...version, fetchedAt: new Date(Date.now() - fetchedMsAgo) },
  });
}

test('fetches a page once for all who ask, and shows its copy while it is fresh', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const { library, told, bugs } = await openLibrary();
  const articles = await Promise.all(Array.from({ length: 20 }, () => library.findArticle(site.page)));
  expect(articles[0]).toMatchObject({ title: 'Bread', content: expect.stringContaining('<p>') });
  expect(new Set(articles.map((article) => JSON.stringify(article))).size).toBe(1);
  expect(await library.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(1);
  expect(told).toEqual([...Array(20).fill('miss'), 'fetched', 'fresh']);
  expect(bugs).toEqual([]);
});

test('keeps its copies over a restart', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const before = await openLibrary();
  await before.library.findArticle(site.page);
  await before.close();
  const { library, told } = await openLibrary({ url: before.url });
  expect(await library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(site.requests).toHaveLength(1);
  expect(told).toEqual(['fresh']);
});

test('shows a stale copy once more, and the new one after that', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  await age(service, site.page, HOUR_MS);
  site.now.respond = sends(articlePage('Bread and salt'));
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  await expect.poll(() => service.library.findTitle(site.page)).toBe('Bread and salt');
  expect(site.requests).toHaveLength(2);
});

test('a copy from before the clock was moved back is fetched again, and not shown for longer than others', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  const { version, freshUntil } = await copyOf(service, site.page);
  const later = (time: Date | undefined) => new Date(Number(time) + 24 * HOUR_MS);
  const fromTomorrow = {
    pageUrl: site.page,
    freshUntil: later(freshUntil),
    version: version && { ...version, fetchedAt: later(version.fetchedAt) },
  };
  await service.database.pages.keep(fromTomorrow);
  site.now.respond = sends(articlePage('Bread and salt'));
  expect(await service.library.findTitle(site.page)).toBe('Bread and salt');
  expect((await copyOf(service, site.page)).freshUntil < later(new Date())).toBe(true);

  await service.database.pages.keep(fromTomorrow);
  site.now.respond = refuses(503);
  expect(await service.library.findArticle(site.page)).toBeNull();
});

test('a copy is no longer shown a day after it was last had, however often its renewal failed since', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  site.now.respond = refuses(503);
  await age(service, site.page, 24 * HOUR_MS - MINUTE_MS);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  await expect.poll(() => service.told).toContain('failed');
  // the failure has put off the next look
  await expect.poll(async () => (await copyOf(service, site.page)).freshUntil > new Date()).toBe(true);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });

  const { version, ...rest } = await copyOf(service, site.page);
  if (!version) throw new Error('the failure took the version away');
  await service.database.pages.keep({
    ...rest,
    version: { ...version, fetchedAt: new Date(Date.now() - 24 * HOUR_MS) },
  });
  expect(await service.library.findArticle(site.page)).toBeNull();
  await age(service, site.page, 24 * HOUR_MS);
  expect(await service.library.findArticle(site.page)).toBeNull();
  expect(await service.library.findTitle(site.page)).toBeNull();
});

test('a site that answers "unchanged" confirms the copy, wherever the page was redirected to', async () => {
  const other = await openChangingSite((request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? refuses(304)(request, response)
      : sends(articlePage('Bread'), { etag: '"1"' })(request, response),
  );
  const site = await openChangingSite(
    (_request, response) => void response.writeHead(301, { location: other.page }).end(),
  );
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  await age(service, site.page, 48 * HOUR_MS);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(service.told).toEqual(['miss', 'fetched', 'miss', 'unchanged']);
  expect(other.requests[1]?.headers).toMatchObject({ 'if-none-match': '"1"' });
  const { version, freshUntil } = await copyOf(service, site.page);
  expect(version?.url).toBe(other.page);
  expect(Date.now() - Number(version?.fetchedAt)).toBeLessThan(MINUTE_MS);
  expect(freshUntil > new Date()).toBe(true);
});

test.each([401, 403, 404, 410, 451])('a site takes its page back with a %i', async (status) => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  await age(service, site.page, HOUR_MS);
  site.now.respond = refuses(status);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  await expect.poll(() => service.library.findArticle(site.page)).toBeNull();
  expect((await copyOf(service, site.page)).version).toBeNull();
  expect(service.told).toContain('gone');
});

test('a page that cannot be had is not asked for again at once', async () => {
  const site = await openChangingSite(refuses(500));
  const { library, told } = await openLibrary();
  expect(await library.findArticle(site.page)).toBeNull();
  expect(await library.findArticle(site.page)).toBeNull();
  expect(await library.findTitle(site.page)).toBeNull();
  expect(site.requests).toHaveLength(1);
  expect(told).toEqual(['miss', 'failed', 'fresh', 'fresh']);
});

test('a page that cannot be read leaves the copy that there is', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary({ maxHeapMb: 32 });
  await service.library.findArticle(site.page);
  await age(service, site.page, HOUR_MS);
  site.now.respond = sends(hardPage());
  await service.library.findArticle(site.page);
  await expect.poll(() => service.told, { timeout: 15_000 }).toContain('unreadable');
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(site.requests).toHaveLength(2);
  // and the next page can be read
  site.now.respond = sends(articlePage('Salt'));
  expect(await service.library.findArticle(`${site.origin}/salt`)).toMatchObject({ title: 'Salt' });
});

test.each([
  ['a header', sends(articlePage('Secret recipe'), { 'x-robots-tag': 'noarchive' })],
  ['its markup', sends(articlePage('Secret recipe', '<meta name="robots" content="none">'))],
])('nothing of an article is kept when %s forbids copies', async (_where, respond) => {
  const site = await openChangingSite(respond);
  const service = await openLibrary();
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Secret recipe', content: null });
  const raw = await openRaw(service.url);
  const row = JSON.stringify(await raw.query('SELECT * FROM "Page"'));
  expect(row).toContain('Secret recipe');
  expect(row).not.toContain('pantry');
});

test('nothing of an article is kept when copies are forbidden later, until they are allowed again', async () => {
  const site = await openChangingSite(sends(articlePage('Bread'), { etag: '"1"' }));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  await age(service, site.page, 25 * HOUR_MS);
  site.now.respond = (_request, response) => void response.writeHead(304, { 'x-robots-tag': 'noarchive' }).end();
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread', content: null });
  expect((await copyOf(service, site.page)).version?.article.content).toBeNull();
  await age(service, site.page, 25 * HOUR_MS);
  site.now.respond = (request, response) =>
    request.headers['if-none-match']
      ? refuses(304)(request, response)
      : sends(articlePage('Bread'), { etag: '"1"' })(request, response);
  expect(await service.library.findArticle(site.page)).toMatchObject({ content: expect.stringContaining('pantry') });
});

test('a look goes on for the next who asks when somebody does not wait for it', async () => {
  let release = () => {};
  const site = await openChangingSite((request, response) => {
    release = () => sends(articlePage('Bread'))(request, response);
  });
  const { library, told } = await openLibrary();
  expect(await library.findTitle(site.page)).toBeNull();
  release();
  await expect.poll(() => told).toContain('fetched');
  await expect.poll(() => library.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(1);
});

test('looks at a bounded number of pages at once, and shows a card or the copy beyond it', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  await age(service, site.page, HOUR_MS);
  site.now.respond = () => {};
  const slow = Array.from({ length: MAX_REVALIDATIONS }, (_, i) =>
    service.library.findArticle(`${site.origin}/slow-${i}`),
  );
  await expect.poll(() => site.requests.length).toBe(1 + MAX_REVALIDATIONS);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(await service.library.findCopy(`${site.origin}/one-too-many`)).toBeNull();
  expect(service.told.filter((outcome) => outcome === 'shed')).toHaveLength(2);
  expect(await service.database.pages.find(`${site.origin}/one-too-many`)).toBeNull();
  await service.library.close();
  expect(await Promise.all(slow)).toEqual(slow.map(() => null));
  expect(site.requests).toHaveLength(1 + MAX_REVALIDATIONS);
});

test('a stop ends what is under way at once, and keeps nothing of it', async () => {
  const site = await openSite((request, response) => {
    if (request.url === '/hard') sends(hardPage())(request, response);
    else if (request.url !== '/silent') sends(articlePage('Bread'))(request, response);
  });
  const { library, database, told, bugs } = await openLibrary({ maxHeapMb: 512 });
  const pages = ['hard', 'silent', ...Array.from({ length: 5 }, (_, i) => `waiting-${i}`)].map(
    (path) => `${site.origin}/${path}`,
  );
  const copies = pages.map((page) => library.findCopy(page));
  await expect.poll(() => site.requests.length).toBe(pages.length);
  const stoppedAt = performance.now();
  await library.close();
  expect(performance.now() - stoppedAt).toBeLessThan(2_000);
  expect(await copies[0]).toBeNull();
  expect(await copies[1]).toBeNull();
  expect(await database.pages.find(pages[0] ?? '')).toBeNull();
  expect(await database.pages.find(pages[1] ?? '')).toBeNull();
  expect(await library.findCopy(`${site.origin}/later`)).toBeNull();
  expect(await database.pages.find(`${site.origin}/later`)).toBeNull();
  expect(told).not.toContain('failed');
  expect(told).not.toContain('unreadable');
  expect(bugs).toEqual([]);
});

test('a cache that cannot be written costs time, not the page', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const { library, url, bugs } = await openLibrary();
  const raw = await openRaw(url);
  await raw.query(
    isOnPostgresql
      ? 'ALTER TABLE "Page" ADD CHECK (false)'
      : `CREATE TRIGGER full BEFORE INSERT ON "Page" BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`,
  );
  for (const times of [1, 2]) {
    expect(await library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
    expect(site.requests).toHaveLength(times);
    expect(bugs).toHaveLength(times);
  }
  site.now.respond = refuses(500);
  expect(await library.findArticle(site.page)).toBeNull();
  expect(bugs).toHaveLength(3);
});

test('a cache that cannot be read costs time, not the page', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const { library, url, bugs } = await openLibrary();
  const raw = await openRaw(url);
  await raw.query('ALTER TABLE "Page" RENAME TO "Lost"');
  expect(await library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(await library.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(2);
  expect(bugs).toHaveLength(4);
});

test('a copy that cannot be read is not lost to a failure', async () => {
  const site = await openChangingSite(sends(articlePage('Bread')));
  const service = await openLibrary();
  await service.library.findArticle(site.page);
  const raw = await openRaw(service.url);
  await raw.query(`UPDATE "Page" SET "article" = '{' || "article"`);
  site.now.respond = refuses(500);
  expect(await service.library.findArticle(site.page)).toBeNull();
  expect(service.bugs).toEqual([expect.any(SyntaxError)]);
  await raw.query(`UPDATE "Page" SET "article" = substr("article", 2)`);
  expect(await service.library.findArticle(site.page)).toMatchObject({ title: 'Bread' });
});
