import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { statementsOf } from '../store/embeds/statements-of.ts';
import { readDocument } from './conformance.ts';

/** Carries the title, so that a create does not fetch the page. */
const PATH = '/Meals-95747105f402490eba51d52e00496c1c';
const INSIDE =
  '<h2 id="soup">Soup</h2><p>Leek &amp; potato.</p><figure><img src="/leek.jpg" alt="A leek" width="600" height="400"><figcaption>Leek</figcaption></figure><h2>Bread</h2><p>Rye.</p>';
const META =
  '<meta name="author" content="Ada Holm"><meta property="article:published_time" content="2026-03-01T10:00:00+02:00"><meta property="article:modified_time" content="2026-03-02">';
const PAGE = articlePage('Meals', INSIDE).replace('<title>', `${META}<title>`);

async function openArticle(html = PAGE, headers: Record<string, string> = {}) {
  const site = await openSite((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html),
  );
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const embed = await ada.create({ page_url: `${site.origin}${PATH}` });
  const read = (accept: string | null, condition?: string) =>
    ada.fetch(`/v1/embeds/${embed.id}/article`, {
      headers: {
        authorization: ada.authorization,
        ...(accept !== null && { accept }),
        ...(condition !== undefined && { 'if-none-match': condition }),
      },
    });
  // a refresh waits for at most 5 s, which is too short on a busy machine
  const refresh = async () => {
    await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
    const page = () => ada.rest('GET', `/v1/embeds/${embed.id}/page`);
    await expect.poll(async () => (await page()).body.page.state).not.toBe('pending');
    return page();
  };
  return { site, service, ada, embed, read, refresh };
}

test('the article is sent in the form that the client prefers, each with an ETag of its own', async () => {
  const { site, service, embed, read, refresh } = await openArticle();
  expect((await refresh()).body.page.state).toBe('shown');
  const tags = new Set<string>();
  for (const [accept, type, expected] of [
    ['text/markdown', 'text/markdown', '## Soup\n\nLeek & potato.\n'],
    ['text/html;q=0.9, text/markdown;q=0.8', 'text/html', '<h2 id="s-soup">Soup</h2>'],
    ['text/plain', 'text/plain', '\nLeek & potato.\n'],
    ['text/*', 'text/markdown', '## Bread'],
    ['image/png, */*;q=0.1', 'application/json', '"markdown":"'],
    [null, 'application/json', '"word_count":'],
  ] as const) {
    const response = await read(accept);
    const body = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(body).toContain(expected);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const tag = response.headers.get('etag') ?? '';
    tags.add(tag);
    const unchanged = await read(accept, tag);
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', tag]);
  }
  expect(tags.size).toBe(4);
  const html = await (await read('text/html')).text();
  expect(await (await service.app.fetch(new Request(embed.embed_url))).text()).toContain(html.trim());
  expect(site.requests.filter(({ url }) => url === PATH)).toHaveLength(1);
});

test('as JSON, the article has the fields of GraphQL', async () => {
  const { site, ada, embed, read, refresh } = await openArticle();
  await refresh();
  const response = await read('application/json');
  const body = await response.text();
  const { expectConforming } = await readDocument(ada);
  expectConforming('GET', `/v1/embeds/${embed.id}/article`, response, body);
  const { article } = JSON.parse(body) as { article: Record<string, unknown> };
  const { published_at, modified_at, word_count, ...rest } = article;
  const query = `query ($id: ID!) { embed(id: $id) { page { article {
    html markdown text byline publishedAt modifiedAt language wordCount
    headings { level text anchor } pictures { url alt caption width height }
    soup: part(anchor: "soup") { markdown headings { text } part(anchor: "soup") { text } }
    none: part(anchor: "none") { text }
  } } } }`;
  const { data, errors } = await ada.graphql(query, { id: embed.id });
  expect(errors).toEqual([]);
  const { soup, none, ...whole } = data.embed.page.article;
  expect(whole).toEqual({ ...rest, publishedAt: published_at, modifiedAt: modified_at, wordCount: word_count });
  expect(whole).toMatchObject({
    byline: 'Ada Holm',
    publishedAt: '2026-03-01T08:00:00.000Z',
    modifiedAt: '2026-03-02T00:00:00.000Z',
    language: 'en',
    headings: [
      { level: 2, text: 'Soup', anchor: 'soup' },
      { level: 2, text: 'Bread', anchor: 'bread' },
    ],
    pictures: [{ url: `${site.origin}/leek.jpg`, alt: 'A leek', caption: 'Leek', width: 600, height: 400 }],
  });
  expect(whole.wordCount).toBeGreaterThan(400);
  expect(soup.markdown).toBe(`## Soup\n\nLeek & potato.\n\n![A leek](${site.origin}/leek.jpg)\n\nLeek\n`);
  expect(soup.headings).toEqual([{ text: 'Soup' }]);
  expect(soup.part.text).toContain('Leek & potato.');
  expect(none).toBeNull();
});

