import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { renderSnippet } from '../../../packages/frame/src/index.ts';
import type { App } from '../../../src/app.ts';
import { reply } from '../../../src/http/reply.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { noBrowser, openPage } from '../../browser.ts';
import { type Client, openApp, type TestApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';

const CARD =
  '<!doctype html><html lang="en"><title>Notes</title><meta name="description" content="Nothing else."><p>Hi';

interface Service {
  readonly service: TestApp;
  readonly ada: Client;
  readonly origin: string;
  /** Creates an embed of a page of the test site, and waits until its article was read. */
  readonly embed: (path: string, fields?: object) => Promise<Embed>;
  /** Serves a host page on another site than the embeds, and returns its URL. */
  readonly host: (html: string) => string;
  readonly pageUrl: (path: string) => string;
}

interface Embed {
  readonly id: string;
  readonly embedUrl: string;
  readonly html: string;
}

/** Opens the service on a port of its own, with a site of source pages and host pages. */
async function openService(pages: Readonly<Record<string, string>>): Promise<Service> {
  const hosts: string[] = [];
  const site = await openSite(({ url = '' }, response) => {
    const html = pages[url] ?? hosts[Number(url.slice('/host/'.length))];
    if (html === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  let handle: App['handle'] = async () => reply(null, { status: 503 });
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: (request) => handle(request) });
  onTestFinished(() => listener.close(0));
  const { port } = listener;
  const service = await openApp({ allowPrivatePages: true, embedHost: `embeds.localhost:${port}`, port });
  handle = service.app.handle;
  const ada = await service.as('ada');
  return {
    service,
    ada,
    origin: `http://embeds.localhost:${port}`,
    pageUrl: (path) => site.origin + path,
    async embed(path, fields = {}) {
      const { data } = await ada.graphql(
        'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id embedUrl } } }',
        { input: { pageUrl: site.origin + path, ...fields } },
      );
      const { id, embedUrl } = data.createEmbed.embed;
      const visit = () => service.app.fetch(new Request(embedUrl));
      await expect.poll(async () => (await visit()).headers.get('cache-control')).not.toBe('no-store');
      const { data: known } = await ada.graphql('query($id: ID!) { embed(id: $id) { html } }', { id });
      return { id, embedUrl, html: known.embed.html };
    },
    host(html) {
      hosts.push(`<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${html}`);
      return `${site.origin}/host/${hosts.length - 1}`;
    },
  };
}

/** Opens a page that fails the test if it logs an error. */
async function openHost(viewport = { width: 1280, height: 800 }): Promise<Page> {
  const page = await openPage({ viewport });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())));
  onTestFinished(() => expect(errors).toEqual([]));
  return page;
}

function frameAt(page: Page, url: string): Frame {
  const frame = page.frames().find((one) => one.url().startsWith(url));
  if (!frame) throw new Error(`no frame shows ${url}`);
  return frame;
}

const contentHeightOf = (page: Page, { embedUrl }: Embed) =>
  frameAt(page, embedUrl).evaluate(() =>
    Math.ceil(document.getElementById('embed')?.getBoundingClientRect().height ?? 0),
  );

/** The visible frames that do not have the height of their content yet. */
async function unfittedFrames(page: Page): Promise<readonly string[]> {
  const visible = await page.$$eval('iframe', (all) =>
    all
      .filter((frame) => frame.getBoundingClientRect().top < innerHeight)
      .map(({ src, clientHeight }) => ({ src, clientHeight })),
  );
  expect(visible).not.toEqual([]);
  const unfitted = visible.map(async ({ src, clientHeight }) => {
    const frame = page.frames().find((one) => one.url() === src);
    const height = await frame?.evaluate(() => document.getElementById('embed')?.getBoundingClientRect().height);
    return Math.ceil(height ?? 0) === clientHeight ? null : src;
  });
  return (await Promise.all(unfitted)).filter((src) => src !== null);
}

/** The sum of all layout shifts since the page was opened, after two more frames were painted. */
function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0;
    const add = (entries: readonly PerformanceEntry[]) => {
      for (const entry of entries) sum += (entry as unknown as { value: number }).value;
    };
    const observer = new PerformanceObserver((entries) => add(entries.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
    add(observer.takeRecords());
    return sum;
  });
}

