import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { EmbedView } from '../../../src/doors/hosted/render/embed-view.ts';
import { findWords } from '../../../src/doors/hosted/words/find-words.ts';
import { noBrowser, violationsOf } from '../../browser.ts';
import { openPage, saveScreenshot, useEmbeds } from '../browser/embeds-in-browser.ts';
import { sampleArticle } from '../samples.ts';

const ROWS = Array.from({ length: 12 }, (_, i) => `<tr><td>Row ${i}</td><td>${i}</td></tr>`).join('');
const CONTENT = `<aside class="callout note"><p lang="en" class="callout-title">Note</p><p>Ropes.</p></aside>
<h2>One</h2><p>${'The sea rises. '.repeat(400)}</p><h2>Two</h2>
<div class="embed-table"><table><thead><tr><th>Name</th><th>Count</th></tr></thead><tbody>${ROWS}</tbody></table></div>`;
const GERMAN = { language: 'de', site: 'Hafen', title: 'Hafen', byline: 'Ada', publishedAt: '2026-03-12' };
const article = sampleArticle(undefined, { ...GERMAN, modifiedAt: '2026-04-02', content: CONTENT, isPaywalled: true });
const card = sampleArticle(undefined, { ...GERMAN, content: null, description: null, image: null });

/** One of each kind of page. */
const PAGES: Readonly<Record<string, [Partial<EmbedView['embed']>, Partial<EmbedView>]>> = {
  article: [{ mode: 'USER_DEFINED' }, { article, part: { wholeUrl: '/whole', placeUrl: '/whole#x' } }],
  'article without top bar': [{ showTopBar: false }, { article }],
  card: [{}, { article: card, state: 'NOT_ALLOWED' }],
  'page that is being fetched': [{}, { article: card, state: 'PENDING' }],
};

/** Returns all that a page says outside of its article, in texts and attributes. */
const wordsIn = (page: Page) =>
  page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest('script') || (element.closest('.content') && !element.closest('.table-tools')))
        continue;
      if (node instanceof Element) texts.push(...[...node.attributes].map(({ value }) => value));
      else texts.push((node as Text).data.trim());
    }
    return texts;
  });

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf);

describe.skipIf(noBrowser)('the words of the frame', () => {
  const { serveEmbed } = useEmbeds();

  test.each(['fr-CA', 'ja', 'ar-EG', 'en-US'])('are all in the language of the reader: %s', async (locale) => {
    const page = await openPage({ locale, viewport: { width: 700, height: 700 } });
    const [german, own] = [findWords('de'), findWords(locale)];
    const { callouts: _callouts, ...words } = german ?? {};
    const others = textsOf(words).filter((text) => !textsOf(own).includes(text) && !['de', 'ltr'].includes(text));
    for (const [name, [embed, changes]] of Object.entries(PAGES)) {
      await page.goto(serveEmbed(embed, changes));
      if (embed.mode) await page.locator('.tool').click();
      const isOwn = (text: string) => [own?.openOriginal, own?.from].includes(text);
      await expect.poll(async () => (await wordsIn(page)).some(isOwn), { message: name }).toBe(true);
      expect(
        (await wordsIn(page)).filter((text) => others.includes(text)),
        name,
      ).toEqual([]);
      await expect.poll(() => violationsOf(page), { message: name }).toEqual([]);
      await saveScreenshot(page, `reader-language-${locale}-${name}`);
    }
  });

  test('leave the text of the article as it is, with the words that belong to it', async () => {
    const page = await openPage({ locale: 'fr' });
    await page.goto(serveEmbed({}, { article }));
    await expect.poll(() => page.locator('.original').getAttribute('lang')).toBe('fr');
    expect(await page.locator('.callout-title').innerText()).toBe('Hinweis');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('.reader ol').getAttribute('lang')).toBe(null);
    await page.locator('.tool').click();
    expect(await page.locator('.reader ol').getAttribute('lang')).toBe('de');
  });

  test.each([
    ['en-US', 'de', 'March 12, 2026', '5 min', 'ltr'],
    ['en-GB', 'en-US', '12 March 2026', '5 mins', 'ltr'],
    ['de', 'de', '12. März 2026', '5 Min.', 'ltr'],
    ['ar-EG', 'de', '١٢ مارس ٢٠٢٦', '٥ د', 'rtl'],
  ])(
    'write dates and times as readers of %s do, on a page in %s',
    async (locale, language, date, minutes, direction) => {
      const page = await openPage({ locale });
      await page.goto(serveEmbed({}, { article: { ...article, language } }));
      await expect.poll(() => page.locator('.original').getAttribute('dir')).toBe(direction);
      await expect.poll(() => page.locator('.byline time').first().innerText()).toBe(date);
      await expect.poll(() => page.locator('.minutes').innerText()).toBe(minutes);
    },
  );

  test.each([
    ['nl', 'Original öffnen'],
    ['zh-TW', 'Original öffnen'],
    ['zh-CN', '打开原网页'],
  ])('for a reader of %s say "%s" on a German page', async (locale, text) => {
    const page = await openPage({ locale });
    await page.goto(serveEmbed({}, { article }));
    await expect.poll(() => page.locator('.original .wide').innerText()).toBe(text);
  });

  test('without JavaScript, are in the language of the article', async () => {
    const page = await openPage({ locale: 'fr', javaScriptEnabled: false });
    await page.goto(serveEmbed({}, { article }));
    expect(await page.locator('.original .wide').innerText()).toBe('Original öffnen');
  });
});
