import { expect, test, vi } from 'vitest';
import { newDatabase, openApp, openRaw } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { openWithSite, visit, visitWhenRead } from './browser/visits.ts';

test('embed_url opens without a token and shows the article of the page', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const embed = await ada.create({ page_url: pageUrl });
  const response = await visitWhenRead(service, embed.embed_url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).not.toContain('frame-ancestors');
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
  const html = await response.text();
  expect(html).toContain('The pantry list starts');
  expect(html.slice(html.indexOf('<article'))).not.toContain('<nav');
});

test('unknown, malformed and deleted ids get an error page, on every path of the API too', async () => {
  const { service, ada } = await openWithSite();
  const { id, embed_url } = await ada.create();
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  for (const url of [
    embed_url,
    'http://01m7y4dcyp2ad36zr4waqryvpr.embeds.localhost:4000/',
    'http://nonsense.embeds.localhost:4000/v1/embeds',
    'http://a.b.embeds.localhost:4000/graphql',
  ]) {
    const response = await visit(service, url);
    expect([url, response.status, response.headers.get('content-type')]).toEqual([
      url,
      404,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('Embed not found');
  }
});

test('the next reader sees an update of an embed, and an unchanged page gets 304', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const { id, embed_url } = await ada.create({ page_url: pageUrl });
  const first = await visitWhenRead(service, embed_url);
  const etag = first.headers.get('etag') ?? '';
  expect(await first.text()).toContain('data-mode="light"');
  const condition = { headers: { 'if-none-match': etag } };
  expect((await visit(service, embed_url, condition)).status).toBe(304);
  await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
  const changed = await visit(service, embed_url, condition);
  expect(changed.status).toBe(200);
  expect(await changed.text()).toContain('data-mode="dark"');
});

test('a cached page is not served after a change of its embed, its deletion, or a new copy of its source', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    let word = 'first';
    const site = await openSite((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(articlePage('Meal Planner', `<p>The ${word} one.</p>`));
    });
    const service = await openApp({ allowPrivatePages: true });
    const ada = await service.as('ada');
    const { id, embed_url } = await ada.create({ page_url: `${site.origin}/week` });
    const visitCompressed = () => visit(service, embed_url, { headers: { 'accept-encoding': 'br' } });
    const read = async () => (await visit(service, embed_url)).text();
    await visitWhenRead(service, embed_url);
    expect((await visitCompressed()).headers.get('content-encoding')).toBe('br');
    for (const font of ['Inter', 'Lora', 'default']) {
      await ada.rest('PATCH', `/v1/embeds/${id}`, { font });
      expect(await read()).toContain(`"${font === 'default' ? 'ltr' : font}"`);
    }
    await ada.rest('PATCH', `/v1/embeds/${id}`, { show_top_bar: false });
    expect(await read()).not.toContain('<header');

    word = 'second';
    expect(await read()).toContain('The first one');
    vi.advanceTimersByTime(11 * 60_000);
    expect(await read()).toContain('The first one');
    await expect.poll(() => site.requests.length).toBe(2);
    await expect
      .poll(async () => {
        vi.advanceTimersByTime(1_500);
        return read();
      })
      .toContain('The second one');

    await ada.rest('DELETE', `/v1/embeds/${id}`);
    expect((await visit(service, embed_url)).status).toBe(404);
  } finally {
    vi.useRealTimers();
  }
});

test('compresses pages, the script and the error page of an unknown embed as Accept-Encoding says', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: pageUrl });
  const unknown = 'http://01m7y4dcyp2ad36zr4waqryvpr.embeds.localhost:4000/';
  for (const url of [embed_url, unknown, 'http://localhost:4000/embed.js']) {
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['gzip;q=0', null],
    ] as const) {
      const response = await visit(service, url, { headers: { 'accept-encoding': accepted } });
      expect([url, accepted, response.headers.get('content-encoding')]).toEqual([url, accepted, coding]);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
    }
  }
});

