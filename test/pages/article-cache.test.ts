import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createPageFetcher, type Renderer } from '../../packages/fetcher/src/index.ts';
import type { Article } from '../../packages/reader/src/article.ts';
import { type ArticleReader, createArticleReader } from '../../packages/reader/src/article-reader.ts';
import type { PageCopy, StoredPage } from '../../src/domain/page-copy.ts';
import {
  type ArticleCache,
  createArticleCache,
  MAX_REVALIDATIONS,
  MAX_REVALIDATIONS_PER_HOST,
} from '../../src/pages/article-cache.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { isOnPostgresql, newDatabase, openRaw } from '../open-app.ts';
import { articlePage, hardPage, openSite } from './site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const COPY_TIMEOUT_MS = 20_000;
const TITLE_TIMEOUT_MS = 3_000;
const OWN_ADDRESSES = { embedHost: 'embeds.example', host: 'gateway.example', port: 4000 };

interface TestCache {
  readonly findArticle: (pageUrl: string) => Promise<Article | null>;
  readonly findCopy: (pageUrl: string) => Promise<PageCopy | null>;
  readonly findTitle: (pageUrl: string, timeoutMs?: number) => Promise<string | null>;
  readonly check: ArticleCache['check'];
  readonly refresh: ArticleCache['refresh'];
  readonly close: () => Promise<void>;
}

interface Service {
  readonly cache: TestCache;
  readonly database: Database;
  readonly url: string;
  readonly errors: unknown[];
  readonly outcomes: string[];
  /** The pages whose copies have changed. */
  readonly changes: string[];
  /** Waits for all revalidations. */
  readonly close: () => Promise<void>;
}

/** Shared, because its process takes longer to start than to read a page. */
const sharedReader = createArticleReader();
afterAll(() => sharedReader.close());

interface Options {
  /** URL of an existing database. */
  readonly url?: string;
  /** Null for one that the cache makes, and closes. */
  readonly reader?: ArticleReader | null;
  readonly wrap?: (pages: Database['pages']) => Database['pages'];
  readonly renderer?: Renderer | null;
}

