import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import type { RestEmbed } from '../../../test/open-app.ts';
import { articlePage, openSite } from '../../../test/pages/site.ts';
import { abortRequest, holdRequests, loseResponses, openGateway, signIn, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('creating and editing', () => {
  const browser = useBrowser();

  test('a section of the page is chosen by its heading, and the preview shows it', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Create your first embed' }).click();
    const meals = '<h2 id="soup">Soup</h2><p>Beans.</p><h2>Rice & peas</h2><p>Peas.</p>';
    const site = await openSite(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Meals', meals)),
    );
    const url = `${site.origin}/meals`;
    await page.getByLabel('Page URL').fill(url);
    const part = page.getByLabel('Part of the page');
    await part.selectOption('Rice & peas');
    const height = 640;
    await page.setViewportSize({ width: 1280, height });
    const create = await page.getByRole('button', { name: 'Create embed' }).boundingBox();
    expect((create?.y ?? 0) + (create?.height ?? 0)).toBeLessThanOrEqual(height);
    // the form is longer than the screen
    expect(await page.locator('form').evaluate((form) => form.scrollHeight)).toBeGreaterThan(height);
    expect(await page.getByLabel('Page URL').inputValue()).toBe(`${url}#rice--peas`);
    const preview = page.frameLocator('.stage iframe:last-child');
    await expect.poll(() => preview.locator('.content').innerText()).toBe('Rice & peas\n\nPeas.');
    await part.selectOption('Soup');
    await expect.poll(() => preview.locator('.content').innerText()).toBe('Soup\n\nBeans.');
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page.getByText('Embed created.').waitFor();
    const { body } = await ada.rest('GET', '/v1/embeds');
    expect(body.embeds[0].page_url).toBe(`${url}#soup`);
    await page.goto(`${gateway.origin}/#/embeds/${body.embeds[0].id}`);
    await expect.poll(() => part.inputValue()).toBe('soup');
    await part.selectOption('The whole page');
    expect(await page.getByLabel('Page URL').inputValue()).toBe(url);
  });

  test('an embed shows what changed in its page, with words and marks', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    let inside = '<p>Open on Monday.</p>';
    const site = await openSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', inside));
    });
    const ids: string[] = [];
    for (const text of [inside, '<p>Open on Tuesday.</p>']) {
      inside = text;
      const { id } = await ada.create({ page_url: `${site.origin}/bread` });
      await ada.rest('POST', `/v1/embeds/${id}/refresh`);
      ids.push(id);
    }
    const page = await browser.open({ viewport: { width: 390, height: 844 } });
    await signIn(page, gateway, ada.token);
    await page.goto(`${gateway.origin}/#/embeds/${ids[0]}`);
    await page.getByText('Changes of the page').click();
    const panel = page.locator('.versions');
    await panel.getByText('Removed Open on Monday.').waitFor();
    expect(await panel.locator('li').first().locator('p').allTextContents()).toEqual([
      'Removed Open on Monday.',
      'Added Open on Tuesday.',
    ]);
    expect(await panel.locator('del').textContent()).toBe('Open on Monday.');
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    if (process.env.SCREENSHOTS) await panel.screenshot({ path: `${process.env.SCREENSHOTS}/versions.png` });
  });

  test('all embeds of a page that has moved get its new URL, and the old one again, except for one that has another since', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const target = '/Great-Recipes-95747105f402490eba51d52e00496c1c';
    const site = await openSite((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: `${target}#week` }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Diary'));
    });
    const [before, after] = [`${site.origin}/old`, site.origin + target];
    const { id } = await ada.create({ page_url: before });
    const other = `${site.origin}/other`;
    for (const page_url of [`${before}#friday`, other, before]) await ada.create({ page_url });
    await ada.rest('POST', `/v1/embeds/${id}/refresh`);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const card = page.locator(`[data-embed="${id}"]`);
    await card.getByText('Moved', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Diary', exact: true }).click();
    const read = async () => (await ada.rest('GET', '/v1/embeds?direction=asc')).body.embeds;
    const created = await read();
    const panel = page.getByRole('region', { name: 'The page has moved' });
    await panel.getByRole('button', { name: 'Use the new URL in all embeds of the page' }).click();
    await panel.getByText('Changed 3 of 3.').waitFor();
    const moved = await read();
    expect(moved.map((each: RestEmbed) => each.page_url)).toEqual([after, `${after}#friday`, other, after]);
    const changed = await ada.rest('PATCH', `/v1/embeds/${moved[3].id}`, { page_url: other });
    await expect.poll(() => page.getByLabel('Page URL').inputValue()).toBe(after);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('Restored 2 of 3.').waitFor();
    expect(await read()).toEqual([...created.slice(0, 3), changed.body.embed]);
  });

  test('errors of the API appear beside their fields, and the preview follows each setting of a new embed', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open({ reducedMotion: 'no-preference' });
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Create your first embed' }).click();
    const create = page.getByRole('button', { name: 'Create embed' });
    const url = page.getByLabel('Page URL');
    const font = page.getByLabel('Font', { exact: true });
    await create.click();
    await expect.poll(() => page.locator('#pageUrl-fault').textContent()).toBe('Enter the URL of a page.');
    await url.fill('nonsense');
    await font.fill('-');
    await create.click();
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#pageUrl-fault').textContent()).toBe('The URL must be an absolute http or https URL.');
    expect(await page.locator('#font-fault').textContent()).toMatch(/^The font must be "default" or a font family/);
    expect(await url.getAttribute('aria-describedby')).toContain('pageUrl-fault');
    await expect.poll(() => url.evaluate((element) => element === document.activeElement)).toBe(true);
    await url.fill(gateway.articleOf('Meal Planner'));
    expect(await page.locator('#pageUrl-fault').textContent()).toBe('');
    expect(await page.locator('#font-fault').textContent()).not.toBe('');
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);

    await font.fill('default');
    const preview = page.frameLocator('.stage iframe:last-child');
    await preview.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    const previewMode = () => preview.locator('html').getAttribute('data-mode');
    expect(await previewMode()).toBe('light');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect.poll(previewMode).toBe('dark');
    expect(await preview.getByRole('banner').count()).toBe(1);
    await page.getByRole('switch', { name: 'Top bar' }).uncheck();
    await expect.poll(() => preview.getByRole('banner').count()).toBe(0);
    await page.getByRole('radio', { name: 'Reader' }).check();
    await expect.poll(() => preview.getByRole('radio', { name: 'System' }).count()).toBe(1);
    expect(await page.getByRole('switch', { name: 'Top bar' }).isDisabled()).toBe(true);
    // the old frame is removed
    expect(await page.locator('.stage iframe').count()).toBe(1);
    await page.getByRole('button', { name: 'Source Serif 4' }).click();
    // the response is lost, and the form is sent again
    await loseResponses(page);
    await create.click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await create.click();
    await page.getByText('Embed created.').waitFor();
    // if the response takes long, the list is shown, and the notice leads to the embed
    const heading = page.getByRole('heading', { name: 'Created. Put it on your page' });
    const share = page.getByRole('button', { name: 'Share', exact: true });
    await heading.or(share).waitFor();
    if (await share.isVisible()) await share.click();
    await heading.waitFor();
    const outcome = page.locator('.share .copy[data-outcome]');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Copy' }).click();
    await outcome.waitFor();
    await page.getByRole('tab', { name: 'Markdown' }).click();
    // the text of this tab was not copied
    expect(await outcome.count()).toBe(0);
    await page.getByRole('tabpanel').getByText('[Meal Planner](http').waitFor();
    await page.locator('.sketch[data-place="readme"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('Paste the URL on a line of its own').waitFor();
    await page.locator('.sketch[data-place="post"]').waitFor();
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      const snippet = await page.getByRole('tabpanel').boundingBox();
      // without scrolling
      expect((snippet?.y ?? height) + (snippet?.height ?? 0), `${width}`).toBeLessThanOrEqual(height);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    // Back leads to the list, and not to the form that was sent
    await page.goBack();
    const card = page.getByRole('listitem').filter({ hasText: 'Meal Planner' });
    await card.getByText('Reader’s choice').waitFor();
    await card.frameLocator('iframe').getByRole('heading', { name: 'Meal Planner' }).waitFor();
    const { body } = await ada.rest('GET', '/v1/embeds');
    expect(body.embeds).toMatchObject([
      { page_url: gateway.articleOf('Meal Planner'), mode: 'user_defined', font: 'Source Serif 4', show_top_bar: true },
    ]);
  });

  test('a create that takes a moment opens its next step, unless the user has left the form', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Create your first embed' }).click();
    await page.setViewportSize({ width: 390, height: 700 });
    await page.getByLabel('Page URL').fill(gateway.pageOf('Diary'));
    const release = await holdRequests(page, (route) => route.continue());
    const create = page.getByRole('button', { name: 'Create embed' });
    await create.click();
    // longer than an edit waits in its form
    await page.waitForTimeout(400);
    expect(await create.getAttribute('aria-busy')).toBe('true');
    release();
    // the next step begins where the focus is, on the screen also if the form was scrolled
    const tab = page.getByRole('tab', { name: 'HTML', selected: true });
    await tab.and(page.locator(':focus')).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const { y = 0, height = 0 } = (await tab.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(700);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('heading', { name: 'Created. Put it on your page' }).waitFor();
    await page.unroute('**/graphql');

    await page.goto(`${gateway.origin}/#/new`);
    await page.getByLabel('Page URL').fill(gateway.pageOf('Week'));
    const releaseLate = await holdRequests(page, (route) => route.continue());
    await create.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    releaseLate();
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/');
  });

  test('a saved edit appears in the list, and changes made elsewhere in the form, which does not overwrite them', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.pageOf('Diary'), font: 'Lora' });
    const stored = async () => (await ada.rest('GET', `/v1/embeds/${id}`)).body.embed;
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const link = page.getByRole('link', { name: 'Diary', exact: true });
    await link.click();
    const save = page.getByRole('button', { name: 'Save changes' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Dark' }).check();
    await save.click();
    await page.getByText('Changes saved.').waitFor();
    const card = page.locator(`[data-embed="${id}"]`);
    await card.getByText('Dark').waitFor();
    await expect.poll(() => card.frameLocator('iframe').locator('html').getAttribute('data-mode')).toBe('dark');
    expect((await stored()).mode).toBe('dark');

    // a form without edits follows
    await link.click();
    await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'light' });
    await expect.poll(() => page.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true);
    expect(await save.isDisabled()).toBe(true);

    // a form with edits keeps them, and they can be saved on top of the change
    const font = page.getByLabel('Font', { exact: true });
    await font.fill('Inter');
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark', font: 'Merriweather' });
    await save.click();
    await page.getByRole('alert').getByText('This embed was changed elsewhere').waitFor();
    expect(await stored()).toMatchObject({ mode: 'dark', font: 'Merriweather' });
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await font.inputValue()).toBe('Inter');
    await save.click();
    await card.getByText('Inter').waitFor();
    await expect.poll(stored).toMatchObject({ mode: 'dark', font: 'Inter' });
  });

  test('an error that comes while a slow browser opens the list is shown in the form', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.pageOf('Diary') });
    const page = await browser.open({ isShared: false });
    await page.addInitScript(delayRoutes, 1_000);
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Diary', exact: true }).click();
    await page.getByLabel('Font', { exact: true }).fill('Inter');
    await page.route('**/graphql', async (route) => {
      // longer than errors are waited for in the form
      await pause(500);
      await route.continue();
    });
    await ada.rest('PATCH', `/v1/embeds/${id}`, { font: 'Merriweather' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByText('This embed was changed elsewhere').waitFor();
  });
});

