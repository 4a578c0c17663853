import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { sampleArticle } from '../samples.ts';
import {
  coloursOf,
  contentHeightOf,
  DARK,
  expectFit,
  frameAt,
  heightOf,
  LIGHT,
  openPage,
  PICTURE,
  saveScreenshot,
  useEmbeds,
} from './embeds-in-browser.ts';
import { servedHtml } from './local-sites.ts';

const FONT_FILE = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';

describe.skipIf(noBrowser)('in a browser', () => {
  const { origin, serve, articleWithPicture, serveEmbed, script, snippetOf, openHost } = useEmbeds();

  test('an embed has the colours of its mode, and follows the system in modes AUTO and USER_DEFINED', async () => {
    const page = await openPage({ colorScheme: 'light' });
    const modes = [
      { mode: 'LIGHT', onLight: LIGHT, onDark: LIGHT },
      { mode: 'DARK', onLight: DARK, onDark: DARK },
      { mode: 'AUTO', onLight: LIGHT, onDark: DARK },
      { mode: 'USER_DEFINED', onLight: LIGHT, onDark: DARK },
    ] as const;
    const embeds = modes.map((expected) => ({ ...expected, url: serveEmbed({ mode: expected.mode }) }));
    const snippets = embeds.map(({ url, mode }) => snippetOf(url, mode).replace(' loading="lazy"', ''));
    await openHost(page, snippets.join(''));
    for (const [i, { url, mode, onLight }] of embeds.entries()) {
      await expectFit(page, url, i);
      expect(await coloursOf(frameAt(page, url)), mode).toEqual(onLight);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const { url, mode, onDark } of embeds) expect(await coloursOf(frameAt(page, url)), mode).toEqual(onDark);
  });

  describe('the control', () => {
    test('works by keyboard, shows its state, and remembers it where the browser allows storage', async () => {
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

    test('is hidden without JavaScript, unlike the rest of the page', async () => {
      const page = await openPage({ javaScriptEnabled: false, colorScheme: 'dark' });
      await page.goto(serveEmbed({ mode: 'USER_DEFINED' }));
      expect(await page.locator('fieldset').isVisible()).toBe(false);
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await page.locator('a.original').isVisible()).toBe(true);
      await saveScreenshot(page, 'without-javascript');
    });

    test('sets the colours before the body arrives', async () => {
      const page = await openPage({ colorScheme: 'light' });
      const body = Promise.withResolvers<void>();
      let visits = 0;
      const until = async () => {
        visits += 1;
        if (visits > 1) await body.promise;
      };
      const url = serveEmbed({ mode: 'USER_DEFINED' }, {}, { before: '<main', until });
      await page.goto(url);
      await page.locator('label.dark').click();
      await page.goto('about:blank');
      await page.goto(url, { waitUntil: 'commit' });
      await page.locator('header').waitFor();
      expect(await page.locator('main').count()).toBe(0);
      expect(await coloursOf(page)).toEqual(DARK);
      body.resolve();
    });
  });

  describe('the height', () => {
    test('follows the content, without a scrollbar', async () => {
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
      await page.setViewportSize({ width: 300, height: 640 });
      expect(await expectFit(page, url)).toBeGreaterThan(before);
      const root = await frame.evaluate(() => {
        const { scrollHeight, clientHeight } = document.documentElement;
        return scrollHeight - clientHeight;
      });
      expect(root).toBe(0);
    });

    test('fits in a page that is opened as a file', async () => {
      const page = await openPage();
      const url = serveEmbed();
      const file = join(temporaryFolder(), 'page.html');
      writeFileSync(file, snippetOf(url));
      await page.goto(pathToFileURL(file).href);
      await expectFit(page, url);
    });

    test('fits many embeds on a page, also lazy and later ones, with the script before or after them', async () => {
      const page = await openPage();
      const article = articleWithPicture({ content: '<p>Short.</p>' });
      const [first, lazy, later] = [serveEmbed(), serveEmbed({}, { article }), serveEmbed({ showTopBar: false })];
      const styled = '<style>iframe { box-sizing: border-box; padding: 3px }</style>';
      await openHost(page, `${styled}${snippetOf(first)}<p style="height: 9000px"></p>${snippetOf(lazy)}${script()}`);
      await expect.poll(async () => (await heightOf(page)) - 6 - (await contentHeightOf(frameAt(page, first)))).toBe(0);
      expect(page.frames().some((frame) => frame.url() === lazy)).toBe(false);
      await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
      await expect.poll(() => heightOf(page, 1)).toBeLessThan(430);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), snippetOf(later));
      await page.locator('iframe').nth(2).scrollIntoViewIfNeeded();
      await expect.poll(() => heightOf(page, 2)).toBeGreaterThan(800);

      await openHost(page, `<iframe src="${first}" title="Ours" width="100%"></iframe>`);
      await frameAt(page, first).waitForLoadState();
      expect(await heightOf(page)).toBe(150);
      await page.addScriptTag({ url: `${origin('www')}/embed.js` });
      await expectFit(page, first);
    });

    test('fits an off-screen embed, which browsers do not render, after a late image and after a resize', async () => {
      const page = await openPage();
      const picture = `${origin('media')}/late.svg`;
      const sent = Promise.withResolvers<void>();
      serve(picture, { body: PICTURE, headers: { 'content-type': 'image/svg+xml' }, after: sent.promise });
      const article = sampleArticle(undefined, { content: `<p>Short.</p><img src="${picture}" alt="">` });
      const url = serveEmbed({}, { article });
      const eager = snippetOf(url).replace(' loading="lazy"', '');
      serve(`${origin('host')}/`, servedHtml(`<p style="height: 20000px"></p>${eager}`));
      await page.goto(`${origin('host')}/`, { waitUntil: 'commit' });
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

    test('fits embeds in nested open shadow roots, added before or after the script', async () => {
      const page = await openPage();
      const [early, late] = [serveEmbed(), serveEmbed({ showTopBar: false })];
      await openHost(page, '<div id="early"></div><div id="late"></div>');
      const attach = (id: string, html: string) =>
        page.evaluate(
          ([host = '', content = '']) => {
            const outer = document.getElementById(host)?.attachShadow({ mode: 'open' });
            const inner = outer?.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
            if (inner) inner.innerHTML = content;
          },
          [id, html],
        );
      await attach('early', snippetOf(early));
      await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor();
      await page.addScriptTag({ url: `${origin('www')}/embed.js` });
      await expectFit(page, early);
      await attach('late', snippetOf(late));
      await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
      await expectFit(page, late, 1);
    });

    test('fits in a sandbox without an origin, its own or that of the page around it', async () => {
      const page = await openPage();
      const urls = [serveEmbed(), serveEmbed()] as const;
      const own = snippetOf(urls[0]).replace('allow-same-origin ', '');
      serve(`${origin('inner')}/`, servedHtml(snippetOf(urls[1])));
      const around = `<iframe src="${origin('inner')}/" sandbox="allow-scripts" height="5000"></iframe>`;
      await openHost(page, own + around);
      await expectFit(page, urls[0]);
      const inner = frameAt(page, urls[1]);
      const missing = async () =>
        (await contentHeightOf(inner)) -
        (await (await inner.frameElement()).evaluate((one) => (one as Element).clientHeight));
      await expect.poll(missing).toBe(0);
    });

    test('ignores messages of other windows and origins', async () => {
      const page = await openPage();
      const postMessages = (height: number) => `<script>
        parent.postMessage({ type: 'embed-gateway:height', id: '01kb3x5rj2v7q9m4t8d6w00001', height: ${height} }, '*');
        parent.postMessage(null, '*'); parent.postMessage('text', '*');
      </script>`;
      const elsewhere = `${origin('elsewhere')}/`;
      serve(elsewhere, servedHtml(postMessages(2_000)));
      const moved = `${origin('01kb3x5rj2v7q9m4t8d6w0m0ve')}/`;
      serve(moved, { body: '', status: 302, headers: { location: elsewhere } });
      const nonsense = `${origin('01kb3x5rj2v7q9m4t8d6w0bad0')}/`;
      serve(nonsense, servedHtml(postMessages(Number.NaN) + postMessages(Number.POSITIVE_INFINITY)));
      const huge = `${origin('01kb3x5rj2v7q9m4t8d6w0h0ge')}/`;
      serve(huge, servedHtml(postMessages(1e12)));
      const frames = [elsewhere, moved, nonsense, huge].map((url) => `<iframe src="${url}" height="200"></iframe>`);
      await openHost(page, `<script src="${origin('www')}/embed.js"></script>${frames.join('')}${postMessages(3_000)}`);
      await expect.poll(() => heightOf(page, 3)).toBe(200_000);
      expect([await heightOf(page, 0), await heightOf(page, 1), await heightOf(page, 2)]).toEqual([200, 200, 200]);
    });
  });

  test.skipIf(!existsSync(FONT_FILE))('a late web font neither delays the page nor shifts its layout', async () => {
    const page = await openPage();
    const fonts = origin('fonts');
    const face = `@font-face { font-family: "Sample Serif"; src: url(${fonts}/sample.ttf); font-display: swap }`;
    const sent = Promise.withResolvers<void>();
    serve(`${fonts}/css2?family=Sample+Serif`, {
      body: face,
      headers: { 'content-type': 'text/css' },
      after: sent.promise,
    });
    const headers = { 'content-type': 'font/ttf', 'access-control-allow-origin': '*' };
    serve(`${fonts}/sample.ttf`, { body: readFileSync(FONT_FILE), headers });
    const font = { family: 'Sample Serif', cssUrl: `${fonts}/css2?family=Sample+Serif` };
    const url = serveEmbed({}, { font });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    const early = await page.evaluate(() => [document.fonts.size, document.body.clientHeight] as const);
    sent.resolve();
    await page.waitForFunction(() => [...document.fonts].some((one) => one.status === 'loaded'));
    const late = await page.evaluate(() => [document.fonts.size, document.body.clientHeight] as const);
    expect(early[0]).toBe(0);
    expect(late[0]).toBe(1);
    expect(Math.abs(late[1] - early[1]) / early[1]).toBeLessThan(0.05);
    await saveScreenshot(page, 'web-font');
  });
});
