import { expect, test } from 'vitest';
import { collectFaults, noBrowser, openPage } from '../../../test/browser.ts';
import { openService } from '../../../test/open-service.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const PHONE = { viewport: NARROW, hasTouch: true, isMobile: true };

test.skipIf(noBrowser)('the pages can be read without scripts', async () => {
  const { origin } = await openService();
  const page = await openPage({ javaScriptEnabled: false, viewport: NARROW });
  await page.goto(`${origin}/docs/rest/createEmbed`);
  await page.getByText('Python', { exact: true }).click();
  expect(await page.locator('.sample:visible').textContent()).toContain('from urllib.request import');
  expect(await page.locator('.trial, .search').filter({ visible: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  for (const name of ['Console', 'GraphiQL', 'OpenAPI']) await page.getByRole('link', { name, exact: true }).waitFor();
  await page.getByRole('link', { name: 'Paging' }).click();
  await page.getByRole('heading', { level: 1, name: 'Paging' }).waitFor();
});

test.skipIf(noBrowser)(
  'a reader finds an operation with the keyboard, and tries it out with a token, and then with the session of the console',
  async () => {
    const { as, origin } = await openService();
    const ada = await as('ada');
    const token = ada.authorization.replace('Bearer ', '');
    const page = await openPage({ viewport: WIDE });
    const faults = collectFaults(page, {
      isAllowedUrl: (url) => url.startsWith(origin) || url.startsWith('data:'),
      isExpectedError: (text) => /ERR_FAILED|status of 401/.test(text),
    });
    const form = page.locator('.trial form');
    const send = async (title: string, body = '') => {
      await form.locator('button').click();
      await form.locator('output strong', { hasText: title }).waitFor();
      await form.locator('output pre', { hasText: body }).waitFor({ state: 'attached' });
    };

    // a deep link of the former reference
    await page.goto(`${origin}/docs#/Embeds/listEmbeds`);
    await page.waitForURL(`${origin}/docs/rest/listEmbeds`);
    expect(await page.locator('.sample:visible').textContent()).toContain(`curl "${origin}/v1/embeds?first=10"`);
    // the connection breaks once
    await page.route('**/docs/search.json', (route) => route.abort(), { times: 1 });
    await page.keyboard.press('/');
    await page.keyboard.type('c');
    await page.getByText('The search could not be loaded').waitFor();
    await page.keyboard.type('reate embed');
    await page.locator('search a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/rest/createEmbed`);
    // the navigation shows the neighbours of the page too
    const current = await page.locator('#navigation [aria-current]').boundingBox();
    expect(Math.abs((current?.y ?? 0) - WIDE.height / 2)).toBeLessThan(100);

    await page.locator('.trial summary').click();
    expect(await form.textContent()).toContain('changes data of your account');
    await send('401 Unauthorized: enter an access token, or sign in to the console');
    await form.getByLabel('Access token').fill(token);
    await send('201 Created', 'location: /v1/embeds/');
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);

    await page.evaluate(async (body) => {
      await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }, JSON.stringify({ token }));
    await page.goto(`${origin}/docs/rest/listEmbeds`);
    await page.locator('.trial summary').click();
    await send('200 OK', '"total_count": 1');
    await page.goto(`${origin}/docs/graphql/embeds`);
    await page.locator('.trial summary').click();
    await send('200 OK', '"totalCount": 1');
    const document = form.getByLabel('Document');
    await document.fill('{ embeds(first: 0) { totalCount } }');
    await send('BAD_USER_INPUT: `first` must be a whole number from 1 to 100. (200 OK)', '"data": null');
    await document.fill('{ nothing nobody }');
    await send('BAD_USER_INPUT: Cannot query field "nothing" on type "Query". And 1 more. (200 OK)');
    expect(await form.locator('output').getAttribute('data-state')).toBe('fault');

    await page.goto(`${origin}/docs/graphql/embedChanged`);
    await page.locator('.trial summary').click();
    const subscription = await document.inputValue();
    await document.fill('subscription { nothing }');
    await send('BAD_USER_INPUT: Cannot query field "nothing" on type "Subscription". (200 OK)', 'event: complete');
    await document.fill(subscription);
    await form.locator('button').click();
    await form.locator('output pre', { hasText: ':' }).waitFor();
    await ada.create();
    await form.locator('output pre', { hasText: '"kind":"CREATED"' }).waitFor();
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByRole('button', { name: 'Send POST' }).waitFor();

    await page.goto(`${origin}/docs/rest/deleteEmbed`);
    await page.locator('.trial summary').click();
    await send('Enter id.');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('emb_');
    expect(faults).toEqual([]);
  },
);

test.skipIf(noBrowser)('a sample on a phone is not covered by its buttons, and its lines wrap on request', async () => {
  const { origin } = await openService();
  const page = await openPage(PHONE);
  await page.goto(`${origin}/docs/rest/createEmbed`);
  expect((await page.locator('.trial summary').boundingBox())?.y).toBeLessThan(NARROW.height);
  await page.getByRole('button', { name: 'Menu' }).click();
  const current = page.locator('#navigation [aria-current]');
  await expect.poll(async () => (await current.boundingBox())?.y).toBeLessThan(NARROW.height * 0.6);
  await page.keyboard.press('Escape');
  const sample = page.locator('.code').filter({ visible: true }).first();
  const copy = await sample.getByRole('button', { name: 'Copy' }).boundingBox();
  const text = await sample.locator('pre').boundingBox();
  expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThanOrEqual(text?.y ?? 0);
  const overflow = () => sample.locator('pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  expect(await overflow()).toBeGreaterThan(0);
  await sample.getByRole('button', { name: 'Wrap' }).click();
  expect(await overflow()).toBe(0);
  await page.goto(`${origin}/docs/embedding`);
  expect(
    await page
      .locator('pre')
      .first()
      .evaluate((pre) => getComputedStyle(pre).whiteSpace),
  ).toBe('pre-wrap');
});

test.skipIf(noBrowser)(
  'buttons copy code and the page, also when they are pressed twice, and say when they cannot',
  async () => {
    const { origin } = await openService();
    const page = await openPage({
      viewport: WIDE,
      isShared: false,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${origin}/docs/tokens`);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const copy = page.locator('.code-tools button').last();
    await copy.click();
    await copy.and(page.getByText('Copied')).waitFor();
    await copy.click();
    await copy.and(page.getByText('Copy', { exact: true })).waitFor();
    expect(await copied()).toBe(await page.locator('.code code').last().textContent());
    const button = page.locator('.page-tools button');
    await button.click();
    await button.and(page.getByText('Copied', { exact: true })).waitFor();
    expect(await copied()).toMatch(/^# /);
    // Firefox until version 126
    await page.goto(`${origin}/docs/paging`);
    await page.evaluate(() => Reflect.deleteProperty(Clipboard.prototype, 'write'));
    await button.click();
    await button.and(page.getByText('Copied', { exact: true })).waitFor();
    await page.context().setOffline(true);
    await button.click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
  },
);
