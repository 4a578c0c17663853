import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser.ts';
import { openGateway, signIn, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('a long list', { timeout: 60_000 }, () => {
  const browser = useBrowser();

  test('only the cards near the screen are in the page', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const titles = Array.from({ length: 149 }, (_, i) => `Page ${i}`);
    await gateway.seed('ada', [...titles, 'Newest']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('150');
    const cards = page.locator('.card');
    const newest = page.locator('.card', { has: page.getByRole('link', { name: 'Newest', exact: true }) });
    const preview = newest.frameLocator('iframe').getByRole('heading', { name: 'Newest' });
    await preview.waitFor();
    const box = await newest.boundingBox();
    const lastCard = page.locator('[aria-posinset="150"]');
    const scroll = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await cards.count()).toBeLessThanOrEqual(40);
      expect(await page.locator('iframe').count()).toBeLessThanOrEqual(40);
      return lastCard.count();
    };
    await expect.poll(scroll, { interval: 20, timeout: 30_000 }).toBe(1);
    expect(await lastCard.locator('h2').textContent()).toBe('Page 0');
    expect(await newest.count()).toBe(0);
    await page.evaluate(() => scrollTo(0, 0));
    await preview.waitFor();
    expect(await newest.boundingBox()).toEqual(box);
  });
});
