import { expect, test } from 'vitest';
import { pageIdOf } from '../../packages/reader/src/page-url.ts';
import { idBoundAt } from '../../src/domain/embed/id.ts';
import { parseListing, parseListQuery } from '../../src/domain/embed/listing.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };
const ID = '01arz3ndektsv4rrffq69g5fav';
const OTHER_ID = '01brz3ndektsv4rrffq69g5fav';
const PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';
const PAGE_URL = `https://example.com/Meal-Planner-${PAGE_ID.replaceAll('-', '')}`;
const ABOUT = 'https://example.com/about';
const MATCHES_ALL = { settings: {}, pageIds: [], words: [], prefixes: [] };

const faultsOfListing = (args: Record<string, unknown>) => faultsOf(() => parseListing(args, POLICY));
const faultsOfQuery = (values: Record<string, unknown>) => faultsOf(() => parseListQuery({ values }, POLICY));
const filterOf = (filter: Record<string, unknown>) => parseListing({ filter }, POLICY).filter;

test.each([
  [{}, { size: 10, fromEnd: false, after: undefined, before: undefined }],
  [
    { first: null, last: null, after: null, before: null },
    { size: 10, fromEnd: false, after: undefined },
  ],
  [{ first: 1 }, { size: 1, fromEnd: false }],
  [
    { first: 100, after: ID },
    { size: 100, fromEnd: false, after: ID, before: undefined },
  ],
  [
    { last: 3, before: ID },
    { size: 3, fromEnd: true, after: undefined, before: ID },
  ],
  [
    { after: ID, before: OTHER_ID },
    { size: 10, fromEnd: false, after: ID, before: OTHER_ID },
  ],
])('the arguments %j give the page %j', (args, paging) => {
  const listing = parseListing(args, POLICY);
  expect(listing).toMatchObject({ paging, isOldestFirst: false });
  expect(listing.filter).toBeNull();
});

test('a list that begins with the oldest embed is read from the other end', () => {
  const oldestFirst = { field: 'CREATED_AT', direction: 'ASC' };
  expect(parseListing({ first: 3, after: ID, orderBy: oldestFirst }, POLICY)).toMatchObject({
    paging: { size: 3, fromEnd: true, after: undefined, before: ID },
    isOldestFirst: true,
  });
  expect(parseListing({ last: 3, before: ID, orderBy: oldestFirst }, POLICY)).toMatchObject({
    paging: { size: 3, fromEnd: false, after: ID, before: undefined },
    isOldestFirst: true,
  });
  const newestFirst = parseListing({ orderBy: { field: 'CREATED_AT', direction: 'DESC' } }, POLICY);
  expect(newestFirst).toMatchObject({ paging: { fromEnd: false }, isOldestFirst: false });
});

