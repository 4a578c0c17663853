import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Client, openApp, type RestEmbed, type TestApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { statementsOf } from '../store/embeds/statements-of.ts';

const PAGE_ID = '95747105f402490eba51d52e00496c1c';
const PAGE = 'query($id: ID!) { embed(id: $id) { page { state reason title siteName url movedTo fetchedAt } } }';
const REFRESH =
  'mutation($input: RefreshPageInput!) { refreshPage(input: $input) { embed { id page { state reason title fetchedAt } } } }';
const HTML = { 'content-type': 'text/html' };

type Respond = (response: ServerResponse) => void;

const respondWith =
  (html: string, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(200, { ...HTML, ...headers }).end(html);
const respondStatus =
  (status: number): Respond =>
  (response) =>
    void response.writeHead(status, HTML).end('<h1>No</h1>');

/** The response of the site, the state, a part of the reason, and a part of the text on the card. */
const CARDS: readonly (readonly [name: string, respond: Respond, state: string, reason: RegExp, card: RegExp])[] = [
  ['not-found', respondStatus(404), 'GONE', /no such page \(status 404\)/, /no longer has this page/],
  ['gone', respondStatus(410), 'GONE', /status 410/, /no longer has this page/],
  ['sign-in', respondStatus(401), 'FORBIDDEN', /status 401/, /may ask you to sign in/],
  ['forbidden', respondStatus(403), 'FORBIDDEN', /status 403/, /may ask you to sign in/],
  ['legal', respondStatus(451), 'FORBIDDEN', /status 451/, /may ask you to sign in/],
  ['list', respondWith('<title>List</title><p>Bread'), 'NO_ARTICLE', /no article/, /no article to show/],
  [
    'shell',
    respondWith('<title>App</title><div id="root"></div><script src="/app.js"></script>'),
    'NEEDS_BROWSER',
    /without its scripts/,
    /is an application/,
  ],
  [
    'asks-for-scripts',
    respondWith(`<noscript>Please enable JavaScript.</noscript><p>${'Menu '.repeat(60)}</p><script>start()</script>`),
    'NEEDS_BROWSER',
    /without its scripts/,
    /is an application/,
  ],
  [
    'data-only',
    respondWith('<title>List</title><script type="application/ld+json">{}</script><p>Bread'),
    'NO_ARTICLE',
    /no article/,
    /no article to show/,
  ],
  [
    'file',
    respondWith('%PDF-1.7', { 'content-type': 'application/zip' }),
    'NOT_A_PAGE',
    /leads to a file/,
    /is a file/,
  ],
  [
    'large',
    (response) =>
      void response.writeHead(200, { ...HTML, 'content-length': String(6 * 1024 * 1024) }).write('<p>'.repeat(1_000)),
    'TOO_LARGE',
    /larger than 5 MB/,
    /too large to show/,
  ],
  ['error', respondStatus(503), 'UNREACHABLE', /with an error \(status 503\)/, /cannot be reached at the moment/],
  ['refused', (response) => void response.destroy(), 'UNREACHABLE', /connection failed/, /cannot be reached/],
  [
    'loop',
    (response) => void response.writeHead(302, { location: '' }).end(),
    'UNREACHABLE',
    /redirects to something/,
    /cannot be reached/,
  ],
  [
    'robots',
    respondWith(articlePage('Secret'), { 'x-robots-tag': 'noarchive' }),
    'NOT_ALLOWED',
    /robots directive noarchive/,
    /may not be copied here/,
  ],
];

/** Opens a service, and a site whose responses can change. */
async function openWithSite(overrides: Partial<Config> = {}) {
  const responses = new Map<string, Respond>();
  const site = await openSite(({ url = '' }, response) => responses.get(nameOf(url))?.(response));
  const service = await openApp({ allowPrivatePages: true, ...overrides });
  const ada = await service.as('ada');
  const createEmbed = (name: string, respond: Respond) => {
    responses.set(name, respond);
    return ada.create({ page_url: `${site.origin}/${name}-${PAGE_ID}` });
  };
  return { service, site, ada, responses, createEmbed };
}

const nameOf = (path: string) => path.slice(1, -PAGE_ID.length - 1);

/** Repeats the request while the page is pending: on a busy machine, reading it may exceed the timeout for readers. */
async function visit({ app }: TestApp, { embed_url }: RestEmbed): Promise<string> {
  let html = '';
  const cacheControl = async () => {
    const response = await app.fetch(new Request(embed_url));
    html = await response.text();
    return response.headers.get('cache-control');
  };
  await expect.poll(cacheControl).not.toBe('no-store');
  return html;
}

/** Reads the page at both doors, which must agree. */
async function pageOf(client: Client, { id }: RestEmbed) {
  const { body, headers } = await client.rest('GET', `/v1/embeds/${id}/page`);
  const { data } = await client.graphql(PAGE, { id });
  expect(body).toEqual({ page: restOf(data.embed.page) });
  expect(headers.get('cache-control')).toBe('private, no-cache');
  return data.embed.page;
}

test('a card and both APIs say why the page is not shown', async () => {
  const { service, ada, createEmbed } = await openWithSite();
  const unknown = {
    state: 'PENDING',
    reason: null,
    title: null,
    siteName: null,
    url: null,
    movedTo: null,
    fetchedAt: null,
  };
  for (const [name, respond, state, reason, card] of CARDS) {
    const embed = await createEmbed(name, respond);
    expect(await pageOf(ada, embed), name).toEqual(unknown);
    const html = await visit(service, embed);
    expect(html, name).toMatch(card);
    expect(html, name).toContain(`href="${embed.page_url}"`);
    expect(await pageOf(ada, embed), name).toMatchObject({ state, reason: expect.stringMatching(reason) });
  }
  const own = await ada.create({ page_url: `http://127.0.0.1:4000/own-${PAGE_ID}` });
  expect(await visit(service, own)).toMatch(/may not be copied here/);
  expect(await pageOf(ada, own)).toMatchObject({
    ...unknown,
    state: 'NOT_ALLOWED',
    reason: 'The page is on a host of this gateway.',
  });
});

test('a card with a description shows the description and the reason', async () => {
  const { service, ada, createEmbed } = await openWithSite();
  const page = '<title>Bread</title><meta name="description" content="All about <bread>."><p>Menu';
  const embed = await createEmbed('described', respondWith(page));
  const html = await visit(service, embed);
  expect(html).toContain('<p>All about &lt;bread&gt;.</p>');
  expect(html).toContain('<p class="reason" data-words lang="en" dir="ltr">This page has no article to show here.');
  expect(await pageOf(ada, embed)).toMatchObject({ title: 'Bread', siteName: '127.0.0.1', url: embed.page_url });
});

test('with ROBOTS=named, only directives that name this service count', async () => {
  const { service, ada, responses, createEmbed } = await openWithSite({ robots: 'named' });
  const described = articlePage('Bread').replace(
    '<title>',
    '<meta name="description" content="All about bread."><title>',
  );
  const general = respondWith(described, { 'x-robots-tag': 'noarchive, nosnippet', etag: '"1"' });
  const embed = await createEmbed('bread', general);
  expect(await visit(service, embed)).toContain('The pantry list');
  const named = { 'x-robots-tag': 'googlebot: index, EmbedGateway: nosnippet' };
  responses.set('bread', respondWith(described, named));
  await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
  const html = await visit(service, embed);
  expect(html).toContain('may not be copied here');
  expect(html).not.toContain('All about bread.');
  const { state, reason } = await pageOf(ada, embed);
  expect([state, reason]).toEqual(['NOT_ALLOWED', 'The page forbids copies with the robots directive nosnippet.']);
});

test('a page that is shown has no reason, and keeps its state and its time while the site fails', async () => {
  const { service, ada, responses, createEmbed } = await openWithSite();
  const embed = await createEmbed('bread', respondWith(articlePage('Bread'), { etag: '"1"' }));
  expect(await visit(service, embed)).toContain('The pantry list');
  const shown = await pageOf(ada, embed);
  expect(shown).toMatchObject({ state: 'SHOWN', reason: null, title: 'Bread', url: embed.page_url });
  expect(Date.now() - Date.parse(shown.fetchedAt)).toBeLessThan(60_000);

  responses.set('bread', respondStatus(503));
  const { status, body } = await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
  expect(status).toBe(200);
  expect(body.page).toEqual({ ...restOf(shown), reason: 'The site answers with an error (status 503).' });
  expect(await visit(service, embed)).toContain('The pantry list');
});

function restOf({ state, siteName, movedTo, fetchedAt, ...rest }: Record<string, unknown>) {
  const others = { site_name: siteName, moved_to: movedTo, fetched_at: fetchedAt };
  return { ...rest, state: String(state).toLowerCase(), ...others };
}

test.for([
  { name: 'one permanent redirect', statuses: [301], moved: 1 },
  { name: 'two permanent redirects', statuses: [308, 301], moved: 2 },
  { name: 'a permanent redirect before a temporary one', statuses: [301, 302], moved: 1 },
  { name: 'a temporary redirect', statuses: [302, 301], moved: null },
])('a page says where it has moved after $name', async ({ statuses, moved }) => {
  const { service, site, ada, responses, createEmbed } = await openWithSite();
  const urlOf = (i: number) => `${site.origin}/step-${i}-${PAGE_ID}`;
  for (const [i, status] of statuses.entries()) {
    responses.set(`step-${i}`, (response) => void response.writeHead(status, { location: urlOf(i + 1) }).end());
  }
  const last = statuses.length;
  responses.set(`step-${last}`, respondWith(articlePage('Bread'), { etag: '"1"' }));
  const embed = await createEmbed('step-0', responses.get('step-0') as Respond);
  await visit(service, embed);
  const movedTo = moved && urlOf(moved);
  expect(await pageOf(ada, embed)).toMatchObject({ url: urlOf(last), movedTo });
  const { body } = await ada.rest('GET', '/v1/embeds?needs_attention=true');
  expect(body.total_count).toBe(moved === null ? 0 : 1);
});

test('a page that has moved only to another scheme, www or a slash has not moved', async () => {
  const { service, site, ada, responses } = await openWithSite();
  const path = `/slash-${PAGE_ID}`;
  responses.set(nameOf(path), (response) => void response.writeHead(301, { location: `${path}/` }).end());
  responses.set(nameOf(`${path}/`), respondWith(articlePage('Bread')));
  const embed = await ada.create({ page_url: site.origin + path });
  await visit(service, embed);
  expect(await pageOf(ada, embed)).toMatchObject({ url: `${embed.page_url}/`, movedTo: null });
});

test('after a refresh, the next load shows the source as it is now, whatever its validators say', async () => {
  const { service, site, ada, responses, createEmbed } = await openWithSite();
  const embed = await createEmbed('bread', respondWith(articlePage('Bread', '<p>First words.'), { etag: '"1"' }));
  expect(await visit(service, embed)).toContain('First words.');
  responses.set('bread', respondWith(articlePage('Bread', '<p>Second words.'), { etag: '"1"' }));
  expect(await visit(service, embed)).toContain('First words.');
  const { data, errors } = await ada.graphql(REFRESH, { input: { embedId: embed.id } });
  expect(errors).toEqual([]);
  expect(data.refreshPage.embed).toMatchObject({ id: embed.id, page: { state: 'SHOWN', title: 'Bread' } });
  expect(site.requests[1]?.headers['if-none-match']).toBeUndefined();
  expect(await visit(service, embed)).toContain('Second words.');

  // another embed of the page has an interval of its own
  const other = await ada.create({ page_url: embed.page_url });
  expect(await visit(service, other)).toContain('Second words.');
  responses.set('bread', respondStatus(410));
  expect((await ada.rest('POST', `/v1/embeds/${other.id}/refresh`)).body.page.state).toBe('gone');
  for (const gone of [embed, other]) expect(await visit(service, gone)).toContain('no longer has this page');
  expect(site.requests).toHaveLength(3);
});

test('a refresh is refused within 10 s of the previous one, at both doors', async () => {
  const { site, ada, createEmbed } = await openWithSite();
  const embed = await createEmbed('bread', respondWith(articlePage('Bread')));
  expect((await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`)).status).toBe(200);
  const rest = await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`, {});
  expect([rest.status, rest.body.code]).toEqual([429, 'rate_limited']);
  const seconds = Number(rest.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(10);
  const { data, errors } = await ada.graphql(REFRESH, { input: { embedId: embed.id } });
  expect(data).toBeNull();
  const [error] = errors as readonly { message: string; extensions: Record<string, unknown> }[];
  expect(error?.extensions).toMatchObject({ code: 'RATE_LIMITED', retry_after: expect.any(Number) });
  expect(error?.message).toMatch(/^An embed can be refreshed once every 10 s; try again in \d+ s\.$/);
  expect(site.requests).toHaveLength(1);
});

test('refreshes of one page share one fetch', async () => {
  const { site, ada, createEmbed } = await openWithSite();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const embed = await createEmbed('slow', (response) => void promise.then(() => respondStatus(404)(response)));
  const other = await ada.create({ page_url: embed.page_url });
  const refreshes = [embed, other].map(({ id }) => ada.rest('POST', `/v1/embeds/${id}/refresh`));
  await expect.poll(() => site.requests.length).toBe(1);
  release();
  for (const { body } of await Promise.all(refreshes)) expect(body.page.state).toBe('gone');
  expect(site.requests).toHaveLength(1);
});

test('the pages of a list are read by one statement, and nothing is fetched', async () => {
  const { service, site, ada, createEmbed } = await openWithSite();
  for (let i = 0; i < 5; i++) await visit(service, await createEmbed(`bread-${i}`, respondStatus(404)));
  const statements = await statementsOf(async () => {
    const { data } = await ada.graphql('{ embeds(first: 100) { nodes { page { state } again: page { title } } } }');
    expect(data.embeds.nodes).toEqual(Array(5).fill({ page: { state: 'GONE' }, again: { title: null } }));
  });
  expect(statements.filter((sql) => /"?Page"?/.test(sql) && /select/i.test(sql))).toHaveLength(1);
  expect(site.requests).toHaveLength(5);
});

test('a stranger and a token without the scope learn nothing about a page', async () => {
  const { service, ada, createEmbed } = await openWithSite();
  const embed = await createEmbed('bread', respondStatus(404));
  const [bob, reader, writer] = [
    await service.as('bob'),
    await service.as('ada', ['read']),
    await service.as('ada', ['write']),
  ];
  const statuses = async (client: Client, { id }: Pick<RestEmbed, 'id'>) => [
    (await client.rest('GET', `/v1/embeds/${id}/page`)).status,
    (await client.rest('POST', `/v1/embeds/${id}/refresh`)).status,
  ];
  expect(await statuses(bob, embed)).toEqual([404, 404]);
  expect(await statuses(ada, { id: 'nonsense' })).toEqual([404, 404]);
  expect(await statuses(reader, embed)).toEqual([200, 403]);
  expect(await statuses(writer, embed)).toEqual([403, 200]);
  expect((await bob.graphql(REFRESH, { input: { embedId: embed.id } })).errors[0]?.extensions.code).toBe('NOT_FOUND');
  expect((await reader.graphql(REFRESH, { input: { embedId: embed.id } })).errors[0]?.extensions.code).toBe(
    'FORBIDDEN',
  );
});
