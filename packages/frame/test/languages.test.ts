import { expect, test } from 'vitest';
import { renderFrame } from '../src/render/frame.ts';
import { en } from '../src/words/en.ts';
import { LANGUAGES } from '../src/words/find-words.ts';
import { ARABIC, sampleArticle, sampleView } from './samples.ts';

const NOTE = '<aside class="callout note"><p lang="en" class="callout-title">Note</p><p>Text</p></aside>';

/** Returns the texts of a value, however deep. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
}

function pageIn(language: string | null, changes: Partial<Parameters<typeof sampleArticle>[1]> = {}): string {
  const article = sampleArticle(undefined, { language, publishedAt: '2026-03-12', content: NOTE, ...changes });
  return renderFrame(sampleView({ mode: 'USER_DEFINED' }, { article })).html;
}

test('every language has a text of its own for each word', () => {
  expect(LANGUAGES).toHaveLength(8);
  const count = textsOf(en).length;
  for (const words of LANGUAGES) {
    const texts = textsOf(words);
    expect(texts, words.language).toHaveLength(count);
    expect(
      texts.filter((text) => text.trim() === ''),
      words.language,
    ).toEqual([]);
    if (words === en) continue;
    const sentences = (one: typeof en) => Object.values(one.cards).map(({ reason }) => reason);
    expect(
      sentences(words).filter((text) => sentences(en).includes(text)),
      words.language,
    ).toEqual([]);
    // a word of another script is a forgotten one
    if (['ar', 'ja', 'zh'].includes(words.language)) {
      const { language: _language, direction: _direction, ...rest } = words;
      expect(textsOf(rest).filter((text) => /[A-Za-z]/.test(text))).toEqual([]);
    }
  }
});

test.each(LANGUAGES.map((words) => [words.language, words] as const))(
  'the frame of a page in the language %s has words in this language only',
  (language, words) => {
    const html = pageIn(language, { direction: words.direction, isPaywalled: true });
    const { openOriginal, colourMode, continues, from, reader, callouts } = words;
    for (const text of [openOriginal, colourMode, continues, from, reader.title, reader.listen, callouts.note]) {
      expect(html.replaceAll('&#39;', "'")).toContain(`>${text}`);
    }
    // the words are in the language of the page
    const body = html.slice(html.indexOf('<body>')).replace('class="address" dir="ltr"', '');
    expect(body.match(/ (?:lang|dir)="\w+"/g) ?? []).toEqual(language === 'en' ? [' lang="en"'] : []);
    for (const state of ['NO_ARTICLE', 'GONE'] as const) {
      const article = sampleArticle(undefined, { language, direction: words.direction, content: null });
      expect(renderFrame(sampleView({}, { article, state })).html).toContain(`>${words.cards[state].reason}<`);
    }
  },
);

test.each([
  ['pt-BR', 'Abrir o original'],
  ['zh-Hans-SG', '打开原网页'],
  ['zh-TW', 'Open original'],
  ['nl', 'Open original'],
  [null, 'Open original'],
])('the frame of a page in the language %s says "%s"', (language, text) => {
  expect(pageIn(language)).toContain(`>${text}<`);
});

test('words in another language than the page say so, also their direction', () => {
  const html = renderFrame(sampleView({}, { article: sampleArticle(undefined, { ...ARABIC, language: 'he' }) })).html;
  expect(html).toMatch(/<a class="original"[^>]* lang="en" dir="ltr">/);
  expect(html).toMatch(/<section class="reader"[^>]* lang="en" dir="ltr" hidden>/);
});

test.each([
  ['de', 'ltr', '12. März 2026', '1 Min.'],
  ['ja', 'ltr', '2026年3月12日', '1 分'],
  ['ar', 'rtl', '12 مارس 2026', '1 د'],
] as const)('dates and times have the form of the language %s', (language, direction, date, minutes) => {
  const html = pageIn(language, { direction });
  expect(html).toContain(`>${date}<`);
  expect(html).toContain(`>${minutes}<`);
});

test('two words that are equal in one language are equal in all', () => {
  const all = LANGUAGES.map(({ callouts: _own, ...words }) => textsOf(words).slice(2));
  for (const texts of all) {
    texts.forEach((text, i) => {
      const equal = texts.indexOf(text);
      expect(
        all.filter((others) => others[i] !== others[equal]).map((others) => others[i]),
        text,
      ).toEqual([]);
    });
    // the script that replaces the words reads them from an element of JSON
    expect(texts.filter((text) => /[<>]/.test(text) || text !== text.trim())).toEqual([]);
  }
});
