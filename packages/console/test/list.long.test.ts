import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import { articlePage, openSite } from '../../../test/pages/site.ts';
import { openGateway, signIn, titlesOf, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('the list', () => {
  const browser = useBrowser();

  test('only the rows near the screen are in the table, and the row with the focus', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', [...titlesOf(149), 'Newest']);
    const page = await browser.open();
    await page.goto(`${gateway.origin}/`);
    await page.evaluate(() => localStorage.setItem('embed-gateway:view', 'table'));
    await signIn(page, gateway, ada.token);
    const rows = page.getByRole('row');
    await expect.poll(() => rows.nth(1).getByRole('gridcell').nth(1).locator('a').textContent()).toBe('Newest');
    expect(await page.locator('.count').getAttribute('data-total')).toBe('150');
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('151');
    await rows.nth(1).focus();
    const focusedRow = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'));
    // End loads the next embeds until all are known
    const pressEnd = async () => {
      await page.keyboard.press('End');
      return focusedRow();
    };
    await expect.poll(pressEnd).toBe('151');
    expect(await rows.count()).toBeLessThanOrEqual(80);
    // the row with the focus stays when it is scrolled away
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('link', { name: 'Newest', exact: true }).waitFor();
    expect(await focusedRow()).toBe('151');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focusedRow).toBe('150');
  });

  test('eight cards with the icons of their sites fit on a laptop, and an embed opens at its title', async () => {
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
    const html = articlePage('Recipes').replace('</head>', '<link rel="icon" href="/icon.svg"></head>');
    const site = await openSite(({ url = '' }, response) => {
      const [type, text] = url === '/icon.svg' ? ['image/svg+xml', icon] : ['text/html', html];
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    for (let i = 0; i < 8; i++) await ada.create({ page_url: `${site.origin}/?page=${i}` });
    const page = await browser.open({ viewport: { width: 1280, height: 800 } });
    await signIn(page, gateway, ada.token);
    await expect.poll(() => page.locator('.card .site-icon img:not([hidden])').count()).toBe(8);
    const last = await page.locator('.card').last().boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(800);
    await page.getByRole('link', { name: 'Recipes', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('the tools of the list have room at each width', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.pageOf('Gone') });
    await ada.rest('POST', `/v1/embeds/${id}/refresh`);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('button', { name: 'Needs attention: 1' }).waitFor();
    for (const width of [1280, 970, 950, 800, 700, 560, 540, 390, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const tools = page.locator('.view-head > *, .list-tools > *, .count');
      const boxes = await tools.evaluateAll((elements) =>
        elements.flatMap((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const isCovered = (other: Element) => {
            const box = other.getBoundingClientRect();
            return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
          };
          const isOfOne = (other: Element) => one.contains(other) || other.contains(one);
          return elements.some((other) => !isOfOne(other) && isCovered(other)) ? one.outerHTML.slice(0, 80) : [];
        }),
      );
      expect(boxes, `${width}`).toEqual([]);
      const heads = page.locator('.view-head > :is(h1, .chip, .button)');
      const tops = await heads.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      // in one row with the title
      expect(Math.max(...tops.map(({ top }) => top)), `${width}`).toBeLessThan(tops[0]?.bottom ?? 0);
      expect((await page.locator('search').boundingBox())?.width, `${width}`).toBeGreaterThan(180);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });

  test('what takes the place of the list while it loads has the size of its cards and rows', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const sizeOf = async (selector: string) => {
      const { width, height } = (await page.locator(selector).first().boundingBox()) ?? {};
      return { width, height };
    };
    for (const [view, selector] of [
      ['cards', '.card:not(.skeleton)'],
      ['table', 'tbody tr'],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('embed-gateway:view', value), view);
      const held = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('query Embeds(')) await held.promise;
        await route.fallback();
      });
      await page.reload();
      await page.locator('.skeleton').first().waitFor();
      const size = await sizeOf('.skeleton');
      held.resolve();
      await page.locator(selector).first().waitFor();
      await page.unroute('**/graphql');
      const loaded = await sizeOf(selector);
      expect(size.height, view).toBe(loaded.height);
      // rows have the frame of their table
      expect(Math.abs((size.width ?? 0) - (loaded.width ?? 0)), view).toBeLessThanOrEqual(2);
    }
  });

  test('relative times follow the clock', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary']);
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    await page.addInitScript("localStorage.setItem('embed-gateway:view', 'table')");
    await signIn(page, gateway, ada.token);
    const age = page.locator('.cell-created time');
    await age.getByText('just now').waitFor();
    await page.clock.fastForward('01:00:00');
    await age.getByText('1 hour ago').waitFor();
  });

  test('the list keeps its previews and its scroll position while an embed is edited', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: gateway.pageOf('Oldest') });
    await Promise.all(Array.from({ length: 12 }, (_, i) => ada.create({ page_url: gateway.pageOf(`Page ${i}`) })));
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
    // without a click or a key in the list
    await page.evaluate(() => scrollTo(0, 40));
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Oldest' }).waitFor();
    await page.goBack();
    await card.waitFor();
    await expect.poll(scrollPosition).toBe(40);
  });

  test('an open dialog closes when Back leaves its view, and the view before it can be used', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Diary', exact: true }).click();
    await page.getByRole('link', { name: 'Back to all embeds' }).click();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('dialog', { name: 'Filter embeds' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Back to all embeds' }).click();
    await page.getByRole('button', { name: 'Filter' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
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
    await page.getByRole('link', { name: 'Show all embeds' }).click();
    await expect.poll(titles).toEqual(['Planner of Weeks', 'Diary', 'Meal Planner']);
    expect(await search.inputValue()).toBe('');
    await search.fill('diary');
    await expect.poll(titles).toEqual(['Diary']);
    await search.press('Escape');
    await expect.poll(titles).toEqual(['Planner of Weeks', 'Diary', 'Meal Planner']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('3');
  });
});

describe.skipIf(noBrowser)('changes of the list', () => {
  const browser = useBrowser();

  test('changes by other clients appear in the open list, whose buttons copy what the service returns', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    const titles = () => page.locator('.card h2').allTextContents();
    const { id, embed_url: embedUrl } = await ada.create({ page_url: gateway.pageOf('Diary') });
    await expect.poll(titles).toEqual(['Diary']);
    const { id: weekId } = await ada.create({ page_url: gateway.pageOf('Week') });
    await expect.poll(titles).toEqual(['Week', 'Diary']);
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
    const card = page.locator(`[data-embed="${id}"]`);
    await card.getByText('Dark').waitFor();
    await expect.poll(() => card.frameLocator('iframe').locator('html').getAttribute('data-mode')).toBe('dark');
    await ada.rest('DELETE', `/v1/embeds/${weekId}`);
    await expect.poll(titles).toEqual(['Diary']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('1');

    const copied = async (name: string) => {
      await page.getByRole('button', { name: `${name} of Diary` }).click();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    // the height of the snippet is known since the preview was loaded
    await page.reload();
    await card.waitFor();
    const { data } = await ada.graphql('query($id: ID!) { embed(id: $id) { html } }', { id });
    expect(await copied('Snippet')).toBe(data.embed.html);
    await page.getByText('Snippet copied').waitFor();
    expect(await copied('URL')).toBe(embedUrl);
    await card.getByRole('link', { name: 'Diary', exact: true }).click();
    await page.getByRole('tab', { name: 'oEmbed' }).click();
    const link = await page.getByRole('tabpanel').locator('code').textContent();
    await page.goBack();
    const linkHeader = (await gateway.app.fetch(new Request(embedUrl))).headers.get('link') ?? '';
    expect(linkHeader).toContain(`<${link}>; rel="alternate"; type="application/json+oembed"`);
    // previews are inert for keyboards and screen readers
    const frame = card.locator('iframe');
    expect(await frame.evaluate((element) => element.closest('[inert]') !== null)).toBe(true);
    expect(await frame.getAttribute('title')).toBe('Preview of Diary');
    expect(await frame.getAttribute('sandbox')).not.toContain('top-navigation');
  });

  test.for([
    { name: 'first list', held: 1 },
    { name: 'list that is read when the stream is open', held: 2 },
  ])('a $name that was read before a change, but arrives after it, does not hide the change', async ({ held }) => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const { promise: isChanged, resolve: release } = Promise.withResolvers<void>();
    const { promise: isRead, resolve: markRead } = Promise.withResolvers<void>();
    let lists = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Embeds') || ++lists !== held) return route.continue();
      const response = await route.fetch();
      markRead();
      await isChanged;
      await route.fulfill({ response });
    });
    await page.reload();
    await isRead;
    await ada.create({ page_url: gateway.pageOf('Diary') });
    // an event would be shown by now
    await page
      .getByRole('link', { name: 'Diary', exact: true })
      .waitFor({ timeout: 1_000 })
      .catch(() => {});
    release();
    await ada.create({ page_url: gateway.pageOf('Week') });
    const titles = () => page.locator('.card h2').allTextContents();
    await expect.poll(titles).toEqual(['Week', 'Diary']);
  });

  test('changes are shown when a list that is still being read is left', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    // the stream is open
    await ada.create({ page_url: gateway.pageOf('Week') });
    await page.getByRole('link', { name: 'Week', exact: true }).waitFor();
    const { promise: isRead, resolve: markRead } = Promise.withResolvers<void>();
    await page.route('**/graphql', (route) => {
      const isSearch = route.request().postData()?.includes('"search":"diary"');
      if (isSearch) markRead();
      else return route.continue();
    });
    await page.getByRole('searchbox').fill('diary');
    await isRead;
    await page.getByRole('button', { name: 'Remove filter Search' }).click();
    await page.getByRole('button', { name: 'Remove filter Search' }).waitFor({ state: 'detached' });
    await ada.create({ page_url: gateway.pageOf('Diary') });
    await page.getByRole('link', { name: 'Diary', exact: true }).waitFor();
  });

  test('a card says why its page is not shown, and a refresh by keyboard updates it in place', async () => {
    let html = '';
    const site = await openSite((_request, response) => {
      response.writeHead(html === '' ? 404 : 200, { 'content-type': 'text/html' }).end(html);
    });
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: `${site.origin}/Diary-${'0'.repeat(32)}` });
    await ada.create({ page_url: gateway.articleOf('Week') });
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const diary = page.locator('.card', { has: page.getByRole('link', { name: 'Diary', exact: true }) });
    const status = diary.locator('.page-status');
    await expect.poll(() => status.textContent()).toBe('GoneThe site has no such page (status 404).');
    await expect.poll(() => page.locator('.page-status').count()).toBe(1);
    html = articlePage('Diary');
    await page.getByRole('button', { name: 'Refresh Diary' }).press('Enter');
    await page.getByText('“Diary” is up to date.').waitFor();
    expect(await status.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Refresh Diary');
    await diary.frameLocator('iframe').getByText('The pantry list').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/“Diary” was not refreshed\. An embed can be refreshed once every 10 s/).waitFor();
  });
});
