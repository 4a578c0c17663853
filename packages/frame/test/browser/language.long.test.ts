import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { readArticle } from '../../../reader/src/article/article.ts';
import type { FrameView } from '../../src/render/frame-view.ts';
import { findWords } from '../../src/words/find-words.ts';
import { sampleArticle } from '../samples.ts';
import { openPage, saveScreenshot, useEmbeds } from './embeds-in-browser.ts';

const ROWS = Array.from({ length: 12 }, (_, i) => `<tr><td>Row ${i}</td><td>${i}</td></tr>`).join('');
const CONTENT = `<aside class="callout note"><p lang="en" class="callout-title">Note</p><p>Ropes.</p></aside>
<h2>One</h2><p>${'The sea rises. '.repeat(400)}</p><h2>Two</h2>
<div class="embed-table"><table><thead><tr><th>Name</th><th>Count</th></tr></thead><tbody>${ROWS}</tbody></table></div>`;
const GERMAN = { language: 'de', site: 'Hafen', title: 'Hafen', byline: 'Ada', publishedAt: '2026-03-12' };
const article = sampleArticle(undefined, { ...GERMAN, modifiedAt: '2026-04-02', content: CONTENT, isPaywalled: true });
const card = sampleArticle(undefined, { ...GERMAN, content: null, description: null, image: null });

/** One of each kind of page. */
const PAGES: Readonly<Record<string, [Partial<FrameView['embed']>, Partial<FrameView>]>> = {
  article: [{ mode: 'USER_DEFINED' }, { article, placeUrl: '/whole#x' }],
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

  test.each([
    [
      'en-US',
      ...['Pages: 12', 'Page 3', 'every week', 'Only the first 500 of 12,345 rows are shown, sorted and searched.'],
      ...['March 3, 2026', 'Sunday, March 1, 2026 at 6:00 PM', '8:00 PM', 'Saturday', '8:30 AM'],
    ],
    [
      'de',
      ...['Seiten: 12', 'Seite 3', 'jede Woche'],
      'Nur die ersten 500 von 12.345 Zeilen werden gezeigt, sortiert und durchsucht.',
      ...['3. März 2026', 'Sonntag, 1. März 2026 um 18:00', '20:00', 'Samstag', '08:30'],
    ],
    [
      'ja',
      ...['全12ページ', '3ページ', '毎週', '12,345行のうち最初の500行だけが表示、並べ替え、検索の対象です。'],
      ...['2026年3月3日', '2026年3月1日日曜日 18:00', '20:00', '土曜日', '8:30'],
    ],
  ])('around the content of files, are in the language %s too, with numbers and times', async (locale, ...texts) => {
    const page = await openPage({ locale });
    const words = (text: string) => `<span lang="en" class="frame-words">${text}</span>`;
    const time = (form: string, at: string) => `<time datetime="${at}" lang="en" class="${form}">at some time</time>`;
    const content = `<p>PDF · ${words('Pages: 12')}</p><h2 id="s-page-3">${words('Page 3')}</h2><p>${words('every week')}</p>
<p>${words('Only the first 500 of 12345 rows are shown, sorted and searched.')}</p>
<p>${time('date', '2026-03-03T23:00:00.000Z')}</p><p>${time('moment', '2026-03-01T18:00:00+01:00')}</p><p>${time('clock', '2026-03-01T20:00')}</p>
<p>${time('weekday', '2024-01-06')}</p><p>${time('clock', '08:30')}</p>`;
    await page.goto(serveEmbed({}, { article: { ...article, language: null, content } }));
    const shown = () => page.locator('.content :is(.frame-words, time)').allInnerTexts();
    await expect.poll(async () => (await shown()).map((text) => text.replace('\u202f', ' '))).toEqual(texts);
    expect(await page.locator('.content h2 span').getAttribute('lang')).toBe(locale);
  });

  test('write the times that a German page only describes in the language of the reader', async () => {
    const event = {
      '@type': 'Event',
      startDate: '2026-03-12T19:30:00+01:00',
      endDate: '2026-03-12T21:00:00+01:00',
      description:
        'Ein Abend über die Gezeiten, mit Karten, Tafeln und einem Modell aus Messing in der Mühle am Hafen.',
    };
    const html = `<!doctype html><html lang="de"><title>Abend</title><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...event })}</script><h1>Abend</h1>`;
    const read = readArticle(html, { url: 'https://mill.example/', robots: null });
    const page = await openPage({ locale: 'fr' });
    await page.goto(serveEmbed({}, { article: read.article }));
    const times = () => page.locator('.content time').allInnerTexts();
    await expect.poll(times).toEqual(['jeudi 12 mars 2026 à 19:30', '21:00']);
    expect(await page.locator('.content time').first().getAttribute('lang')).toBe('fr');
  });

  test.each([
    ['en-US', 'DOCX, 1.2 MB'],
    ['fr', 'DOCX, 1,2 Mo'],
  ])('of the card of a file, are in the language %s: %s', async (locale, facts) => {
    const page = await openPage({ locale });
    const file = { ...card, language: null, description: 'DOCX, 1.2 MB' };
    await page.goto(serveEmbed({}, { article: file, state: 'NOT_A_PAGE' }));
    const shown = () => page.locator('.card h1 + p').innerText();
    await expect.poll(async () => (await shown()).replace(/\s/g, ' ')).toBe(facts);
  });

  test('without JavaScript, are in the language of the article', async () => {
    const page = await openPage({ locale: 'fr', javaScriptEnabled: false });
    await page.goto(serveEmbed({}, { article }));
    expect(await page.locator('.original .wide').innerText()).toBe('Original öffnen');
  });
});
