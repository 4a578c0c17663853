import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EmbedMode } from '../../src/domain/embed/embed.ts';
import { EMBED_SCRIPT } from '../../src/doors/hosted/render/client-code.ts';
import { renderErrorPage } from '../../src/doors/hosted/render/error-page.ts';
import { type EmbedView, renderEmbedPage } from '../../src/doors/hosted/render/view.ts';
import { renderSnippet } from '../../src/doors/hosted/snippet.ts';
import { noBrowser, openPage as openAnyPage, violationsOf } from '../browser.ts';
import { ARABIC, sampleArticle, sampleView } from './samples.ts';
import { openSite, type Site, servedHtml, servedPage } from './site.ts';

const FONT_FILE = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';
/** A folder for pictures of what the tests see. */
const SCREENSHOTS = process.env.SCREENSHOTS;

const LIGHT = { paper: 'rgb(255, 255, 255)', ink: 'rgb(28, 31, 36)' };
const DARK = { paper: 'rgb(23, 24, 28)', ink: 'rgb(227, 229, 234)' };

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#f6c58b"/><stop offset="1" stop-color="#e98a6d"/></linearGradient><linearGradient id="w" x2="0" y2="1"><stop stop-color="#4f7f9b"/><stop offset="1" stop-color="#1f4763"/></linearGradient></defs><path fill="url(#s)" d="M0 0h1200v600H0z"/><circle cx="820" cy="270" r="70" fill="#fff1d6"/><path fill="url(#w)" d="M0 330h1200v270H0z"/><path fill="#24394a" d="M0 330c140-60 220-90 330-70s150 70 260 70H0z"/><path fill="#d9b58a" d="M0 600c180-120 420-150 640-110s380 60 560 110z"/></svg>`;

