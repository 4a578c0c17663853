import { expect, onTestFinished, test, vi } from 'vitest';
import { SCRIPTED_PAGES } from '../../packages/fetcher/test/render/fixtures/scripted-pages.ts';
import { chromiumTest, RENDERER } from '../../packages/fetcher/test/render/renderer.ts';
import type { App } from '../../src/app.ts';
import { reply } from '../../src/http/reply.ts';
import { listen } from '../../src/http/server/listen.ts';
import { openTelemetry, type Telemetry } from '../../src/telemetry/telemetry.ts';
import { CHROMIUM, collectFaults, openPage } from '../browser.ts';
import { openApp } from '../open-app.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { openSite } from './site.ts';

const RENDER_TIMEOUT_MS = 60_000;

/** Opens a site of applications. The script of one of them waits. */
async function openScriptedSite(beforeReact?: Promise<void>) {
  return openSite(async (request, response) => {
    const resource = SCRIPTED_PAGES[request.url ?? ''];
    if (request.url === '/react.js') await beforeReact;
    if (!resource) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': resource.type }).end(resource.body);
  });
}

/** Loads an embed of the page like its first reader, and again until its page is no longer pending. */
async function openEmbeds(overrides = {}, telemetry?: Telemetry, beforeReact?: Promise<void>) {
  const site = await openScriptedSite(beforeReact);
  const service = await openApp({ allowPrivatePages: true, ...RENDERER, ...overrides }, telemetry);
  const ada = await service.as('ada');
  async function load(path: string) {
    const embed = await ada.create({ page_url: site.origin + path });
    const read = async () => {
      const response = await ada.fetch(embed.embed_url);
      return { isPending: response.headers.get('cache-control') === 'no-store', html: await response.text() };
    };
    const first = await read();
    const final = await vi.waitUntil(
      async () => {
        const current = await read();
        return current.isPending ? null : current;
      },
      { timeout: RENDER_TIMEOUT_MS, interval: 100 },
    );
    const { body } = await ada.rest('GET', `/v1/embeds/${embed.id}/page`);
    const content = /<div class="content">([\s\S]*?)<\/div>\s*<\/article>/.exec(final.html)?.[1] ?? null;
    return { first, html: final.html, content, page: body.page, embed };
  }
  return { ...service, ada, site, load };
}