test.each<readonly [state: string, reason: RegExp, html: string, headers: Record<string, string>]>([
  ['not_allowed', /robots directive noarchive/, PAGE, { 'x-robots-tag': 'noarchive' }],
  ['no_article', /has no article that could be copied/, '<title>List</title><p>Bread', {}],
])('an embed without an article says why: %s', async (state, reason, html, headers) => {
  const { ada, embed, read, refresh } = await openArticle(html, headers);
  const detail = async () => ((await (await read('text/markdown')).json()) as { detail: string }).detail;
  expect(await detail()).toBe(
    'The embed has no article, because the state of its page is `pending`. It has not been fetched yet: refresh it, which needs the scope write, then try again.',
  );
  await refresh();
  const response = await read('text/markdown');
  expect(response.status).toBe(404);
  expect(await detail()).toContain(`\`${state}\``);
  expect(await detail()).toMatch(reason);
  const { data } = await ada.graphql('query ($id: ID!) { embed(id: $id) { page { state article { html } } } }', {
    id: embed.id,
  });
  expect(data.embed.page).toEqual({ state: state.toUpperCase(), article: null });
});

test('an embed of a part of the page has the article of that part', async () => {
  const { ada, embed, refresh } = await openArticle();
  await refresh();
  const part = await ada.create({ page_url: `${embed.page_url}#soup` });
  const { body } = await ada.rest('GET', `/v1/embeds/${part.id}/article`);
  expect(body.article.headings).toEqual([{ level: 2, text: 'Soup', anchor: 'soup' }]);
  expect(body.article.text).not.toContain('pantry');
});

test('a text behind a paywall is as long as in the embed', async () => {
  const paywalled = `<script type="application/ld+json">${JSON.stringify({ '@type': 'NewsArticle', headline: 'Meals', isAccessibleForFree: false, articleBody: 'Only for those who pay.' })}</script>`;
  const { service, embed, read, refresh } = await openArticle(PAGE.replace('</head>', `${paywalled}</head>`));
  await refresh();
  const html = await (await read('text/html')).text();
  expect(html).not.toContain('Only for those who pay');
  expect(await (await service.app.fetch(new Request(embed.embed_url))).text()).toContain(html.trim());
});

test('other media types, scopes and accounts are refused', async () => {
  const { service, embed, read, refresh } = await openArticle();
  await refresh();
  const refused = await read('image/png, text/html;q=0');
  expect(refused.status).toBe(406);
  expect(await refused.json()).toMatchObject({
    code: 'not_acceptable',
    detail: 'Accept one of application/json, text/markdown, text/html, text/plain.',
  });
  const path = `/v1/embeds/${embed.id}/article`;
  const writer = await service.as('ada', ['write']);
  expect((await writer.rest('GET', path)).status).toBe(403);
  const bob = await service.as('bob');
  expect((await bob.rest('GET', path)).body).toMatchObject({
    code: 'not_found',
    detail: 'There is no embed with this id.',
  });
  expect((await bob.rest('GET', `${path}?first=1`)).status).toBe(422);
});

const aliasesOf = (field: string) => Array.from({ length: 25 }, (_, i) => `a${i}: ${field}`).join(' ');

test('articles count by their size, and nothing is read that is not selected', async () => {
  const { ada, embed, refresh } = await openArticle(
    articlePage('Long', `<p>${'A long line of bread. '.repeat(15)}</p>`.repeat(2_500)),
  );
  await refresh();
  const read = (fields: string) =>
    ada.graphql(`query ($id: ID!) { embed(id: $id) { page { state article { ${fields} } } } }`, { id: embed.id });
  expect((await read('html')).errors).toEqual([]);
  for (const field of ['html', 'pictures { url }']) {
    const { errors, data } = await read(aliasesOf(field));
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ path: 'article', message: expect.stringContaining('must not take more than 16 MB in one request') }],
    });
    expect(data.embed.page).toEqual({ state: 'SHOWN', article: null });
  }
  const withoutArticle = await statementsOf(async () => {
    await ada.graphql('{ embeds { nodes { title page { state } } } }');
  });
  expect(withoutArticle.filter(readsContent)).toEqual([]);
  const withArticle = await statementsOf(async () => {
    await read('byline');
  });
  expect(withArticle.filter(readsContent)).toHaveLength(1);
});

const readsContent = (sql: string) => /\bselect\b/i.test(sql) && /\barticle\b/.test(sql);