test.each([
  ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('a time that no database has (%s) is the nearest one', (updatedAfter, updatedFrom) => {
  expect(parseListing({ filter: { updatedAfter } }, POLICY).filter?.updatedFrom?.toISOString()).toBe(updatedFrom);
});

const SIZE = 'must be a whole number from 1 to 100';
const CURSOR = 'must be the id of an embed';
const NULL = 'must not be null; leave it out instead';
const UNKNOWN = 'is not a parameter of this operation';

test.each<[args: Record<string, unknown>, faults: readonly (readonly [path: string, message: string])[]]>([
  [{ first: 0 }, [['first', SIZE]]],
  [{ first: 101 }, [['first', SIZE]]],
  [{ last: 1.5 }, [['last', SIZE]]],
  [{ last: '3' }, [['last', SIZE]]],
  [{ after: 'x' }, [['after', CURSOR]]],
  [{ before: [ID] }, [['before', CURSOR]]],
  [{ before: 7 }, [['before', CURSOR]]],
  [{ first: 1, last: 1 }, [['last', 'must not be sent together with first']]],
  [
    { filter: null, orderBy: null },
    [
      ['filter', NULL],
      ['orderBy', NULL],
    ],
  ],
  [
    { orderBy: {} },
    [
      ['field', 'is required'],
      ['direction', 'is required'],
    ],
  ],
  [
    { orderBy: { field: 'TITLE', direction: 'asc' } },
    [
      ['field', 'must be one of CREATED_AT'],
      ['direction', 'must be one of ASC, DESC'],
    ],
  ],
  [
    { filter: { mode: 'NIGHT' }, first: 0 },
    [
      ['first', SIZE],
      ['mode', 'must be one of LIGHT, DARK, AUTO, USER_DEFINED'],
    ],
  ],
  [{ filter: { search: 7 } }, [['search', 'must be one string']]],
  [{ filter: { search: 'https://[' } }, [['search', 'must have a word: letters or digits']]],
  [{ filter: { search: '!?' } }, [['search', 'must have a word: letters or digits']]],
  [{ filter: { search: 'a b c d e f' } }, [['search', 'must have at most 5 different words, or be one URL']]],
  [{ filter: { search: 'x'.repeat(201) } }, [['search', 'must be at most 200 characters, or one URL']]],
  [{ filter: { search: `https://example.com/${'x'.repeat(2_029)}` } }, [['search', 'must be at most 2048 characters']]],
  [
    { filter: { createdAfter: 'yesterday' } },
    [['createdAfter', 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00.000Z']],
  ],
  [{ filter: { pageId: [PAGE_ID] } }, [['pageId', 'must be a UUID, with or without its hyphens']]],
  [{ filter: { pageId: 'x' } }, [['pageId', 'must be a UUID, with or without its hyphens']]],
])('the arguments %j are refused with all faults', (args, faults) => {
  expect(faultsOfListing(args)).toEqual(faults.map(([path, message]) => ({ path, message })));
});

test.each([
  [{ createdAfter: '2026-01-31T12:00:00Z', createdBefore: '2026-01-31T12:00:00Z' }, true],
  [{ createdAfter: '2026-01-31T12:00:00.001Z', createdBefore: '2026-01-31T12:00:00Z' }, true],
  [{ createdAfter: '2026-01-31T12:00:00Z', createdBefore: '2026-01-31T12:00:00.0001Z' }, false],
  [{ createdAfter: '2026-01-31T12:00:00.0009Z', createdBefore: '2026-01-31T12:00:00.001Z' }, false],
  [{ createdAfter: '2026-01-31T12:00:00Z', createdBefore: '2026-01-31T12:00:00.001Z' }, false],
])('the times %j are contradictory: %s', (filter, isContradictory) => {
  const faults = [
    { path: 'createdAfter', message: 'must be before createdBefore' },
    { path: 'createdBefore', message: 'must be after createdAfter' },
  ];
  expect(faultsOfListing({ filter })).toEqual(isContradictory ? faults : []);
});

test('an empty filter matches everything, and a URL of 2,048 characters can be searched', () => {
  expect(filterOf({})).toBeNull();
  const url = `${PAGE_URL}?${'x'.repeat(2_048 - PAGE_URL.length - 1)}`;
  expect(filterOf({ search: url })).toEqual({ ...MATCHES_ALL, pageIds: [PAGE_ID] });
});

test('the times of a query are named as the client wrote them', () => {
  const noon = '2026-01-31T12:00:00Z';
  expect(faultsOfQuery({ created_after: noon, created_before: noon })).toEqual([
    { path: 'created_after', message: 'must be before created_before' },
    { path: 'created_before', message: 'must be after created_after' },
  ]);
});

const NOON = Date.parse('2026-01-31T12:00:00Z');

test.each<[filter: Record<string, unknown>, expected: object]>([
  [{ search: 'one two three four five' }, { ...MATCHES_ALL, prefixes: ['one', 'two', 'three', 'four', 'five'] }],
  [{ search: 'x'.repeat(200) }, { ...MATCHES_ALL, prefixes: ['x'.repeat(40)] }],
  [{ mode: 'DARK' }, { ...MATCHES_ALL, settings: { mode: 'DARK' } }],
  [
    { font: 'Inter', mode: 'AUTO' },
    { ...MATCHES_ALL, settings: { font: 'Inter', mode: 'AUTO' } },
  ],
  [{ pageId: PAGE_ID.replaceAll('-', '').toUpperCase() }, { ...MATCHES_ALL, pageIds: [PAGE_ID] }],
  [{ pageUrl: 'HTTPS://Example.com/about#a' }, { ...MATCHES_ALL, pageIds: [pageIdOf(ABOUT)], pageUrl: ABOUT }],
  [
    { pageId: PAGE_ID, pageUrl: PAGE_URL },
    { ...MATCHES_ALL, pageIds: [PAGE_ID], pageUrl: PAGE_URL },
  ],
  [
    { pageId: PAGE_ID, pageUrl: ABOUT },
    { ...MATCHES_ALL, pageIds: [PAGE_ID, pageIdOf(ABOUT)], pageUrl: ABOUT },
  ],
  [{ createdAfter: '2026-01-31T12:00:00Z' }, { ...MATCHES_ALL, from: idBoundAt(NOON + 1) }],
  [{ createdAfter: '2026-01-31T12:00:00.0001Z' }, { ...MATCHES_ALL, from: idBoundAt(NOON + 1) }],
  [{ createdBefore: '2026-01-31T12:00:00Z' }, { ...MATCHES_ALL, below: idBoundAt(NOON) }],
  [{ createdBefore: '2026-01-31T12:00:00.0001Z' }, { ...MATCHES_ALL, below: idBoundAt(NOON + 1) }],
  [{ search: 'Meal' }, { ...MATCHES_ALL, prefixes: ['meal'] }],
  // the text of a longer word has the shorter one
  [{ search: 'meal plan planner meals' }, { ...MATCHES_ALL, prefixes: ['planner', 'meals'] }],
  [{ search: 'meal Meal MEAL' }, { ...MATCHES_ALL, prefixes: ['meal'] }],
  [{ search: ' https://meal ' }, { ...MATCHES_ALL, words: ['meal'], pageIdInsteadOfWords: pageIdOf('https://meal') }],
  [{ search: 'x:https://meal' }, { ...MATCHES_ALL, prefixes: ['x', 'https', 'meal'] }],
  [{ search: 'https://meal/a b' }, { ...MATCHES_ALL, prefixes: ['meal', 'a', 'b'] }],
  [{ search: '  HTTP://meal plan' }, { ...MATCHES_ALL, prefixes: ['meal', 'plan'] }],
  [{ search: 'https://meal plan' }, { ...MATCHES_ALL, prefixes: ['meal', 'plan'] }],
  [{ search: 'x https://meal' }, { ...MATCHES_ALL, prefixes: ['x', 'https', 'meal'] }],
  [{ search: PAGE_URL }, { ...MATCHES_ALL, pageIds: [PAGE_ID] }],
  [{ search: `  ${PAGE_URL.toUpperCase()}\n` }, { ...MATCHES_ALL, pageIds: [PAGE_ID] }],
  [
    { search: 'https://x.example/%E2%80%A6' },
    { ...MATCHES_ALL, words: ['example', 'x'], pageIdInsteadOfWords: pageIdOf('https://x.example/%E2%80%A6') },
  ],
  [
    { search: 'http://example.com/one/three/a/seven/eleven' },
    {
      ...MATCHES_ALL,
      words: ['example', 'eleven', 'three', 'seven', 'com'],
      pageIdInsteadOfWords: pageIdOf('http://example.com/one/three/a/seven/eleven'),
    },
  ],
])('the filter %j is read', (filter, expected) => {
  expect(filterOf(filter)).toEqual(expected);
});

test('all filters of a query and its order reach the schema, by its names', () => {
  const query = (values: Record<string, unknown>) => parseListQuery({ values }, POLICY);
  expect(query({})).toStrictEqual({});
  expect(query({ first: 3, after: ID })).toStrictEqual({ first: 3, after: ID });
  expect(query({ limit: 3 })).toStrictEqual({ first: 3 });
  expect(query({ mode: 'dark', page_url: ABOUT, search: 'meal' })).toStrictEqual({
    filter: { mode: 'DARK', pageUrl: ABOUT, search: 'meal' },
  });
  expect(query({ direction: 'asc' })).toStrictEqual({ orderBy: { field: 'CREATED_AT', direction: 'ASC' } });
  expect(query({ order_by: 'created_at' })).toStrictEqual({ orderBy: { field: 'CREATED_AT', direction: 'DESC' } });
  const all = { first: 1, mode: 'light', order_by: 'created_at', direction: 'asc' };
  expect(query(all)).toStrictEqual({
    first: 1,
    filter: { mode: 'LIGHT' },
    orderBy: { field: 'CREATED_AT', direction: 'ASC' },
  });
});

test.each<[values: Record<string, unknown>, path: string, message: string]>([
  [{ first: 0 }, 'first', SIZE],
  [{ limit: 0 }, 'limit', SIZE],
  [{ limit: 1, first: 1 }, 'limit', 'is another name for first; send one of them'],
  [{ mode: 'DARK' }, 'mode', 'must be one of light, dark, auto, user_defined'],
  [{ direction: 'ASC' }, 'direction', 'must be one of asc, desc'],
  [{ order_by: 'title' }, 'order_by', 'must be one of created_at'],
  [{ last: 3 }, 'last', UNKNOWN],
  [{ before: ID }, 'before', `${UNKNOWN}; did you mean \`created_before\`?`],
])('the query %j is refused', (values, path, message) => {
  expect(faultsOfQuery(values)).toEqual([{ path, message }]);
});
