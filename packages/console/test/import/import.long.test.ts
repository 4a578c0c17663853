import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import { temporaryFolder } from '../../../../test/open-app.ts';
import { openGateway, signIn, useBrowser } from '../open-console.ts';

describe.skipIf(noBrowser)('several embeds', () => {
  const browser = useBrowser();

  test('are imported from a dropped file, with the rejected rows and without doubles', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByText('Create your first embed').waitFor();
    await page.getByRole('link', { name: 'Import' }).click();
    const format = page.getByRole('region', { name: 'Columns of the file' }).locator('tbody tr');
    expect(await format.evaluateAll((rows) => rows.map((row) => row.textContent))).toEqual([
      'page_urlURL of a public pagerequired',
      'modelight, dark, auto, user_definedlight',
      'fontname of a font familydefault',
      'show_top_bartrue, falsetrue',
    ]);
    const example = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download an example' }).click();
    await page.getByLabel('CSV file').setInputFiles(await (await example).path());
    await page.getByText('1 row to import.').waitFor();
    const drop = (text: string, name = 'pages.csv') =>
      page.evaluate(
        ([csv, name]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([csv], name, { type: 'text/csv' }));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [text, name] as const,
      );
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
    // the rules of the API count too: the font of row 7
    await page.getByText('3 rows to import. 4 rows rejected.').waitFor();
    const rejected = page.getByRole('region', { name: 'Rejected rows' }).locator('tbody tr');
    const rejections = () => rejected.evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(await rejections()).toEqual([
      '5mode must be one of light, dark, auto, user_defined. show_top_bar must be true or false.http://127.0.0.1/x',
      '6page_url must be an absolute http or https URL.nonsense',
      expect.stringMatching(/^7font must be "default" or a font family.*y$/),
      '8The row has 2 cells, but row 1 names 5 columns.http://127.0.0.1/z',
    ]);
    const preview = page.getByRole('region', { name: 'Preview' }).locator('tbody tr');
    const cells = await preview.first().locator('td').allTextContents();
    expect(cells.slice(0, 5)).toEqual(['2', gateway.pageOf('Diary'), 'dark', 'Open Sans', 'false']);

    // the responses are lost, and a second file is dropped meanwhile; the rows are sent again
    let isSent = false;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation ImportEmbed')) {
        const isFirst = !isSent;
        isSent = true;
        if (isFirst) await drop('page_url\nhttps://example.com/other', 'other.csv');
        await route.fetch();
      }
      await route.abort().catch(() => {});
    });
    await page.getByRole('button', { name: 'Import 3 embeds' }).press('Enter');
    await page.getByText('0 embeds created. 4 rows rejected. 3 rows not sent.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('heading', { name: 'pages.csv' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByText('0 embeds created. 3 embeds existed from an import in the last 24 hours. 4 rows rejected.')
      .waitFor();
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
    expect(text.split('\n')[0]).toMatch(/^refused_line,refused_because,page_url,mode,font,show_top_bar/);
    await writeFile(report, text.replace('pink', 'auto').replace('maybe', 'false').replace('-,', ','));
    await page.getByLabel('CSV file').setInputFiles(report);
    await page.getByRole('button', { name: 'Import 3 embeds' }).click();
    await page.getByText('3 embeds created.').waitFor();
    await drop(csv);
    await page.getByRole('button', { name: 'Import 3 embeds' }).click();
    await page.getByText('3 embeds existed').waitFor();
    expect(await stored()).toHaveLength(6);

    // as spreadsheets write it in some countries
    for (const delimiter of [';', '\t']) {
      await drop(['page_url,mode', `${gateway.pageOf('Diary')},dark`].join('\n').replaceAll(',', delimiter));
      await page.getByText('1 row to import.').waitFor();
    }

    for (const [bad, message] of [
      [
        'url\nhttps://example.com/',
        '“url” is not a column. Did you mean page_url? The columns are page_url, mode, font',
      ],
      ['colour\nhttps://example.com/', '“colour” is not a column. The columns are page_url, mode, font, show_top_bar'],
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
