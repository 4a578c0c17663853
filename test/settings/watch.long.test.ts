import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPageFetcher, type Renderer, type RenderResult } from '../../packages/fetcher/src/index.ts';
import { createArticleReader } from '../../packages/reader/src/article-reader.ts';
import { readConfig } from '../../src/config.ts';
import { createEmbed } from '../../src/domain/embed/embed.ts';
import { createEmbedIdGenerator } from '../../src/domain/embed/id.ts';
import { parseDraft } from '../../src/domain/embed/input.ts';
import { MAX_WATCHES } from '../../src/domain/watch.ts';
import { createArticleCache } from '../../src/pages/article-cache.ts';
import { startWatcher } from '../../src/pages/watcher.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { newDatabase, openApp, openRaw, shareApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { insertAll } from '../store/embeds/insert-all.ts';
import { openReceiver } from '../webhooks/receiver.ts';

const PAST = '2026-01-01T00:00:00+00:00';
const LOCAL = { allowPrivatePages: true };

interface GraphqlReply {
  readonly data: { readonly createEmbed: unknown } | null;
  readonly errors?: readonly { readonly extensions: { readonly errors: unknown } }[];
}

const gateway = shareApp();

test('is off at first, and is set in both APIs', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}/settings`;
  expect((await ada.rest('GET', path)).body.settings.watch).toBe('off');
  for (const [sent, watch] of [
    ['hourly', 'hourly'],
    ['adaptive', 'adaptive'],
    ['off', 'off'],
    ['daily', 'daily'],
    [null, 'off'],
  ]) {
    expect((await ada.rest('PATCH', path, { watch: sent })).body.settings).toMatchObject({ watch });
  }
  const wrong = await ada.rest('PATCH', path, { watch: 'weekly' });
  expect([wrong.status, wrong.body.errors]).toEqual([
    422,
    [{ path: 'watch', message: 'must be one of off, daily, hourly, adaptive' }],
  ]);
  const mutation = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { watch } } }';
  const { data } = await ada.graphql(mutation, { input: { id, watch: 'ADAPTIVE' } });
  expect(data.updateEmbed.embed).toEqual({ watch: 'ADAPTIVE' });
});

test('an account watches at most 10,000 embeds, and those that it watches can be changed', async () => {
  const { as, database } = await openApp();
  const ada = await as('ada');
  const { id } = await ada.create();
  await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { watch: 'daily' });
  const newIdentity = createEmbedIdGenerator();
  const draft = parseDraft({ pageUrl: 'https://example.com/', watch: 'DAILY' }, LOCAL);
  const made = Array.from({ length: MAX_WATCHES - 2 }, () => createEmbed(newIdentity('ada'), 'ada', draft));
  await insertAll(database, made);
  const create = async (rest: string, key = `key-${rest.length}`) => {
    const query = `mutation { createEmbed(input: { pageUrl: "https://example.com/", watch: DAILY${rest} }) { embed { id } replayed } }`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const response = await ada.fetch('/graphql', { method: 'POST', body: JSON.stringify({ query }), headers });
    const { data, errors } = (await response.json()) as GraphqlReply;
    return data?.createEmbed ?? errors?.[0]?.extensions.errors;
  };
  const last = await create(', externalId: "last"');
  expect(last).toEqual({ embed: { id: expect.any(String) }, replayed: false });
  expect(await create(', externalId: "last"')).toEqual({ ...(last as object), replayed: true });
  expect(await create(', externalId: "last", onConflict: UPDATE')).toEqual(last);
  // a refused create has not used its key
  for (const rest of ['', ', mode: DARK']) {
    expect(await create(rest, 'key-refused')).toEqual([{ path: 'watch', message: expect.any(String) }]);
  }
  const other = await ada.create();
  const full = await ada.rest('PATCH', `/v1/embeds/${other.id}/settings`, { watch: 'daily' });
  expect([full.status, full.body.errors]).toEqual([
    422,
    [{ path: 'watch', message: 'must not be set, because the account watches 10,000 embeds already' }],
  ]);
  // an embed that stays as it is needs no room
  const { embed: plain } = (
    await ada.graphql(
      'mutation { createEmbed(input: { pageUrl: "https://example.com/", externalId: "plain" }) { embed { id } } }',
    )
  ).data.createEmbed;
  expect(await create(', externalId: "plain", onConflict: RETURN')).toEqual({ embed: plain, replayed: false });
  expect((await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { watch: 'hourly' })).status).toBe(200);
  expect((await ada.rest('PATCH', `/v1/embeds/${other.id}/settings`, { watch: 'off' })).status).toBe(200);
});

test('checks a page before anybody looks, by a conditional request, and sends that it has moved, has changed and is gone', async () => {
  const databaseUrl = await newDatabase();
  const raw = await openRaw(databaseUrl);
  let [title, status, redirect] = ['First', 200, 302];
  const conditions: (string | undefined)[] = [];
  const site = await openSite((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    if (request.url === '/a') return void response.writeHead(redirect, { location: '/new' }).end();
    const etag = `"${title}"`;
    conditions.push(request.headers['if-none-match']);
    response.setHeader('content-type', 'text/html').setHeader('etag', etag);
    if (status === 200 && request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(status).end(articlePage(title));
  });
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver();
  const events = ['page.changed', 'page.state_changed'];
  await ada.rest('POST', '/v1/webhooks', { url: receiver.origin, events });
  const embed = await ada.create({ page_url: `${site.origin}/a#part` });
  await ada.rest('PATCH', `/v1/embeds/${embed.id}/settings`, { watch: 'adaptive' });
  const read = async () =>
    (await raw.query('SELECT "pageUrl", "host", "intervalMs", "seen" FROM "Watch"')) as readonly Record<
      string,
      unknown
    >[];
  const hours = async () => Number((await read())[0]?.intervalMs) / 3_600_000;
  const makeDue = async () => {
    await raw.query(`UPDATE "Page" SET "freshUntil" = '${PAST}'`);
    await raw.query(`UPDATE "Watch" SET "dueAt" = '${PAST}'`);
  };

  await expect.poll(async () => (await read())[0]?.seen).toEqual(expect.any(String));
  expect(await read()).toMatchObject([{ pageUrl: `${site.origin}/a`, host: '127.0.0.1' }]);
  expect(await hours()).toBe(4);
  await makeDue();
  await expect.poll(hours).toBe(8);
  expect(conditions.at(-1)).toBe('"First"');
  redirect = 301;
  await makeDue();
  await expect.poll(hours).toBe(4);
  title = 'Second';
  await makeDue();
  await expect.poll(hours).toBe(2);
  status = 410;
  await makeDue();
  await expect.poll(hours).toBe(1);
  const messages = await receiver.take(3);
  const movedTo = `${site.origin}/new`;
  expect(messages.map(({ body }) => [body.type, body.data.page.state, body.data.page.moved_to])).toEqual([
    ['page.changed', 'shown', movedTo],
    ['page.changed', 'shown', movedTo],
    ['page.state_changed', 'gone', null],
  ]);

  await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url: `${site.origin}/b` });
  await expect.poll(async () => (await read())[0]?.pageUrl).toBe(`${site.origin}/b`);
  await ada.rest('DELETE', `/v1/embeds/${embed.id}`);
  expect(await read()).toEqual([]);
});

