import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import { csvFile, openGateway, signIn, titlesOf, useBrowser } from './open-console.ts';

/** Holds the next request for a page after the first one, until it is released. */
async function holdNextPage(page: Page) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route('**/graphql', async (route) => {
    if (isFirst && route.request().postDataJSON()?.variables?.after) {
      isFirst = false;
      held.resolve();
      await released.promise;
    }
    // the page may have closed the request
    await route.fallback().catch(() => {});
  });
  return { isHeld: held.promise, release: () => released.resolve() };
}

/** The height that fingers need, in pixels. */
const TARGET_HEIGHT = 40;

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };

describe.skipIf(noBrowser)('a long list', () => {
  const browser = useBrowser();

  test('only the cards of a long list near the screen are in the page', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', [...titlesOf(149), 'Newest']);
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
    await expect.poll(scroll, { interval: 20 }).toBe(1);
    expect(await lastCard.locator('h2').textContent()).toBe('Page 0');
    expect(await newest.count()).toBe(0);
    await page.evaluate(() => scrollTo(0, 0));
    await preview.waitFor();
    expect(await newest.boundingBox()).toEqual(box);
  });

  test('a long list keeps its length while it is read again, and shows its last cards when it becomes short', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', [...titlesOf(119), 'Newest']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const lastCard = page.locator('[aria-posinset="120"]');
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const scroll = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return lastCard.count();
    };
    // the request for the next page is on its way when the list is read again
    const first = await holdNextPage(page);
    await scroll();
    await first.isHeld;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    first.release();
    await expect.poll(scroll, { interval: 20 }).toBe(1);

    await page.evaluate(() => scrollTo(0, 0));
    const heightBefore = await height();
    const second = await holdNextPage(page);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await second.isHeld;
    const refreshed = page.waitForResponse(
      (response) => response.request().postData()?.includes('refreshPage') === true,
    );
    await page.getByRole('button', { name: 'Refresh Newest' }).click();
    await (await refreshed).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await height()).toBeGreaterThanOrEqual(heightBefore);
    second.release();
    await expect.poll(scroll, { interval: 20 }).toBe(1);

    await page.keyboard.press('a');
    await lastCard.getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete 119 embeds' }).click();
    await page.getByRole('link', { name: 'Page 0', exact: true }).waitFor();
  });

  test('no preview is loaded while the list is scrolled, also on a slow machine', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', titlesOf(50));
    const page = await browser.open({ reducedMotion: 'no-preference' });
    await signIn(page, gateway, ada.token);
    await page.locator('iframe[data-loaded]').first().waitFor();
    const scrolled = await page.evaluate(async () => {
      const before = new Set(document.querySelectorAll('iframe'));
      for (let i = 0; i < 12; i++) {
        const startedAt = performance.now();
        while (performance.now() < startedAt + 200); // the processor is busy with each frame
        await new Promise((resolve) => setTimeout(resolve)); // timers that are due run before the next frame
        scrollBy(0, 150);
        await new Promise(requestAnimationFrame);
      }
      const isWaiting = ({ effect }: Animation) =>
        effect instanceof KeyframeEffect && effect.target?.matches('.thumbnail:not(:has(iframe))');
      return {
        frames: [...document.querySelectorAll('iframe')].filter((frame) => !before.has(frame)).length,
        animations: document.getAnimations().filter(isWaiting).length,
      };
    });
    // without a GPU, animations would take the time of scrolling
    expect(scrolled).toEqual({ frames: 0, animations: 0 });
    await page.locator('.card:nth-child(n + 13) iframe').first().waitFor();
  });

  test('rows of a table are rendered some at a time while it is scrolled, and none is missing on the screen', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', titlesOf(90));
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('row').nth(20).waitFor();
    const steps = 40;
    const scrolled = await page.evaluate(async (count) => {
      const edges = () => [...document.querySelectorAll<HTMLElement>('[data-embed]')].map((row) => row.ariaRowIndex);
      const found = { changes: 0, missing: 0 };
      let before = edges().join();
      for (let i = 0; i < count; i++) {
        scrollBy({ top: 50, behavior: 'instant' });
        // the event of the scroll comes with the next frame, and the rendering after it
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        const now = edges().join();
        if (now !== before) found.changes++;
        before = now;
        if (!document.elementFromPoint(innerWidth / 2, innerHeight - 10)?.closest('[data-embed]')) found.missing++;
      }
      return found;
    }, steps);
    expect(scrolled.missing).toBe(0);
    expect(scrolled.changes).toBeGreaterThan(2);
    expect(scrolled.changes).toBeLessThan(steps / 2);
  });

  test('no view is wider than the screen of a phone, its targets are large enough for fingers, and it is accessible', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada', ['read', 'write', 'admin']);
    const page = await browser.open(PHONE);
    const overflow = () => {
      // window.innerWidth of a phone grows with the page
      return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    };
    const violations = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      const small = await page
        .locator(':is(button, .button, .input, .select, summary, nav a, .segments label, th label, td a):visible')
        .evaluateAll((targets, height) => {
          const isSmall = (target: Element) => target.getBoundingClientRect().height < height;
          return targets.filter((target) => isSmall(target) && !target.matches('.skip')).map((each) => each.outerHTML);
        }, TARGET_HEIGHT);
      return [...small, ...(await violationsOf(page, { iframes: false }))];
    };
    await page.goto(`${gateway.origin}/`);
    await page.getByLabel('Access token').waitFor();
    expect(await overflow()).toBe(0);
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    expect(await overflow()).toBe(0);
    expect(await violations('dark')).toEqual([]);
    const { id } = await ada.create({ page_url: gateway.pageOf('A long title '.repeat(8).trim()) });
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    expect(await overflow()).toBe(0);
    const ways = page.getByRole('tablist');
    expect(await ways.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await violations('light')).toEqual([]);
    await page.goto(`${gateway.origin}/#/`);
    await page.reload();
    await page.locator('.card').first().waitFor();
    expect(await overflow()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select A long' }).check();
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('row').nth(1).waitFor();
    expect(await overflow()).toBe(0);
    expect(await violations('dark')).toEqual([]);
    await page.goto(`${gateway.origin}/#/?font=${'Long'.repeat(16)}`);
    await page.getByText('No embed matches these filters').waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${gateway.origin}/#/tokens`);
    await page.getByText('created', { exact: false }).filter({ visible: true }).first().waitFor();
    expect([await overflow(), await page.evaluate(() => scrollY)]).toEqual([0, 0]);
    const bar = await page.getByRole('banner').evaluate((element) => {
      return Math.max(...[...element.querySelectorAll('button, a')].map((each) => each.getBoundingClientRect().right));
    });
    expect(bar).toBeLessThanOrEqual((page.viewportSize()?.width ?? 0) - 16);
    expect(await violations('light')).toEqual([]);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Copy token' }).waitFor();
    expect(await violations('dark')).toEqual([]);
    await page.goto(`${gateway.origin}/#/import`);
    const csv = `page_url,font\n${gateway.pageOf('Week'.repeat(40))},Inter\n${'nonsense'.repeat(20)},\n`;
    await page.getByLabel('CSV file').setInputFiles(csvFile(csv));
    await page.getByText('1 row to import. 1 row rejected.').waitFor();
    expect(await overflow()).toBe(0);
    expect(await violations('dark')).toEqual([]);
  });
});
