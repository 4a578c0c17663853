import { expect, test } from 'vitest';
import {
  ACCOUNT_SETTINGS,
  effectiveSettings,
  isAllowedSite,
  mergeSettings,
  readSettings,
  type SettingsPatch,
} from '../../src/domain/embed/settings.ts';

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
