import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import { openGateway, signIn, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('tokens', () => {
  const browser = useBrowser();

  test('creates a token, shows its secret once, and revokes it', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('rowheader', { name: /^test Valid/ }).waitFor();
    expect(await page.title()).toBe('Tokens · Embed Gateway');

    // faults of the API beside their fields
    await page.getByLabel('Name').fill('Ci');
    for (const scope of ['read', 'write']) await page.getByRole('checkbox', { name: scope }).uncheck();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('The name must be 1 to 64 lower-case letters').waitFor();
    await page.getByText('Choose one or more scopes.').waitFor();
    const name = page.getByLabel('Name');
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);

    await name.fill('ci');
    await page.getByRole('checkbox', { name: 'read' }).check();
    await page.getByLabel('Expires').selectOption('In 30 days');
    await name.press('Enter');
    const panel = page.getByRole('region', { name: 'Copy the token “ci” now' });
    const secret = await panel.locator('code').innerText();
    expect(secret).toMatch(/^emb_\w{49}$/);
    const item = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^ci / }) });
    expect(await page.getByRole('table', { name: 'Tokens' }).getByRole('columnheader').allTextContents()).toEqual([
      ...['Token', 'Scopes', 'Created', 'Last used', 'Ends', 'Revoke'],
    ]);
    await item.getByRole('cell', { name: /^(in (29|30) days|next month)$/ }).waitFor();
    const cells = page.locator('.token-table :is(th, td)');
    expect(await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length)).toBe(0);
    const lines = await page
      .locator('.token-table th')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).borderBottomWidth));
    expect(lines).toEqual([...Array(7).fill('1px'), '0px']);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await item.getByRole('rowheader').innerText()).toMatch(/read · created just now · used never · ends in/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1280, height: 900 });
    const client = gateway.withAuthorization(`Bearer ${secret}`);
    expect((await client.rest('GET', '/v1/embeds')).status).toBe(200);
    await panel.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Create token' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await item.getByRole('button', { name: 'Revoke ci' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await item.getByRole('button', { name: 'Revoke ci' }).click();
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('The token “ci” was revoked.').waitFor();
    await item.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await item.getByRole('button').count()).toBe(0);

    // the last token with the scope admin stays
    await page.getByRole('button', { name: 'Revoke test' }).click();
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('The token “test” was not revoked. This is the last token').waitFor();
  });

  test('the pages of tokens and of activity need the scope admin, and offer only scopes that the own token has', async () => {
    const gateway = await openGateway();
    const [user, admin] = [await gateway.join('ada', ['read', 'write']), await gateway.join('ada', ['read', 'admin'])];
    const page = await browser.open();
    await signIn(page, gateway, user.token);
    await page.getByText('Create your first embed').waitFor();
    for (const name of ['Tokens', 'Activity']) {
      expect(await page.getByRole('link', { name }).count()).toBe(0);
      await page.goto(`${gateway.origin}/#/${name.toLowerCase()}`);
      await page.getByRole('main', { name: 'This page needs the scope “admin”' }).and(page.locator(':focus')).waitFor();
      expect(await page.getByRole('form').count()).toBe(0);
      await page.goto(`${gateway.origin}/#/`);
      await page.getByText('Create your first embed').waitFor();
    }
    await page.getByRole('button', { name: 'Account ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    await signIn(page, gateway, admin.token);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'write' }).isDisabled()).toBe(true);
    await page.reload();
    await page.getByRole('link', { name: 'Tokens' }).waitFor();
    await page
      .getByRole('rowheader', { name: /^test / })
      .first()
      .waitFor();
  });

  test('on a phone, the list comes first and a button opens the form', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open({ viewport: { width: 320, height: 640 } });
    await signIn(page, gateway, ada.token);
    const pages = page.getByRole('navigation', { name: 'Console' });
    expect(await pages.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'New webhook', expanded: false }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('rowheader', { name: /^test Valid/ }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('button', { name: 'New token', expanded: true }).waitFor();
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'New token', expanded: false }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
  });
});
