import { expect, test, vi } from 'vitest';
import { MEAL_PLANNER, newDatabase, openApp, openRaw, type TestApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

async function openWithSite(html = articlePage('Meal Planner')) {
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(html);
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  return { site, service, ada, pageUrl: `${site.origin}/notes/week` };
}

/** Sends a request without a token, as a browser does. */
function visit({ app }: TestApp, url: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(url, init));
}

/** Repeats {@link visit} until the article is there: on a busy machine, reading it may exceed the timeout for readers. */
async function visitWhenRead(service: TestApp, url: string): Promise<Response> {
  let response = await visit(service, url);
  const isCard = async () => {
    if (response.headers.get('cache-control') === 'no-store') response = await visit(service, url);
    return response.headers.get('cache-control') === 'no-store';
  };
  await expect.poll(isCard).toBe(false);
  return response;
}

test('embed_url opens without a token and shows the article of the page', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const embed = await ada.create({ page_url: pageUrl });
  const response = await visitWhenRead(service, embed.embed_url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
  const html = await response.text();
  expect(html).toContain('The pantry list starts');
  expect(html).not.toContain('<nav');
});

test('redirects other paths to the canonical one with 308, and ignores the query string and the case of the id', async () => {
  const { service, ada } = await openWithSite();
  const { id, embed_url } = await ada.create();
  const { host, pathname } = new URL(embed_url);
  for (const path of [
    '/',
    '/?a=b',
    '/Old-Title-95747105f402490eba51d52e00496c1c?x=1',
    '/graphql',
    '/v1/embeds',
    '/oembed',
    '/livez',
  ]) {
    const response = await visit(service, `http://${host}${path}`);
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 308, pathname]);
  }
  const upper = await visit(service, `http://${id.toUpperCase()}.EMBEDS.LOCALHOST:4000${pathname}?utm=1`);
  expect(upper.status).toBe(200);
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
  const post = await visit(service, embed_url, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
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
  const { service, embed } = await openWithSlowSite();
  const crowd = Array.from({ length: 1_001 }, () => visit(service, embed.embed_url));
  const busy = await Promise.race(crowd);
  const post = await visit(service, embed.embed_url, { method: 'POST' });
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
  expect(html).toContain('Something went wrong on our side.');
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

test('oEmbed describes an embed as JSON and XML, within the requested size', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const getOembed = (parameters: Record<string, string>) =>
    visit(service, `http://localhost:4000/oembed?${new URLSearchParams(parameters)}`);
  const json = await getOembed({ url: embed_url, maxwidth: '400', maxheight: '300', dnt: 'true' });
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const description = (await json.json()) as Record<string, unknown>;
  expect(description).toMatchObject({ version: '1.0', type: 'rich', title: 'Meal Planner', width: 400, height: 300 });
  expect(description.html).toContain(`src="${embed_url}"`);
  const xml = await getOembed({ url: embed_url, format: 'xml' });
  expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  expect(await xml.text()).toMatch(/^<\?xml .*<oembed>.*<type>rich<\/type>.*&lt;iframe .*<\/oembed>$/s);

  const upper = await getOembed({ url: embed_url, format: 'XML' });
  expect(upper.headers.get('content-type')).toBe('text/xml; charset=utf-8');
});

test('oEmbed ignores maxwidth and maxheight that are not positive integers', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  for (const size of ['', 'undefined', 'null', 'NaN', '0', '-1', '1e3', '99999999999']) {
    const query = new URLSearchParams({ url: embed_url, maxwidth: size, maxheight: size, format: '' });
    const response = await visit(service, `http://localhost:4000/oembed?${query}`);
    expect([size, response.status, await response.json()]).toMatchObject([size, 200, { width: 800, height: 600 }]);
  }
});

test('oEmbed reports errors as JSON, or as plain text for consumers of XML', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const unknown = 'http://01m7y4dcyp2ad36zr4waqryvpr.embeds.localhost:4000/';
  for (const [query, status] of [
    [{ url: embed_url, format: 'yaml' }, 501],
    [{ url: 'https://example.com/' }, 404],
    [{ url: unknown }, 404],
    [{ url: 'nonsense' }, 404],
    [{ url: '' }, 400],
    [{}, 400],
  ] as const) {
    const getOembed = (format: object) =>
      visit(service, `http://localhost:4000/oembed?${new URLSearchParams({ ...format, ...query })}`);
    const json = await getOembed({});
    expect([query, json.status, json.headers.get('cache-control')]).toEqual([query, status, 'no-store']);
    expect(json.headers.get('content-type')).toBe('application/problem+json');
    if ('format' in query) continue;
    const xml = await getOembed({ format: 'xml' });
    expect([query, xml.status, xml.headers.get('content-type')]).toEqual([query, status, 'text/plain; charset=utf-8']);
  }
});

