import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import { csvFile, loseFirstResponse, openGateway, signIn, titlesOf, UNAVAILABLE, useBrowser } from './open-console.ts';

const TOO_MANY = {
  status: 429,
  headers: { 'content-type': 'application/graphql-response+json', 'retry-after': '60' },
  body: '{"errors":[{"message":"Too many requests.","extensions":{"code":"RATE_LIMITED"}}]}',
};

describe.skipIf(noBrowser)('several embeds', () => {
  const browser = useBrowser();

  test('are selected, changed, exported and deleted together by keyboard alone', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', titlesOf(6));
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    await signIn(page, gateway, ada.token);
    await page.locator('.card').first().waitFor();
    await page.keyboard.press('v');
    const rows = page.locator('tbody tr[data-embed]');
    await rows.first().waitFor();
    const selected = () => page.locator('[aria-selected=true] .cell-title a').allTextContents();

    // Back returns to the row; j, x and a range with Shift; typing in the search is not a shortcut
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    await page.goBack();
    // the body contains the text too, before the row has the focus
    const focusedText = () => page.evaluate(() => document.querySelector('tbody :focus')?.textContent ?? '');
    await expect.poll(focusedText).toContain('Page 4');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await expect.poll(selected).toEqual(['Page 4', 'Page 3', 'Page 2']);
    await page.keyboard.press('c');
    await expect.poll(selected).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('axe');
    expect(await page.getByRole('searchbox').inputValue()).toBe('axe');
    await page.keyboard.press('Escape');
    await expect.poll(() => rows.count()).toBe(6);
    expect(await selected()).toEqual([]);

    // the same with the mouse
    await rows.nth(0).getByRole('checkbox').click();
    await rows.nth(2).click({ modifiers: ['Shift'] });
    await expect.poll(selected).toEqual(['Page 5', 'Page 4', 'Page 3']);

    // the first call is rate limited, the next one fails
    let calls = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation UpdateEmbeds')) return route.fallback();
      return calls++ === 0 ? route.fulfill(TOO_MANY) : route.abort();
    });
    const setMode = async () => {
      await page.getByRole('button', { name: 'Mode…' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Set the mode of 3 embeds' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
    };
    await setMode();
    await page.getByText('Waiting 60 s, because the service asks for it.').waitFor();
    await page.clock.runFor(60_000);
    await page.getByText('Changed 0 of 3. The service cannot be reached').waitFor();
    const modes = async () => {
      const { embeds } = (await ada.rest('GET', '/v1/embeds')).body as { embeds: { mode: string }[] };
      return embeds.map(({ mode }) => mode);
    };
    // embeds that were not changed stay selected, so that the change can be repeated
    expect(await selected()).toEqual(['Page 5', 'Page 4', 'Page 3']);
    await page.unroute('**/graphql');
    await setMode();
    await page.getByText('Changed 3 of 3.').waitFor();
    expect(await modes()).toEqual(['dark', 'dark', 'dark', 'light', 'light', 'light']);
    await expect.poll(() => rows.nth(0).locator('.cell-mode').textContent()).toBe('Dark');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 3 of 3.').waitFor();
    expect(new Set(await modes())).toEqual(new Set(['light']));
    await rows.nth(0).getByRole('checkbox').click();
    await rows.nth(2).click({ modifiers: ['Shift'] });
    await setMode();
    await page.getByText('Changed 3 of 3.').waitFor();
    await rows.nth(1).getByRole('checkbox').click();
    await expect.poll(selected).toEqual(['Page 4']);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Font…' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.type('Lora');
    await page.keyboard.press('Enter');
    await page.getByText('Changed 1 of 1.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Selected embeds');

    // the export, oldest first, and its import
    await page.keyboard.press('a');
    await page.getByText('6 selected').waitFor();
    const download = page.waitForEvent('download');
    await page.keyboard.press('e');
    const csv = await readFile(await (await download).path(), 'utf8');
    const lines = csv.trim().split('\n');
    expect(lines[0]).toMatch(/^id,created_at,embed_url,page_id,page_url,mode,font,show_top_bar/);
    expect(lines.map((line) => line.split(',').slice(4, 8).join()).slice(1)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) => {
        return `${gateway.pageOf(`Page ${i}`)},${i >= 3 ? 'dark' : 'light'},${i === 4 ? 'Lora' : 'default'},true`;
      }),
    );

    await page.keyboard.press('#');
    await page
      .getByRole('dialog', { name: 'Delete 6 embeds?' })
      .getByRole('button', { name: 'Delete 6 embeds' })
      .click();
    await page.getByText('Create your first embed').waitFor();
    await page.keyboard.press('u');
    await expect.poll(() => rows.count()).toBe(6);
    await page.keyboard.press('a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Delete 6 embeds' }).click();
    await page.clock.runFor(10_000);
    await expect.poll(async () => (await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);

    await page.goto(`${gateway.origin}/#/import`);
    await page.getByLabel('CSV file').setInputFiles(csvFile(csv));
    await page.getByRole('button', { name: 'Import 6 embeds' }).click();
    await page.getByText('6 embeds created.').waitFor();
    expect((await modes()).toSorted()).toEqual(['dark', 'dark', 'dark', 'light', 'light', 'light']);
  });

  test('are changed, exported and deleted by the filter, with those that are not loaded', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', [...Array.from({ length: 5 }, (_, i) => `Diary ${i}`), ...titlesOf(230)]);
    const page = await browser.open({ isShared: false });
    await signIn(page, gateway, ada.token);
    await page.getByRole('searchbox').fill('page');
    const count = page.locator('.count');
    await expect.poll(() => count.getAttribute('data-total')).toBe('230');
    const selectWhole = async () => {
      await page.locator('h1').click();
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Select all 230 that match' }).click();
      await page.getByText('All 230 that match are selected').waitFor();
    };
    await page.getByRole('searchbox').blur();
    await selectWhole();
    await page.getByRole('button', { name: 'Mode…' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Changed 230 of 230.').waitFor();
    const darkCount = async () =>
      (await ada.graphql('{ embeds(filter: { mode: DARK }) { totalCount } }')).data.embeds.totalCount;
    expect(await darkCount()).toBe(230);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 230 of 230.').waitFor();
    expect(await darkCount()).toBe(0);

    const eventsOf = async () => {
      const { events } = (await ada.rest('GET', '/v1/audit')).body as { events: { action: string; count: number }[] };
      return events.map(({ action, count }) => `${action} ${count}`);
    };
    expect((await eventsOf()).slice(0, 2)).toEqual(['embeds_updated 230', 'embeds_updated 230']);

    // stopped during the second call: what is done stays, and can be undone
    let calls = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation UpdateEmbeds') || ++calls !== 2) return route.fallback();
      // the key exports the whole list, but not while it changes
      await page.keyboard.press('e');
      await page.getByRole('button', { name: 'Stop' }).click();
      await route.continue();
    });
    await page.getByRole('button', { name: 'Mode…' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Changed 200 of 230.').waitFor();
    await page.unroute('**/graphql');
    expect([calls, await darkCount()]).toEqual([2, 200]);
    // an undo that fails can be continued
    let undoCalls = 0;
    await page.route('**/graphql', (route) => {
      const isSecond = route.request().postData()?.includes('mutation UpdateEmbeds') && ++undoCalls === 2;
      return isSecond ? route.abort() : route.fallback();
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 100 of 200. The service cannot be reached').waitFor();
    await page.unroute('**/graphql');
    expect(await darkCount()).toBe(100);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 100 of 100.').waitFor();
    expect(await darkCount()).toBe(0);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv.trim().split('\n')).toHaveLength(231);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('230 embeds will be deleted in 10 s.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await selectWhole();
    await loseFirstResponse(page, 'DeleteEmbeds', (route) => route.fulfill(UNAVAILABLE));
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('Deleted 230 of 230.').waitFor();
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(5);
    expect((await eventsOf())[0]).toBe('embeds_deleted 230');
  });
});
