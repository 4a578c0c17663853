import { expect, test } from 'vitest';
import type { Filter } from '../../../src/domain/embed/listing.ts';
import { NO_FILTER } from '../../../src/store/embeds/lists.ts';
import { type PrefixWords, postingListsOf, predicatesOf } from '../../../src/store/embeds/posting-lists.ts';
import { spanOf } from '../../../src/store/embeds/sql.ts';
import { tokensOf } from '../../../src/store/sqlite/posting-lists.ts';

const MODES = ['LIGHT', 'DARK', 'AUTO', 'USER_DEFINED'];

test.each<[filter: Partial<Filter>, prefixWords: [string, readonly string[] | null][], lists: readonly object[]]>([
  [{}, [], [{ of: 'account' }]],
  [{ settings: { showTopBar: true } }, [], [{ of: 'account' }]],
  [{ pageUrl: 'https://example.com/' }, [], [{ of: 'account' }]],
  [
    { pageIds: ['a', 'b'] },
    [],
    [
      { of: 'page', pageId: 'a' },
      { of: 'page', pageId: 'b' },
    ],
  ],
  [{ settings: { mode: 'DARK' } }, [], [{ of: 'appearance', modes: ['DARK'], font: undefined }]],
  [{ settings: { font: 'Lora' } }, [], [{ of: 'appearance', modes: MODES, font: 'Lora' }]],
  [{ settings: { mode: 'DARK', font: 'Lora' } }, [], [{ of: 'appearance', modes: ['DARK'], font: 'Lora' }]],
  [
    { words: ['a', 'b'] },
    [],
    [
      { of: 'word', word: 'a' },
      { of: 'word', word: 'b' },
    ],
  ],
  [
    { words: ['a', 'b'], pageIdInsteadOfWords: 'p' },
    [],
    ['a', 'b'].map((word) => ({
      of: 'any',
      lists: [
        { of: 'page', pageId: 'p' },
        { of: 'word', word },
      ],
    })),
  ],
  [{}, [['so', ['sole', 'soup']]], [{ of: 'prefix', prefix: 'so', words: ['sole', 'soup'] }]],
  [{}, [['so', null]], [{ of: 'account' }]],
])('the filter %j has its lists', (filter, prefixWords, lists) => {
  expect(postingListsOf({ ...NO_FILTER, ...filter }, new Map(prefixWords))).toEqual(lists);
});

test('what has no index is compared in the rows', () => {
  const none: PrefixWords = new Map();
  expect(predicatesOf({ ...NO_FILTER, settings: { mode: 'DARK', font: 'Lora' } }, none)).toEqual([]);
  const top = { has: 'setting', name: 'showTopBar', value: false };
  const page = { has: 'pageUrl', pageUrl: 'https://example.com/' };
  const words: PrefixWords = new Map([
    ['so', null],
    ['br', ['bread']],
  ]);
  const filter = { ...NO_FILTER, settings: { showTopBar: false }, pageUrl: 'https://example.com/' };
  expect(predicatesOf(filter, words)).toEqual([top, { has: 'prefix', prefix: 'so' }, page]);
  expect(predicatesOf({ ...NO_FILTER, settings: { showTopBar: false } }, none)).toEqual([top]);
});

test('a range includes the id that it names', () => {
  expect(spanOf({ from: 'b' })).toEqual({ from: 'b', below: '~' });
  const { from, below } = spanOf({ to: 'b' });
  expect([from, 'b' < below, below < 'b0', below < 'c']).toEqual(['', true, true, true]);
});

test('the tokens of an embed are those that the triggers write', () => {
  const row = {
    position: 8,
    accountId: 'ada',
    pageId: '95747105-F402-490e-ba51-d52e00496c1c',
    mode: 'LIGHT',
    font: 'Lora',
    terms: ' =Ab soup ÄRZTE',
  } as const;
  const account = '616461';
  expect(tokensOf(row)).toEqual([
    `${account}p95747105f402490e`,
    `${account}mlight`,
    `${account}s4c6f7261_light`,
    `${account}w=ab`,
    `${account}wsoup`,
    `${account}wÄrzte`,
  ]);
  expect(tokensOf({ ...row, terms: '' })).toHaveLength(3);
  expect(tokensOf({ ...row, terms: '[""]' })).toEqual(['[]']);
});