describe.skipIf(noBrowser)('in a browser', { timeout: 60_000 }, () => {
  let site: Site;
  let embedCount = 0;

  beforeAll(async () => {
    site = await openSite();
    site.serve(`${site.origin('media')}/coast.svg`, { body: PICTURE, headers: { 'content-type': 'image/svg+xml' } });
    site.serve(`${site.origin('www')}/embed.js`, {
      body: EMBED_SCRIPT,
      headers: { 'content-type': 'text/javascript' },
    });
  });

  afterAll(() => site?.close());

  /** Opens a page that fails the test if it logs errors or warnings. */
  async function openPage(options: BrowserContextOptions = {}, isolateSites = true): Promise<Page> {
    const page = await openAnyPage({ viewport: { width: 900, height: 900 }, ...options, isolateSites });
    const troubles: string[] = [];
    onTestFinished(() => expect(troubles, 'console errors').toEqual([]));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(String(error)));
    return page;
  }

  /** Serves an embed on an origin of its own, and answers with its address. */
  function serveEmbed(embed: Partial<EmbedView['embed']> = {}, changes: Partial<EmbedView> = {}, pauseBefore?: string) {
    embedCount += 1;
    const url = `${site.origin(`01kb3x5rj2v7q9m4t8d6w0${String(embedCount).padStart(4, '0')}.embeds`)}/page`;
    const article = sampleArticle(`${site.origin('media')}/coast.svg`);
    site.serve(
      url,
      servedPage(renderEmbedPage(sampleView(embed, { article, embedUrl: url, ...changes })), pauseBefore),
    );
    return url;
  }

  const script = () => `<script async src="${site.origin('www')}/embed.js"></script>`;

  function snippetOf(embedUrl: string, mode: EmbedMode = 'LIGHT'): string {
    return renderSnippet({ embedUrl, title: 'An embed', mode, scriptUrl: `${site.origin('www')}/embed.js` });
  }

  /** Opens a page with something in it: on another site than the embeds, where browsers keep storage from them. */
  async function openHost(page: Page, html: string, name = 'host'): Promise<void> {
    site.serve(`${site.origin(name)}/`, servedHtml(html));
    await page.goto(`${site.origin(name)}/`);
  }

  function frameAt(page: Page, url: string): Frame {
    const frame = page.frames().find((one) => one.url() === url);
    if (!frame) throw new Error(`no frame shows ${url}`);
    return frame;
  }

  const coloursOf = (page: Page | Frame) =>
    page.evaluate(() => {
      const { backgroundColor: paper, color: ink } = getComputedStyle(document.documentElement);
      return { paper, ink };
    });

  const heightOf = (page: Page, index = 0) =>
    page
      .locator('iframe')
      .nth(index)
      .evaluate((frame) => frame.clientHeight);

  const contentHeightOf = (frame: Frame) =>
    frame.evaluate(() => Math.ceil(document.getElementById('embed')?.getBoundingClientRect().height ?? 0));

  /** Waits until an iframe is as high as what it shows. */
  async function expectFit(page: Page, url: string, index = 0): Promise<number> {
    await expect.poll(async () => (await heightOf(page, index)) - (await contentHeightOf(frameAt(page, url)))).toBe(0);
    return heightOf(page, index);
  }

  async function keepPicture(page: Page, name: string): Promise<void> {
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }

  const hasSidewaysScroll = (page: Page | Frame) =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

  describe.each([
    { mode: 'LIGHT', onLight: LIGHT, onDark: LIGHT, systems: ['dark'] },
    { mode: 'DARK', onLight: DARK, onDark: DARK, systems: ['light'] },
    { mode: 'AUTO', onLight: LIGHT, onDark: DARK, systems: ['light', 'dark'] },
    { mode: 'USER_DEFINED', onLight: LIGHT, onDark: DARK, systems: ['light', 'dark'] },
  ] as const)('mode $mode', ({ mode, onLight, onDark, systems }) => {
    test('has its colours, whatever the system has, and follows it where it should', async () => {
      const page = await openPage({ colorScheme: 'light' });
      const url = serveEmbed({ mode });
      await openHost(page, snippetOf(url, mode));
      await expectFit(page, url);
      expect(await coloursOf(frameAt(page, url))).toEqual(onLight);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await coloursOf(frameAt(page, url))).toEqual(onDark);
    });

    test.each(systems)('is accessible and fits on a phone, on a %s system', async (colorScheme) => {
      const page = await openPage({ colorScheme, reducedMotion: 'reduce' }, false);
      const article = sampleArticle(`${site.origin('media')}/coast.svg`, { content: null });
      const screens = { article: serveEmbed({ mode }), card: serveEmbed({ mode }, { article }) };
      for (const [name, url] of Object.entries(screens)) {
        await page.setViewportSize({ width: 900, height: 900 });
        await page.goto(url);
        expect(await violationsOf(page), name).toEqual([]);
        const picture = `${mode.toLowerCase()}-${name}-${colorScheme}`;
        await keepPicture(page, picture);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await hasSidewaysScroll(page)).toBe(false);
        await keepPicture(page, `${picture}-phone`);
        if (name === 'article') expect(await violationsOf(page), 'on a phone').toEqual([]);
      }
    });
  });

  test('an embed without a top bar, one from right to left, a pending one and the pages of errors are accessible too', async () => {
    const page = await openPage({}, false);
    const card = sampleArticle(`${site.origin('media')}/coast.svg`, { content: null });
    const serveError = (...[code, detail, requestId]: Parameters<typeof renderErrorPage>) => {
      const url = `${site.origin('01kb3x5rj2v7q9m4t8d6w0h1cz')}/${code}`;
      site.serve(url, servedPage(renderErrorPage(code, detail, requestId)));
      return url;
    };
    const screens = {
      'without-bar': serveEmbed({ showTopBar: false }),
      'card-without-bar': serveEmbed({ showTopBar: false }, { article: card }),
      arabic: serveEmbed({ mode: 'USER_DEFINED' }, { article: sampleArticle(undefined, ARABIC) }),
      pending: serveEmbed({}, { article: { ...card, description: null, image: null }, isPending: true }),
      'not-found': serveError('not_found', 'It may have been deleted.'),
      busy: serveError('unavailable', 'Too many requests are in flight; try again.'),
      broken: serveError('internal', 'Something went wrong on our side.', '5f4f2b8e-53a5-4b0e-9b0c-0c5b6b0e5b0a'),
    };
    for (const [name, url] of Object.entries(screens)) {
      await page.goto(url);
      expect(await violationsOf(page), name).toEqual([]);
      await keepPicture(page, name);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await hasSidewaysScroll(page)).toBe(false);
      await keepPicture(page, `${name}-phone`);
      await page.setViewportSize({ width: 900, height: 900 });
    }
  });

  describe('the control', () => {
    test('works by keyboard, shows its state and is remembered where the browser allows it', async () => {
      const page = await openPage({ colorScheme: 'light' });
      const url = serveEmbed({ mode: 'USER_DEFINED' });
      await openHost(page, snippetOf(url, 'USER_DEFINED'), 'host.embeds');
      await expectFit(page, url);
      const group = page.frameLocator('iframe').getByRole('group', { name: 'Colour mode' });
      const radio = (name: string) => group.getByRole('radio', { name });
      await radio('System').focus();
      await page.keyboard.press('ArrowRight');
      expect(await radio('Dark').isChecked()).toBe(true);
      expect(await coloursOf(frameAt(page, url))).toEqual(DARK);
      const outline = await group.locator('label.dark').evaluate((label) => getComputedStyle(label).outlineStyle);
      expect(outline).toBe('solid');
      await page.reload();
      await expectFit(page, url);
      expect(await coloursOf(frameAt(page, url))).toEqual(DARK);
      expect(await radio('Dark').isChecked()).toBe(true);
      await radio('Light').press('Space');
      expect(await coloursOf(frameAt(page, url))).toEqual(LIGHT);
    });

    test.each(['allow-scripts allow-same-origin', 'allow-scripts'])(
      'works where storage is forbidden: another site, sandbox="%s"',
      async (sandbox) => {
        const page = await openPage({ colorScheme: 'light' });
        const url = serveEmbed({ mode: 'USER_DEFINED' });
        await openHost(page, `<iframe src="${url}" sandbox="${sandbox}" height="600"></iframe>`);
        const frame = frameAt(page, url);
        await expect(frame.evaluate(() => localStorage.length)).rejects.toThrow(/SecurityError/);
        await page.frameLocator('iframe').locator('label.dark').click();
        expect(await coloursOf(frame)).toEqual(DARK);
      },
    );

    test('is not shown without JavaScript, and all else is', async () => {
      const page = await openPage({ javaScriptEnabled: false, colorScheme: 'dark' });
      await page.goto(serveEmbed({ mode: 'USER_DEFINED' }));
      expect(await page.locator('fieldset').isVisible()).toBe(false);
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await page.locator('a.original').isVisible()).toBe(true);
      await keepPicture(page, 'without-javascript');
    });

    test('has coloured the page before its body arrives', async () => {
      const page = await openPage({ colorScheme: 'light' });
      const url = serveEmbed({ mode: 'USER_DEFINED' }, {}, '<main');
      await page.goto(url);
      await page.locator('label.dark').click();
      await page.goto('about:blank');
      await page.goto(url, { waitUntil: 'commit' });
      await page.locator('header').waitFor();
      expect(await page.locator('main').count()).toBe(0);
      expect(await coloursOf(page)).toEqual(DARK);
    });
  });

  describe('the height', () => {
    test('grows and shrinks with the content, and leaves no scrollbar', async () => {
      const page = await openPage();
      const url = serveEmbed();
      await openHost(page, snippetOf(url));
      const before = await expectFit(page, url);
      const frame = frameAt(page, url);
      await frame.evaluate(() => {
        const box = document.createElement('div');
        box.className = 'test-box';
        box.style.height = '500px';
        document.getElementById('embed')?.append(box);
      });
      await expect.poll(() => heightOf(page)).toBe(before + 500);
      await frame.evaluate(() => document.querySelector('.test-box')?.remove());
      await expect.poll(() => heightOf(page)).toBe(before);
      await page.setViewportSize({ width: 360, height: 640 });
      expect(await expectFit(page, url)).toBeGreaterThan(before);
      const root = await frame.evaluate(() => {
        const { scrollHeight, clientHeight } = document.documentElement;
        return scrollHeight - clientHeight;
      });
      expect(root).toBe(0);
    });

    test('fits many embeds on a page, lazy ones and later ones, whatever the script came before or after', async () => {
      const page = await openPage();
      const article = sampleArticle(`${site.origin('media')}/coast.svg`, { content: '<p>Short.</p>' });
      const [first, lazy, later] = [serveEmbed(), serveEmbed({}, { article }), serveEmbed({ showTopBar: false })];
      const styled = '<style>iframe { box-sizing: border-box; padding: 3px }</style>';
      await openHost(page, `${styled}${snippetOf(first)}<p style="height: 9000px"></p>${snippetOf(lazy)}${script()}`);
      await expect.poll(async () => (await heightOf(page)) - 6 - (await contentHeightOf(frameAt(page, first)))).toBe(0);
      expect(page.frames().some((frame) => frame.url() === lazy)).toBe(false);
      await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
      await expect.poll(() => heightOf(page, 1)).toBeLessThan(400);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), snippetOf(later));
      await page.locator('iframe').nth(2).scrollIntoViewIfNeeded();
      await expect.poll(() => heightOf(page, 2)).toBeGreaterThan(800);

      await openHost(page, `<iframe src="${first}" title="Ours" width="100%"></iframe>`);
      await frameAt(page, first).waitForLoadState();
      expect(await heightOf(page)).toBe(150);
      await page.addScriptTag({ url: `${site.origin('www')}/embed.js` });
      await expectFit(page, first);
    });

    test('is known of an embed far below the fold, which browsers do not render: with its late picture, and in a new width', async () => {
      const page = await openPage();
      const picture = `${site.origin('media')}/late.svg`;
      const sent = Promise.withResolvers<void>();
      site.serve(picture, { body: PICTURE, headers: { 'content-type': 'image/svg+xml' }, after: sent.promise });
      const article = sampleArticle(undefined, { content: `<p>Short.</p><img src="${picture}" alt="">` });
      const url = serveEmbed({}, { article });
      const eager = snippetOf(url).replace(' loading="lazy"', '');
      site.serve(`${site.origin('host')}/`, servedHtml(`<p style="height: 20000px"></p>${eager}`));
      await page.goto(`${site.origin('host')}/`, { waitUntil: 'commit' });
      await page.locator('iframe').waitFor({ state: 'attached' });
      await expect.poll(() => heightOf(page)).not.toBe(600);
      sent.resolve();
      await page.waitForLoadState();
      const width = await frameAt(page, url).evaluate(() => document.querySelector('img')?.clientWidth ?? 0);
      expect(width).toBeGreaterThan(300);
      const before = await expectFit(page, url);
      expect(before).toBeGreaterThan(width / 2);
      await page.setViewportSize({ width: 300, height: 640 });
      await expect.poll(() => heightOf(page)).not.toBe(before);
      await expectFit(page, url);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });

    test('fits embeds in open shadow roots, however deep, whether they were there before the script or come later', async () => {
      const page = await openPage();
      const [early, late] = [serveEmbed(), serveEmbed({ showTopBar: false })];
      await openHost(page, '<div id="early"></div><div id="late"></div>');
      const grow = (id: string, html: string) =>
        page.evaluate(
          ([host = '', content = '']) => {
            const outer = document.getElementById(host)?.attachShadow({ mode: 'open' });
            const inner = outer?.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
            if (inner) inner.innerHTML = content;
          },
          [id, html],
        );
      await grow('early', snippetOf(early));
      await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor();
      await page.addScriptTag({ url: `${site.origin('www')}/embed.js` });
      await expectFit(page, early);
      await grow('late', snippetOf(late));
      await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
      await expectFit(page, late, 1);
    });

    test('is not set by any other window or origin', async () => {
      const page = await openPage();
      const speak = (height: number) => `<script>
        parent.postMessage({ type: 'embed-gateway:height', id: '01kb3x5rj2v7q9m4t8d6w00001', height: ${height} }, '*');
        parent.postMessage(null, '*'); parent.postMessage('text', '*');
      </script>`;
      const elsewhere = `${site.origin('elsewhere')}/`;
      site.serve(elsewhere, servedHtml(speak(2_000)));
      const moved = `${site.origin('01kb3x5rj2v7q9m4t8d6w0m0ve')}/`;
      site.serve(moved, { body: '', status: 302, headers: { location: elsewhere } });
      const nonsense = `${site.origin('01kb3x5rj2v7q9m4t8d6w0bad0')}/`;
      site.serve(nonsense, servedHtml(speak(Number.NaN) + speak(Number.POSITIVE_INFINITY)));
      const huge = `${site.origin('01kb3x5rj2v7q9m4t8d6w0h0ge')}/`;
      site.serve(huge, servedHtml(speak(1e12)));
      const frames = [elsewhere, moved, nonsense, huge].map((url) => `<iframe src="${url}" height="200"></iframe>`);
      await openHost(page, `<script src="${site.origin('www')}/embed.js"></script>${frames.join('')}${speak(3_000)}`);
      await expect.poll(() => heightOf(page, 3)).toBe(200_000);
      expect([await heightOf(page, 0), await heightOf(page, 1), await heightOf(page, 2)]).toEqual([200, 200, 200]);
    });
  });

  test.skipIf(!existsSync(FONT_FILE))('a web font arrives without a jump, and late it holds up nothing', async () => {
    const page = await openPage();
    const fonts = site.origin('fonts');
    const face = `@font-face { font-family: "Sample Serif"; src: url(${fonts}/sample.ttf); font-display: swap }`;
    const sent = Promise.withResolvers<void>();
    site.serve(`${fonts}/css2?family=Sample+Serif`, {
      body: face,
      headers: { 'content-type': 'text/css' },
      after: sent.promise,
    });
    const headers = { 'content-type': 'font/ttf', 'access-control-allow-origin': '*' };
    site.serve(`${fonts}/sample.ttf`, { body: readFileSync(FONT_FILE), headers });
    const url = serveEmbed({ font: 'Sample Serif' }, { fontCssUrl: `${fonts}/css2?family=Sample+Serif` });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    const early = await page.evaluate(() => [document.fonts.size, document.body.clientHeight] as const);
    sent.resolve();
    await page.waitForFunction(() => [...document.fonts].some((one) => one.status === 'loaded'));
    const late = await page.evaluate(() => [document.fonts.size, document.body.clientHeight] as const);
    expect(early[0]).toBe(0);
    expect(late[0]).toBe(1);
    expect(Math.abs(late[1] - early[1]) / early[1]).toBeLessThan(0.05);
    await keepPicture(page, 'web-font');
  });
});
