import { expect, onTestFinished, test, vi } from 'vitest';
import { openApp, type RestEmbed, shareApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

const gateway = shareApp({ allowPrivatePages: true });

/** Creates an embed whose article the service has read, and a function that views it. */
async function openArticle({ app, as } = gateway, account = 'ada') {
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', '<p>Flour and water.</p>'));
  });
  const ada = await as(account);
  const embed = await ada.create({ page_url: `${site.origin}/bread` });
  const view = (headers: Record<string, string> = {}) => app.fetch(new Request(embed.embed_url, { headers }));
  await expect.poll(async () => (await view()).headers.get('cache-control')).toBe('no-cache');
  const set = (settings: object) => ada.rest('PATCH', `/v1/embeds/${embed.id}/settings`, settings);
  return { ada, app, embed, view, set };
}

const ancestorsOf = (response: Response) =>
  /frame-ancestors[^;]*/.exec(response.headers.get('content-security-policy') ?? '')?.[0];

test('only the allowed sites may frame an embed: its own, or else those of its account', async () => {
  const { ada, view, set } = await openArticle(gateway, 'sites');
  expect(ancestorsOf(await view())).toBeUndefined();
  await ada.rest('PATCH', '/v1/account', { allowed_sites: ['account.example'] });
  expect(ancestorsOf(await view())).toBe('frame-ancestors https://account.example:* http://account.example:*');
  await set({ allowed_sites: ['*.own.example'] });
  expect(ancestorsOf(await view())).toBe('frame-ancestors https://*.own.example:* http://*.own.example:*');
  await set({ allowed_sites: null });
  expect(ancestorsOf(await view())).toContain('account.example');
  await ada.rest('PATCH', '/v1/account', { allowed_sites: null });
  expect(ancestorsOf(await view())).toBeUndefined();
});

const EXAMPLE_SITES =
  'frame-ancestors https://example.com:* http://example.com:* https://*.example.org:* http://*.example.org:*';
const IFRAME = { 'sec-fetch-dest': 'iframe' };

test.each<[site: string, headers: Record<string, string>, isShown: boolean]>([
  ['an allowed site', { ...IFRAME, referer: 'https://example.com/' }, true],
  ['an allowed site on another port', { ...IFRAME, referer: 'http://example.com:8080/a' }, true],
  ['a host below an allowed one', { ...IFRAME, referer: 'https://a.b.example.org/' }, true],
  ['the host of a wildcard itself', { ...IFRAME, referer: 'https://example.org/' }, false],
  ['a host that ends like an allowed one', { ...IFRAME, referer: 'https://notexample.com/' }, false],
  ['another site', { ...IFRAME, referer: 'https://evil.example/?example.com' }, false],
  ['another site in an old browser', { referer: 'https://evil.example/' }, false],
  ['a link of another site', { 'sec-fetch-dest': 'document', referer: 'https://evil.example/' }, true],
  ['a site that hides its name', IFRAME, true],
  ['a site with an invalid name', { ...IFRAME, referer: 'x' }, true],
])('%s: %j', async (_, headers, isShown) => {
  const { view, set } = await openArticle();
  await set({ allowed_sites: ['example.com', '*.example.org'] });
  const response = await view(headers);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text.includes('Flour and water')).toBe(isShown);
  expect(text.includes('The owner shows this embed on other sites only.')).toBe(!isShown);
  // the card does not ask for a later version: a request of its script names no site
  expect(text.includes('data-interval')).toBe(isShown);
  // no cache may show the card of one site to another one
  expect(response.headers.get('cache-control')).toBe(isShown ? 'no-cache' : 'no-store');
  expect(response.headers.has('cdn-cache-control')).toBe(isShown);
  expect(ancestorsOf(response)).toBe(isShown ? EXAMPLE_SITES : undefined);
});

test('a reader who has the article gets the card on another site, and no 304', async () => {
  const { view, set } = await openArticle();
  await set({ allowed_sites: ['example.com'] });
  const tag = (await view()).headers.get('etag') ?? '';
  expect((await view({ 'if-none-match': tag })).status).toBe(304);
  const other = { 'if-none-match': tag, ...IFRAME, referer: 'https://evil.example/' };
  expect((await view(other)).status).toBe(200);
});

const oembedOf = ({ embed_url }: RestEmbed) => `/oembed?url=${encodeURIComponent(embed_url)}`;

