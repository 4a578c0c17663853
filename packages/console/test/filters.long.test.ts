import { describe, expect, test } from 'vitest';
import { createEmbedIdGenerator } from '../../../src/domain/embed/id.ts';
import { noBrowser } from '../../../test/browser.ts';
import { embedOf } from '../../../test/store/embeds/embed-of.ts';
import { openGateway, signIn, useBrowser } from './open-console.ts';

describe.skipIf(noBrowser)('filters', () => {
  const browser = useBrowser();

  test('every filter of the API is a chip, and the URL keeps them for Reload and Back', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const pageId = '11111111-1111-4111-8111-111111111111';
    const roadmap = `https://example.org/Roadmap-${pageId.replaceAll('-', '')}`;
    const [monday, tuesday] = [new Date(2026, 0, 5, 12), new Date(2026, 0, 6, 0)];
    const createdAt = (time: Date) => createEmbedIdGenerator(() => time.getTime())('ada');
    for (const embed of [
      embedOf('ada', { title: 'Diary', mode: 'DARK', ...createdAt(monday) }),
      embedOf('ada', { title: 'Recipes', mode: 'DARK', font: 'Lora', ...createdAt(tuesday) }),
      embedOf('ada', { title: 'Roadmap', pageId, pageUrl: roadmap, externalId: 'cms-1' }),
    ])
      await gateway.database.embeds.insert(embed);
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('button', { name: 'Table' }).click();
    const titles = () => page.locator('.cell-title a').allTextContents();
    await expect.poll(titles).toEqual(['Roadmap', 'Recipes', 'Diary']);
    const filter = async (label: string, value: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      const field = page.getByRole('dialog').getByLabel(label, { exact: true });
      if (label === 'Mode' || label === 'State of the page') await field.selectOption(value);
      else await field.fill(value);
      await page.getByRole('button', { name: 'Apply filters' }).click();
    };
    const chips = () => page.getByRole('list', { name: 'Filters' }).locator('.chip-text').allTextContents();
    for (const [label, value, found] of [
      ['Page id', pageId, 'Roadmap'],
      ['URL', roadmap, 'Roadmap'],
      ['Font', 'Lora', 'Recipes'],
      ['External id', 'cms-1', 'Roadmap'],
      ['Created until', '2026-01-05', 'Diary'],
    ] as const) {
      await filter(label, value);
      await expect.poll(titles).toEqual([found]);
      expect(await chips()).toEqual([`${label}: ${value}`]);
      await page.getByRole('button', { name: `Remove filter ${label}` }).click();
      await expect.poll(titles).toHaveLength(3);
    }

    await filter('Changed from', '2026-01-01');
    await expect.poll(chips).toEqual(['Changed from: 2026-01-01']);
    await expect.poll(titles).toHaveLength(3);
    await filter('State of the page', 'GONE');
    await expect.poll(chips).toEqual(['State of the page: Gone', 'Changed from: 2026-01-01']);
    await expect.poll(titles).toEqual([]);
    await page.getByRole('button', { name: 'Remove all filters' }).first().click();
    await expect.poll(titles).toHaveLength(3);

    await filter('Mode', 'DARK');
    await expect.poll(titles).toEqual(['Recipes', 'Diary']);
    await filter('Created from', '2026-01-06');
    await expect.poll(titles).toEqual(['Recipes']);
    await page.getByRole('searchbox').fill('recipes');
    await expect.poll(chips).toEqual(['Search: recipes', 'Mode: Dark', 'Created from: 2026-01-06']);
    await page.reload();
    await expect.poll(titles).toEqual(['Recipes']);
    expect(await page.getByRole('searchbox').inputValue()).toBe('recipes');
    expect(await chips()).toHaveLength(3);
    await page.getByRole('link', { name: 'Recipes' }).click();
    await page.getByRole('link', { name: 'Back to all embeds' }).click();
    await expect.poll(chips).toHaveLength(3);
    await page.goBack();
    await page.goBack();
    await expect.poll(chips).toHaveLength(3);
    await page.goBack();
    await expect.poll(chips).toEqual(['Mode: Dark', 'Created from: 2026-01-06']);
    await page.goBack();
    await expect.poll(titles).toEqual(['Recipes', 'Diary']);
    await page.getByRole('button', { name: 'Remove filter Mode' }).click();
    await page.getByRole('button', { name: 'Order: newest first' }).click();
    await expect.poll(titles).toEqual(['Diary', 'Recipes', 'Roadmap']);
    expect(await page.getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort')).toBe('ascending');
    await ada.create({ page_url: gateway.pageOf('Last') });
    await expect.poll(titles).toEqual(['Diary', 'Recipes', 'Roadmap', 'Last']);
    await filter('Page id', 'x');
    await page.getByText(/The page id must/).waitFor();
  });
});
