import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { readArticle } from '../../../reader/src/article/article.ts';
import { EVERYTHING } from '../../../reader/test/fixtures/everything.ts';
import { hasSidewaysScroll, openPage, PICTURE, saveScreenshot, useEmbeds } from './embeds-in-browser.ts';

describe.skipIf(noBrowser)('in a browser', () => {
  const { serveEmbed } = useEmbeds();

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
