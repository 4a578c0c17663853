import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkPageUrl,
  normalisePageUrl,
  pageIdOf,
  parsePageId,
  partFragmentOf,
  replacePageId,
  sourceUrlOf,
} from '../src/page-url.ts';

const STRICT = { allowPrivatePages: false };
const ID = '95747105-f402-490e-ba51-d52e00496c1c';
const HEX = ID.replaceAll('-', '');

test.each([
  [`https://example.com/Meal-Planner-${HEX}`, ID],
  [`https://example.com/Meal-Planner-${HEX.toUpperCase()}`, ID],
  [`https://example.com/a/b/${HEX}?v=1#x`, ID],
  [`https://example.com/Meal-Planner-${ID}/`, ID],
  [`https://example.com/Planner${HEX}`, ID],
  [`https://example.com/Planner-${HEX}//`, ID],
  [`https://example.com/db?v=2&p=${HEX}&pm=s`, ID],
  [`https://example.com/db?p=${ID}`, ID],
])('finds the page id in %s', (url, id) => {
  expect(pageIdOf(url)).toBe(id);
});

test('the id of a URL without an id is the UUIDv5 of the normalised URL', () => {
  expect(pageIdOf('https://www.example.com/')).toBe('3d3ed9d2-aa3d-5fa6-90e8-ed662e90f559');
  const one = pageIdOf('https://example.com/a%2db/~x?q=%c3%a9');
  for (const same of ['HTTPS://EXAMPLE.com:443/a-b/%7Ex?q=%C3%A9#part', 'https://example.com./z/../a-b/~x?q=%C3%A9']) {
    expect(pageIdOf(same)).toBe(one);
  }
  for (const other of [
    'https://example.com/a-b/~x',
    'http://example.com/a-b/~x?q=%C3%A9',
    `https://example.com/${HEX}0`,
  ]) {
    expect(pageIdOf(other)).not.toBe(one);
    expect(pageIdOf(other)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('all spellings of a URL have the id of the normalised URL', () => {
  const encoded = `https://example.com/Meal-Planner-%${HEX.charCodeAt(0).toString(16)}${HEX.slice(1)}`;
  expect(pageIdOf(encoded)).toBe(ID);
  expect(pageIdOf(`https://example.com/Meal-Planner-${HEX}/x/..`)).toBe(ID);
});

test('a replaced page id keeps the form of the old one', () => {
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  const hex = id.replaceAll('-', '');
  expect(replacePageId(`https://example.com/A-${HEX}/?x=1#y`, id)).toBe(`https://example.com/A-${hex}/?x=1#y`);
  expect(replacePageId(`https://example.com/A-${ID}`, id)).toBe(`https://example.com/A-${id}`);
  expect(replacePageId(`https://example.com/db?v=1&p=${HEX}&q=2`, id)).toBe(`https://example.com/db?v=1&p=${hex}&q=2`);
  expect(replacePageId('https://example.com/about', id)).toBeNull();
  expect(replacePageId('https://example.com/db?p=12', id)).toBeNull();
  // "%61" is an encoded letter
  const beside = `https://example.com/A%${'1'.repeat(32)}`;
  expect(replacePageId(beside, `61${ID.slice(2)}`)).toBeNull();
});

test.each([
  'http://localhost/',
  'http://localhost./',
  'http://app.localhost/',
  'http://intranet/',
  'http://printer.local/',
  'http://db.internal/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[2001::1]/',
  'http://[fc00::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
])('rejects a page on the private address %s, unless private pages are allowed', (url) => {
  expect(checkPageUrl(url, STRICT)).toContain('public host');
  expect(checkPageUrl(url, { allowPrivatePages: true })).toBeNull();
});

const CREDENTIALS = 'must not contain credentials';
const NOT_ABSOLUTE = 'must be an absolute http or https URL';
const CHARACTERS = 'must not contain spaces, control characters or backslashes';
const LONGEST = `https://example.com/${'a'.repeat(2_028)}`;
const LONGEST_ENCODED = `https://example.com/${'é'.repeat(338)}`;

test.each([
  [7, 'must be one string'],
  ...['/relative', '//example.com', 'example.com', 'https:example.com', 'https:///example.com'].map(notAbsolute),
  ...['https://', 'https://?', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'].map(notAbsolute),
  ...['https://example.com:99999/', 'https://1.2.3.4.5/', 'x:https://example.com/', 'xhttps://example.com'].map(
    notAbsolute,
  ),
  ['https://ada@example.com', CREDENTIALS],
  ['http://:secret@example.com', CREDENTIALS],
  ['HTTPS://ada:secret@example.com', CREDENTIALS],
  ['https://@example.com', CREDENTIALS],
  ['https://exa mple.com', CHARACTERS],
  [' https://example.com', CHARACTERS],
  ['https://example.com/\n', CHARACTERS],
  ['https://example.com/\u007f', CHARACTERS],
  ['https://example.com\\@evil.example.org/', CHARACTERS],
  ['https://example.com/\ud800', 'must be well-formed Unicode'],
  [`${LONGEST}a`, 'must be at most 2048 characters'],
  [`${LONGEST_ENCODED}a`, 'must be at most 2048 characters after percent-encoding'],
])('rejects %j as a page: it %s', (url, message) => {
  expect(checkPageUrl(url, { allowPrivatePages: true })).toBe(message);
});

function notAbsolute(url: string): [string, string] {
  return [url, NOT_ABSOLUTE];
}

test('no page has credentials for the parser of URLs', () => {
  const rest = fc.string({ unit: fc.constantFrom(...'@:/?#a.%40[]&'), maxLength: 12 });
  const property = fc.property(fc.constantFrom('https', 'HTTP'), rest, rest, (scheme, before, after) => {
    const url = `${scheme}://${before}example.com${after}`;
    if (checkPageUrl(url, { allowPrivatePages: true }) !== null) return;
    const { username, password } = new URL(url);
    expect([url, username, password]).toEqual([url, '', '']);
  });
  fc.assert(property, { seed: 20_261_123, numRuns: 5_000 });
});

test('page ids and URLs have one form', () => {
  expect(parsePageId(HEX.toUpperCase())).toBe(ID);
  for (const text of ['', 'x', `${HEX}0`, `x${HEX}`, ID.replace('-', '')]) expect(parsePageId(text)).toBeNull();
  expect(normalisePageUrl('https://example.com/%c3%a9%7e')).toBe('https://example.com/%C3%A9~');
});

test.each([
  'https://example.com',
  'http://example.com:8080/a?b=c#d',
  'HTTPS://EXAMPLE.COM/',
  'https://例え.jp/日本',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://[::ffff:8.8.8.8]/',
  'https://example.com/https://ada@example.com',
  'https://example.com?mail=ada@example.com',
  LONGEST,
  LONGEST_ENCODED,
])('accepts %s as a page', (url) => {
  expect(checkPageUrl(url, STRICT)).toBeNull();
});

test.each<readonly [fragment: string, part: string | null, source: string]>([
  ['', null, ''],
  ['#', null, ''],
  ['#section', 'section', ''],
  ['#gr%C3%B6%C3%9Fe', 'gr%C3%B6%C3%9Fe', ''],
  ['#top', null, ''],
  ['#L10-L20', null, ''],
  ['#:~:text=words', ':~:text=words', ''],
  ['#section:~:text=words', 'section:~:text=words', ''],
  ['#section:~:other', 'section', ''],
  // views of applications
  ['#/route', null, '#/route'],
  ['#!route', null, '#!route'],
  ['#map=10/51.5/0', null, '#map=10/51.5/0'],
  ['#/route:~:text=words', '/route:~:text=words', '#/route'],
])('a URL with the fragment %j names the part %j and has the source %j', (fragment, part, source) => {
  const page = 'https://example.com/a?b=c';
  expect(partFragmentOf(page + fragment)).toBe(part);
  expect(sourceUrlOf(page + fragment)).toBe(page + source);
});
