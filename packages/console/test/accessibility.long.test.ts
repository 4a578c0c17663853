import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import { csvFile, openGateway, signIn, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('accessibility', () => {
  const browser = useBrowser();

  test.each(['light', 'dark'] as const)('axe finds no violation in any view in %s mode', async (colorScheme) => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open({ colorScheme });
    await page.goto(`${gateway.origin}/`);
    await page.getByLabel('Access token').fill('emb_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The token is not complete').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);

    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);

    const { id } = await ada.create({ page_url: gateway.pageOf('Diary'), font: 'Lora', show_top_bar: false });
    await page.goto(`${gateway.origin}/#/new`);
    await page.getByLabel('Page URL').fill('nonsense');
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page.getByText('The URL must be').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);

    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await page
      .frameLocator('.stage iframe:last-child')
      .getByRole('link', { name: /original/ })
      .waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);

    await page.goto(`${gateway.origin}/#/`);
    await page.reload();
    await page.getByRole('button', { name: 'Delete Diary' }).waitFor();
    await page.getByText('Gone', { exact: true }).waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await ada.create({ page_url: gateway.pageOf('Week') });
    await page.getByRole('checkbox', { name: 'Select Diary' }).check();
    await page.getByRole('region', { name: 'Selected embeds' }).waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('searchbox').fill('diary');
    await page.getByRole('button', { name: 'Remove filter Search' }).waitFor();
    // until the search is answered, the former rows are dimmed
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    const openDialogs: Record<string, () => Promise<void>> = {
      Filter: () => page.getByRole('button', { name: 'Filter', exact: true }).click(),
      Shortcuts: () => page.keyboard.press('?'),
      Delete: async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('searchbox').fill('');
        await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
        await page.getByRole('checkbox', { name: 'Select all 2 shown' }).check();
        await page.getByRole('button', { name: 'Mode…' }).waitFor();
        await page.keyboard.press('#');
      },
      Mode: () => page.getByRole('button', { name: 'Mode…' }).click(),
    };
    for (const [name, openDialog] of Object.entries(openDialogs)) {
      await openDialog();
      await page.getByRole('dialog').waitFor();
      expect(await violationsOf(page, { iframes: false }), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('CSV file').setInputFiles(csvFile('page_url\nnonsense\nhttp://127.0.0.1/\n'));
    await page.getByText('1 row to import. 1 row rejected.').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('button', { name: 'Revoke test' }).waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('The name must be').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await page.getByLabel('Name').fill('ci');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(background).toBe(colorScheme === 'light' ? 'rgb(250, 250, 250)' : 'rgb(12, 13, 16)');
  });
});