const ROBOTS_TXT = `
User-agent: *
Disallow: /

User-agent: EmbedGateway
Disallow: /secret
Allow: /secret/news
Crawl-delay: 3
`;

test('fetches no page that robots.txt forbids, and none while robots.txt cannot be fetched, and tells the owner', async () => {
  const databaseUrl = await newDatabase();
  const raw = await openRaw(databaseUrl);
  let status = 503;
  const site = await openSite((request, response) => {
    const isRobots = request.url === '/robots.txt';
    response.setHeader('content-type', isRobots ? 'text/plain' : 'text/html');
    if (isRobots) response.writeHead(status).end(status === 200 ? ROBOTS_TXT : '');
    else response.end(articlePage('Page'));
  });
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const watch = async (path: string) => {
    const { id } = await ada.create({ page_url: site.origin + path });
    await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { watch: 'hourly' });
    return id;
  };
  const age = () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    return raw.query(`UPDATE "Page" SET "fetchedAt" = '${hourAgo}' WHERE "fetchedAt" IS NOT NULL`);
  };
  const pageOf = async (id: string) => (await ada.rest('GET', `/v1/embeds/${id}/page`)).body.page;
  const reasonFor = (fact: string) =>
    `The page is not checked in the background, because /robots.txt of ${new URL(site.origin).host} ${fact}. It is fetched when it is viewed.`;
  /** Returns the paths of the pages that were checked, as soon as no check is due. */
  const findChecked = async () => {
    // a new watch is due now by the clock of the server, which rounds up; a checked page in a minute at the earliest
    const soon = new Date(Date.now() + 30_000).toISOString();
    const isDue = `"host" = '' OR "dueAt" < '${soon}'`;
    const due = () => raw.query(`SELECT 1 FROM "Watch" WHERE ${isDue}`);
    await expect.poll(due).toEqual([]);
    const rows = await raw.query('SELECT "pageUrl" FROM "Watch" WHERE "seen" IS NOT NULL ORDER BY "pageUrl"');
    return rows.map(({ pageUrl }: Record<string, unknown>) => new URL(String(pageUrl)).pathname);
  };

  const open = await watch('/open');
  expect(await findChecked()).toEqual([]);
  // a create waits a limited time for the page
  await expect.poll(async () => (await pageOf(open)).state).toBe('shown');
  await age();
  expect(await pageOf(open)).toMatchObject({ state: 'shown', reason: reasonFor('cannot be fetched') });
  status = 200;
  await raw.query(`UPDATE "Watch" SET "dueAt" = '${PAST}'`);
  // its URL has a title, so that a create does not fetch it
  const secret = await watch('/secret/Plan-95747105f402490eba51d52e00496c1c');
  await watch('/secret/news');
  expect(await findChecked()).toEqual(['/open', '/secret/news']);
  await age();
  expect(await pageOf(open)).toMatchObject({ state: 'shown', reason: null });
  expect(await pageOf(secret)).toMatchObject({ state: 'pending', reason: reasonFor('forbids it') });
  // the page that was just fetched is fresh, whatever robots.txt says
  const refreshed = await ada.rest('POST', `/v1/embeds/${secret}/refresh`);
  expect(refreshed.body.page).toMatchObject({ state: 'shown', reason: null });
  await age();
  expect(await pageOf(secret)).toMatchObject({ state: 'shown', reason: reasonFor('forbids it') });
  await ada.rest('PATCH', `/v1/embeds/${secret}/settings`, { watch: 'off' });
  expect(await pageOf(secret)).toMatchObject({ state: 'shown', reason: null });
  expect(site.requests.filter(({ url }) => url === '/robots.txt')).toHaveLength(2);
});