/** Opens a service with an embed whose page does not respond until it is released. */
async function openWithSlowSite() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const site = await openSite(async (_request, response) => {
    await released;
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Meal Planner'));
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const embed = await ada.create({ page_url: `${site.origin}/Meal-Planner-95747105f402490eba51d52e00496c1c` });
  return { service, embed, release };
}

test('a reader of a slow page gets a card that is not stored, and the next one the article', async () => {
  const { service, embed, release } = await openWithSlowSite();
  const early = await visit(service, embed.embed_url);
  expect([early.status, early.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(early.headers.get('cdn-cache-control')).toBeNull();
  const card = await early.text();
  expect(card).toContain('Still loading.');
  expect(card).toContain(`href="${embed.page_url}"`);
  release();
  await expect.poll(async () => (await visit(service, embed.embed_url)).text()).toContain('The pantry list');
  expect((await visit(service, embed.embed_url)).headers.get('cache-control')).toBe('no-cache');
});

test('shows errors as pages, with Retry-After', async () => {
  const { service, embed, release } = await openWithSlowSite();
  const crowd = Array.from({ length: 1_001 }, () => visit(service, embed.embed_url));
  const busy = await Promise.race(crowd);
  const post = await visit(service, embed.embed_url, { method: 'POST' });
  release();
  await Promise.all(crowd);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await busy.text()).toContain('Temporarily unavailable');
  expect(post.status).toBe(503);
  const refused = await visit(service, embed.embed_url, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(await refused.text()).toContain('Method not allowed');
  for (const { headers } of [busy, refused]) {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBeNull();
  }
});

test('an internal error is a page without details, with the request id of the log', async () => {
  const databaseUrl = await newDatabase();
  const service = await openApp({ databaseUrl });
  const { embed_url } = await (await service.as('ada')).create();
  await (await openRaw(databaseUrl)).query('ALTER TABLE "Embed" RENAME TO "Lost"');
  const response = await visit(service, embed_url);
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await response.text();
  expect(html).toContain('Temporarily unavailable');
  expect(html).toContain(`Request ${response.headers.get('x-request-id')}`);
  expect(html).not.toMatch(/sqlite|postgres|prisma|node_modules/i);
});

test('fetches a page once for concurrent readers, and again only when its copy is stale', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const { service, site, ada, pageUrl } = await openWithSite();
    const embeds = [await ada.create({ page_url: `${pageUrl}-95747105f402490eba51d52e00496c1c` })];
    for (let i = 0; i < 4; i++) embeds.push(await ada.create({ page_url: embeds[0]?.page_url }));
    expect(site.requests).toHaveLength(0);
    const pages = await Promise.all(embeds.map(({ embed_url }) => visit(service, embed_url)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await visitWhenRead(service, embeds[0]?.embed_url ?? '');
    expect(site.requests).toHaveLength(1);

    vi.advanceTimersByTime(11 * 60_000);
    const stale = await visit(service, embeds[0]?.embed_url ?? '');
    expect(await stale.text()).toContain('The pantry list');
    await expect.poll(() => site.requests.length).toBe(2);
    expect(site.requests[1]?.headers['if-none-match']).toBe('"1"');
  } finally {
    vi.useRealTimers();
  }
});

test('an unavailable page becomes a card, and is not fetched again at once', async () => {
  const site = await openSite((_request, response) => void response.writeHead(500).end('no'));
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const embed = await ada.create({ page_url: `${site.origin}/Trip-95747105f402490eba51d52e00496c1c` });
  for (let i = 0; i < 3; i++) {
    const response = await visit(service, embed.embed_url);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('Trip');
    expect(html).toContain(`href="${embed.page_url}"`);
  }
  expect(site.requests).toHaveLength(1);
});

test('takes the title from the page if the URL has none, and never fails a create when the page fails', async () => {
  const { ada, site, pageUrl } = await openWithSite(articlePage('Wochenplan &amp; Einkauf'));
  // on a busy machine, reading the page may exceed the 3 s; then the next create finds the copy
  const pathOf = async () => new URL((await ada.create({ page_url: pageUrl })).embed_url).pathname;
  await expect.poll(pathOf).toMatch(/^\/Wochenplan-Einkauf-[0-9a-f]{32}$/);
  const carrying = await ada.create({ page_url: `${site.origin}/Trip-95747105f402490eba51d52e00496c1c` });
  expect(carrying.embed_url).toContain('/Trip-');
  const { body } = await ada.rest('PATCH', `/v1/embeds/${carrying.id}`, { page_url: pageUrl });
  expect(body.embed.embed_url).toContain('/Wochenplan-Einkauf-');
  const unreachable = await ada.create({ page_url: 'http://127.0.0.1:1/about-us' });
  expect(unreachable.embed_url).toContain('/about-us-');
});

test('serves the script on the host of the API, for any site to load', async () => {
  const service = await openApp();
  const response = await visit(service, 'http://localhost:4000/embed.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(3_000);
});

test('an embed is the same page for all readers, so that caches need only one', async () => {
  const german = articlePage('Essensplan')
    .replace('<html>', '<html lang="de">')
    .replace('<html lang="en">', '<html lang="de">');
  const { service, ada, pageUrl } = await openWithSite(german);
  const { embed_url } = await ada.create({ page_url: pageUrl });
  await visitWhenRead(service, embed_url);
  const pages = await Promise.all(
    ['fr', 'de', 'en'].map((language) => visit(service, embed_url, { headers: { 'accept-language': language } })),
  );
  const texts = await Promise.all(pages.map((page) => page.text()));
  expect(texts[0]).toContain('Original öffnen');
  expect(new Set(texts).size).toBe(1);
  expect(new Set(pages.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  expect(pages.map(({ headers }) => headers.get('vary')?.toLowerCase() ?? '').join()).not.toContain('language');
});