/** Opens an article cache with its copies in a real database. */
async function openCache({
  url: given,
  reader = sharedReader,
  wrap = (pages) => pages,
  renderer = null,
}: Options = {}) {
  const url = given ?? (await newDatabase());
  const database = await openDatabase(url);
  const errors: unknown[] = [];
  const outcomes: string[] = [];
  const changes: string[] = [];
  const cache = createArticleCache({
    fetcher: createPageFetcher({ policy: { allowPrivatePages: true }, ownAddresses: OWN_ADDRESSES, userAgent: 'Test' }),
    copies: wrap(database.pages),
    versions: database.pageVersions,
    now: database.now,
    reader: reader ?? undefined,
    robotsMode: 'respect',
    renderer,
    onEvent: (event) => ('error' in event ? errors.push(event.error) : outcomes.push(event.outcome)),
    onChange: (pageUrl) => changes.push(pageUrl),
  });
  const findCopy = (pageUrl: string) => cache.findCopy(pageUrl, COPY_TIMEOUT_MS);
  const findTitle = (pageUrl: string, timeoutMs = TITLE_TIMEOUT_MS) => cache.findTitle(pageUrl, timeoutMs);
  const findArticle = async (pageUrl: string) => (await findCopy(pageUrl))?.article ?? null;
  const close = async () => {
    await cache.close();
    await database.close();
  };
  onTestFinished(close);
  return {
    cache: { findCopy, findTitle, findArticle, check: cache.check, refresh: cache.refresh, close: cache.close },
    database,
    url,
    errors,
    outcomes,
    changes,
    close,
  } satisfies Service;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const respondWith =
  (html: string, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
const respondStatus =
  (status: number): Respond =>
  (_request, response) =>
    void response.writeHead(status).end();

/** Opens a site whose response can change during the test. */
async function openChangingSite(first: Respond) {
  const now = { respond: first };
  const site = await openSite((request, response) => now.respond(request, response));
  return { ...site, page: `${site.origin}/bread`, now };
}

async function copyOf({ database }: Service, pageUrl: string): Promise<StoredPage> {
  const copy = await database.pages.find(pageUrl);
  if (!copy) throw new Error(`No copy of ${pageUrl}`);
  return copy;
}

/** Makes a copy stale, with a version that was fetched the given time ago. */
async function expireCopy(service: Service, pageUrl: string, fetchedMsAgo: number): Promise<void> {
  const { version, ...kept } = await copyOf(service, pageUrl);
  await service.database.pages.save({
    ...kept,
    freshUntil: new Date(Date.now() - 1),
    version: version && { ...version, fetchedAt: new Date(Date.now() - fetchedMsAgo) },
  });
}

test('fetches a page once for concurrent lookups, and returns its copy while it is fresh', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const { cache, outcomes, errors } = await openCache();
  const articles = await Promise.all(Array.from({ length: 20 }, () => cache.findArticle(site.page)));
  expect(articles[0]).toMatchObject({ title: 'Bread', content: expect.stringContaining('<p>') });
  expect(new Set(articles.map((article) => JSON.stringify(article))).size).toBe(1);
  expect(await cache.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(1);
  expect(outcomes).toEqual([...Array(20).fill('miss'), 'fetched', 'fresh']);
  expect(errors).toEqual([]);
});

test('the title of a page is the one that the frame shows, without the name of its site', async () => {
  const name = '<meta property="og:site_name" content="The Baker"><title>';
  const site = await openChangingSite(
    respondWith(articlePage('Bread').replace(/<title>.*?</, `${name}Bread | The Baker<`)),
  );
  const { cache } = await openCache();
  expect(await cache.findTitle(site.page)).toBe('Bread');
  expect((await cache.findArticle(site.page))?.title).toBe('Bread');
});

test.each([true, false])(
  'a reader gets a page that is being checked within limits, which allow it: %s',
  async (isAllowed) => {
    const site = await openChangingSite(respondWith(articlePage('Bread')));
    const { cache, outcomes } = await openCache();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    const mayRequest = () => {
      asked.resolve();
      return answer.promise;
    };
    const checked = cache.check(site.page, { mayRequest, onRetryAfter: () => {}, onRendering: () => {} });
    await asked.promise;
    const found = Promise.all([cache.findArticle(site.page), cache.findArticle(site.page)]);
    await expect.poll(() => outcomes).toEqual(['miss', 'miss']);
    answer.resolve(isAllowed);
    expect(await found).toMatchObject([{ title: 'Bread' }, { title: 'Bread' }]);
    await checked;
    expect(site.requests).toHaveLength(1);
  },
);

test('keeps its copies across a restart', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const before = await openCache();
  await before.cache.findArticle(site.page);
  await before.close();
  const { cache, outcomes } = await openCache({ url: before.url });
  expect(await cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(site.requests).toHaveLength(1);
  expect(outcomes).toEqual(['fresh']);
});

test('returns a stale copy during its revalidation, and the new one after that', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  await expireCopy(service, site.page, HOUR_MS);
  site.now.respond = respondWith(articlePage('Bread and salt'));
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  // polls the store: a lookup that reads the stale copy just before it is replaced starts another revalidation
  const storedTitle = async () => (await copyOf(service, site.page)).version?.article.title;
  await expect.poll(storedTitle).toBe('Bread and salt');
  expect(await service.cache.findTitle(site.page)).toBe('Bread and salt');
  expect(site.requests).toHaveLength(2);
});

test('fetches a copy again whose times are in the future, and stops showing it if that fails', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  const { version, ...kept } = await copyOf(service, site.page);
  const later = (time: Date | undefined) => new Date(Number(time) + 24 * HOUR_MS);
  const fromTomorrow = {
    ...kept,
    freshUntil: later(kept.freshUntil),
    version: version && { ...version, fetchedAt: later(version.fetchedAt) },
  };
  await service.database.pages.save(fromTomorrow);
  site.now.respond = respondWith(articlePage('Bread and salt'));
  expect(await service.cache.findTitle(site.page)).toBe('Bread and salt');
  expect((await copyOf(service, site.page)).freshUntil < later(new Date())).toBe(true);

  await service.database.pages.save(fromTomorrow);
  site.now.respond = respondStatus(503);
  expect(await service.cache.findArticle(site.page)).toBeNull();
});