test('oEmbed refuses a site that is not allowed, as far as it is known', async () => {
  const { embed, set, ada } = await openArticle();
  await set({ allowed_sites: ['example.com'] });
  const statusFor = async (headers: Record<string, string>) => (await ada.fetch(oembedOf(embed), { headers })).status;
  expect(await statusFor({})).toBe(200);
  expect(await statusFor({ origin: 'https://example.com' })).toBe(200);
  expect(await statusFor({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusFor({ referer: 'https://evil.example/post' })).toBe(403);
  const refused = await ada.fetch(oembedOf(embed), { headers: { referer: 'https://evil.example/post' } });
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(await refused.json()).toMatchObject({ code: 'site_not_allowed' });
  const cacheControl = async () => (await ada.fetch(oembedOf(embed))).headers.get('cache-control');
  expect(await cacheControl()).toBe('private, max-age=3600');
  await set({ allowed_sites: null });
  expect(await cacheControl()).toBe('public, max-age=3600');
});

/** Moves the clock of the service. */
function setClock(time: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
  onTestFinished(() => void vi.useRealTimers());
}

test('an embed expires at its time, whatever is cached, and shows its page again if the clock goes back', async () => {
  const now = Date.now();
  const { view, set, embed, ada } = await openArticle();
  const expiresAt = now + 90_000;
  await set({ expires_at: new Date(expiresAt).toISOString() });
  setClock(expiresAt - 1);
  const before = await view();
  expect(await before.text()).toContain('Flour and water');
  setClock(expiresAt);
  const after = await view({ 'if-none-match': before.headers.get('etag') ?? '' });
  const text = await after.text();
  expect([after.status, text.includes('Flour and water'), text.includes('The owner has ended this embed.')]).toEqual([
    200,
    false,
    true,
  ]);
  expect((await ada.fetch(oembedOf(embed))).status).toBe(404);
  setClock(expiresAt - 30_000);
  expect(await (await view()).text()).toContain('Flour and water');
  setClock(expiresAt + 30_000);
  expect(await (await view()).text()).not.toContain('Flour and water');
  await set({ expires_at: null });
  expect(await (await view()).text()).toContain('Flour and water');
});

test.each([
  [600_000, 'max-age=60, stale-while-revalidate=60, stale-if-error=540', '60'],
  [90_000, 'max-age=60, stale-while-revalidate=30, stale-if-error=30', '60'],
  [30_500, 'max-age=30, stale-while-revalidate=0', '30'],
  [400, 'max-age=0, stale-while-revalidate=0', '0'],
])('%d ms before the end, no CDN may keep the page beyond it', async (remainingMs, lifetime, accel) => {
  const now = Date.now();
  const purging = await openApp({
    allowPrivatePages: true,
    purgeTargets: [{ url: 'http://127.0.0.1:9/{key}', header: null }],
  });
  const { view, set, ada, embed } = await openArticle(purging);
  await set({ expires_at: new Date(now + 3_600_000).toISOString() });
  const whole = (await view()).headers;
  expect(whole.get('cdn-cache-control')).toBe('max-age=60, stale-while-revalidate=60, stale-if-error=600');
  setClock(now + 3_600_000 - remainingMs);
  const { headers } = await view();
  expect([headers.get('cdn-cache-control'), headers.get('x-accel-expires')]).toEqual([lifetime, accel]);
  const again = await view({ 'if-none-match': headers.get('etag') ?? '' });
  expect([again.status, again.headers.get('cdn-cache-control')]).toEqual([304, lifetime]);
  const oembed = await ada.fetch(oembedOf(embed));
  const maxAgeS = Math.floor(remainingMs / 1_000);
  expect(oembed.headers.get('cache-control')).toBe(`public, max-age=${maxAgeS}`);
  expect(await oembed.json()).toMatchObject({ cache_age: maxAgeS });
});

test('a change of the account purges all of its embeds', async () => {
  const purged: string[] = [];
  const cdn = await openSite((request, response) => {
    purged.push(request.url ?? '');
    response.end();
  });
  const purging = await openApp({
    allowPrivatePages: true,
    purgeTargets: [{ url: `${cdn.origin}/{key}`, header: null }],
  });
  const { ada, view } = await openArticle(purging);
  const keys = (await view()).headers.get('surrogate-key')?.split(' ') ?? [];
  const accountKey = keys.find((key) => key.startsWith('account-'));
  expect(accountKey).toMatch(/^account-[0-9a-f]{16}$/);
  await ada.rest('PATCH', '/v1/account', { allowed_sites: ['example.com'] });
  await expect.poll(() => purged).toContain(`/${accountKey}`);
});