/** Runs in the page: its views open this long after the address has changed. */
function delayRoutes(ms: number): void {
  let isDelayed = false;
  addEventListener('hashchange', (event) => {
    if (isDelayed) return;
    event.stopImmediatePropagation();
    setTimeout(() => {
      isDelayed = true;
      dispatchEvent(new HashChangeEvent('hashchange'));
      isDelayed = false;
    }, ms);
  });
}

describe.skipIf(noBrowser)('deleting, and creating with the keyboard', () => {
  const browser = useBrowser();

  test('a deletion can be undone, is sent when the tab is left, and is rolled back when it fails', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary', 'Week']);
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    await signIn(page, gateway, ada.token);
    const diary = page.getByRole('link', { name: 'Diary', exact: true });
    const total = () => page.locator('.count').getAttribute('data-total');
    const countStored = async () => (await ada.rest('GET', '/v1/embeds')).body.total_count;
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete Diary' }).click();
      await expect.poll(() => diary.count()).toBe(0);
      expect(await total()).toBe('1');
      await page.getByText('“Diary” was deleted.').waitFor();
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => diary.count()).toBe(1);
    expect(await total()).toBe('2');

    await page.route('**/graphql', abortRequest);
    await remove();
    await page.clock.runFor(10_000);
    await page
      .getByText('The service did not confirm the deletion of “Diary”. The service cannot be reached.')
      .waitFor();
    await expect.poll(() => diary.count()).toBe(1);
    await page.unroute('**/graphql');

    await remove();
    await page.keyboard.press('u');
    await expect.poll(() => diary.count()).toBe(1);
    expect(await countStored()).toBe(2);
    await remove();
    await page.goto('about:blank');
    await expect.poll(countStored).toBe(1);

    await page.goto(`${gateway.origin}/`);
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.getByRole('button', { name: 'Delete embed' }).click();
    await page.getByText('“Week” was deleted.').waitFor();
    await page.getByText('Create your first embed').waitFor();
    expect(await countStored()).toBe(1);
    await page.clock.runFor(10_000);
    await expect.poll(countStored).toBe(0);
  });

  test('an embed can be created with the keyboard alone', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await page.goto(`${gateway.origin}/`);
    await page.getByLabel('Access token').waitFor();
    await page.keyboard.type(ada.token);
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'Create your first embed' });
    await link.waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    for (let i = 0; i < 12 && (await focused()) !== 'Create your first embed'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Page URL').waitFor();
    await page.keyboard.type(gateway.pageOf('Week'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('Embed created.').waitFor();
    expect((await ada.rest('GET', '/v1/embeds')).body.embeds).toMatchObject([{ mode: 'dark' }]);
  });
});