test('stops showing a copy one day after its last confirmation, while its revalidations fail', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  site.now.respond = respondStatus(503);
  await expireCopy(service, site.page, 24 * HOUR_MS - MINUTE_MS);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  await expect.poll(() => service.outcomes).toContain('failed');
  // the failure postpones the next revalidation
  await expect.poll(async () => (await copyOf(service, site.page)).freshUntil > new Date()).toBe(true);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });

  const { version, ...rest } = await copyOf(service, site.page);
  if (!version) throw new Error('The failure removed the version');
  await service.database.pages.save({
    ...rest,
    version: { ...version, fetchedAt: new Date(Date.now() - 24 * HOUR_MS) },
  });
  expect(await service.cache.findArticle(site.page)).toBeNull();
  await expireCopy(service, site.page, 24 * HOUR_MS);
  expect(await service.cache.findArticle(site.page)).toBeNull();
  expect(await service.cache.findTitle(site.page)).toBeNull();
});

test('a 304 confirms the copy, also of a page that was redirected', async () => {
  const other = await openChangingSite((request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? respondStatus(304)(request, response)
      : respondWith(articlePage('Bread'), { etag: '"1"' })(request, response),
  );
  const site = await openChangingSite(
    (_request, response) => void response.writeHead(301, { location: other.page }).end(),
  );
  const service = await openCache();
  await service.cache.findArticle(site.page);
  await expireCopy(service, site.page, 48 * HOUR_MS);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(service.outcomes).toEqual(['miss', 'fetched', 'miss', 'unchanged']);
  expect(other.requests[1]?.headers).toMatchObject({ 'if-none-match': '"1"' });
  const { version, freshUntil } = await copyOf(service, site.page);
  expect(version?.url).toBe(other.page);
  expect(Date.now() - Number(version?.fetchedAt)).toBeLessThan(MINUTE_MS);
  expect(freshUntil > new Date()).toBe(true);
});

test('a site withdraws its page with 401, 403, 404, 410 or 451', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  const pages = [401, 403, 404, 410, 451].map((status) => `${site.origin}/${status}`);
  for (const page of pages) {
    await service.cache.findArticle(page);
    await expireCopy(service, page, HOUR_MS);
  }
  site.now.respond = (request, response) => respondStatus(Number(request.url?.slice(1)))(request, response);
  for (const page of pages) {
    expect(await service.cache.findArticle(page), page).toMatchObject({ title: 'Bread' });
    await expect.poll(() => service.cache.findArticle(page), { message: page }).toBeNull();
    expect((await copyOf(service, page)).version, page).toBeNull();
  }
  expect(service.outcomes.filter((outcome) => outcome === 'gone')).toHaveLength(pages.length);
});

test('does not fetch a page again right after a failure', async () => {
  const site = await openChangingSite(respondStatus(500));
  const { cache, outcomes } = await openCache();
  expect(await cache.findArticle(site.page)).toBeNull();
  expect(await cache.findArticle(site.page)).toBeNull();
  expect(await cache.findTitle(site.page)).toBeNull();
  expect(site.requests).toHaveLength(1);
  expect(outcomes).toEqual(['miss', 'failed', 'fresh', 'fresh']);
});

test('keeps the existing copy of a page that becomes unreadable', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const before = await openCache();
  await before.cache.findArticle(site.page);
  await expireCopy(before, site.page, HOUR_MS);
  await before.close();
  const reader = { ...sharedReader, read: async () => ({ kind: 'unreadable', error: null }) as const };
  const { cache, outcomes } = await openCache({ url: before.url, reader });
  await cache.findArticle(site.page);
  await expect.poll(() => outcomes).toContain('unreadable');
  expect(await cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(site.requests).toHaveLength(2);
});

test('says that the reader is busy, keeps what is known, and tries again', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const busy = await openCache({ reader: createBusyReader() });
  const isBusy = expect.stringContaining('busy');
  expect(await busy.cache.findCopy(site.page)).toMatchObject({ state: 'PENDING', reason: isBusy, article: null });
  expect(await busy.database.pages.find(site.page)).toMatchObject({ failure: { state: 'PENDING' }, version: null });
  await busy.close();

  const service = await openCache({ url: busy.url });
  await expect
    .poll(() => service.cache.findCopy(site.page), { timeout: COPY_TIMEOUT_MS })
    .toMatchObject({ state: 'SHOWN', reason: null, article: { title: 'Bread' } });
  await expireCopy(service, site.page, HOUR_MS);
  await service.close();

  const later = await openCache({ url: busy.url, reader: createBusyReader() });
  await later.cache.findCopy(site.page);
  await expect.poll(() => later.outcomes).toContain('dropped');
  await expect
    .poll(() => later.database.pages.find(site.page))
    .toMatchObject({ failure: { state: 'PENDING', reason: isBusy }, version: { article: { title: 'Bread' } } });
  expect(await later.cache.findCopy(site.page)).toMatchObject({ state: 'SHOWN', article: { title: 'Bread' } });
});