test('oEmbed refuses a parameter with two values, and accepts one that repeats its value', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const getOembed = (...more: [string, string][]) =>
    visit(service, `http://localhost:4000/oembed?${new URLSearchParams([['url', embed_url], ...more])}`);
  const repeated = await getOembed(['format', 'json'], ['format', 'json'], ['maxwidth', '400'], ['maxwidth', '400']);
  expect([repeated.status, await repeated.json()]).toMatchObject([200, { width: 400 }]);
  const others: [string, string][] = [
    ['x', '1'],
    ['x', '2'],
  ];
  expect((await getOembed(...others)).status).toBe(200);
  for (const [name, ...values] of [
    ['url', 'https://example.com/'],
    ['format', 'json', 'xml'],
    ['maxwidth', '400', '500'],
    ['maxheight', '400', ''],
  ] as const) {
    const response = await getOembed(...values.map((value): [string, string] => [name, value]));
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect([response.status, code, detail]).toEqual([
      400,
      'malformed',
      `The parameter ${name} has more than one value. Send it once.`,
    ]);
  }
});

test('oEmbed responses are cacheable for an hour, and get 304 after that', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const url = `http://localhost:4000/oembed?${new URLSearchParams({ url: embed_url })}`;
  const first = await visit(service, url);
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(((await first.json()) as { cache_age: number }).cache_age).toBe(3_600);
  const again = await visit(service, url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

test('oEmbed in XML is well-formed for every title', async () => {
  const { service, ada, pageUrl } = await openWithSite(articlePage('Tea \uffff &amp; &lt;b&gt; ]]&gt; 🍵'));
  const { embed_url } = await ada.create({ page_url: pageUrl });
  const response = await visit(
    service,
    `http://localhost:4000/oembed?${new URLSearchParams({ url: embed_url, format: 'xml' })}`,
  );
  const xml = await response.text();
  expect(xml).toContain('<title>Tea  &amp; &lt;b&gt; ]]&gt; 🍵</title>');
});

test('the page of an embed links to its oEmbed URLs, in its head and its headers', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const response = await visit(service, embed_url);
  const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="alternate"; type="([^"]+)"/g)].map(
    ([, href = '', type]) => ({ href, type }),
  );
  expect(links.map(({ type }) => type)).toEqual(['application/json+oembed', 'text/xml+oembed']);
  const html = await response.text();
  for (const { href } of links) {
    expect(html).toContain(`href="${href.replaceAll('&', '&amp;')}"`);
    expect((await visit(service, href)).status).toBe(200);
  }
});

test('oEmbed tells what is stored of the article, and fits the height to it within maxheight, without a request', async () => {
  const head = (size: string) =>
    `<head><meta name="author" content="By Ada Holm"><meta property="og:image" content="/coast.jpg">${size}`;
  const size = '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">';
  const { service, site, ada, pageUrl } = await openWithSite(articlePage('Meal Planner').replace('<head>', head(size)));
  const { id, embed_url } = await ada.create({ page_url: `${pageUrl}-95747105f402490eba51d52e00496c1c` });
  const getOembed = async (parameters: object = {}) => {
    const query = new URLSearchParams({ url: embed_url, ...parameters });
    return (await visit(service, `http://localhost:4000/oembed?${query}`)).json() as Promise<Record<string, unknown>>;
  };
  const snippet = async () =>
    (await ada.graphql('query($id: ID!) { embed(id: $id) { html } }', { id })).data.embed.html as string;

  const unknown = await getOembed();
  expect(unknown).toMatchObject({ width: 800, height: 600 });
  expect(Object.keys(unknown)).not.toContain('author_name');
  expect(await getOembed({ maxheight: '5000' })).toMatchObject({ height: 1_000 });
  expect(await snippet()).toContain('height="600"');
  expect(site.requests).toEqual([]);

  await visitWhenRead(service, embed_url);
  const requests = site.requests.length;
  const thumbnail = {
    thumbnail_url: `${site.origin}/coast.jpg`,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  };
  expect(await getOembed()).toMatchObject({ author_name: 'Ada Holm', ...thumbnail, height: 600 });
  expect(await getOembed({ maxheight: '900' })).toMatchObject({ ...thumbnail, height: 900 });
  expect(await getOembed({ maxheight: '5000' })).toMatchObject({ height: 1_000 });
  // a thumbnail must respect the limits, and must not be without its size
  expect(await getOembed({ maxwidth: '600' })).not.toHaveProperty('thumbnail_url');
  expect(await getOembed({ maxheight: '600' })).not.toHaveProperty('thumbnail_width');
  const html = await snippet();
  expect(Number(/ height="(\d+)"/.exec(html)?.[1])).toBeGreaterThan(1_000);
  expect(html).toMatch(/; height: clamp\(\d+px, \d+px \+ -\d+\.\dvw, \d+px\)"/);
  expect(site.requests).toHaveLength(requests);
});

test('oEmbed has the height of the card for a page that cannot be shown', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: 'http://127.0.0.1:1/Notes' });
  await visitWhenRead(service, embed_url);
  const query = new URLSearchParams({ url: embed_url, maxheight: '1000' });
  const response = await visit(service, `http://localhost:4000/oembed?${query}`);
  const { height } = (await response.json()) as { height: number };
  expect(height).toBeGreaterThan(200);
  expect(height).toBeLessThan(300);
});
