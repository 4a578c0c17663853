import { expect, vi } from 'vitest';
import { openApp } from '../open-app.ts';
import { SCRIPTED_PAGES } from './fixtures/scripted-pages.ts';
import { chromiumTest, RENDERER } from './renderer.ts';
import { openSite } from './site.ts';

const RENDER_TIMEOUT_MS = 60_000;

async function openScriptedSite() {
  return openSite((request, response) => {
    const resource = SCRIPTED_PAGES[request.url ?? ''];
    if (!resource) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': resource.type }).end(resource.body);
  });
}

/** Loads an embed of the page like its first reader, and again until its page is no longer pending. */
async function openEmbeds(overrides = {}) {
  const site = await openScriptedSite();
  const service = await openApp({ allowPrivatePages: true, ...RENDERER, ...overrides });
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

chromiumTest('shows the articles of applications, and cards of pages that have none', async () => {
  const { load, logged } = await openEmbeds();
  const react = await load('/react');
  expect(react.first).toMatchObject({ isPending: true, html: expect.stringContaining('Still loading') });
  expect(react.page).toMatchObject({ state: 'shown', title: 'Seven dinners', reason: null });
  for (const part of ['<li>Wash the lentils</li>', '<blockquote>', 'npm start', 'language-sh']) {
    expect(react.content).toContain(part);
  }
  const vue = await load('/vue');
  for (const part of ['<ol>', '<li>Cook them</li>', 'Hunger is the best sauce', '<pre>'])
    expect(vue.content).toContain(part);
  expect((await load('/web-components')).content).toContain('The pantry list');
  for (const path of ['/inbox', '/']) {
    const { content, page } = await load(path);
    expect({ path, content, state: page.state }).toEqual({ path, content: null, state: 'no_article' });
  }
  expect(logged.filter((line) => !('requestId' in line))).toEqual([]);
});

chromiumTest('shows a page of Notion with its blocks, and nothing that advertises Notion', async () => {
  const { load, site } = await openEmbeds();
  const { first, html, content, page } = await load('/Meal-Planner-95747105f402490eba51d52e00496c1c');
  expect(page).toMatchObject({ state: 'shown', title: 'Meal Planner', site_name: '127.0.0.1' });
  for (const text of [first.html, html]) expect(text).not.toMatch(/all-in-one|everyday work|Get Notion|meta\/default/i);
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
  ]) {
    expect.soft(content).toContain(part);
  }
});
