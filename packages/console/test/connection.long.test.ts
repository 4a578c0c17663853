import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import {
  abortRequest,
  holdRequests,
  loseResponses,
  openGateway,
  signIn,
  useBrowser,
  withoutStreams,
} from './open-console.ts';

describe.skipIf(noBrowser)('a slow connection', () => {
  const browser = useBrowser();

  /** Opens the form of a new embed of Ada. Without event streams, changes elsewhere stay unknown to it. */
  async function openForm() {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.pageOf('Diary') });
    const page = await browser.open();
    await withoutStreams(page);
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Diary', exact: true }).click();
    return { ada, id, page };
  }

  test('a conflict that is reported after the form has closed opens the form again with the edits', async () => {
    const { ada, id, page } = await openForm();
    await page.getByLabel('Font', { exact: true }).fill('Inter');
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
    const release = await holdRequests(page, (route) => route.fallback());
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator(`[data-embed="${id}"]`).getByText('Inter').waitFor();
    release();
    await page.getByRole('alert').getByText('This embed was changed elsewhere').waitFor();
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect((await ada.rest('GET', `/v1/embeds/${id}`)).body.embed).toMatchObject({ mode: 'dark', font: 'Inter' });
  });

  test('an update whose response was lost counts as saved when it is sent again', async () => {
    const { ada, id, page } = await openForm();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await loseResponses(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect((await ada.rest('GET', `/v1/embeds/${id}`)).body.embed).toMatchObject({ mode: 'dark' });
  });

  test('a create that fails after the form has closed opens the form again with its values', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: gateway.pageOf('Diary') });
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'New embed' }).click();
    await page.getByLabel('Page URL').fill(gateway.pageOf('Week'));
    const release = await holdRequests(page, abortRequest);
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page.getByText('Creating…').waitFor();
    expect(await page.locator('.card h2').allTextContents()).toEqual(['Week', 'Diary']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('2');
    release();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.getByLabel('Page URL').inputValue()).toBe(gateway.pageOf('Week'));
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page.getByText('Embed created.').waitFor();
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(2);
  });

  test('a new embed is listed once if its event arrives before the response', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Create your first embed' }).click();
    await page.getByLabel('Page URL').fill(gateway.pageOf('Week'));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page.getByText('Creating…').waitFor();
    await expect.poll(async () => (await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
    // the event of this embed follows the event of the first
    await ada.create({ page_url: gateway.pageOf('Diary') });
    const titles = () => page.locator('.card h2').allTextContents();
    expect(await titles()).toEqual(['Week']);
    release();
    await expect.poll(titles).toEqual(['Diary', 'Week']);
    expect(await page.locator('.count').getAttribute('data-total')).toBe('2');
  });
});

describe.skipIf(noBrowser)('an interrupted or unavailable connection', () => {
  const browser = useBrowser();

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

  test('a return of the network opens one stream in place of the last one', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    let streams = 0;
    page.on('request', (request) => {
      if (request.headers().accept?.includes('text/event-stream')) streams++;
    });
    await signIn(page, gateway, token);
    await expect.poll(() => streams).toBe(1);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => streams).toBe(2);
    await page.clock.runFor(10_000);
    await page.evaluate(() => fetch('/'));
    expect(streams).toBe(2);
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

  test('a search without connection shows what is known, and the list returns with the connection', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary', 'Meal Planner', 'Reading List']);
    const page = await browser.open({ isShared: false });
    await page.addInitScript("localStorage.setItem('embed-gateway:view', 'table')");
    await signIn(page, gateway, ada.token);
    const titles = () => page.locator('.cell-title a').allTextContents();
    await expect.poll(titles).toHaveLength(3);
    await page.context().setOffline(true);
    await page.getByRole('searchbox').fill('plan');
    await page.getByText('Until then, the list has the matching embeds that were loaded before.').waitFor();
    expect(await titles()).toEqual(['Meal Planner']);
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByText('No embed matches “nowhere”').waitFor();
    await page.getByRole('searchbox').fill('');
    await expect.poll(titles).toEqual(['Reading List', 'Meal Planner', 'Diary']);
    await page.getByRole('searchbox').fill('diary');
    await expect.poll(titles).toEqual(['Diary']);
    await gateway.seed('ada', ['Diary of others']);
    await page.context().setOffline(false);
    await expect.poll(titles).toEqual(['Diary of others', 'Diary']);
    expect(await page.getByText('Until then').count()).toBe(0);
  });

  test('a preview that comes without connection is loaded with the connection', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: gateway.articleOf('Diary') });
    const page = await browser.open({ isShared: false });
    await signIn(page, gateway, ada.token);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('link', { name: 'Diary', exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Cards' }).click();
    // longer than a preview waits for a rest of scrolling
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
    expect(await page.locator('.card').count()).toBe(1);
    await page.context().setOffline(false);
    await page.frameLocator('.card iframe').getByRole('heading', { name: 'Diary' }).waitFor();
  });

  test('previews of a gateway on a machine without a network are loaded', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.create({ page_url: gateway.articleOf('Diary') });
    const page = await browser.open({ isShared: false });
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }));
    await signIn(page, gateway, ada.token);
    await page.frameLocator('.card iframe').getByRole('heading', { name: 'Diary' }).waitFor();
  });

  test('pages and dialogs that were never opened open without a connection', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open({ isShared: false });
    await signIn(page, gateway, token);
    for (const name of ['webhooks-page', 'shortcut-sheet']) {
      await page.waitForFunction(
        (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)),
        name,
      );
    }
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    // with the connection, what failed is loaded without a click
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Nothing has changed in the last 90 days.').waitFor();
  });

  test('a dialog whose code cannot be loaded says so', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open({ isShared: false });
    await page.route('**/console/shortcut-sheet-*', abortRequest);
    await signIn(page, gateway, token);
    await page.keyboard.press('?');
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
  });
});
