import { describe, expect, test } from 'vitest';
import { readArticle } from '../../../packages/reader/src/article/article.ts';
import { EVERYTHING } from '../../../packages/reader/test/fixtures/everything.ts';
import { renderReaderError } from '../../../src/doors/hosted/render/error-page.ts';
import { noBrowser, violationsOf } from '../../browser.ts';
import { ARABIC, sampleArticle } from '../samples.ts';
import { hasSidewaysScroll, openPage, PICTURE, saveScreenshot, useEmbeds } from './embeds-in-browser.ts';
import { servedPage } from './local-sites.ts';

describe.skipIf(noBrowser)('in a browser', () => {
  const { origin, serve, articleWithPicture, serveEmbed } = useEmbeds();

  test('embeds and error pages are accessible and fit on a phone', async () => {
    const page = await openPage({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
    const card = articleWithPicture({ content: null });
    const broken = `${origin('01kb3x5rj2v7q9m4t8d6w0h1cz')}/broken`;
    serve(broken, servedPage(renderReaderError('unavailable', '5f4f2b8e53a54b0e9b0c0c5b6b0e5b0a')));
    for (const [name, colorScheme, url] of [
      ['light', 'dark', serveEmbed({ mode: 'LIGHT' })],
      ['dark', 'light', serveEmbed({ mode: 'DARK', showTopBar: false })],
      ['arabic', 'dark', serveEmbed({ mode: 'USER_DEFINED' }, { article: sampleArticle(undefined, ARABIC) })],
      ['card', 'light', serveEmbed({ mode: 'USER_DEFINED' }, { article: card })],
      ['pending', 'light', serveEmbed({}, { article: { ...card, description: null, image: null }, state: 'PENDING' })],
      ['error', 'dark', broken],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      expect(await hasSidewaysScroll(page), name).toBe(false);
      // the script of the page makes what scrolls focusable after the next frame
      await expect.poll(() => violationsOf(page), { message: name }).toEqual([]);
    }
  });

  test('formulas, drawings and players are accessible and fit, and a player loads on a click', async () => {
    const page = await openPage({ reducedMotion: 'reduce' });
    const requested: string[] = [];
    await page.route(/^https:/, async (route) => {
      const { hostname } = new URL(route.request().url());
      requested.push(hostname);
      const isPicture = hostname !== 'www.youtube-nocookie.com';
      const headers = { 'content-type': isPicture ? 'image/svg+xml' : 'text/html' };
      await route.fulfill({
        headers,
        body: isPicture ? PICTURE : '<!doctype html><html lang="en"><title>Player</title>',
      });
    });
    const { article } = readArticle(EVERYTHING, { url: 'https://www.baker.example/all', robots: null });
    const url = serveEmbed({ mode: 'AUTO' }, { article });
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url);
      expect(await violationsOf(page), `${colorScheme} ${width}`).toEqual([]);
      expect(await hasSidewaysScroll(page)).toBe(false);
      await saveScreenshot(page, `everything-${colorScheme}-${width}`);
    }
    expect(requested).not.toContain('www.youtube-nocookie.com');
    const heights = await page
      .locator('math[display="block"]')
      .evaluateAll((all) => all.map((math) => math.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThan(10);
    const widths = await page.locator('img[src^="data:"]').evaluateAll((all) => all.map((image) => image.clientWidth));
    expect(widths).toEqual([300, 200, 16, 9, 40]);
    await page.getByRole('link', { name: 'How bread rises' }).press('Enter');
    const frame = page.locator('iframe.embed-player');
    expect(await frame.getAttribute('title')).toBe('How bread rises YouTube');
    expect(await frame.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/AAAAAAAAAAA?autoplay=1');
    expect(await frame.getAttribute('referrerpolicy')).toBe('strict-origin');
    expect(await frame.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => requested).toContain('www.youtube-nocookie.com');
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await saveScreenshot(page, 'everything-loaded');
  });
});
