import { expect, test } from 'vitest';
import { accountKeyOf, embedKeyOf, pageKeyOf, sourceKeyOf } from '../../src/domain/embed/cache-keys.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../src/domain/embed/idempotency.ts';
import { parseCreate, parseDraft } from '../../src/domain/embed/input.ts';
import { embedOriginOf, embedPathOf, embedUrlOf, fontCssUrlOf } from '../../src/domain/embed/url.ts';

const POLICY = { allowPrivatePages: false };
const ID = '01arz3ndektsv4rrffq69g5fav';
const PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';

test.each([
  [null, null],
  ['a', 'a'],
  ['  a\t', 'a'],
  ['"a b"', 'a b'],
  ['""', null],
  ['"a', null],
  ['a b', null],
  ['a"b', null],
  ['"a\\b"', null],
  ['é', null],
  ['', null],
  ['~!#', '~!#'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['x'.repeat(256), null],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  [`"${'x'.repeat(256)}"`, null],
])('the Idempotency-Key %s is %s', (field, key) => {
  if (key !== null || field === null) return expect(parseIdempotencyKey(field)).toBe(key);
  expect(() => parseIdempotencyKey(field)).toThrow(
    expect.objectContaining({
      code: 'malformed',
      message: 'The Idempotency-Key must be 1 to 255 visible ASCII characters.',
    }),
  );
});

test('the fingerprint of a create ignores later fields that have their default', () => {
  const draft = parseDraft({ pageUrl: 'https://example.com/about' }, POLICY);
  const prints = [draft, { ...draft, title: 'x' }, { ...draft, font: 'Inter' }, { ...draft, showTopBar: false }].map(
    (each) => fingerprintOf(each),
  );
  expect(prints[1]).toBe(prints[0]);
  expect(new Set(prints).size).toBe(3);
});

test('the fingerprint of an update by external id covers the settings that it removes', () => {
  const printOf = (settings: object) => {
    const input = { pageUrl: 'https://example.com/about', externalId: 'a', onConflict: 'UPDATE', ...settings };
    const parsed = parseCreate(input, POLICY);
    return fingerprintOf(parsed.draft, parsed.onConflict, parsed.settings);
  };
  expect(printOf({ watch: null })).toBe(printOf({ watch: 'OFF' }));
  expect(new Set([{}, { watch: null }, { look: null }, { watch: 'DAILY' }].map(printOf)).size).toBe(4);
});

test.each([
  ['example.com', null, 'https://example.com'],
  ['localhost:4000', null, 'http://localhost:4000'],
  ['embeds.localhost', null, 'http://embeds.localhost'],
  ['localhost', 'https', 'https://localhost'],
  ['example.com', 'http', 'http://example.com'],
  ['mylocalhost', null, 'https://mylocalhost'],
  ['localhost.example.com', null, 'https://localhost.example.com'],
  ['localhost:x', null, 'https://localhost:x'],
  ['localhost:4000.example.com', null, 'https://localhost:4000.example.com'],
] as const)('the embeds of the host %s with the scheme %s are at %s', (embedHost, embedScheme, origin) => {
  expect(embedOriginOf({ embedHost, embedScheme })).toBe(origin);
  const url = embedUrlOf({ id: ID, title: 'Meal Planner', pageId: PAGE_ID }, { embedHost, embedScheme });
  expect(url).toBe(`${origin.replace('//', `//${ID}.`)}/Meal-Planner-${PAGE_ID.replaceAll('-', '')}`);
});

test('the path of an embed is percent-encoded, and the family of a font in a URL too', () => {
  expect(embedPathOf({ title: '日本', pageId: PAGE_ID })).toBe(`/%E6%97%A5%E6%9C%AC-${PAGE_ID.replaceAll('-', '')}`);
  const template = 'https://fonts.example/css?family={family}&display=swap';
  expect(fontCssUrlOf(template, 'Open Sans Pro')).toBe('https://fonts.example/css?family=Open+Sans+Pro&display=swap');
  expect(fontCssUrlOf(template, 'A&B')).toBe('https://fonts.example/css?family=A%26B&display=swap');
});

test('the keys of a CDN name the embed, its page, and the hash of its account', () => {
  expect(embedKeyOf(ID)).toBe(`embed-${ID}`);
  expect(pageKeyOf(PAGE_ID)).toBe(`page-${PAGE_ID}`);
  expect(sourceKeyOf(`https://example.com/x-${PAGE_ID}`)).toBe(`page-${PAGE_ID}`);
  expect(accountKeyOf('ada')).toMatch(/^account-[0-9a-f]{16}$/);
  expect(accountKeyOf('ada')).not.toBe(accountKeyOf('bob'));
});
