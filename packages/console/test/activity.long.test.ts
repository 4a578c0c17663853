import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import { openGateway, signIn, useBrowser } from './open-console.ts';

/** Optional folder for screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS;

describe.skipIf(noBrowser)('activity', () => {
  const browser = useBrowser();

  test('writes changed settings in words', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create();
    await ada.rest('PATCH', `/v1/embeds/${id}/settings`, {
      allowed_sites: ['example.com', '*.example.org'],
      expires_at: '2036-01-31T12:00:00.000Z',
      look: { accent_color: '#b3261e', width: 'full', branding: false },
    });
    const hosts = Array.from({ length: 40 }, (_, i) => `shop-${i}.example.com`);
    await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { allowed_sites: hosts });
    const page = await browser.open({ timezoneId: 'UTC' });
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Activity' }).click();
    const changes = page.locator('.changes li');
    await changes.first().waitFor();
    // the space before PM is one that does not break
    const [cut, ...shown] = (await changes.allInnerTexts()).map((text) => text.replace(/\s/g, ' '));
    // the service keeps 300 characters of a value
    expect(cut).toMatch(/^allowed sites: example\.com, \*\.example\.org → \["shop-0\.example\.com","shop-1/);
    expect(shown).toEqual([
      'allowed sites: example.com, *.example.org',
      'expires at: Jan 31, 2036, 12:00 PM',
      'look: accent color #b3261e, width Full, branding off',
    ]);
  });

  test('shows who changed what, newest first, and loads more', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const kept = await ada.create();
    const { id } = await ada.create();
    await ada.rest('DELETE', `/v1/embeds/${id}`);
    const ci = (await ada.rest('POST', '/v1/tokens', { name: 'ci', scopes: ['read'] })).body.token;
    await ada.rest('DELETE', `/v1/tokens/${ci.id}`);
    for (let i = 0; i < 50; i++) {
      await ada.rest('PATCH', `/v1/embeds/${kept.id}`, { show_top_bar: i % 2 === 1 });
    }
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Activity' }).click();
    const events = page.locator('.event p');
    await page.getByRole('button', { name: 'Load more' }).waitFor();
    expect(new Set(await events.allInnerTexts())).toEqual(new Set(['test updated the embed Meal Planner']));
    expect(await page.locator('.changes li').first().innerText()).toBe('show top bar: off → on');
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('created 2 embeds').waitFor();
    // one heading for the day, also over two pages
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
    expect((await events.allInnerTexts()).slice(50)).toEqual([
      'test revoked the token ci',
      'test created the token ci',
      `test deleted the embed ${id}`,
      'test created 2 embeds',
    ]);
    expect(await page.title()).toBe('Activity · Embed Gateway');
    expect(await violationsOf(page)).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of SCREENSHOTS ? [390, 1280] : []) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 700 });
        await page.screenshot({ path: join(SCREENSHOTS ?? '', `activity-${width}-${colorScheme}.png`) });
      }
    }
    await page.getByRole('link', { name: '2 embeds' }).click();
    await page.getByRole('button', { name: 'Remove filter Created from' }).waitFor();
    await page.getByRole('heading', { name: 'Meal Planner' }).first().waitFor();
  });
});