/** The messages that WordPress's own script for embeds accepts, and what it does with them. */
const WORDPRESS_SCRIPT = `addEventListener('message', ({ data, source }) => {
  if (!data || /[^a-z0-9]/i.test(data.secret)) return;
  for (const frame of document.querySelectorAll('iframe[data-secret="' + data.secret + '"]')) {
    if (frame.contentWindow !== source) continue;
    frame.removeAttribute('style');
    if (data.message === 'height') frame.height = Math.min(Math.max(parseInt(data.value, 10), 200), 1000);
    if (data.message !== 'link') continue;
    const sameHost = new URL(data.value).host === new URL(frame.getAttribute('src')).host;
    if (sameHost && document.activeElement === frame) top.location.href = data.value;
  }
});
for (const frame of document.querySelectorAll('iframe[data-secret]')) {
  frame.contentWindow.postMessage({ message: 'ready', secret: frame.dataset.secret }, '*');
}`;

/** Filters the HTML of a provider that WordPress does not know: few attributes, and the strictest sandbox with scripts. */
function filterLikeWordPress(html: string, secret: string): string {
  const kept = [...html.matchAll(/ (src|width|height|frameborder|scrolling|title)="([^"]*)"/g)].map(
    ([, name, value]) => (name === 'src' ? ` src="${value}#?secret=${secret}"` : ` ${name}="${value}"`),
  );
  return `<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted"${kept.join('')} data-secret="${secret}"></iframe>`;
}

test.skipIf(noBrowser)(
  'WordPress fits the height of the frame, and "Open original" opens the source page and nothing else',
  async () => {
    const list = `<ol>${'<li>Rice</li>'.repeat(60)}</ol>`;
    const { service, embed, host, origin, pageUrl } = await openService({
      '/long': articlePage('Long', list),
      '/card': CARD,
    });
    const [long, card] = [await embed('/long', { font: 'Inter', mode: 'USER_DEFINED' }), await embed('/card')];
    const oembedOf = async ({ embedUrl }: Embed) => {
      const query = new URLSearchParams({ url: embedUrl, maxwidth: '600', maxheight: '900' });
      const response = await service.app.fetch(new Request(`${origin}/oembed?${query}`));
      return (await response.json()) as { html: string };
    };
    const frames = [
      filterLikeWordPress((await oembedOf(long)).html, 'aB3dE6gH9j'),
      filterLikeWordPress((await oembedOf(card)).html, 'kL2mN5pQ8r'),
    ];
    const page = await openHost();
    const post = host(`<h1>Post</h1>${frames.join('')}`);
    await page.goto(post);
    await page.frameLocator('iframe').nth(0).getByRole('heading', { level: 1 }).waitFor();
    // the frames have loaded before the script that listens to them
    await page.addScriptTag({ content: WORDPRESS_SCRIPT });
    const heightsOf = () =>
      page.$$eval('iframe', (all) => all.map(({ height, clientHeight }) => [height, clientHeight]));
    await expect.poll(async () => (await heightsOf())[0]).toEqual(['1000', 1_000]);
    const cardHeight = await contentHeightOf(page, card);
    expect(cardHeight).toBeGreaterThan(200);
    await expect.poll(async () => (await heightsOf())[1]).toEqual([String(cardHeight), cardHeight]);
    // fonts load without an origin too
    await frameAt(page, long.embedUrl).waitForFunction(() =>
      [...document.fonts].some(({ family, status }) => family.includes('Inter') && status === 'loaded'),
    );

    // an update may load a page again after a link has replaced the secret in its URL
    await frameAt(page, card.embedUrl).evaluate(() => {
      location.hash = 'place';
    });
    await page
      .locator('iframe')
      .nth(1)
      .evaluate((frame: HTMLIFrameElement) => frame.removeAttribute('height'));
    await frameAt(page, card.embedUrl).evaluate(() => location.reload());
    await expect.poll(async () => (await heightsOf())[1]).toEqual([String(cardHeight), cardHeight]);

    await page.frameLocator('iframe').nth(1).getByRole('link', { name: 'Open original' }).click();
    await page.waitForURL(pageUrl('/card'));
    await page.goBack();
    await page.addScriptTag({ content: WORDPRESS_SCRIPT });
    await page.frameLocator('iframe').nth(0).getByRole('link', { name: 'Open original' }).press('Enter');
    await page.waitForURL(pageUrl('/long'));
  },
);