/** Adds watched embeds of an account. */
async function addWatches(database: Database, urls: readonly string[], watch: string): Promise<void> {
  const newIdentity = createEmbedIdGenerator();
  const draftOf = (url: string) => parseDraft({ pageUrl: `http://${url}`, watch }, LOCAL);
  await insertAll(
    database,
    urls.map((url) => createEmbed(newIdentity('ada'), 'ada', draftOf(url))),
  );
}

/** Starts a watcher that finds all hosts on loopback. */
function startOn(
  { pages: copies, pageVersions: versions, now, watches }: Database,
  times: { readonly pollMs: number; readonly hostPauseMs: number },
  errors: unknown[],
  renderer: Renderer | null = null,
) {
  const reader = createArticleReader();
  onTestFinished(() => reader.close());
  const resolve = async () => ['127.0.0.1'];
  const fetcher = createPageFetcher({ policy: LOCAL, ownAddresses: readConfig({}), userAgent: 'test', resolve });
  const sources = { fetcher, robotsMode: 'respect', now } as const;
  const pages = createArticleCache({ ...sources, copies, versions, reader, renderer, onEvent() {}, onChange() {} });
  const onError = (error: unknown) => errors.push(error);
  const watcher = startWatcher({ ...sources, watches, pages, times, onError });
  return {
    async close() {
      await watcher.close();
      await pages.close();
    },
  };
}

test('one poll starts a check of each host, however many pages of one of them are due', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const site = await openSite((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html').end(articlePage('Page'));
  });
  const { port } = new URL(site.origin);
  const database = await openDatabase(await newDatabase());
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  const first = Array.from({ length: 150 }, (_, i) => `first.example:${port}/${i}`);
  await addWatches(database, first, 'DAILY');
  await addWatches(database, [`second.example:${port}/`], 'DAILY');
  const errors: unknown[] = [];
  const { close } = startOn(database, { pollMs: 1_000, hostPauseMs: 2_000 }, errors);
  await vi.advanceTimersByTimeAsync(1_000);
  const hosts = () => new Set(site.requests.map(({ headers }) => headers.host?.split('.')[0]));
  // no further poll begins
  while (hosts().size < 2) await nextTurn();
  expect(hosts()).toEqual(new Set(['first', 'second']));
  await close();
  expect(errors).toEqual([]);
});

