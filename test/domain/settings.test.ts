import { expect, test } from 'vitest';
import { parseDraft } from '../../src/domain/embed/input.ts';
import {
  ACCOUNT_SETTINGS,
  effectiveSettings,
  isAllowedSite,
  mergeSettings,
  readSettings,
  type SettingsPatch,
} from '../../src/domain/embed/settings.ts';
import { faultsOf } from './faults.ts';

const NOTHING = { allowedSites: null, expiresAt: null, watch: 'OFF', look: null };

test('settings that were never set have their usual values, and stored ones are kept', () => {
  expect(readSettings(null)).toEqual(NOTHING);
  expect(readSettings('{}')).toEqual(NOTHING);
  const stored = { allowedSites: ['a.example'], watch: 'DAILY', ofLaterVersion: 1 };
  expect(readSettings(JSON.stringify(stored))).toEqual({ ...NOTHING, ...stored });
});

test.each<[ofEmbed: object | null, ofAccount: object | null, effective: object]>([
  [null, null, {}],
  [{ expiresAt: '2030-01-01T00:00:00.000Z' }, null, { expiresAt: '2030-01-01T00:00:00.000Z' }],
  [null, { allowedSites: ['a.example'] }, { allowedSites: ['a.example'] }],
  [{ allowedSites: ['b.example'] }, { allowedSites: ['a.example'] }, { allowedSites: ['b.example'] }],
  [{ watch: 'DAILY' }, { allowedSites: ['a.example'] }, { watch: 'DAILY', allowedSites: ['a.example'] }],
  [{ look: { radius: 1 } }, null, { look: { radius: 1 } }],
  [null, { look: { radius: 2 } }, { look: { radius: 2 } }],
  [{ look: { radius: 1 } }, { look: { radius: 2, width: 400 } }, { look: { radius: 1, width: 400 } }],
  // an account has no end and no watch
  [null, { expiresAt: '2030-01-01T00:00:00.000Z', watch: 'DAILY' }, {}],
])('the settings %j of an embed in an account with %j are %j', (ofEmbed, ofAccount, effective) => {
  const store = (settings: object | null) => settings && JSON.stringify(settings);
  expect(effectiveSettings(store(ofEmbed), store(ofAccount))).toEqual({ ...NOTHING, ...effective });
});

test.each<[stored: string | null, patch: SettingsPatch, merged: string | null]>([
  [null, {}, null],
  // a patch without effect leaves the text, whatever it is
  ['{ "a": 1 }', {}, '{ "a": 1 }'],
  [null, { a: 1 }, '{"a":1}'],
  ['{"a":1,"b":2}', { a: 3 }, '{"a":3,"b":2}'],
  ['{"a":1,"b":2}', { a: null }, '{"b":2}'],
  ['{"a":1}', { a: null }, null],
  ['{"look":{"radius":1,"width":400}}', { look: { radius: null } }, '{"look":{"width":400}}'],
  ['{"look":{"radius":1}}', { look: { radius: null } }, null],
  ['{"look":{"radius":1}}', { look: { width: 400 } }, '{"look":{"radius":1,"width":400}}'],
  ['{"look":7}', { look: { width: 400 } }, '{"look":{"width":400}}'],
  [null, { look: {} }, null],
  ['{"a":["x"]}', { a: [] }, '{"a":[]}'],
  ['{"a":1}', { a: false }, '{"a":false}'],
  ['{"a":1}', { a: 0 }, '{"a":0}'],
])('%s with the patch %j is %s', (stored, patch, merged) => {
  expect(mergeSettings(stored, patch)).toBe(merged);
});

test.each([
  ['a.example', true],
  ['b.example', false],
  ['x.a.example', false],
  ['a.example.evil', false],
  ['x.c.example', true],
  ['x.y.c.example', true],
  ['c.example', false],
  ['xc.example', false],
])('%s may show an embed of a.example and *.c.example: %s', (host, isAllowed) => {
  expect(isAllowedSite(['a.example', '*.c.example'], host)).toBe(isAllowed);
  expect(isAllowedSite([], host)).toBe(false);
});

test('an account has the sites and the look', () => {
  expect(ACCOUNT_SETTINGS.map(({ name }) => name)).toEqual(['allowedSites', 'look']);
});

const parse = (settings: object, allowPrivatePages = false) =>
  parseDraft({ pageUrl: 'https://example.com/', ...settings }, { allowPrivatePages }).settings;
const LONGEST = Array.from(
  { length: 10 },
  (_, i) => `${i}.${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(62)}.example`,
);
const MANY = Array.from({ length: 51 }, (_, i) => `site${i}.example`);