test('the redirect to the source page goes to the page of the embed, whatever the request says', async () => {
  const service = await openApp();
  const ada = await service.as('ada');
  const { id, embed_url } = await ada.create();
  const { origin } = new URL(embed_url);
  const visit = (path: string) => service.app.fetch(new Request(origin + path));
  for (const path of ['/original', '/original?url=https://evil.example/', '/original?https://evil.example/']) {
    const { status, headers } = await visit(path);
    expect([path, status, headers.get('location')]).toEqual([
      path,
      302,
      'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c',
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  for (const path of ['/original/', '/original/https://evil.example/', '//evil.example/original']) {
    const { status, headers } = await visit(path);
    expect([path, status, headers.get('location')]).toEqual([path, 308, new URL(embed_url).pathname]);
  }
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  expect((await visit('/original')).status).toBe(404);
});

test.skipIf(noBrowser)(
  'five embeds on a page hardly shift it while they load, on a phone and on a desktop computer',
  async () => {
    const picture =
      '<figure><img src="/x.svg" alt="" width="1200" height="600"><figcaption>A coast</figcaption></figure>';
    const { embed, host } = await openService({
      '/long': articlePage('A long article about what is in the pantry', '<h2>Rice</h2>'.repeat(3) + picture),
      '/picture': `<!doctype html><html lang="en"><title>Picture</title><meta property="og:image" content="/x.svg"><p>Hi`,
      '/card': CARD,
    });
    const pages: [string, object][][] = [
      [
        ['/long', {}],
        ['/card', { mode: 'USER_DEFINED' }],
        ['/long', { showTopBar: false }],
        ['/picture', {}],
        ['/gone', {}],
      ],
      [
        ['/card', {}],
        ['/gone', {}],
        ['/card', { mode: 'USER_DEFINED' }],
        ['/gone', {}],
        ['/card', {}],
      ],
    ];
    const page = await openHost();
    for (const [i, list] of pages.entries()) {
      const embeds: Embed[] = [];
      for (const [path, fields] of list) embeds.push(await embed(path, fields));
      const url = host(
        `<meta name="viewport" content="width=device-width"><p>Before</p>${embeds.map(({ html }) => html).join('<p>Between</p>')}`,
      );
      const phone = { width: 390, height: 844 };
      for (const viewport of i === 0 ? [phone, { width: 1280, height: 800 }] : [phone]) {
        await page.setViewportSize(viewport);
        await page.goto(url);
        await expect.poll(() => unfittedFrames(page)).toEqual([]);
        const score = await layoutShiftOf(page);
        expect(score).toBeLessThan(0.06);
      }
    }
  },
);

test.skipIf(noBrowser)(
  '<page-embed> is the iframe of the snippet, however it gets into the page, and its height can be styled',
  async () => {
    const { embed, host, origin } = await openService({ '/long': articlePage('Long'), '/card': CARD });
    const [long, card] = [await embed('/long'), await embed('/card')];
    const page = await openHost();
    const late = `<page-embed id="early" src="${card.embedUrl}" title="Early">Fallback</page-embed>`;
    const rows = ['<div id="column" style="display: flex; flex-direction: column; height: 300px"></div>'];
    await page.goto(host(`${late}<div id="target"></div>${rows}${card.html.split('\n')[0]}`));
    expect(await page.locator('#early').textContent()).toBe('Fallback');
    await page.addScriptTag({ url: `${origin}/embed.js` });
    await page.addScriptTag({ url: `${origin}/embed.js?again` });

    const heightOf = (id: string) =>
      page.evaluate((name) => {
        const found = [...document.querySelectorAll('page-embed')].find((one) => one.id === name);
        return (found ?? (window as unknown as Record<string, Element>)[name])?.clientHeight;
      }, id);
    const cardHeight = () => contentHeightOf(page, card);
    const longHeight = () => contentHeightOf(page, long);
    await expect.poll(() => heightOf('early')).toBeLessThan(600);
    expect(await heightOf('early')).toBe(await cardHeight());
    const attributesOf = (selector: string) =>
      page.locator(selector).evaluate((frame: HTMLIFrameElement) => {
        const { src, sandbox, loading, allowFullscreen, frameBorder } = frame;
        return { src, sandbox: sandbox.value, loading, allowFullscreen, frameBorder };
      });
    expect(await attributesOf('#early iframe')).toEqual(await attributesOf('body > iframe'));
    expect(await page.locator('#early iframe').getAttribute('title')).toBe('Early');

    // another page in the same element, a rule of the host page, and a flex column that is too low
    await page.evaluate((url) => document.getElementById('early')?.setAttribute('src', url), long.embedUrl);
    await expect.poll(() => heightOf('early')).toBeGreaterThan(600);
    await page.addStyleTag({ content: '#early { height: 321px; border: 2px solid }' });
    expect(await heightOf('early')).toBe(321);
    await page.evaluate(() => document.getElementById('early')?.removeAttribute('id'));
    await expect
      .poll(() =>
        page
          .locator('page-embed')
          .first()
          .evaluate((one) => one.clientHeight),
      )
      .toBe(await longHeight());
    await page.evaluate(() => document.querySelector('page-embed')?.remove());

    await page.evaluate((url) => {
      const column = document.getElementById('column');
      if (column) column.innerHTML = `<page-embed id="inner" src="${url}"></page-embed>`;
    }, long.embedUrl);
    await expect.poll(() => heightOf('inner')).toBeGreaterThan(600);
    expect(await heightOf('inner')).toBe(await longHeight());
    await page.evaluate(() => {
      const inner = document.getElementById('inner');
      if (inner) document.getElementById('target')?.append(inner);
    });
    await expect.poll(async () => (await heightOf('inner')) === (await longHeight().catch(() => 0))).toBe(true);
    await page.evaluate(() => document.getElementById('inner')?.remove());

    // as a framework does: created first, then attributes, in a closed shadow root
    await page.evaluate((url) => {
      const made = document.createElement('page-embed');
      made.setAttribute('src', url);
      made.setAttribute('title', 'Made');
      document.getElementById('target')?.attachShadow({ mode: 'closed' }).append(made);
      Object.assign(window, { made });
    }, long.embedUrl);
    await expect.poll(() => heightOf('made')).toBeGreaterThan(600);
    expect(await heightOf('made')).toBe(await longHeight());

    const blocked = await page.evaluate(() => {
      const made = document.createElement('page-embed');
      made.setAttribute('src', 'javascript:parent.broken = true');
      document.body.append(made);
      return made.shadowRoot?.querySelector('iframe')?.src;
    });
    expect(blocked).toBe('about:blank');
  },
);

test.skipIf(noBrowser)('an embed in a flex row leaves room for what is beside it, and fills the rest', async () => {
  const { embed, host, origin } = await openService({ '/long': articlePage('Long') });
  const { embedUrl, html } = await embed('/long');
  const element = `<page-embed src="${embedUrl}" title="Long"></page-embed>`;
  const page = await openHost({ width: 1000, height: 800 });
  for (const [content, style, width] of [
    [html, '', 780],
    [element, '', 780],
    [element, 'flex-direction: column; align-items: center; height: 300px', 1_000],
    [element, 'display: grid; place-items: center', 1_000],
  ] as const) {
    const aside = '<aside style="flex: none; width: 200px">Aside</aside>';
    const row = `<div style="display: flex; gap: 20px; ${style}">${aside}${content}</div>`;
    await page.goto(host(`<style>body { margin: 0 }</style><script src="${origin}/embed.js"></script>${row}`));
    const sizeOf = (name: string) => page.locator(name).evaluate(({ clientWidth: w, clientHeight: h }) => [w, h]);
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    const height = () => contentHeightOf(page, { id: '', embedUrl, html });
    const name = content === html ? 'iframe' : 'page-embed';
    await expect.poll(async () => (await sizeOf(name)).join()).toBe(`${width},${await height()}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1_000);
  }
});

test.skipIf(noBrowser)('a least height in its style keeps the place of <page-embed> until it is loaded', async () => {
  const { embed, host, origin } = await openService({ '/card': CARD });
  const { embedUrl, html } = await embed('/card');
  const height = /; (height: clamp[^"]*)/.exec(html)?.[1] ?? `height: ${/ height="(\d+)"/.exec(html)?.[1]}px`;
  const element = `<page-embed src="${embedUrl}" title="Card" style="display: block; min-${height}"></page-embed>`;
  const page = await openHost();
  await page.goto(host(`<p>Before</p>${[element, element, element].join('<p>Between</p>')}`));
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.addScriptTag({ url: `${origin}/embed.js` });
  await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor();
  const heightOf = () =>
    page
      .locator('page-embed')
      .first()
      .evaluate((one) => one.clientHeight);
  await expect.poll(heightOf).toBe(await contentHeightOf(page, { id: '', embedUrl, html }));
  expect(await layoutShiftOf(page)).toBeLessThan(0.06);
});

test.skipIf(noBrowser)('the iframe of the snippet keeps its size in flex and grid containers', async () => {
  const page = await openHost({ width: 1000, height: 800 });
  const iframe = renderSnippet({ embedUrl: 'about:blank', title: 'An embed', mode: 'LIGHT', scriptUrl: null });
  for (const [style, width] of [
    ['display: flex; flex-direction: column; height: 300px', 1_000],
    ['display: flex; flex-direction: column; align-items: center; height: 300px', 1_000],
    ['display: flex; height: 300px', 1_000],
    ['display: flex; justify-content: center; align-items: center; height: 900px', 1_000],
    ['display: grid; height: 300px', 1_000],
    ['display: grid; place-items: center; height: 900px', 1_000],
    ['display: grid; grid-template-columns: 1fr 1fr', 500],
  ] as const) {
    await page.setContent(`<body style="margin: 0"><div style="${style}">${iframe}</div>`);
    const size = await page.locator('iframe').evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    expect([style, ...size]).toEqual([style, width, 600]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1_000);
  }
});