test('reads a page for which the reader had no time without another view', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const busyReader = createBusyReader();
  let reads = 0;
  const reader: ArticleReader = { ...sharedReader, read: (job) => (reads++ ? sharedReader : busyReader).read(job) };
  const { cache, database } = await openCache({ reader });
  expect(await cache.findCopy(site.page)).toMatchObject({ state: 'PENDING' });
  await expect
    .poll(() => database.pages.find(site.page))
    .toMatchObject({ failure: null, version: { article: { title: 'Bread' } } });
});

/** Creates a reader whose process needs longer to start than it waits. */
function createBusyReader(): ArticleReader {
  const reader = createArticleReader({ busyTimeoutMs: 1 });
  onTestFinished(reader.close);
  return reader;
}

test('stores nothing of an article when a header or its markup forbids copies', async () => {
  const site = await openChangingSite((request, response) =>
    request.url === '/header'
      ? respondWith(articlePage('Secret recipe'), { 'x-robots-tag': 'noarchive' })(request, response)
      : respondWith(articlePage('Secret recipe', '<meta name="robots" content="none">'))(request, response),
  );
  const service = await openCache();
  for (const path of ['header', 'markup']) {
    const article = await service.cache.findArticle(`${site.origin}/${path}`);
    expect(article, path).toMatchObject({ title: 'Secret recipe', content: null });
  }
  const raw = await openRaw(service.url);
  const rows = JSON.stringify(await raw.query('SELECT * FROM "Page"'));
  expect(rows.match(/Secret recipe/g)?.length).toBeGreaterThanOrEqual(2);
  expect(rows).not.toContain('pantry');
});

test('removes the stored article when copies become forbidden, and stores it again once they are allowed', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread'), { etag: '"1"' }));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  await expireCopy(service, site.page, 25 * HOUR_MS);
  site.now.respond = (_request, response) => void response.writeHead(304, { 'x-robots-tag': 'noarchive' }).end();
  expect(await service.cache.findCopy(site.page)).toMatchObject({
    state: 'NOT_ALLOWED',
    article: { title: 'Bread', content: null },
  });
  expect((await copyOf(service, site.page)).version?.article.content).toBeNull();
  await expireCopy(service, site.page, 25 * HOUR_MS);
  site.now.respond = (request, response) =>
    request.headers['if-none-match']
      ? respondStatus(304)(request, response)
      : respondWith(articlePage('Bread'), { etag: '"1"' })(request, response);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ content: expect.stringContaining('pantry') });
});

test('a fetch continues after the timeout of its caller, for the next lookup', async () => {
  let release = () => {};
  const site = await openChangingSite((request, response) => {
    release = () => respondWith(articlePage('Bread'))(request, response);
  });
  const { cache, outcomes } = await openCache();
  // long enough for the look-up of the copy on a busy machine
  expect(await cache.findTitle(site.page, 1_000)).toBeNull();
  await expect.poll(() => site.requests.length).toBe(1);
  release();
  await expect.poll(() => outcomes).toContain('fetched');
  await expect.poll(() => cache.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(1);
});

test('limits concurrent revalidations, and returns the stale copy or none beyond the limit', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  await expireCopy(service, site.page, HOUR_MS);
  site.now.respond = () => {};
  const { port } = new URL(site.origin);
  const viewAll = (host: string, length: number) =>
    Array.from({ length }, (_, i) => service.cache.findArticle(`http://${host}:${port}/slow-${i}`));
  const slow = viewAll('127.0.0.1', MAX_REVALIDATIONS_PER_HOST);
  await expect.poll(() => site.requests.length).toBe(1 + MAX_REVALIDATIONS_PER_HOST);
  expect(await service.cache.findCopy(`${site.origin}/one-too-many`)).toBeNull();
  expect(service.outcomes.splice(0)).toContain('shed');
  slow.push(...viewAll('localhost', MAX_REVALIDATIONS - MAX_REVALIDATIONS_PER_HOST));
  await expect.poll(() => site.requests.length).toBe(1 + MAX_REVALIDATIONS);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(await service.cache.findCopy(`http://[::1]:${port}/one-too-many`)).toBeNull();
  expect(service.outcomes.filter((outcome) => outcome === 'shed')).toHaveLength(2);
  expect(await service.database.pages.find(`${site.origin}/one-too-many`)).toBeNull();
  await service.cache.close();
  expect(await Promise.all(slow)).toEqual(slow.map(() => null));
  expect(site.requests).toHaveLength(1 + MAX_REVALIDATIONS);
});

