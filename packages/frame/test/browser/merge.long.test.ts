import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import { renderFrame } from '../../src/render/frame.ts';
import { sampleArticle, sampleView } from '../samples.ts';
import { openPage, useEmbeds } from './embeds-in-browser.ts';
import { servedPage } from './local-sites.ts';

const P = (text: string | number) => `<p>Line ${text}</p>`;
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => `<tr><td>Row ${i}</td><td>${i}</td></tr>`).join('');
const table = (count: number) =>
  `<div class="embed-table"><table><thead><tr><th>Name</th><th>Grams</th></tr></thead><tbody>${rows(count)}</tbody></table></div>`;
const player = (title: string) =>
  `<a class="embed-player" href="https://v.example/" data-frame="https://www.youtube-nocookie.com/embed/a" data-width="560" data-height="315"><span><strong>${title}</strong></span></a>`;

describe.skipIf(noBrowser)('an update of an open frame', () => {
  const { serveEmbed, serve } = useEmbeds();

  /** Opens an article in a page that asks for changes at once. `change` returns when the page has the next version. */
  async function open(content: string): Promise<{ page: Page; change: (content: string) => Promise<void> }> {
    const page = await openPage({ isShared: false });
    await page.addInitScript(() => {
      const wait = window.setTimeout;
      Object.assign(window, { setTimeout: (work: () => void, ms?: number) => wait(work, ms === 45_000 ? 100 : ms) });
      document.addEventListener('updated', () => document.body.toggleAttribute('data-updated', true));
    });
    const url = serveEmbed({}, { article: sampleArticle(undefined, { content }) });
    await page.goto(url);
    return {
      page,
      async change(next) {
        await page.evaluate(() => document.body.removeAttribute('data-updated'));
        const view = sampleView({}, { article: sampleArticle(undefined, { content: next }), embedUrl: url });
        const rendered = renderFrame(view);
        serve(url, servedPage({ ...rendered, html: rendered.html.replace('VERSION', String(Math.random())) }));
        await page.locator('[data-updated]').waitFor();
      },
    };
  }
  const childrenOf = (page: Page) =>
    page.locator('.content > *').evaluateAll((all) => all.map(({ localName, textContent }) => localName + textContent));

  test('keeps the blocks that stay, whatever stands between them', async () => {
    for (const blank of ['', '\n', '<hr>']) {
      const { page, change } = await open([1, 2, 3, 4].map(P).join(blank));
      await page.evaluate(() => {
        for (const p of document.querySelectorAll('.content p')) Object.assign(p, { isKept: true });
      });
      await change([1, 'new', 2, 3].map(P).join(blank));
      const kept = page.locator('.content p').evaluateAll((all) => all.map((one) => 'isKept' in one));
      expect(await kept, blank).toEqual([true, false, true, true]);
    }
  });

  test('keeps the tools, the place and the filter of a table, also of one that changes', async () => {
    const { page, change } = await open(P(1) + table(200));
    await page.getByLabel('Search the table').fill('Row 1');
    const place = () => page.locator('.live').evaluate((box) => box.scrollTop);
    await page.locator('.live').evaluate((box) => box.scrollTo(0, 1_000));
    for (const next of [P(1) + P(2) + table(200), P(1) + P(3) + table(201)]) {
      await change(next);
      expect(await page.locator('.table-tools').count()).toBe(1);
      expect(await page.getByRole('status').innerText()).toMatch(/^111 of/);
      expect(await place()).toBe(1_000);
    }
  });

  test('keeps the order and the filter of the second column of one name', async () => {
    const same = (count: number) =>
      table(count)
        .replace('Name', 'Grams')
        .replaceAll(/Row (?=\d)/g, '-');
    const { page, change } = await open(same(20));
    await page.getByRole('button', { name: 'Grams 2' }).click();
    await page.getByLabel('Filter by').selectOption('Grams');
    await page.getByLabel('To', { exact: true }).fill('-10');
    await change(same(21));
    expect(await page.locator('th').evaluateAll((all) => all.map((one) => one.ariaSort))).toEqual([
      'none',
      'ascending',
    ]);
    expect(await page.getByLabel('Filter by').locator('option:checked').innerText()).toBe('Grams');
    expect(await page.getByRole('status').innerText()).toBe('11 of 21 rows');
  });

  test('shows all rows of a table without the value that it was filtered by', async () => {
    const ports = (count: number) => table(count).replaceAll('Row ', 'Quay ');
    const { page, change } = await open(ports(20));
    await page.getByLabel('Filter by').selectOption('Name');
    await page.getByLabel('Value').selectOption('Quay 19');
    await change(ports(19));
    expect(await page.getByLabel('Value').locator('option:checked').count()).toBe(1);
    expect(await page.getByRole('status').innerText()).toBe('19 of 19 rows');
  });

  test('leaves the rows of a sorted table in their order if it has parts now', async () => {
    const { page, change } = await open(table(20));
    await page.getByRole('button', { name: 'Grams' }).dblclick();
    await change(table(20).replace('<tr><td>Row 4<', '<tr><td colspan="2">Part</td></tr>$&'));
    expect(await page.locator('.live tr').nth(5).innerText()).toBe('Part');
  });

  test('keeps a player that plays, and removes it with its link', async () => {
    const { page, change } = await open(P(1) + player('Song') + P(2));
    await page.route('https://www.youtube-nocookie.com/**', (route) => route.fulfill({ body: 'plays' }));
    await page.locator('.embed-player').click();
    const frame = 'iframe';
    await change(P(1) + P('new') + player('Song') + P(2));
    expect(await childrenOf(page)).toEqual(['pLine 1', 'pLine new', frame, 'pLine 2']);
    await change(P(1) + P(2) + player('Other'));
    expect(await childrenOf(page)).toEqual(['pLine 1', 'pLine 2', 'aOther']);
  });

  test('opens of the details with one summary only those that were open', async () => {
    const details = (text: number) => `<details><summary>Answer</summary><p>${text}</p></details>`;
    const { page, change } = await open([1, 2, 3].map(details).join(''));
    await page.getByText('Answer').nth(1).click();
    const opened = () => page.locator('details').evaluateAll((all) => all.map((one) => one.hasAttribute('open')));
    await change([1, 2, 3, 4].map(details).join(''));
    expect(await opened()).toEqual([false, true, false, false]);
    await change([1, 20, 3, 4].map(details).join(''));
    expect(await opened()).toEqual([false, true, false, false]);
  });

  test('keeps the place in a long list that grows at its top', async () => {
    const list = (count: number) =>
      `<div><div><ul>${Array.from({ length: count }, (_, i) => `<li>Entry ${count - i}.</li>`).join('')}</ul></div></div>`;
    const { page, change } = await open(list(120));
    const entry = page.getByText('Entry 60.');
    await entry.evaluate((node) => node.scrollIntoView({ behavior: 'instant' }));
    const before = (await entry.boundingBox())?.y ?? Number.NaN;
    await change(list(121));
    expect(Math.abs(((await entry.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
  });
});
