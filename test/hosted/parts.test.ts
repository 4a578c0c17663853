import { expect, onTestFinished, test } from 'vitest';
import { createArticleReader } from '../../packages/reader/src/article-reader.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { openWithSite, visit, visitWhenRead } from './browser/visits.ts';

const PARTS = `<h2 id="pantry">Pantry</h2><p>Flour and beans. See the <a href="#week">plan of the week</a>, not <a href="#pantry">this</a>.</p>
  <p id="ada's&nbsp;rye">Ada's <a href="#ada's&nbsp;rye">rye</a>.</p>
  <h2 id="week">Week</h2><p>On Monday there is soup, and on Tuesday there is more soup.</p>`;
const NO_PART = 'The page has no part that the fragment of its URL names, so the embed shows all of it.';
const PAGE = 'query($id: ID!) { embed(id: $id) { html page { state reason } } }';
const FIRST_TEXT = 'The pantry list starts';

async function openParts() {
  const opened = await openWithSite(articlePage('Meal Planner', PARTS));
  const { ada, service, pageUrl } = opened;
  return {
    ...opened,
    async showPart(fragment: string) {
      const embed = await ada.create({ page_url: `${pageUrl}${fragment}` });
      const response = await visitWhenRead(service, embed.embed_url);
      const { data } = await ada.graphql(PAGE, { id: embed.id });
      const { html: snippet, page } = (data as { embed: { html: string; page: { reason: string | null } } }).embed;
      return { embed, response, html: await response.text(), snippet, reason: page.reason };
    },
  };
}