chromiumTest(
  'shows applications as articles, also in open pages and in the metrics, and other pages as cards',
  async () => {
    let handle: App['handle'] = async () => reply(null, { status: 503 });
    const listener = await listen({ port: 0, host: '127.0.0.1', handle: (request) => handle(request) });
    onTestFinished(() => listener.close(0));
    const metricsToken = 'a token for metrics';
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { ada, app, load, logged, site, withAuthorization } = await openEmbeds(
      { embedHost: `embeds.localhost:${listener.port}`, port: listener.port, metricsToken },
      await openTelemetry({ metrics: true, traces: false }),
      released,
    );
    handle = app.handle;

    const vue = await load('/vue');
    expect(vue.first).toMatchObject({ isPending: true, html: expect.stringContaining('Still loading') });
    for (const part of ['<ol>', '<li>Cook them</li>', 'Hunger is the best sauce', '<pre>'])
      expect(vue.content).toContain(part);

    // an open page shows the article by itself once it is rendered
    const embed = await ada.create({ page_url: `${site.origin}/react`, show_top_bar: false });
    const page = await openPage();
    const complaints = collectFaults(page, {
      isAllowedUrl: (url) => url.startsWith(embed.embed_url) || url.includes('fonts'),
    });
    await page.goto(embed.embed_url);
    expect(await page.getByText('Still loading.').count()).toBe(1);
    release();
    await page.getByText('Wash the lentils').waitFor({ timeout: RENDER_TIMEOUT_MS });
    expect(complaints).toEqual([]);
    const metrics = await (await withAuthorization(`Bearer ${metricsToken}`).fetch('/metrics')).text();
    for (const line of [
      /embed_gateway_render_duration_seconds_count\{result="page"\} 2\n/,
      /embed_gateway_browser_starts_total\{result="ok"\} 1\n/,
      /embed_gateway_render_refused_requests_total\{reason="type"\} [1-9]/,
    ]) {
      expect(metrics).toMatch(line);
    }

    const react = await load('/react');
    expect(react.page).toMatchObject({ state: 'shown', title: 'Seven dinners', reason: null });
    for (const part of [
      '<li>Wash the lentils</li>',
      '<blockquote>',
      'npm start',
      'language-',
      'disabled="" checked=""',
    ]) {
      expect(react.content).toContain(part);
    }
    expect((await load('/web-components')).content).toContain('The pantry list');
    const teaser = await load('/teaser');
    expect(teaser.first.html).toContain('Still loading');
    expect(teaser.content?.match(/The whole text/g)).toHaveLength(4);
    expect((await load('/short')).content).toContain('The rest is on its way.');
    for (const path of ['/inbox', '/']) {
      const { content, page: outline } = await load(path);
      expect({ path, content, state: outline.state }).toEqual({ path, content: null, state: 'no_article' });
    }

    // a page of Notion has its blocks, and nothing that advertises Notion
    const notion = await load('/Meal-Planner-95747105f402490eba51d52e00496c1c');
    expect(notion.page).toMatchObject({ state: 'shown', title: 'Meal Planner', site_name: '127.0.0.1' });
    for (const text of [notion.first.html, notion.html]) {
      expect(text).not.toMatch(/all-in-one|everyday work|Get Notion|meta\/default/i);
    }
    for (const part of [
      '<strong>Buy less</strong>',
      '<em>cook more</em>',
      '<code>npm start</code>',
      'href="https://example.com/recipes"',
      '<h2>Shopping</h2>',
      '<h3>Plan</h3>',
      '<ol><li>Wash</li><li>Cook</li></ol>',
      '<summary>Leftovers</summary>',
      'Freeze them on the same day.',
      '<details><summary>First course</summary><p>Soup comes before all else.</p><details><summary>In it</summary><p>Its spoon is made of wood.</p></details></details>',
      '<details><summary><h2>Second course</h2></summary><p>Bread goes with the soup.</p></details>',
      '<details open="">',
      '<div class="columns">',
      '<math display="block"',
      '<blockquote>',
      '💡',
      'Soak the beans overnight.',
      'language-javascript',
      'In the right column stands the budget.',
      `src="${site.origin}/image/soup.png"`,
      `src="${site.origin}/image/cover.jpg"`,
      '<figcaption>Soup of the day</figcaption>',
      'Soups of the world</a>',
      'This paragraph is kept in sync',
      '🥕',
      'Lentil soup',
      '<math',
      'disabled="" checked=""> Buy carrots',
      'disabled=""> Buy lentils',
      'class="callout',
    ]) {
      expect.soft(notion.content).toContain(part);
    }
    expect(logged.filter((line) => !('requestId' in line))).toEqual([]);
  },
);

test('a service without a browser says so in its log, and in the state of the page', async () => {
  for (const [renderer, reason] of [
    ['off', 'RENDERER is off'],
    [CHROMIUM, `as root, ${CHROMIUM} has no sandbox`],
  ] as const) {
    if (renderer !== 'off' && process.getuid?.() !== 0) continue;
    const { app, load, logged } = await openEmbeds({ renderer, rendererSandbox: true });
    await app.announceRenderer();
    expect(logged.find((line) => 'reason' in line)).toEqual({
      reason,
      message: 'no browser: pages that are built by JavaScript are shown as cards',
    });
    const { first, page } = await load('/react');
    expect({ first, page }).toMatchObject({ first: { isPending: false }, page: { state: 'needs_browser' } });
  }
});