test('closing aborts revalidations at once, and stores nothing of them', async () => {
  const site = await openSite((request, response) => {
    if (request.url === '/hard') respondWith(hardPage())(request, response);
    else if (request.url !== '/silent') respondWith(articlePage('Bread'))(request, response);
  });
  const { cache, database, outcomes, errors } = await openCache({ reader: null });
  const pages = ['hard', 'silent', ...Array.from({ length: 5 }, (_, i) => `waiting-${i}`)].map(
    (path) => `${site.origin}/${path}`,
  );
  const copies = pages.map((page) => cache.findCopy(page));
  await expect.poll(() => site.requests.length).toBe(pages.length);
  const stoppedAt = performance.now();
  await cache.close();
  expect(performance.now() - stoppedAt).toBeLessThan(8_000);
  expect(await copies[0]).toBeNull();
  expect(await copies[1]).toBeNull();
  expect(await cache.findCopy(`${site.origin}/later`)).toBeNull();
  for (const page of [...pages.slice(0, 2), `${site.origin}/later`]) {
    expect(await database.pages.find(page)).toMatchObject({ version: null, failure: null, isLeased: false });
  }
  expect(outcomes).not.toContain('failed');
  expect(outcomes).not.toContain('unreadable');
  expect(errors).toEqual([]);
});

test('a close waits until revalidations have released their leases', async () => {
  const site = await openSite(() => {});
  let isReleased = false;
  const { cache } = await openCache({
    wrap: (pages) => ({
      ...pages,
      async lease(pageUrl) {
        const lease = await pages.lease(pageUrl);
        const release = async () => {
          await pause(100);
          await lease?.release();
          isReleased = true;
        };
        return lease && { ...lease, release };
      },
    }),
  });
  void cache.findCopy(`${site.origin}/silent`);
  await expect.poll(() => site.requests.length).toBe(1);
  await cache.close();
  expect(isReleased).toBe(true);
});

test('returns the page when its copy cannot be written', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const { cache, url, errors } = await openCache();
  const raw = await openRaw(url);
  await raw.query(
    isOnPostgresql
      ? 'ALTER TABLE "Page" ADD CHECK (false)'
      : `CREATE TRIGGER full BEFORE INSERT ON "Page" BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`,
  );
  for (const times of [1, 2]) {
    expect(await cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
    expect(site.requests).toHaveLength(times);
    expect(errors).toHaveLength(times);
  }
  site.now.respond = respondStatus(500);
  expect(await cache.findArticle(site.page)).toBeNull();
  expect(errors).toHaveLength(3);
});

test('returns the page when its copy cannot be read', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const { cache, url, errors } = await openCache();
  const raw = await openRaw(url);
  await raw.query('ALTER TABLE "Page" RENAME TO "Lost"');
  expect(await cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
  expect(await cache.findTitle(site.page)).toBe('Bread');
  expect(site.requests).toHaveLength(2);
  expect(errors).toHaveLength(4);
});

test('keeps an unreadable row when the fetch fails too', async () => {
  const site = await openChangingSite(respondWith(articlePage('Bread')));
  const service = await openCache();
  await service.cache.findArticle(site.page);
  const raw = await openRaw(service.url);
  await raw.query(`UPDATE "Page" SET "article" = '{' || "article"`);
  site.now.respond = respondStatus(500);
  expect(await service.cache.findArticle(site.page)).toBeNull();
  expect(service.errors).toEqual([expect.any(SyntaxError)]);
  await raw.query(`UPDATE "Page" SET "article" = substr("article", 2)`);
  expect(await service.cache.findArticle(site.page)).toMatchObject({ title: 'Bread' });
});

