import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import { sampleArticle } from '../samples.ts';
import { hasSidewaysScroll, openPage, useEmbeds } from './embeds-in-browser.ts';

const CONTENT = '<h2>Ten wheels</h2><p>The sea rises.</p><h3>A rope</h3><p>It is long.</p>';

/** Returns the role, the name and the visibility of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { width, height, left, right } = element.getBoundingClientRect();
    const label = element.closest('label')?.firstChild?.textContent;
    const name = element.matches('select') ? label : (element.closest('label') ?? element).textContent;
    const isVisible = width > 0 && height > 0 && left >= 0 && right <= innerWidth;
    return `${element.localName} ${name?.trim().replace(/\s+/g, ' ')}${isVisible ? '' : ' hidden'}`;
  });

describe.skipIf(noBrowser)('by keyboard', () => {
  const { serveEmbed } = useEmbeds();
  const article = sampleArticle(undefined, { content: CONTENT });

  test.each([320, 900])('all controls of the top bar are reached in order, with names, at %i px', async (width) => {
    const page = await openPage({ viewport: { width, height: 800 } });
    await page.goto(serveEmbed({ mode: 'USER_DEFINED' }, { article }));
    const next = async () => {
      await page.keyboard.press('Tab');
      return focused(page);
    };
    expect([await next(), await next()]).toEqual(['input System', 'button AaReading settings']);
    await page.keyboard.press('Enter');
    const walked: (string | null)[] = [];
    for (let i = 0; i < 9; i++) walked.push(await next());
    expect(walked).toEqual([
      // one of the two labels is shown
      'a Open originalOriginal in a new tab',
      'select Text size',
      'select Font',
      ...(width === 320 ? [] : ['select Width']),
      'button Listen',
      'a Print',
      'button Copy link to selection',
      'a Ten wheels',
      'a A rope',
      ...(width === 320 ? [`a ${article.site}`] : []),
    ]);
    expect(await hasSidewaysScroll(page.mainFrame())).toBe(false);
    const tree = await page.locator('header').ariaSnapshot();
    expect(tree.match(/(?:group|radio|button|link|region|combobox|navigation|heading) ".*?"/g)).toEqual([
      'group "Colour mode"',
      'radio "Light"',
      'radio "System"',
      'radio "Dark"',
      'button "Reading settings"',
      `link "${width === 320 ? 'Original' : 'Open original'} in a new tab"`,
      'region "Reading settings"',
      'combobox "Text size"',
      'combobox "Font"',
      ...(width === 320 ? [] : ['combobox "Width"']),
      'button "Listen"',
      'link "Print"',
      'button "Copy link to selection"',
      'navigation "Contents"',
      'link "Ten wheels"',
      'link "A rope"',
      `heading "${article.title}"`,
    ]);
  });

  test('tables and code that scroll are named by their caption, or by the heading above', async () => {
    const wide = `<td>${'wide'.repeat(40)}</td>`;
    const table = (caption: string) =>
      `<div class="embed-table"><table>${caption}<tbody><tr>${wide.repeat(3)}</tr></tbody></table></div>`;
    const content = `${table('<caption>Tides</caption>')}${CONTENT}${table('')}<pre>${'code'.repeat(90)}</pre><pre>short</pre>`;
    const page = await openPage({ viewport: { width: 320, height: 800 } });
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    const snapshot = await page.locator('article').ariaSnapshot();
    expect(snapshot.match(/group ".*?"/g)).toEqual(['group "Tides"', 'group "A rope"', 'group "A rope"']);
    expect(await page.$$eval('[tabindex="0"]', (all) => all.length)).toBe(3);
  });

  test('a print has the article and its address, and no controls', async () => {
    const page = await openPage();
    await page.goto(serveEmbed({ mode: 'USER_DEFINED' }, { article }));
    await page.getByRole('button', { name: 'Reading settings' }).click();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.tools', '.reader']) expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
    for (const shown of ['h1', '.content p', '.address'])
      expect(await page.locator(shown).first().isVisible(), shown).toBe(true);
  });

  test('a print wraps tables of many columns, and has no signs of their order', async () => {
    const page = await openPage({ viewport: { width: 720, height: 900 } });
    const rowOf = (tag: string) => `<tr>${`<${tag}>a longer text</${tag}>`.repeat(9)}</tr>`;
    const content = `<div class="embed-table"><table><thead>${rowOf('th')}</thead><tbody>${rowOf('td').repeat(9)}</tbody></table></div>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    await page.locator('.live').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('table').evaluate((table) => table.clientWidth)).toBeLessThanOrEqual(720);
    const sign = await page
      .locator('th button')
      .first()
      .evaluate((one) => getComputedStyle(one, '::after').content);
    expect(sign).toBe('none');
  });
});