chromiumTest('sends what became of a page, not that it waits for the browser', async () => {
  let answer: 'app' | 'card' | 'gone' = 'app';
  const site = await openSite((request, response) => {
    const resource = SCRIPTED_PAGES[request.url ?? ''];
    if (request.url === '/react' && answer === 'gone') response.writeHead(410).end();
    else if (request.url === '/react' && answer === 'card')
      response.setHeader('content-type', 'text/html').end('<title>Shell</title>');
    else response.writeHead(resource ? 200 : 404, { 'content-type': resource?.type }).end(resource?.body);
  });
  const { as } = await openApp({ allowPrivatePages: true, ...RENDERER });
  const ada = await as('ada');
  const receiver = await openReceiver();
  await ada.rest('POST', '/v1/webhooks', { url: receiver.origin, events: ['page.changed', 'page.state_changed'] });
  const embed = await ada.create({ page_url: `${site.origin}/react` });
  const find = async () => (await ada.rest('GET', `/v1/embeds/${embed.id}/page`)).body.page.state;
  const wait = (state: string) => expect.poll(find, { timeout: RENDER_TIMEOUT_MS }).toBe(state);
  /** Each page of an embed has an interval between two refreshes, so each time another embed refreshes it. */
  async function refresh(next: typeof answer, state: string): Promise<void> {
    answer = next;
    const { id } = await ada.create({ page_url: `${site.origin}/react` });
    await ada.rest('POST', `/v1/embeds/${id}/refresh`);
    await ada.rest('DELETE', `/v1/embeds/${id}`);
    await wait(state);
  }

  await wait('shown');
  await refresh('gone', 'gone');
  await refresh('app', 'shown');
  await refresh('card', 'no_article');
  await refresh('app', 'shown');
  await refresh('gone', 'gone');
  const ofEmbed = () => receiver.messages.filter(({ body }) => body.data.embed.id === embed.id);
  await expect.poll(() => ofEmbed().filter(({ body }) => body.data.page.state === 'gone').length).toBe(2);
  const sent = ofEmbed().map(({ body }) => `${body.type} ${body.data.page.state}`);
  // both events of one transition have the same place in the order
  expect(sent.splice(3, 2).sort()).toEqual(['page.changed shown', 'page.state_changed shown']);
  expect(sent).toEqual([
    'page.state_changed gone',
    'page.state_changed shown',
    'page.state_changed no_article',
    'page.state_changed gone',
  ]);
});

chromiumTest('a copy that is too old to be shown gives the title while the page is rendered again', async () => {
  const held = Promise.withResolvers<void>();
  let beforeReact = Promise.resolve();
  const site = await openSite(async ({ url = '' }, response) => {
    const resource = SCRIPTED_PAGES[url];
    if (url === '/react.js') await beforeReact;
    const body = resource?.body.replace('<link rel="icon"', '<title>Dinners</title>$&');
    response.writeHead(resource ? 200 : 404, { 'content-type': resource?.type }).end(body);
  });
  const { as, database } = await openApp({ allowPrivatePages: true, ...RENDERER });
  const ada = await as('ada');
  const pageUrl = `${site.origin}/react`;
  const { id } = await ada.create({ page_url: pageUrl });
  const read = async () => (await ada.rest('GET', `/v1/embeds/${id}/page`)).body.page;
  await expect.poll(async () => (await read()).state, { timeout: RENDER_TIMEOUT_MS }).toBe('shown');

  const page = await database.pages.find(pageUrl);
  if (!page?.version) throw new Error('no copy');
  const before = new Date(Date.now() - 25 * 3_600_000);
  await database.pages.save({
    ...page,
    triedAt: before,
    freshUntil: before,
    version: { ...page.version, fetchedAt: before },
  });
  beforeReact = held.promise;
  onTestFinished(() => held.resolve());
  const create = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { title } } }';
  const { data } = await ada.graphql(create, { input: { pageUrl } });
  expect(data.createEmbed.embed.title).toBe('Dinners');
  expect(await read()).toMatchObject({ state: 'pending' });
});

test.each(['ws://127.0.0.1:1/?token=hidden', 'ws://ada:hidden@127.0.0.1:1'])(
  'logs the host of a remote browser (%s), and nothing else of its URL',
  async (renderer) => {
    const { app, logged } = await openApp({ renderer });
    await app.announceRenderer();
    expect(logged).toContainEqual(expect.objectContaining({ kind: 'remote', host: '127.0.0.1:1' }));
    expect(JSON.stringify(logged)).not.toContain('hidden');
  },
);