test('a page that needs a browser is rendered once one is available, though its site would confirm it', async () => {
  const teaser = '<p>The pantry list starts with what is already there, and ends with the week. </p>'.repeat(4);
  const html = `<!doctype html><html lang="en"><title>Dinners</title><body><main id="root"><h1>Dinners</h1>${teaser}<script>more()</script></main></body></html>`;
  const site = await openChangingSite((request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? respondStatus(304)(request, response)
      : respondWith(html, { etag: '"1"' })(request, response),
  );
  const full = html.replace('<script>', '<p>Seven dinners need one shop only. </p>'.repeat(9));
  let isAvailable = false;
  const service = await openCache({
    renderer: {
      render: ({ url }) => (isAvailable ? Promise.resolve({ kind: 'page', url, html: full, robots: null }) : null),
      check: async () => '',
      close: async () => {},
    },
  });
  expect((await service.cache.findArticle(site.page))?.content).toContain('pantry');
  isAvailable = true;
  await expireCopy(service, site.page, 0);
  const page = await service.cache.check(site.page, {
    mayRequest: async () => true,
    onRetryAfter: () => {},
    onRendering: () => {},
  });
  expect(page?.version?.article.content).toContain('Seven dinners');
});

test('a check takes its place in the queue of the browser at once, and learns that there is none', async () => {
  const scripted = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
  const site = await openChangingSite(respondWith(scripted));
  const rendered: string[] = [];
  const service = await openCache({
    renderer: {
      render({ url }) {
        if (rendered.length > 0) return null;
        rendered.push(url);
        return Promise.resolve({ kind: 'unavailable' });
      },
      check: async () => '',
      close: async () => {},
    },
  });
  const check = async (page: string) => {
    const queued: boolean[] = [];
    const onRendering = (isQueued: boolean) => void queued.push(isQueued);
    await service.cache.check(page, { mayRequest: async () => true, onRetryAfter: () => {}, onRendering });
    return queued;
  };
  const checks = await Promise.all([check(site.page), check(`${site.origin}/other`)]);
  expect(rendered).toHaveLength(1);
  // one was in the queue until the browser did not start
  expect(checks.toSorted((a, b) => a.length - b.length)).toEqual([[false], [true, false]]);
});

test('an article whose site allows copies again is stored, also without a browser', async () => {
  const respondTo =
    (headers: Record<string, string>): Respond =>
    (request, response) =>
      (request.headers['if-none-match'] === '"1"' ? respondStatus(304) : respondWith(articlePage('Bread'), headers))(
        request,
        response,
      );
  const site = await openChangingSite(respondTo({ etag: '"1"', 'x-robots-tag': 'noarchive' }));
  const service = await openCache();
  expect((await service.cache.findArticle(site.page))?.content ?? null).toBeNull();
  site.now.respond = respondTo({ etag: '"1"' });
  await expireCopy(service, site.page, 0);
  await service.cache.check(site.page, { mayRequest: async () => true, onRetryAfter: () => {}, onRendering: () => {} });
  expect((await copyOf(service, site.page)).version?.article.content).toContain('pantry');
});

test('a page that a browser renders changes when its readers see another text', async () => {
  const teaser = '<p>The pantry list starts with what is already there, and ends with the week. </p>'.repeat(4);
  const pageOf = (body: string) =>
    `<!doctype html><html lang="en"><title>Dinners</title><body><main id="root"><h1>Dinners</h1>${body}</main></body></html>`;
  const site = await openChangingSite(respondWith(pageOf(`${teaser}<script>more()</script>`)));
  let html = pageOf(`${teaser}${'<p>Seven dinners need one shop only. </p>'.repeat(9)}`);
  const renderer = {
    render: async ({ url }) => ({ kind: 'page', url, html, robots: null }),
    check: async () => '',
    close: async () => {},
  } satisfies Renderer;
  const service = await openCache({ renderer });
  const { cache, database, changes, errors } = service;
  async function render(words: string, count: number): Promise<void> {
    // each embed has an interval between two refreshes
    await cache.refresh({ id: randomUUID(), pageUrl: site.page }, COPY_TIMEOUT_MS);
    expect((await copyOf(service, site.page)).version?.article.content).toContain(words);
    expect(await database.pageVersions.find(site.page)).toHaveLength(count);
  }
  await render('Seven dinners', 0);
  const first = changes.length;
  await render('Seven dinners', 0);
  expect(changes).toHaveLength(first);
  html = pageOf(teaser);
  await render('pantry', 2);
  expect(changes).toHaveLength(first + 1);
  expect(errors).toEqual([]);
});