test('pages that wait for the browser hold up no other page, and are checked within an hour if its queue is full', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const site = await openSite((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const scripted = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
    response.setHeader('content-type', 'text/html').end(request.url === '/plain' ? articlePage('Page') : scripted);
  });
  const { port } = new URL(site.origin);
  const databaseUrl = await newDatabase();
  const database = await openDatabase(databaseUrl);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  const users: unknown[] = [];
  const closed = Promise.withResolvers<RenderResult>();
  const renderer: Renderer = {
    render(_source, user) {
      if (users.length === 10) return null;
      users.push(user);
      return closed.promise;
    },
    check: async () => '',
    close: async () => closed.resolve({ kind: 'unavailable' }),
  };
  const urls = Array.from({ length: 11 }, (_, i) => `app${i}.example:${port}/`);
  await addWatches(database, [...urls, `last.example:${port}/plain`], 'DAILY');
  const errors: unknown[] = [];
  const { close } = startOn(database, { pollMs: 1_000, hostPauseMs: 2_000 }, errors, renderer);
  const raw = await openRaw(databaseUrl);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const countAfter = async (minutes: number) =>
    (await raw.query(`SELECT 1 FROM "Watch" WHERE "host" <> '' AND "dueAt" > '${inMinutes(minutes)}'`)).length;
  while ((await countAfter(2)) < 2) await vi.advanceTimersByTimeAsync(1_000);
  expect([users, await countAfter(60)]).toEqual([Array(10).fill('watcher'), 1]);
  await renderer.close();
  await close();
  expect(errors).toEqual([]);
});

