import { expect, test, vi } from 'vitest';
import { MEAL_PLANNER, openApp, type TestApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

async function openWithSite(html = articlePage('Meal Planner')) {
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(html);
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  return { site, service, ada, pageUrl: `${site.origin}/notes/week` };
}

/** Asks as a browser does, without a token. */
function visit({ app }: TestApp, url: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(url, init));
}

test('embed_url opens without a token and shows the article of the page', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const embed = await ada.create({ page_url: pageUrl });
  expect(embed.embed_url).toContain('/Meal-Planner-');
  const response = await visit(service, embed.embed_url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
  const html = await response.text();
  expect(html).toContain('The pantry list starts');
  expect(html).not.toContain('<nav');
});

test('another path goes to the canonical one with 308, whatever the query string and the case of the id', async () => {
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
  const upper = await visit(service, `http://${id.toUpperCase()}.LOCALHOST:4000${pathname}?utm=1`);
  expect(upper.status).toBe(200);
});

test('unknown, malformed and deleted ids get a page that says so, and nothing of the API', async () => {
  const { service, ada } = await openWithSite();
  const { id, embed_url } = await ada.create();
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  for (const url of [
    embed_url,
    'http://01m7y4dcyp2ad36zr4waqryvpr.localhost:4000/',
    'http://nonsense.localhost:4000/v1/embeds',
    'http://a.b.localhost:4000/graphql',
  ]) {
    const response = await visit(service, url);
    expect([url, response.status, response.headers.get('content-type')]).toEqual([
      url,
      404,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('There is no embed here');
  }
  const post = await visit(service, embed_url, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('an update of an embed is seen by the next reader, and an unchanged page costs 304', async () => {
  const { service, ada, pageUrl } = await openWithSite();
  const { id, embed_url } = await ada.create({ page_url: pageUrl });
  const first = await visit(service, embed_url);
  const etag = first.headers.get('etag') ?? '';
  expect(await first.text()).toContain('data-mode="light"');
  const condition = { headers: { 'if-none-match': etag } };
  expect((await visit(service, embed_url, condition)).status).toBe(304);
  await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
  const changed = await visit(service, embed_url, condition);
  expect(changed.status).toBe(200);
  expect(await changed.text()).toContain('data-mode="dark"');
});

test('a page is fetched once however many ask, and again only when its copy is stale', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { service, site, ada, pageUrl } = await openWithSite();
    const embeds = [await ada.create({ page_url: `${pageUrl}-95747105f402490eba51d52e00496c1c` })];
    for (let i = 0; i < 4; i++) embeds.push(await ada.create({ page_url: embeds[0]?.page_url }));
    expect(site.requests).toHaveLength(0);
    const pages = await Promise.all(embeds.map(({ embed_url }) => visit(service, embed_url)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(site.requests).toHaveLength(1);

    vi.setSystemTime(Date.now() + 11 * 60_000);
    const stale = await visit(service, embeds[0]?.embed_url ?? '');
    expect(await stale.text()).toContain('The pantry list');
    await expect.poll(() => site.requests.length).toBe(2);
    expect(site.requests[1]?.headers['if-none-match']).toBe('"1"');
  } finally {
    vi.useRealTimers();
  }
});

test('a page that cannot be had is a card, and is not asked for again at once', async () => {
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

test('the title comes from the page where the URL carries none, and its failure never fails a create', async () => {
  const { ada, site, pageUrl } = await openWithSite(articlePage('Wochenplan &amp; Einkauf'));
  const created = await ada.create({ page_url: pageUrl });
  expect(new URL(created.embed_url).pathname).toMatch(/^\/Wochenplan-Einkauf-[0-9a-f]{32}$/);
  const carrying = await ada.create({ page_url: `${site.origin}/Trip-95747105f402490eba51d52e00496c1c` });
  expect(carrying.embed_url).toContain('/Trip-');
  const { body } = await ada.rest('PATCH', `/v1/embeds/${carrying.id}`, { page_url: pageUrl });
  expect(body.embed.embed_url).toContain('/Wochenplan-Einkauf-');
  const unreachable = await ada.create({ page_url: 'http://127.0.0.1:1/about-us' });
  expect(unreachable.embed_url).toContain('/about-us-');
});

test('the script is served beside the API, for any page to load', async () => {
  const service = await openApp();
  const response = await visit(service, 'http://localhost:4000/embed.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(3_000);
});

test('oEmbed describes an embed as JSON and XML, within the size that is asked for', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const ask = (parameters: Record<string, string>) =>
    visit(service, `http://localhost:4000/oembed?${new URLSearchParams(parameters)}`);
  const json = await ask({ url: embed_url, maxwidth: '400', maxheight: '300', dnt: 'true' });
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const description = (await json.json()) as Record<string, unknown>;
  expect(description).toMatchObject({ version: '1.0', type: 'rich', title: 'Meal Planner', width: 400, height: 300 });
  expect(description.html).toContain(`src="${embed_url}"`);
  const xml = await ask({ url: embed_url, format: 'xml' });
  expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  expect(await xml.text()).toMatch(/^<\?xml .*<oembed>.*<type>rich<\/type>.*&lt;iframe .*<\/oembed>$/s);

  expect((await ask({ url: embed_url, format: 'yaml' })).status).toBe(501);
  expect((await ask({ url: 'https://example.com/' })).status).toBe(404);
  expect((await ask({ url: 'http://01m7y4dcyp2ad36zr4waqryvpr.localhost:4000/' })).status).toBe(404);
  const faulty = await ask({ maxwidth: '-1' });
  expect(faulty.status).toBe(422);
  expect(((await faulty.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
    'maxwidth',
    'url',
  ]);
});

test('the page of an embed says where its oEmbed answer is, in its head and its headers', async () => {
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