test.each<[sent: object, stored: object | null]>([
  [{ allowedSites: ['Example.com', '*.bücher.example'] }, { allowedSites: ['example.com', '*.xn--bcher-kva.example'] }],
  [{ allowedSites: MANY.slice(1) }, { allowedSites: MANY.slice(1) }],
  [{ allowedSites: LONGEST }, { allowedSites: LONGEST }],
  [{ expiresAt: '2030-01-01T01:00:00+01:00' }, { expiresAt: '2030-01-01T00:00:00.000Z' }],
  [{ watch: 'DAILY' }, { watch: 'DAILY' }],
  [{ watch: 'OFF' }, null],
  [{ look: { accentColor: '#FF88aa', width: 'FULL' } }, { look: { accentColor: '#ff88aa', width: 'FULL' } }],
  [{ look: { width: 320, baseSize: 14, radius: 0 } }, { look: { width: 320, baseSize: 14, radius: 0 } }],
  [{ look: { width: 1_200, baseSize: 22, radius: 24 } }, { look: { width: 1_200, baseSize: 22, radius: 24 } }],
  [{ look: { logoUrl: 'HTTPS://example.com/a.svg' } }, { look: { logoUrl: 'HTTPS://example.com/a.svg' } }],
])('the settings %j are stored as %j', (sent, stored) => {
  expect(JSON.parse(parse(sent) ?? 'null')).toEqual(stored);
});

const LIST_RULE = 'must be a list of 1 to 50 hosts, or null';
const HOST_RULE =
  'must be hosts such as example.com or *.example.com, without scheme, port and path, and no IP addresses; not ';
const WIDTH_RULE = 'must be a whole number from 320 to 1200, or FULL';
const PUBLIC_RULE = 'must be on a public host, not a local, private or reserved one';
const LOGO_RULE = 'must be an absolute https URL, because browsers load no other picture';
const COLOUR_RULE = 'must be a colour such as #1557c0';

test.each<[sent: object, path: string, message: string]>([
  [{ allowedSites: [] }, 'allowedSites', LIST_RULE],
  [{ allowedSites: MANY }, 'allowedSites', LIST_RULE],
  [{ allowedSites: ['a.example', 'a b', 7, '[::1]'] }, 'allowedSites', `${HOST_RULE}"a b", 7, "[::1]"`],
  ...['ex%61mple.com', 'a.example/b', 'a.example?b', 'a.example#b', 'a.example\\b', 'a@b.example', 'a.example:80'].map(
    (site) => [{ allowedSites: [site] }, 'allowedSites', HOST_RULE + JSON.stringify(site)] as [object, string, string],
  ),
  [
    { allowedSites: ['bücher.example', 'XN--bcher-KVA.example'] },
    'allowedSites',
    'must contain each host once; xn--bcher-kva.example is there twice',
  ],
  [
    { allowedSites: [...LONGEST.slice(1), `*.${LONGEST[0]}`] },
    'allowedSites',
    'must have at most 2000 characters in all, not 2002',
  ],
  [{ look: { width: 319 } }, 'look.width', WIDTH_RULE],
  [{ look: { width: 1_201 } }, 'look.width', WIDTH_RULE],
  [{ look: { width: 500.5 } }, 'look.width', WIDTH_RULE],
  [{ look: { width: '500' } }, 'look.width', WIDTH_RULE],
  [{ look: { accentColor: 'red' } }, 'look.accentColor', COLOUR_RULE],
  [{ look: { accentColor: ['#1557c0'] } }, 'look.accentColor', COLOUR_RULE],
  [{ look: { logoUrl: 'https://10.0.0.1/a.png' } }, 'look.logoUrl', PUBLIC_RULE],
  [{ look: { logoUrl: 7 } }, 'look.logoUrl', 'must be one string'],
  ...['', 'javascript:alert(1)', 'https:///a', 'http://10.0.0.1/a.png', 'http://example.com/https://'].map(
    (logoUrl) => [{ look: { logoUrl } }, 'look.logoUrl', LOGO_RULE] as [object, string, string],
  ),
  [{ look: [] }, 'look', 'must be an object, or null'],
])('the settings %j are refused at %s', (sent, path, message) => {
  expect(faultsOf(() => parse(sent))).toEqual([{ path, message }]);
});

test('where private pages are allowed, a logo needs no TLS', () => {
  const look = { logoUrl: 'http://example.com/a.svg' };
  expect(JSON.parse(parse({ look }, true) ?? 'null')).toEqual({ look });
  expect(faultsOf(() => parse({ look: { logoUrl: 'x' } }, true))).toHaveLength(1);
});