test('leases of hosts are renewed while one poll finds many new watches', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let respond = () => {};
  const site = await openSite((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const send = () => void response.setHeader('content-type', 'text/html').end(articlePage('Page'));
    if (request.headers.host?.startsWith('slow.')) respond = send;
    else send();
  });
  const { port } = new URL(site.origin);
  const database = await openDatabase(await newDatabase());
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  await addWatches(database, [`slow.example:${port}/`], 'DAILY');
  let placed = 0;
  const placedBefore: number[] = [];
  const watches: typeof database.watches = {
    ...database.watches,
    place: (...args) => {
      placed++;
      return database.watches.place(...args);
    },
    freeHosts: (names, afterMs) => {
      if (afterMs === undefined) placedBefore.push(placed);
      return database.watches.freeHosts(names, afterMs);
    },
  };
  const errors: unknown[] = [];
  const { close } = startOn({ ...database, watches }, { pollMs: 1_000, hostPauseMs: 2_000 }, errors);
  await vi.advanceTimersByTimeAsync(1_000);
  while (site.requests.length < 2) await nextTurn();
  const urls = Array.from({ length: 250 }, (_, i) => `other.example:${port}/${i}`);
  await addWatches(database, urls, 'DAILY');
  await vi.advanceTimersByTimeAsync(1_000);
  while (placed < 251) await vi.advanceTimersByTimeAsync(0);
  const gaps = [...placedBefore, placed].map((count, i) => count - (placedBefore[i - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(100);
  respond();
  await close();
  expect(errors).toEqual([]);
});

test('obeys robots.txt and the limit of each host to which a page redirects', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[] = [];
  const site = await openSite((request, response) => {
    const [name] = (request.headers.host ?? '').split('.');
    const isRobots = request.url === '/robots.txt';
    if (isRobots)
      return void response.setHeader('content-type', 'text/plain').end('User-agent: *\nDisallow: /secret\n');
    seen.push(`${name}${request.url}`);
    const location = `http://second.example:${port}${request.url?.replace('/to', '')}`;
    if (name === 'first') response.writeHead(302, { location }).end();
    else response.setHeader('content-type', 'text/html').end(articlePage('Page'));
  });
  const { port } = new URL(site.origin);
  const databaseUrl = await newDatabase();
  const [database, other] = [await openDatabase(databaseUrl), await openDatabase(databaseUrl)];
  for (const each of [database, other]) onTestFinished(() => each.close());
  await database.tokens.ensureAccount('ada', new Date());
  const raw = await openRaw(databaseUrl);
  const errors: unknown[] = [];
  const { close } = startOn(database, { pollMs: 1_000, hostPauseMs: 0 }, errors);
  const soon = () => new Date(Date.now() + 30_000).toISOString();
  /** Returns when no check is due. */
  const poll = async () => {
    await raw.query(`UPDATE "Watch" SET "dueAt" = '${PAST}' WHERE "seen" IS NULL`);
    const findDue = () => raw.query(`SELECT 1 FROM "Watch" WHERE "host" = '' OR "dueAt" < '${soon()}'`);
    while ((await findDue()).length > 0) await vi.advanceTimersByTimeAsync(1_000);
  };
  const countChecked = async () => (await raw.query('SELECT 1 FROM "Watch" WHERE "seen" IS NOT NULL')).length;

  await addWatches(database, [`first.example:${port}/to/secret`], 'DAILY');
  await poll();
  expect([seen.splice(0), await countChecked()]).toEqual([['first/to/secret'], 0]);
  await raw.query('DELETE FROM "Watch"');

  await addWatches(database, [`first.example:${port}/to/open`], 'DAILY');
  while (!(await other.watches.leaseHost('second.example'))) await nextTurn();
  await poll();
  expect([seen.splice(0), await countChecked()]).toEqual([['first/to/open'], 0]);
  // in the past, because each gateway reads the clock of the database for itself
  await other.watches.freeHosts(['second.example'], -1_000);
  await poll();
  expect([seen.splice(0), await countChecked()]).toEqual([['first/to/open', 'second/open'], 1]);
  while (!(await other.watches.leaseHost('second.example'))) await nextTurn();
  await close();
  expect(errors).toEqual([]);
});

test('all gateways wait as long as a site asks for with Retry-After, up to an hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const site = await openSite((request, response) => {
    const [name] = (request.headers.host ?? '').split('.');
    if (request.url === '/robots.txt' && name !== 'closed') return void response.writeHead(404).end();
    if (name === 'first') return void response.writeHead(302, { location: `http://busy.example:${port}/a` }).end();
    response.writeHead(name === 'busy' ? 429 : 503, { 'retry-after': name === 'busy' ? '600' : '90000' }).end();
  });
  const { port } = new URL(site.origin);
  const databaseUrl = await newDatabase();
  const [database, other] = [await openDatabase(databaseUrl), await openDatabase(databaseUrl)];
  for (const each of [database, other]) onTestFinished(() => each.close());
  await database.tokens.ensureAccount('ada', new Date());
  const errors: unknown[] = [];
  const { close } = startOn(database, { pollMs: 1_000, hostPauseMs: 0 }, errors);
  await addWatches(database, [`first.example:${port}/`, `closed.example:${port}/`], 'DAILY');
  const raw = await openRaw(databaseUrl);
  const findDue = () => raw.query(`SELECT 1 FROM "Watch" WHERE "host" = '' OR "dueAt" < '${soon()}'`);
  const soon = () => new Date(Date.now() + 30_000).toISOString();
  while ((await findDue()).length > 0) await vi.advanceTimersByTimeAsync(1_000);
  await close();
  const asked = new Set(site.requests.map(({ headers }) => headers.host?.split('.')[0]));
  expect(asked).toEqual(new Set(['first', 'closed', 'busy']));

  const rows = await raw.query('SELECT "host", "freeAt" FROM "WatchedHost"');
  const minutes = Object.fromEntries(
    rows.map(({ host, freeAt }) => [
      host,
      Math.abs(Math.round((new Date(`${freeAt}`).getTime() - Date.now()) / 60_000)),
    ]),
  );
  expect(minutes).toEqual({ 'first.example': 0, 'busy.example': 10, 'closed.example': 60 });
  await addWatches(database, [`busy.example:${port}/b`, `first.example:${port}/b`], 'DAILY');
  for (const watch of await other.watches.findDue(100)) {
    await other.watches.place(watch, watch.pageUrl, new URL(watch.pageUrl).hostname);
  }
  expect((await other.watches.findDue(100)).map(({ host }) => host)).toEqual(['first.example']);
  expect(await other.watches.leaseHost('busy.example')).toBe(false);
  expect(await other.watches.leaseHost('closed.example')).toBe(false);
  expect(errors).toEqual([]);
});

/** `WATCHED_HOSTS=20` checks 1,000 pages. */
const PAUSE_MS = 60;
const [HOSTS, PAGES_PER_HOST] = process.env.WATCHED_HOSTS ? [Number(process.env.WATCHED_HOSTS), 50] : [5, 6];