test('an embed shows the section or the passage of its fragment, with a link to the whole page', async () => {
  const { service, site, showPart } = await openParts();
  const section = await showPart('#pantry');
  expect(section.embed.page_url).toMatch(/#pantry$/);
  expect(section.html).toContain('<h2 id="s-pantry">Pantry</h2><p>Flour and beans.');
  expect(section.html).not.toContain('Monday');
  expect(section.html).not.toContain(`<p>${FIRST_TEXT}`);
  expect(section.html).toContain('<a href="/whole#s-pantry">Show the whole page</a>');
  // links out of the part lead to the whole page
  expect(section.html).toContain('<a href="/whole#s-week">plan of the week</a>, not <a href="#s-pantry">this</a>');
  expect(section.html).toContain(`<a href="#s-ada's%C2%A0rye">rye</a>`);
  expect(section.reason).toBeNull();

  const passage = await showPart('#:~:text=On%20Monday,soup.');
  expect(passage.html).toMatch(/<p>On Monday there is soup, and on Tuesday there is more soup\.<\/p>/);
  expect(passage.html).not.toContain('Flour');
  expect(passage.html).toContain('<a href="/whole#:~:text=On%20Monday,soup.">');

  const whole = await visit(service, new URL('/whole', section.embed.embed_url).href);
  const text = await whole.text();
  for (const content of [FIRST_TEXT, 'Flour', 'Monday']) expect(text).toContain(content);
  expect(text).not.toContain('href="/whole');
  expect(whole.headers.get('cache-control')).toBe('no-cache');
  expect(whole.headers.get('cdn-cache-control')).toBeNull();
  expect(whole.headers.get('etag')).not.toBe(section.response.headers.get('etag'));
  // all of them share one copy
  expect(site.requests.filter(({ url }) => url === '/notes/week')).toHaveLength(1);
});

test('the headings of a part begin at the rank below the title', async () => {
  const { ada, service, pageUrl } = await openWithSite(
    articlePage(
      'Meal Planner',
      '<h2>Pantry</h2><p>Flour.</p><h3 id="dry">Dry</h3><p>Beans.</p><h4>Red</h4><p>Lentils.</p>',
    ),
  );
  const embed = await ada.create({ page_url: `${pageUrl}#dry` });
  const html = await (await visitWhenRead(service, embed.embed_url)).text();
  expect(html).toContain('<h2 id="s-dry">Dry</h2><p>Beans.</p><h3>Red</h3><p>Lentils.</p>');
  const whole = await (await visit(service, new URL('/whole', embed.embed_url).href)).text();
  expect(whole).toContain('<h3 id="s-dry">Dry</h3><p>Beans.</p><h4>Red</h4>');
});

test('no rank is left out among the headings of an article', async () => {
  const headings = '<h4>Pantry</h4><p>Flour.</p><h2>Week</h2><h5>Monday</h5><p>Soup.</p><h3>Tuesday</h3><p>Rice.</p>';
  const { ada, service, pageUrl } = await openWithSite(articlePage('Meal Planner', headings));
  const { id, embed_url } = await ada.create({ page_url: pageUrl });
  const html = await (await visitWhenRead(service, embed_url)).text();
  expect(html.match(/<h[2-6]>.*?<\/h\d>/g)).toEqual([
    '<h2>Pantry</h2>',
    '<h2>Week</h2>',
    '<h3>Monday</h3>',
    '<h3>Tuesday</h3>',
  ]);
  // the article of the APIs is as in the source
  const { data } = await ada.graphql('query($id: ID!) { embed(id: $id) { page { article { html } } } }', { id });
  expect(data.embed.page.article.html).toContain('<h5>Monday</h5>');
});

test('without a part, the path of the whole page leads to the embed', async () => {
  const { service, showPart } = await openParts();
  for (const fragment of ['', '#absent']) {
    const { embed, html } = await showPart(fragment);
    expect(html).not.toContain('href="/whole');
    const { status, headers } = await visit(service, new URL('/whole', embed.embed_url).href);
    expect([status, headers.get('location')]).toEqual([308, new URL(embed.embed_url).pathname]);
  }
});

test('without such a part the embed shows the whole page, and the reason says so', async () => {
  const { ada, showPart } = await openParts();
  const { embed, html, reason } = await showPart('#absent');
  expect(html).toContain(FIRST_TEXT);
  expect(html).not.toContain('href="/whole');
  expect(reason).toBe(NO_PART);
  const { body } = await ada.rest('GET', `/v1/embeds/${embed.id}/page`);
  expect(body).toMatchObject({ page: { state: 'shown', reason: NO_PART } });
  for (const fragment of ['#top', '#', '#L3-L5', '#!/notes']) expect((await showPart(fragment)).reason).toBeNull();
});

test('the snippet and oEmbed have the height of the part', async () => {
  const { service, showPart } = await openParts();
  const heightIn = (text: string) => Number(/height="(\d+)"/.exec(text)?.[1]);
  const [part, all] = [await showPart('#week'), await showPart('')];
  expect(heightIn(part.snippet)).toBeLessThan(heightIn(all.snippet) / 2);
  // the second time from memory
  expect((await showPart('#week')).snippet.replaceAll(/\/\/\w+/g, '')).toBe(part.snippet.replaceAll(/\/\/\w+/g, ''));
  const oembedHeight = async (url: string) => {
    const query = new URLSearchParams({ url, maxheight: '900' });
    const response = await visit(service, `http://localhost:4000/oembed?${query}`);
    return ((await response.json()) as { height: number }).height;
  };
  expect(await oembedHeight(part.embed.embed_url)).toBe(heightIn(part.snippet));
  expect(await oembedHeight(all.embed.embed_url)).toBe(900);
});

test('a refresh of one part shows the new text of all parts', async () => {
  let meal = 'soup';
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Meals', PARTS.replaceAll('soup', meal)));
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const pantry = await ada.create({ page_url: `${site.origin}/#pantry` });
  const week = await ada.create({ page_url: `${site.origin}/#week` });
  expect(await (await visitWhenRead(service, week.embed_url)).text()).toContain('there is soup');
  meal = 'rice';
  const { status } = await ada.rest('POST', `/v1/embeds/${pantry.id}/refresh`);
  expect(status).toBe(200);
  expect(await (await visit(service, week.embed_url)).text()).toContain('there is rice');
});

test('a fragment that names the box of the whole article shows it without a link to the whole page', async () => {
  const toggle = '<details><summary>Stores</summary><p>Flour and beans.</p></details>';
  const story = articlePage('Meal Planner', toggle + PARTS).replace('<article>', '<article id="story">');
  expect(story).toContain('id="story"');
  const { ada, service, pageUrl } = await openWithSite(story);
  const embed = await ada.create({ page_url: `${pageUrl}#story` });
  const html = await (await visitWhenRead(service, embed.embed_url)).text();
  expect(html).toContain('<details><summary>Stores</summary>');
  expect(html).not.toContain('href="/whole');
});

test('a part that a refresh no longer finds gives way to the whole page, and the reason says so', async () => {
  let parts = PARTS;
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Meals', parts));
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const { id, embed_url } = await ada.create({ page_url: `${site.origin}/#week` });
  const before = await (await visitWhenRead(service, embed_url)).text();
  expect([before.includes('there is soup'), before.includes(FIRST_TEXT)]).toEqual([true, false]);
  parts = PARTS.replace('<h2 id="week">Week</h2>', '<h2>Plan</h2>');
  expect((await ada.rest('POST', `/v1/embeds/${id}/refresh`)).status).toBe(200);
  const after = await (await visit(service, embed_url)).text();
  expect([after.includes('there is soup'), after.includes(FIRST_TEXT), after.includes('href="/whole')]).toEqual([
    true,
    true,
    false,
  ]);
  expect((await ada.rest('GET', `/v1/embeds/${id}/page`)).body).toMatchObject({
    page: { state: 'shown', reason: NO_PART },
  });
});

test('parts are cut by the reader: while it has no time, an embed is pending, and its page as a whole is shown', async () => {
  const author = '<meta name="author" content="Ada Holm">';
  const { ada, service, pageUrl } = await openWithSite(author + articlePage('Meal Planner', PARTS));
  const [part, all] = [await ada.create({ page_url: `${pageUrl}#week` }), await ada.create({ page_url: pageUrl })];
  expect(await (await visitWhenRead(service, all.embed_url)).text()).toContain(FIRST_TEXT);
  const articleReader = createArticleReader();
  articleReader.close();
  const config = { ...readConfig({}), allowPrivatePages: true, renderer: 'off' } as const;
  const busy = createApp({
    config,
    database: service.database,
    log: { info() {}, warn() {}, error() {} },
    articleReader,
  });
  onTestFinished(() => busy.close());
  const request = (url: string, init = {}) => busy.fetch(new Request(url, init));
  expect(await (await request(all.embed_url)).text()).toContain(FIRST_TEXT);
  const pending = await request(part.embed_url);
  expect([pending.status, pending.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await pending.text()).toContain('class="pending"');
  const headers = { authorization: ada.authorization };
  const article = await request(`http://localhost:4000/v1/embeds/${part.id}/article`, { headers });
  expect([article.status, article.headers.has('retry-after')]).toEqual([503, true]);
  const oembed = await request(`http://localhost:4000/oembed?url=${encodeURIComponent(part.embed_url)}`);
  expect(await oembed.json()).toMatchObject({ author_name: 'Ada Holm' });
  // the snippet has the height of the whole page meanwhile
  expect((await request(`http://localhost:4000/v1/embeds/${part.id}/page`, { headers })).status).toBe(200);
});
