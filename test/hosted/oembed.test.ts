import { expect, test } from 'vitest';
import { MEAL_PLANNER } from '../open-app.ts';
import { articlePage } from '../pages/site.ts';
import { openWithSite, visit, visitWhenRead } from './browser/visits.ts';

test('oEmbed describes an embed as JSON and XML, within the requested size if that is a positive integer', async () => {
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

  for (const size of ['', 'undefined', 'null', 'NaN', '0', '-1', '1e3', '99999999999']) {
    const query = new URLSearchParams({ url: embed_url, maxwidth: size, maxheight: size, format: '' });
    const response = await visit(service, `http://localhost:4000/oembed?${query}`);
    expect([size, response.status, await response.json()]).toMatchObject([size, 200, { width: 800, height: 600 }]);
  }
});

test('oEmbed reports errors as JSON, or as plain text for consumers of XML, and refuses a parameter with two values', async () => {
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

  const getWith = (...more: [string, string][]) =>
    visit(service, `http://localhost:4000/oembed?${new URLSearchParams([['url', embed_url], ...more])}`);
  const repeated = await getWith(['format', 'json'], ['format', 'json'], ['maxwidth', '400'], ['maxwidth', '400']);
  expect([repeated.status, await repeated.json()]).toMatchObject([200, { width: 400 }]);
  const others: [string, string][] = [
    ['x', '1'],
    ['x', '2'],
  ];
  expect((await getWith(...others)).status).toBe(200);
  for (const [name, ...values] of [
    ['url', 'https://example.com/'],
    ['format', 'json', 'xml'],
    ['maxwidth', '400', '500'],
    ['maxheight', '400', ''],
  ] as const) {
    const response = await getWith(...values.map((value): [string, string] => [name, value]));
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect([response.status, code, detail]).toEqual([
      400,
      'malformed',
      `The parameter ${name} has more than one value. Send it once.`,
    ]);
  }
});

test('oEmbed responses are cacheable for an hour, and the page of an embed links to them in its head and headers', async () => {
  const { service, ada } = await openWithSite();
  const { embed_url } = await ada.create({ page_url: MEAL_PLANNER });
  const url = `http://localhost:4000/oembed?${new URLSearchParams({ url: embed_url })}`;
  const first = await visit(service, url);
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(((await first.json()) as { cache_age: number }).cache_age).toBe(3_600);
  const again = await visit(service, url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);

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

test('oEmbed in XML is well-formed for every title', async () => {
  const { service, ada, pageUrl } = await openWithSite(articlePage('Tea \uffff &amp; &lt;b&gt; ]]&gt; 🍵'));
  // on a busy machine, reading the page may exceed the 3 s; then the next create finds the copy
  await visitWhenRead(service, (await ada.create({ page_url: pageUrl })).embed_url);
  const { embed_url } = await ada.create({ page_url: pageUrl });
  const response = await visit(
    service,
    `http://localhost:4000/oembed?${new URLSearchParams({ url: embed_url, format: 'xml' })}`,
  );
  const xml = await response.text();
  expect(xml).toContain('<title>Tea  &amp; &lt;b&gt; ]]&gt; 🍵</title>');
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
  expect(height).toBeLessThan(400);
});
