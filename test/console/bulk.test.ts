import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser.ts';
import { temporaryFolder } from '../open-app.ts';
import { csvFile, openGateway, signIn, useBrowser } from './open-console.ts';

const TOO_MANY = {
  status: 429,
  headers: { 'content-type': 'application/graphql-response+json', 'retry-after': '1' },
  body: '{"errors":[{"message":"Too many requests.","extensions":{"code":"RATE_LIMITED"}}]}',
};

describe.skipIf(noBrowser)('several embeds', { timeout: 60_000 }, () => {
  const browser = useBrowser();

  test('are selected, changed, exported and deleted together by keyboard alone', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed(
      'ada',
      Array.from({ length: 6 }, (_, i) => `Page ${i}`),
    );
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Page 4');
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

    // one update is rate limited, one fails
    const failingId = await rows.nth(1).getAttribute('data-embed');
    let isLimited = true;
    await page.route('**/graphql', async (route) => {
      const body = route.request().postData() ?? '';
      if (!body.includes('mutation UpdateEmbed')) return route.fallback();
      if (body.includes(`"id":"${failingId}"`)) return route.abort();
      if (isLimited) {
        isLimited = false;
        return route.fulfill(TOO_MANY);
      }
      return route.fallback();
    });
    await page.getByRole('button', { name: 'Mode…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Set the mode of 3 embeds' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting 1 s, because the service asks for it.').waitFor();
    await page.clock.runFor(1_000);
    await page.getByText('Changed 2 of 3, 1 failed.').waitFor();
    const modes = async () => {
      const { embeds } = (await ada.rest('GET', '/v1/embeds')).body as { embeds: { mode: string }[] };
      return embeds.map(({ mode }) => mode);
    };
    expect(await modes()).toEqual(['dark', 'light', 'dark', 'light', 'light', 'light']);
    expect(await rows.nth(1).locator('.cell-state').textContent()).toContain(
      'Not changed: The service cannot be reached',
    );
    expect(await rows.nth(0).locator('.cell-mode').textContent()).toBe('Dark');
    // embeds that were not changed stay selected, so that the change can be repeated
    expect(await selected()).toEqual(['Page 4']);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Font…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
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
    expect(lines[0]).toBe('id,created_at,embed_url,page_id,page_url,mode,font,show_top_bar');
    expect(lines.map((line) => line.split(',').slice(-4).join()).slice(1)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) => {
        return `${gateway.pageOf(`Page ${i}`)},${i === 5 || i === 3 ? 'dark' : 'light'},${i === 4 ? 'Lora' : 'default'},true`;
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
    expect((await modes()).toSorted()).toEqual(['dark', 'dark', 'light', 'light', 'light', 'light']);
  });

  test('are imported from a dropped file, with the rejected rows and without doubles', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    const drop = (text: string) =>
      page.evaluate((csv) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([csv], 'pages.csv', { type: 'text/csv' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, text);
    const csv = [
      'page_url,mode,font,show_top_bar,id',
      `${gateway.pageOf('Diary')},dark,"Open Sans",false,`,
      `"${gateway.pageOf('Week')}",,,,ignored`,
      `${gateway.pageOf('Week')},,,,`,
      'http://127.0.0.1/x,pink,,maybe,',
      'nonsense,,,,',
      'http://127.0.0.1/y,,-,,',
      'http://127.0.0.1/z,',
      '',
    ].join('\r\n');
    await drop(csv);
    await page.getByText('4 rows to import. 3 rows rejected.').waitFor();
    const rejected = page.getByRole('region', { name: 'Rejected rows' }).locator('tbody tr');
    const rejections = () => rejected.evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(await rejections()).toEqual([
      '5mode must be one of light, dark, auto, user_defined. show_top_bar must be true or false.http://127.0.0.1/x',
      '6page_url must be an absolute http or https URL.nonsense',
      '8The row has 2 cells, but row 1 names 5 columns.http://127.0.0.1/z',
    ]);
    const preview = page.getByRole('region', { name: 'Preview' }).locator('tbody tr');
    expect(await preview.first().locator('td').allTextContents()).toEqual([
      '2',
      gateway.pageOf('Diary'),
      'dark',
      'Open Sans',
      'false',
    ]);

    // the responses are lost; the rows are sent again
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation ImportEmbed')) await route.fetch();
      await route.abort().catch(() => {});
    });
    await page.getByRole('button', { name: 'Import 4 embeds' }).press('Enter');
    await page
      .getByText('0 embeds created. 4 rows rejected. 3 rows not sent.')
      .or(page.getByText('4 rows not sent.'))
      .waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByText('0 embeds created. 3 embeds existed from an import in the last 24 hours. 4 rows rejected.')
      .waitFor();
    expect((await rejections())[2]).toMatch(/^7font must be "default" or a font family.*y$/);
    const stored = async () => {
      const { embeds } = (await ada.rest('GET', '/v1/embeds')).body as { embeds: { page_url: string; font: string }[] };
      return embeds.map(({ page_url, font }) => `${page_url} ${font}`).toSorted();
    };
    const imported = [`${gateway.pageOf('Diary')} Open Sans`, ...Array(2).fill(`${gateway.pageOf('Week')} default`)];
    expect(await stored()).toEqual(imported);

    // the rejected rows, corrected, and the whole file again
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rejected rows' }).click();
    const report = join(temporaryFolder(), 'rejected.csv');
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\n')[0]).toBe('refused_line,refused_because,page_url,mode,font,show_top_bar');
    await writeFile(report, text.replace('pink', 'auto').replace('maybe', 'false').replace('-,', ','));
    await page.getByLabel('CSV file').setInputFiles(report);
    await page.getByRole('button', { name: 'Import 3 embeds' }).click();
    await page.getByText('3 embeds created.').waitFor();
    await drop(csv);
    await page.getByRole('button', { name: 'Import 4 embeds' }).click();
    await page.getByText('3 embeds existed').waitFor();
    expect(await stored()).toHaveLength(6);

    for (const [bad, message] of [
      ['url\nhttps://example.com/', '“url” is not a column. The columns are page_url, mode, font, show_top_bar.'],
      ['mode\nlight', 'Row 1 does not name the column page_url.'],
      ['page_url\n"https://example.com/', 'A quote is not closed.'],
      ['page_url\n', 'The file has no rows'],
      [`page_url\n${'https://example.com/\n'.repeat(10_001)}`, 'The console imports at most 10,000'],
      ['x'.repeat(5_000_001), 'is larger than 5 MB.'],
    ] as const) {
      await drop(bad);
      await page.getByText(message).waitFor();
    }
  });
});
