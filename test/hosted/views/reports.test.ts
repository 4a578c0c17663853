import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addDays } from '../../../src/domain/views.ts';
import { newDatabase, openApp, openRaw, type RestEmbed, shareApp, type TestApp } from '../../open-app.ts';

const gateway = shareApp();

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly ip?: string;
  readonly url?: string;
}

const newView = () => randomBytes(8).toString('hex');
const newAddress = () => `198.51.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;

/** Sends what the page of an embed sends, except for what a test forges. Returns the status. */
async function report(
  { app }: Pick<TestApp, 'app'>,
  { embed_url }: Pick<RestEmbed, 'embed_url'>,
  { body, headers = {}, method = 'POST', ip = newAddress(), url = new URL('/views', embed_url).href }: Sent,
): Promise<number> {
  const request = new Request(url, {
    method,
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': CHROME, ...headers },
    ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status } = await app.handle(Object.assign(request, { ip }));
  return status;
}

const DAY = new Date().toISOString().slice(0, 10);

async function viewsOf(client: Awaited<ReturnType<TestApp['as']>>, embed: RestEmbed, by = 'site') {
  const { body } = await client.rest('GET', `/v1/embeds/${embed.id}/views?from=2025-12-01&to=2026-12-31&by=${by}`);
  return body.views;
}

test('counts a view and its read once, by day and by site', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  const view = newView();
  for (const body of [
    { view, site: 'Example.COM.' },
    { view, site: 'example.com' },
    { view, site: 'example.com', read: true },
    { view, site: 'other.example', read: true },
    { view: newView(), site: '127.0.0.1' },
    { view: newView(), site: '[::1]' },
    { view: newView() },
    { view: newView() },
  ]) {
    expect(await report(gateway, embed, { body })).toBe(204);
  }
  expect(await viewsOf(ada, embed)).toEqual({
    views: 5,
    reads: 1,
    groups: [
      { key: 'direct', views: 2, reads: 0 },
      { key: '127.0.0.1', views: 1, reads: 0 },
      { key: '[::1]', views: 1, reads: 0 },
      { key: 'example.com', views: 1, reads: 1 },
    ],
  });
  expect(await viewsOf(ada, embed, 'day')).toEqual({ views: 5, reads: 1, groups: [{ key: DAY, views: 5, reads: 1 }] });
});

const view = 'a1';
const KINDS: readonly (readonly [string, number, (embed: RestEmbed) => Sent])[] = [
  [
    'of an unknown embed',
    404,
    () => ({ url: 'http://00000000000000000000000000.localhost:4000/views', body: { view } }),
  ],
  ['of a name that is no id', 404, () => ({ url: 'http://example.localhost:4000/views', body: { view } })],
  ['with a body over 1 kB', 413, () => ({ body: { view, site: 'a'.repeat(1_000) } })],
  ['with another media type', 415, () => ({ body: { view }, headers: { 'content-type': 'application/json' } })],
  ['without JSON', 400, () => ({ body: 'view=1' })],
  ['of a JSON value without parameters', 400, () => ({ body: '[null]' })],
  ['with the URL of a page', 422, () => ({ body: { view, site: 'https://example.com/path' } })],
  ['with a host and a port', 422, () => ({ body: { view, site: 'example.com:443' } })],
  ['with a host that no browser writes', 422, () => ({ body: { view, site: 'bücher.example' } })],
  ['with markup as host', 422, () => ({ body: { view, site: '<script>' } })],
  ['with a formula as host', 422, () => ({ body: { view, site: '=1+1' } })],
  ['with a day of their own', 422, () => ({ body: { view, day: '2020-01-01' } })],
  ['with a number of views', 422, () => ({ body: { view, views: 1_000 } })],
  ['without a view id', 422, () => ({ body: {} })],
  ['with a long view id', 422, () => ({ body: { view: 'a'.repeat(41) } })],
  ['by another method', 405, () => ({ method: 'GET' })],
  [
    'with an origin that ends like the own one',
    400,
    ({ embed_url }) => ({ body: { view }, headers: { origin: `https://x/://${new URL(embed_url).host}` } }),
  ],
  ['by the script of another site', 400, () => ({ body: { view }, headers: { origin: 'https://evil.example' } })],
  [
    'of another site that hides its origin',
    400,
    () => ({ body: { view }, headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }),
  ],
  [
    'by a form that opens the address',
    400,
    () => ({ body: { view }, headers: { origin: 'null', 'sec-fetch-mode': 'navigate' } }),
  ],
  ['without a user agent', 204, () => ({ body: { view }, headers: { 'user-agent': '' } })],
  ['of a bot', 204, () => ({ body: { view }, headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } })],
  ['of a program', 204, () => ({ body: { view }, headers: { 'user-agent': 'curl/8.0.1' } })],
  ['of a reader who objects', 204, () => ({ body: { view }, headers: { 'sec-gpc': '1' } })],
  ['of a read without a view', 204, () => ({ body: { view: 'b2', read: true } })],
];

test.each(KINDS)('does not count reports %s', async (_kind, status, forge) => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  expect(await report(gateway, embed, forge(embed))).toBe(status);
  expect(await viewsOf(ada, embed)).toEqual({ views: 0, reads: 0, groups: [] });
});