test('two gateways check all pages once, and fetch one page of a host at a time, with a pause after it', async () => {
  const active = new Map<string, number>();
  const endedAtMs = new Map<string, number>();
  const pauses: number[] = [];
  const seen: string[] = [];
  let most = 0;
  const site = await openSite((request, response) => {
    const { host = '' } = request.headers;
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    seen.push(`${host}${request.url}`);
    active.set(host, (active.get(host) ?? 0) + 1);
    most = Math.max(most, active.get(host) ?? 0);
    const ended = endedAtMs.get(host);
    if (ended !== undefined) pauses.push(performance.now() - ended);
    setTimeout(() => {
      active.set(host, (active.get(host) ?? 0) - 1);
      endedAtMs.set(host, performance.now());
      response.setHeader('content-type', 'text/html').end(articlePage(`Page ${request.url}`));
    }, 10);
  });
  const { port } = new URL(site.origin);
  const databaseUrl = await newDatabase();
  const databases = [await openDatabase(databaseUrl), await openDatabase(databaseUrl)];
  for (const database of databases) onTestFinished(() => database.close());
  const [first] = databases as [Database];
  await first.tokens.ensureAccount('ada', new Date());
  const urls = Array.from({ length: HOSTS * PAGES_PER_HOST }, (_, i) => `host-${i % HOSTS}.example:${port}/${i}`);
  for (const watch of ['HOURLY', 'DAILY']) await addWatches(first, urls, watch);
  // a gateway that was killed
  expect(await first.watches.leaseHost('host-0.example')).toBe(true);

  const errors: unknown[] = [];
  const times = { pollMs: 20, hostPauseMs: PAUSE_MS };
  const started = databases.map((database) => startOn(database, times, errors));
  const raw = await openRaw(databaseUrl);
  const waiting = async () => (await raw.query('SELECT 1 FROM "Watch" WHERE "seen" IS NULL')).length;
  await expect.poll(waiting, { interval: 200, timeout: 500_000 }).toBe(0);
  for (const { close } of started) await close();
  expect(errors).toEqual([]);
  expect(seen.toSorted()).toEqual(urls.toSorted());
  expect(most).toBe(1);
  expect(pauses).toHaveLength(HOSTS * (PAGES_PER_HOST - 1));
  // the clock of the database has whole milliseconds
  expect(Math.min(...pauses)).toBeGreaterThan(PAUSE_MS - 5);
}, 600_000);

test('a check changes the interval of each watch of the page once', async () => {
  const databaseUrl = await newDatabase();
  const raw = await openRaw(databaseUrl);
  const { database } = await openApp({ databaseUrl });
  await database.tokens.ensureAccount('ada', new Date());
  const newIdentity = createEmbedIdGenerator();
  const draft = parseDraft({ pageUrl: 'https://example.com/', watch: 'ADAPTIVE' }, LOCAL);
  const made = Array.from({ length: 6 }, () => createEmbed(newIdentity('ada'), 'ada', draft));
  await insertAll(database, made);
  const hours = [4, 8, 16, 23, 8, 16];
  for (const [i, { id }] of made.entries()) {
    await raw.query(
      `UPDATE "Watch" SET "intervalMs" = ${(hours[i] ?? 0) * 3_600_000}, "seen" = '${i < 4 ? 'now' : 'before'}', "dueAt" = '2100-01-01T00:00:00.000+00:00' WHERE "embedId" = '${id}'`,
    );
  }
  const [pageUrl] = (await raw.query('SELECT "pageUrl" FROM "Watch"')).map((row) => String(row.pageUrl));
  await database.watches.schedule(pageUrl ?? '', { digest: 'now', isUnreachable: false, refusal: null });
  const after = await raw.query('SELECT "intervalMs" FROM "Watch" ORDER BY "embedId"');
  expect(after.map(({ intervalMs }) => intervalMs / 3_600_000)).toEqual([8, 16, 23, 23, 4, 8]);
});

test('a check whose time was set before the clock was moved back is due', async () => {
  const databaseUrl = await newDatabase();
  const raw = await openRaw(databaseUrl);
  const database = await openDatabase(databaseUrl);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  await addWatches(database, ['a.example/', 'b.example/', 'c.example/'], 'DAILY');
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace('Z', '+00:00');
  for (const [name, hours] of [
    ['a', 22],
    ['b', 24],
    ['c', 24 * 365],
  ] as const) {
    await raw.query(`UPDATE "Watch" SET "dueAt" = '${inHours(hours)}' WHERE "pageUrl" LIKE '%${name}.example%'`);
  }
  await database.watches.trim();
  const due = await database.watches.findDue(10);
  expect(due.map(({ pageUrl }) => new URL(pageUrl).hostname).toSorted()).toEqual(['b.example', 'c.example']);
});
