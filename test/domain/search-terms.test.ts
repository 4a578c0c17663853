import { expect, test } from 'vitest';
import {
  accountCodeOf,
  createEmbedIdGenerator,
  idBoundAt,
  prefixNumberOf,
  timeOfId,
} from '../../src/domain/embed/id.ts';
import { termOfPageUrl, termsOf, wordsIn, wordsOfPageUrl } from '../../src/domain/embed/search-terms.ts';
import { hashText } from '../../src/domain/embed/text-hash.ts';

test.each([
  ['', []],
  ['!? …', []],
  ['Meal Planner', ['meal', 'planner']],
  ['meal MEAL Meal', ['meal']],
  ['one-two_three.four', ['one', 'two', 'three', 'four']],
  ['Straße STRASSE', ['strasse']],
  ['ΟΔΟΣ οδος', ['οδος']],
  ['ﬁne ｗｉｄｅ', ['fine', 'wide']],
  ['日本語 テスト', ['日本語', 'テスト']],
  ['Re\u0301sume\u0301', ['résumé']],
  ['2026年1月', ['2026年1月']],
  ['www.example.com', ['example', 'com']],
  ['WWW.example.com xwww.a www. b', ['example', 'com', 'xwww', 'a', 'www', 'b']],
  ['éwww.a', ['é', 'a']],
  [`${'x'.repeat(40)} ${'y'.repeat(41)}`, ['x'.repeat(40), 'y'.repeat(40)]],
  ['𐐨'.repeat(41), ['𐐨'.repeat(40)]],
])('the words of %j are %j', (text, words) => {
  expect(wordsIn(text)).toEqual(words);
});

const ID = '95747105f402490eba51d52e00496c1c';

test.each([
  ['https://example.com/', ['example', 'com']],
  ['https://www.example.com/one/two?three=four#five', ['example', 'com', 'one', 'two', 'three', 'four', 'five']],
  [`https://example.com/Meal-${ID}/`, ['example', 'com', 'meal']],
  [`https://example.com/${ID}?again=${ID}`, ['example', 'com', 'again']],
  ['https://xn--bcher-kva.example/', ['bücher', 'example']],
  ['https://example.com/caf%C3%A9', ['example', 'com', 'café']],
  // one invalid run does not affect the next
  ['https://example.com/a%FF/b%C3%A9', ['example', 'com', 'a', 'bé']],
  ['https://example.com/a%FFb', ['example', 'com', 'a', 'b']],
  [`https://example.com/yes${ID}no-${ID}`, ['example', 'com', 'yes', 'no']],
  ['https://example.com/a%2Fb%c3%a9', ['example', 'com', 'a', 'bé']],
])('the words of the page %s are %j', (url, words) => {
  expect(wordsOfPageUrl(url)).toEqual(words);
});

test('an embed is found by the first 16 words of its title and URL', () => {
  const title = 'a b c d e f g h i j k l';
  const pageUrl = 'https://example.com/m/n/o/p/q';
  expect(termsOf({ title, pageUrl })).toEqual([...title.split(' '), 'example', 'com', 'm', 'n']);
});

test('an embed of a URL that is not normalised has the term of the normalised one', () => {
  const normal = 'https://example.com/about';
  expect(termsOf({ title: 'About', pageUrl: normal })).toEqual(['about', 'example', 'com']);
  const terms = termsOf({ title: 'About', pageUrl: 'https://example.com/about#team' });
  expect(terms).toEqual([termOfPageUrl(normal), 'about', 'example', 'com', 'team']);
  // the first 22 characters of the SHA-256, as older versions stored them
  expect(termOfPageUrl(normal)).toBe('=dGrwztWDaQjbfgrSHDd14d');
});

test.each([
  ['', 2_817_148_525],
  ['a', 1_075_015_857],
  ['ada', 1_465_976_501],
  ['Ada Holm', 531_587_300],
  ['eleven byte', 1_185_542_870],
  ['twelve bytes', 652_846_557],
  ['thirteen byte', 2_927_140_028],
  ['an account with a longer name', 151_333_653],
  ['日本', 2_443_751_126],
])('the hash of %j is that of PostgreSQL', (text, hash) => {
  expect(hashText(text)).toBe(hash);
});

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const MS = Date.parse('2026-01-31T12:00:00Z');

test('an id has its time, a rank in the same order, and the code of its account', () => {
  const made = Array.from({ length: 100 }, () => createEmbedIdGenerator(() => MS)('ada'));
  for (const { id, createdAt } of made) {
    expect([createdAt.getTime(), timeOfId(id).getTime(), id.slice(-2)]).toEqual([MS, MS, accountCodeOf('ada')]);
    expect([id >= idBoundAt(MS), id < idBoundAt(MS + 1)]).toEqual([true, true]);
    const [tens, ones] = [id.charAt(10), id.charAt(11)].map((digit) => DIGITS.indexOf(digit));
    expect(prefixNumberOf(id)).toBe(MS * 1_024 + (tens ?? 0) * 32 + (ones ?? 0));
  }
  expect(accountCodeOf('ada')).toMatch(/^[0-9a-hjkmnp-tv-z]{2}$/);
  expect(accountCodeOf('bob')).not.toBe(accountCodeOf('ada'));
});

test.each([
  [-1, '0000000000'],
  [0, '0000000000'],
  [1, '0000000001'],
  [32, '0000000010'],
  [2 ** 48 - 1, '7zzzzzzzzz'],
  [2 ** 48, '7zzzzzzzzz'],
  [Number.MAX_SAFE_INTEGER, '7zzzzzzzzz'],
])('the bound of ids at %i ms is %s', (ms, bound) => {
  expect(idBoundAt(ms)).toBe(bound);
});

test('within a millisecond ids go on in the next one when the random digits are used up', () => {
  const newIdentity = createEmbedIdGenerator(() => MS);
  const first = newIdentity('ada');
  let last = first;
  // each step is up to 2^64 of 2^70: some hundred use them up
  for (let i = 0; i < 1_000; i++) {
    const next = newIdentity('ada');
    expect(next.id > last.id).toBe(true);
    expect(next.id).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(timeOfId(next.id)).toEqual(next.createdAt);
    last = next;
  }
  expect(last.createdAt.getTime()).toBeGreaterThan(MS);
  expect(last.createdAt.getTime()).toBeLessThan(MS + 100);
});
