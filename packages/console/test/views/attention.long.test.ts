import { expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { embedOf } from '../../../../test/store/embeds/embed-of.ts';
import { insertAll } from '../../../../test/store/embeds/insert-all.ts';
import { openGateway, signIn, useBrowser } from '../open-console.ts';

const browser = useBrowser();

test.skipIf(noBrowser)('the list counts the embeds that need attention, and shows them', async () => {
  const gateway = await openGateway();
  const ada = await gateway.join('ada');
  const other = await ada.create();
  const gone = await ada.create({ page_url: 'https://example.com/Gone-38c85619110a5b04bf7c9117247991a6' });
  const { pages, now } = gateway.database;
  const freshUntil = new Date(now().getTime() + 60_000);
  const fail = (url: string, state: 'GONE' | 'NO_ARTICLE') =>
    pages.recordFailure(url, { triedAt: now(), freshUntil, failure: { state, reason: null } });
  // known pages are not fetched by the previews
  await fail(other.page_url, 'NO_ARTICLE');
  await fail(gone.page_url, 'GONE');
  const page = await browser.open({ viewport: { width: 390, height: 844 } });
  await signIn(page, gateway, ada.token);
  await page.getByRole('button', { name: 'Needs attention: 1' }).click();
  await page.getByRole('button', { name: 'Remove filter Page: needs attention' }).waitFor();
  await expect.poll(() => page.locator('[data-total]').getAttribute('data-total')).toBe('1');
  expect(page.url()).toContain('attention=yes');
  expect(await violationsOf(page, { iframes: false })).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/attention.png` });
});

test.skipIf(noBrowser)('the list counts again when a page is gone, and when it is back', async () => {
  const gateway = await openGateway();
  const ada = await gateway.join('ada');
  const embed = await ada.create({ page_url: gateway.pageOf('Bread') });
  const { pages, now } = gateway.database;
  const attempt = { triedAt: now(), freshUntil: new Date(now().getTime() + 600_000) };
  await pages.recordFailure(embed.page_url, { ...attempt, failure: { state: 'NO_ARTICLE', reason: null } });
  const page = await browser.open();
  await signIn(page, gateway, ada.token);
  await page.locator('[data-state="NO_ARTICLE"]').first().waitFor();
  const chip = page.getByRole('button', { name: 'Needs attention' });
  expect(await chip.count()).toBe(0);
  await page.getByRole('button', { name: 'Refresh Bread' }).click();
  await page.getByRole('button', { name: 'Needs attention: 1' }).waitFor();
  await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url: gateway.articleOf('Bread') });
  await chip.waitFor({ state: 'detached' });
});

test.skipIf(noBrowser)('an embed that needs attention is found behind more embeds than one request scans', async () => {
  const gateway = await openGateway();
  const ada = await gateway.join('ada');
  const gone = await ada.create({ page_url: gateway.pageOf('Gone') });
  await ada.rest('POST', `/v1/embeds/${gone.id}/refresh`);
  const pageUrl = gateway.articleOf('Diary');
  await insertAll(
    gateway.database,
    Array.from({ length: 2_050 }, () => embedOf('ada', { pageUrl })),
  );
  const page = await browser.open();
  await signIn(page, gateway, ada.token);
  await page.getByRole('button', { name: 'Needs attention', exact: true }).click();
  await page.locator(`[data-embed="${gone.id}"]`).waitFor();
  expect(await page.locator('[data-embed]').count()).toBe(1);
});
