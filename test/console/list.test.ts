import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { csvFile, openGateway, signIn, useBrowser, withoutStreams } from './open-console.ts';

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };

describe.skipIf(noBrowser)('the list', { timeout: 60_000 }, () => {
  const browser = useBrowser();

  test('only the embeds near the screen are in the page, as cards and as rows of the table', async () => {
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

    await page.getByRole('button', { name: 'Table' }).click();
    const rows = page.getByRole('row');
    await expect.poll(() => rows.nth(1).getByRole('gridcell').nth(1).locator('a').textContent()).toBe('Newest');
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('151');
    await rows.nth(1).focus();
    await page.keyboard.press('End');
    const focusedRow = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'));
    await expect.poll(focusedRow).toBe('151');
    expect(await rows.count()).toBeLessThanOrEqual(80);
    // the row with the focus stays when it is scrolled away
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('link', { name: 'Newest', exact: true }).waitFor();
    expect(await focusedRow()).toBe('151');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focusedRow).toBe('150');
    await page.reload();
    await page.getByRole('grid').waitFor();
  });

  test('the list keeps its previews and its scroll position while an embed is edited', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: gateway.pageOf('Oldest') });
    await Promise.all(Array.from({ length: 8 }, (_, i) => ada.create({ page_url: gateway.pageOf(`Page ${i}`) })));
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const card = page.locator('.card:not(.skeleton)').last();
    await card.scrollIntoViewIfNeeded();
    await card.frameLocator('iframe').getByRole('heading', { name: 'Oldest' }).waitFor();
    await card.locator('iframe').evaluate((frame) => frame.setAttribute('data-same', ''));
    const scrollPosition = () => page.evaluate(() => scrollY);
    const positionBefore = await scrollPosition();
    expect(positionBefore).toBeGreaterThan(0);
    await card.getByRole('link', { name: 'Oldest', exact: true }).click();
    await page.frameLocator('.stage iframe').getByRole('heading', { name: 'Oldest' }).waitFor();
    await page.goBack();
    await card.waitFor();
    await expect.poll(scrollPosition).toBe(positionBefore);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Oldest');
    expect(await card.locator('iframe[data-same]').count()).toBe(1);
  });

  test('a search finds words of titles or the URL of a page, and says when nothing matches', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const url = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c?view=week#today';
    for (const pageUrl of [url, 'https://example.com/Diary', 'https://example.com/Planner-of-Weeks'])
      await ada.create({ page_url: pageUrl });
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const titles = () => page.locator('.card h2').allTextContents();
    await expect.poll(titles).toHaveLength(3);
    const search = page.getByRole('searchbox', { name: 'Search embeds' });
    await search.fill('planner');
    await expect.poll(titles).toEqual(['Planner of Weeks', 'Meal Planner']);
    await page.getByRole('button', { name: 'Delete Meal Planner' }).click();
    await expect.poll(() => page.locator('.count').getAttribute('data-total')).toBe('1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual(['Planner of Weeks', 'Meal Planner']);
    await search.fill('nowhere');
    await page.getByText('No embed matches “nowhere”').waitFor();
    await search.fill('one two three four five six');
    await page.getByText('The search must').waitFor();
    await search.fill(` ${url} `);
    await expect.poll(titles).toEqual(['Meal Planner']);
    await search.fill('http://www.example.com/Diary/');
    await expect.poll(titles).toEqual(['Diary']);
    await search.fill('https://example.com/Nowhere');
    await page.getByText('No embed matches “https://example.com/Nowhere”').waitFor();
    await search.press('Escape');
    await expect.poll(titles).toEqual(['Planner of Weeks', 'Diary', 'Meal Planner']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('3');
  });

  test('an older answer never replaces the results of what was typed last', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary', 'Recipes']);
    const page = await browser.open();
    await withoutStreams(page);
    await signIn(page, gateway, ada.token);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"search":"diary"')) await held;
      await route.fallback().catch(() => {});
    });
    const search = page.getByRole('searchbox', { name: 'Search embeds' });
    const isOlder = (request: Request) => request.postData()?.includes('"search":"diary"') === true;
    const cancelled = page.waitForEvent('requestfailed', isOlder);
    const request = page.waitForRequest(isOlder);
    await search.fill('diary');
    await request;
    await search.fill('recipes');
    const titles = () => page.locator('.card h2').allTextContents();
    await expect.poll(titles).toEqual(['Recipes']);
    release();
    // the browser has cancelled the older request, and the answer to a newer one does not bring it back
    await cancelled;
    await search.fill('');
    await expect.poll(titles).toEqual(['Recipes', 'Diary']);
  });

  test('changes by other clients appear in the open list', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    const titles = () => page.locator('.card h2').allTextContents();
    const { id } = await ada.create({ page_url: gateway.pageOf('Diary') });
    await expect.poll(titles).toEqual(['Diary']);
    await ada.create({ page_url: gateway.pageOf('Week') });
    await expect.poll(titles).toEqual(['Week', 'Diary']);
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
    const card = page.locator(`[data-embed="${id}"]`);
    await card.getByText('Dark').waitFor();
    await expect.poll(() => card.frameLocator('iframe').locator('html').getAttribute('data-mode')).toBe('dark');
    await ada.rest('DELETE', `/v1/embeds/${id}`);
    await expect.poll(titles).toEqual(['Week']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('1');
  });

  test('changes that were missed during an interruption appear after the stream reconnects', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await withoutStreams(page);
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    await ada.create({ page_url: gateway.pageOf('Diary') });
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Diary', exact: true }).waitFor();
  });

  test('the buttons copy what the service returns, and previews are inert for keyboards and screen readers', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id, embed_url: embedUrl } = await ada.create({ page_url: gateway.pageOf('Diary') });
    const page = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, gateway, ada.token);
    const copied = async (name: string) => {
      await page.getByRole('button', { name: `${name} of Diary` }).click();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const { data } = await ada.graphql('query($id: ID!) { embed(id: $id) { html } }', { id });
    expect(await copied('Snippet')).toBe(data.embed.html);
    await page.getByText('Snippet copied').waitFor();
    expect(await copied('URL')).toBe(embedUrl);
    const link = await copied('oEmbed');
    const linkHeader = (await gateway.app.fetch(new Request(embedUrl))).headers.get('link') ?? '';
    expect(linkHeader).toContain(`<${link}>; rel="alternate"; type="application/json+oembed"`);
    const frame = page.locator('.card iframe');
    await page.frameLocator('.card iframe').getByRole('heading', { name: 'Diary' }).waitFor();
    expect(await frame.evaluate((element) => element.closest('[inert]') !== null)).toBe(true);
    expect(await frame.getAttribute('title')).toBe('Preview of Diary');
    expect(await frame.getAttribute('sandbox')).not.toContain('top-navigation');
  });

  test('a card says why its page is not shown, and a refresh by keyboard updates it in place', async () => {
    let html = '';
    const site = await openSite((_request, response) => {
      response.writeHead(html === '' ? 404 : 200, { 'content-type': 'text/html' }).end(html);
    });
    const gateway = await openGateway();
    const [ada, reader] = [await gateway.join('ada'), await gateway.join('ada', ['read'])];
    await ada.create({ page_url: `${site.origin}/Diary-${'0'.repeat(32)}` });
    await ada.create({ page_url: gateway.articleOf('Week') });
    const page = await browser.open();
    await signIn(page, gateway, reader.token);
    const diary = page.locator('.card', { has: page.getByRole('link', { name: 'Diary', exact: true }) });
    const status = diary.locator('.page-status');
    await expect.poll(() => status.textContent()).toBe('GoneThe site has no such page (status 404).');
    await expect.poll(() => page.locator('.page-status').count(), { timeout: 20_000 }).toBe(1);
    expect(await page.getByRole('button', { name: 'Refresh Diary' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await signIn(page, gateway, ada.token);
    await status.getByText('Gone').waitFor();
    html = articlePage('Diary');
    await page.getByRole('button', { name: 'Refresh Diary' }).press('Enter');
    await page.getByText('“Diary” is up to date.').waitFor();
    expect(await status.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Refresh Diary');
    await diary.frameLocator('iframe').getByText('The pantry list').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/“Diary” was not refreshed\. An embed can be refreshed once every 10 s/).waitFor();
  });

  test('an unavailable service is reported with its retry delay, and a button tries again', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, token);
    await page.route('**/graphql', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'content-type': 'application/graphql-response+json', 'retry-after': '7' },
        body: '{"errors":[{"message":"The database is busy.","extensions":{"code":"SERVICE_UNAVAILABLE"}}]}',
      }),
    );
    await page.reload();
    await page.getByText('The database is busy. Try again in 7 s.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Create your first embed').waitFor();
  });

  test('no view is wider than the screen of a phone', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada', ['read', 'write', 'admin']);
    const page = await browser.open(PHONE);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.goto(`${gateway.origin}/`);
    await page.getByLabel('Access token').waitFor();
    expect(await overflow()).toBe(0);
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    expect(await overflow()).toBe(0);
    const { id } = await ada.create({ page_url: gateway.pageOf('A long title '.repeat(8).trim()) });
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${gateway.origin}/#/`);
    await page.reload();
    await page.locator('.card').first().waitFor();
    expect(await overflow()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select A long' }).check();
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('row').nth(1).waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${gateway.origin}/#/?font=${'Long'.repeat(16)}`);
    await page.getByText('No embed matches these filters').waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${gateway.origin}/#/tokens`);
    await page.getByText('Created', { exact: true }).waitFor();
    expect([await overflow(), await page.evaluate(() => scrollY)]).toEqual([0, 0]);
    const bar = await page.getByRole('banner').evaluate((element) => {
      return Math.max(...[...element.querySelectorAll('button, a')].map((each) => each.getBoundingClientRect().right));
    });
    expect(bar).toBeLessThanOrEqual((page.viewportSize()?.width ?? 0) - 16);
    await page.goto(`${gateway.origin}/#/import`);
    const csv = `page_url,font\n${gateway.pageOf('Week'.repeat(40))},Inter\n${'nonsense'.repeat(20)},\n`;
    await page.getByLabel('CSV file').setInputFiles(csvFile(csv));
    await page.getByText('1 row to import. 1 row rejected.').waitFor();
    expect(await overflow()).toBe(0);
  });
});
