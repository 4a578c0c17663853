import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { abortRequest, openGateway, signIn, useBrowser } from '../open-console.ts';

const browser = useBrowser();

/** Numbers beside each other are apart, and the mark of a closed table is not that of an open one. */
async function expectReadableTables(page: Page): Promise<void> {
  const gaps = await page.locator('.views tbody tr').evaluateAll((rows) =>
    rows.slice(0, 2).map((row) => {
      const [first, second] = [...row.querySelectorAll('td')].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect();
      });
      return (second?.left ?? 0) - (first?.right ?? 0);
    }),
  );
  expect(Math.min(...gaps)).toBeGreaterThan(8);
  const marks = await page
    .locator('.views details > summary')
    .evaluateAll((summaries) => summaries.map((summary) => getComputedStyle(summary, '::before').rotate));
  expect(marks).toEqual(['45deg', '-45deg']);
}

test.skipIf(noBrowser)('an embed shows its views as bars and as tables, which can be downloaded', async () => {
  const gateway = await openGateway();
  const ada = await gateway.join('ada');
  const { id } = await ada.create();
  const day = new Date().toISOString().slice(0, 10);
  const count = { accountId: 'ada', embedId: id, day };
  gateway.database.views.add({ ...count, site: 'blog.example', views: 1_200_000, reads: 300_000 });
  gateway.database.views.add({ ...count, site: 'direct', views: 34, reads: 0 });
  const page = await browser.open({ viewport: { width: 390, height: 844 } });
  await signIn(page, gateway, ada.token);
  await page.goto(`${gateway.origin}/#/embeds/${id}`);
  // a failure can be repeated in the panels
  await page.route('**/graphql', (route) =>
    /query V\w+Of/.test(route.request().postData() ?? '') ? abortRequest(route) : route.fallback(),
  );
  await page.getByText('Changes of the page').click();
  await page.getByText('Views of the last 30 days').click();
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  await expect.poll(() => tryAgain.count()).toBe(2);
  await page.unroute('**/graphql');
  await tryAgain.first().click();
  await page.getByText('The service has seen no change of the text.').waitFor();
  await tryAgain.click();
  await page.getByText('1,200,034 views, 300,000 read', { exact: true }).waitFor();
  expect(await page.locator('.views svg g').count()).toBe(30);
  expect(await page.locator('.views figcaption').innerText()).toContain(
    ` to ${day}. The highest bar has 1,200,034. The narrow part was read.`,
  );
  expect(await page.locator('.views tbody tr').first().innerText()).toBe('blog.example\t1,200,000\t300,000');
  await expectReadableTables(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).first().click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe(
    'site,views,reads\r\nblog.example,1200000,300000\r\ndirect,34,0\r\n',
  );
  expect(await violationsOf(page, { iframes: false })).toEqual([]);
  await ada.create();
  await page.goto(`${gateway.origin}/#/account`);
  await page.getByText('Views of all embeds in the last 30 days').click();
  await page.getByText('1,200,034 views, 300,000 read', { exact: true }).waitFor();
  expect(await violationsOf(page, { iframes: false })).toEqual([]);
  if (process.env.SCREENSHOTS)
    await page.locator('.views').screenshot({ path: `${process.env.SCREENSHOTS}/views.png` });
});