test('counts no report on a site that may not show the embed, by its own settings or those of the account', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('sites')];
  const [own, ofAccount] = [await ada.create(), await bob.create()];
  const allowed = { allowed_sites: ['example.com', '*.example.org'] };
  expect((await ada.rest('PATCH', `/v1/embeds/${own.id}/settings`, allowed)).status).toBe(200);
  expect((await bob.rest('PATCH', '/v1/account', allowed)).status).toBe(200);
  for (const [client, embed] of [[ada, own] as const, [bob, ofAccount] as const]) {
    for (const site of ['evil.example', 'example.org', 'example.com.evil.example', 'example.com', 'a.example.org']) {
      expect(await report(gateway, embed, { body: { view: newView(), site } })).toBe(204);
    }
    expect(await report(gateway, embed, { body: { view: newView() } })).toBe(204);
    expect((await viewsOf(client, embed)).groups.map(({ key }: { key: string }) => key).sort()).toEqual([
      'a.example.org',
      'direct',
      'example.com',
    ]);
  }
  await ada.rest('PATCH', `/v1/embeds/${own.id}/settings`, { allowed_sites: null });
  const isEvilCounted = async () => {
    await report(gateway, own, { body: { view: newView(), site: 'evil.example' } });
    return (await viewsOf(ada, own)).groups.some(({ key }: { key: string }) => key === 'evil.example');
  };
  await expect.poll(isEvilCounted, { interval: 500, timeout: 60_000 }).toBe(true);
});

test('never counts more reads than views', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  await report(gateway, embed, { body: { view: newView() } });
  await viewsOf(ada, embed);
  for (let i = 0; i < 5; i++) await report(gateway, embed, { body: { view: newView(), read: true } });
  expect(await viewsOf(ada, embed)).toMatchObject({ views: 1, reads: 1 });
});

test('counts the page of the embed itself, also in a sandbox', async () => {
  const ada = await gateway.as('ada');
  const embed = await ada.create();
  for (const [origin, site] of [
    [new URL(embed.embed_url).origin, 'same-origin'],
    ['null', 'cross-site'],
  ] as const) {
    const headers = { origin, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' };
    expect(await report(gateway, embed, { body: { view: newView() }, headers })).toBe(204);
  }
  expect(await viewsOf(ada, embed)).toMatchObject({ views: 2 });
});

test('limits the reports from one network about one embed, and about all', async () => {
  const app = await openApp();
  const ada = await app.as('ada');
  const embed = await ada.create();
  const send = (ip: string, target = embed) => report(app, target, { body: { view: newView() }, ip });
  const statuses = [];
  for (let i = 0; i < 70; i++) statuses.push(await send(`2001:db8::${i}`));
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(await send('203.0.113.7')).toBe(204);
  expect(await viewsOf(ada, embed)).toMatchObject({ views: 61 });

  const others = await Promise.all(Array.from({ length: 12 }, () => ada.create()));
  const spread = [];
  for (let i = 0; i < 610; i++) spread.push(await send('203.0.113.8', others[i % 12]));
  expect(spread.filter((status) => status === 429)).toHaveLength(10);
});

test('knows an address by a key of the day, and stores neither', async () => {
  const databaseUrl = await newDatabase();
  const midnight = new Date(`${addDays(DAY, 1)}T00:00:00Z`).getTime();
  vi.useFakeTimers({ toFake: ['Date'], now: midnight - 1 });
  onTestFinished(() => void vi.useRealTimers());
  const app = await openApp({ databaseUrl });
  const ada = await app.as('ada');
  const embed = await ada.create();
  const ip = '203.0.113.77';
  const send = () => report(app, embed, { body: { view: newView() }, ip });
  for (let i = 0; i < 60; i++) expect(await send()).toBe(204);
  expect(await send()).toBe(429);
  // the same address has another name from midnight on, so that nobody can connect its views of two days
  vi.setSystemTime(midnight);
  expect(await send()).toBe(204);
  const { body } = await ada.rest('GET', `/v1/embeds/${embed.id}/views?from=${DAY}&to=${addDays(DAY, 1)}`);
  expect(body.views.groups).toEqual([
    { key: DAY, views: 60, reads: 0 },
    { key: addDays(DAY, 1), views: 1, reads: 0 },
  ]);
  const raw = await openRaw(databaseUrl);
  const rows = await raw.query('SELECT * FROM "ViewCount"');
  const days = [DAY, addDays(DAY, 1)];
  const row = (embedId: string) => (day: string, i: number) => ({
    ...{ accountId: 'ada', embedId, day, site: 'direct', views: i === 0 ? 60 : 1, reads: 0 },
  });
  expect(rows).toEqual(expect.arrayContaining(['', embed.id].flatMap((id) => days.map(row(id)))));
  expect(rows).toHaveLength(4);
});

test('neither reports nor counts views if the operator turns them off', async () => {
  for (const [app, isCounted] of [
    [gateway, true],
    [await openApp({ views: false }), false],
  ] as const) {
    const ada = await app.as('ada');
    const embed = await ada.create();
    const page = await app.app.fetch(new Request(embed.embed_url));
    expect((await page.text()).includes('sendBeacon')).toBe(isCounted);
    expect(await report(app, embed, { body: { view: newView() } })).toBe(isCounted ? 204 : 405);
    expect(await viewsOf(ada, embed)).toMatchObject({ views: isCounted ? 1 : 0 });
  }
});
