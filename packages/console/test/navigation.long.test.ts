import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../test/browser.ts';
import { openGateway, signIn, useBrowser } from './open-console.ts';

const PHONE = { width: 390, height: 844 };

describe.skipIf(noBrowser)('navigation', () => {
  const browser = useBrowser();

  test('Ctrl-K finds embeds, pages and commands, also from a field', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Meal Planner', 'Diary']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+k');
    // keys that follow at once belong to it, not to the search or the shortcuts of the list
    await page.keyboard.type('plan');
    const field = page.getByRole('combobox', { name: 'Search embeds' });
    await expect.poll(() => field.inputValue()).toBe('plan');
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await page.getByRole('option', { name: 'Meal Planner' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Meal Planner' }).waitFor();
    // Enter before the results are here opens what is found, and not a result of the text before
    await page.keyboard.press('Control+k');
    await field.fill('plan');
    await page.getByRole('option', { name: 'Meal Planner' }).waitFor();
    await field.fill('diary');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor();
    for (const [text, heading] of [
      ['tok', 'Tokens'],
      ['audit', 'Activity'],
      ['csv', 'Import embeds'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.keyboard.press('Control+k');
    await field.fill('import');
    await page.getByRole('option', { name: 'Import' }).locator('kbd', { hasText: 'i' }).waitFor();
    await field.fill('theme dark');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.keyboard.press('Control+k');
    await field.fill('nothing at all');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.mouse.click(8, 400);
    await field.waitFor({ state: 'detached' });
  });

  test('without GraphiQL, nothing leads to it', async () => {
    const gateway = await openGateway({ graphiql: false });
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Docs' }).waitFor();
    expect(await page.getByRole('link', { name: 'GraphQL' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search embeds' }).fill('graph');
    await page.getByText('Nothing found.').waitFor();
  });

  test('a link to an embed that was deleted says so, in the title too, and moves the focus there', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create();
    await ada.rest('DELETE', `/v1/embeds/${id}`);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await page.getByRole('main', { name: 'Embed not found' }).and(page.locator(':focus')).waitFor();
    expect(await page.title()).toBe('Embed not found · Embed Gateway');
  });

  test('the focus is in the list after a delete in the form, and after a form that was opened first', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', ['Diary', 'Week']);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.getByRole('link', { name: 'Week', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Delete embed' }).press('Enter');
    await page.getByText('“Week” was deleted.').waitFor();
    await expect.poll(focused).toBe('list-heading');
    // the button goes with its notice, in each view
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(focused).toBe('list-heading');
    await page.getByRole('link', { name: 'Week', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Delete embed' }).press('Enter');
    await page.getByRole('link', { name: 'Tokens' }).press('Enter');
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await expect.poll(focused).toBe('main');
    await page.getByRole('link', { name: 'Embeds', exact: true }).press('Enter');
    await page.getByRole('link', { name: 'Diary', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Back to all embeds' }).press('Enter');
    await expect.poll(focused).toBe('list-heading');
  });

  test.each([1280, 390])(
    'at %d px, the keyboard never loses the focus, and no bar covers what has it',
    async (width) => {
      const gateway = await openGateway();
      const ada = await gateway.join('ada');
      await gateway.seed('ada', ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
      const page = await browser.open({ viewport: { width, height: 800 } });
      await page.goto(`${gateway.origin}/`);
      await page.getByLabel('Access token').fill(ada.token);
      await page.keyboard.press('Enter');
      const focused = page.locator(':focus');
      await expect.poll(() => focused.getAttribute('id')).toBe('list-heading');

      await page.getByRole('link', { name: 'H', exact: true }).waitFor();
      await page.keyboard.type('jxjx');
      expect(await countCovered(page, 40)).toBe(0);
      await page.keyboard.press('b');
      expect(await focused.getAttribute('aria-label')).toBe('Selected embeds');
      await page.getByRole('button', { name: 'Clear the selection' }).press('Enter');
      await expect.poll(() => focused.getAttribute('id')).toBe('list-heading');

      await page.keyboard.press('n');
      await page.getByRole('heading', { name: 'New embed' }).waitFor();
      await page.getByText('Sites, expiry and checks').press('Enter');
      await page.getByLabel('Page URL').focus();
      expect(await countCovered(page, 20)).toBe(0);
    },
  );

  test('a phone shows the pages and the account menu, which names the account and its token', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open({ viewport: PHONE });
    await signIn(page, gateway, ada.token);
    for (const name of ['Embeds', 'Tokens', 'Activity', 'Docs', 'GraphQL']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Account ada' }).click();
    const menu = page.getByRole('region', { name: 'Account' });
    await menu.getByText('Token “test”: read, write, admin').waitFor();
    expect(await violationsOf(page, { iframes: false })).toEqual([]);
    await menu.getByRole('button', { name: 'Dark' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await menu.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account ada' }).click();
    await menu.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
  });
});

/** Presses Tab, and counts the elements that another one covers at their centre while they have the focus. */
async function countCovered(page: Page, tabs: number): Promise<number> {
  let covered = 0;
  for (let i = 0; i < tabs; i++) {
    await page.keyboard.press('Tab');
    covered += await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { left, top, width, height } = element.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      // the view of a radio button is its label
      const isSeen = above && (element.contains(above) || above.contains(element) || above.closest('label, .card'));
      return isSeen ? 0 : 1;
    });
  }
  return covered;
}
