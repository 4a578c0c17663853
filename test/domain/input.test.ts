import { expect, test } from 'vitest';
import {
  applyPatch,
  createEmbed,
  type Embed,
  embedChanged,
  isSameEmbed,
  requireEmbedId,
  resolveConflict,
} from '../../src/domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/embed/fields.ts';
import {
  createDraft,
  parseCreateValues,
  parseDraft,
  parsePatch,
  parseRefresh,
  parseTarget,
  parseUpdateValues,
} from '../../src/domain/embed/input.ts';
import { InputReader, parseId } from '../../src/domain/input/input-reader.ts';
import { ParameterList } from '../../src/domain/input/parameters.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };
const ID = '01arz3ndektsv4rrffq69g5fav';
const PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';
const OTHER_PAGE_ID = '01234567-89ab-cdef-0123-456789abcdef';
const HEX = PAGE_ID.replaceAll('-', '');
const MEAL_PLANNER = `https://example.com/Meal-Planner-${HEX}`;
const DEFAULTS = { ...DEFAULT_SETTINGS, mode: 'LIGHT', font: 'default', showTopBar: true };
const DRAFT = {
  pageUrl: MEAL_PLANNER,
  pageId: PAGE_ID,
  title: 'Meal Planner',
  ...DEFAULTS,
  externalId: null,
  settings: null,
};
const UNKNOWN = 'is not a parameter of this operation';
const NULL = 'must not be null; leave it out instead';

const create = (values: unknown, spelling: 'graphql' | 'rest' = 'rest') =>
  parseCreateValues({ values }, POLICY, spelling);
const update = (values: unknown, spelling: 'graphql' | 'rest' = 'rest') =>
  parseUpdateValues({ values }, POLICY, spelling);

test('a draft has the id and the title in the URL, and the defaults', () => {
  expect(parseDraft({ pageUrl: MEAL_PLANNER }, POLICY)).toEqual(DRAFT);
  expect(parseDraft({ pageUrl: 'https://例え.jp/日本' }, POLICY)).toMatchObject({
    pageUrl: 'https://xn--r8jz45g.jp/%E6%97%A5%E6%9C%AC',
    title: null,
  });
});

test('the top bar is on where readers choose the mode', () => {
  const settings = { pageUrl: MEAL_PLANNER, showTopBar: false };
  expect(createDraft({ ...settings, mode: 'DARK' }).showTopBar).toBe(false);
  expect(createDraft({ ...settings, mode: 'USER_DEFINED' }).showTopBar).toBe(true);
});

test.each<[values: unknown, faults: Record<string, string>]>([
  [{}, { page_url: 'is required' }],
  [null, { page_url: 'is required' }],
  ['https://example.com', { page_url: 'is required' }],
  [
    { page_url: null, font: null },
    { page_url: 'is required, and must not be null', font: NULL },
  ],
  [
    { page_url: MEAL_PLANNER, font: ['Inter'] },
    {
      font: 'must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit',
    },
  ],
  [{ page_url: 7 }, { page_url: 'must be one string' }],
  [
    { page_url: MEAL_PLANNER, font: '-x' },
    {
      font: 'must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit',
    },
  ],
  [{ page_url: MEAL_PLANNER, mode: 'DARK' }, { mode: 'must be one of light, dark, auto, user_defined' }],
  [{ page_url: MEAL_PLANNER, mode: ['dark'] }, { mode: 'must be one of light, dark, auto, user_defined' }],
  [{ page_url: MEAL_PLANNER, show_top_bar: 'true' }, { show_top_bar: 'must be true or false' }],
])('the create %j is refused', (values, faults) => {
  expect(faultsOf(() => create(values))).toEqual(Object.entries(faults).map(([path, message]) => ({ path, message })));
});

test('values keep their names of the schema in both spellings', () => {
  const settings = { pageUrl: MEAL_PLANNER, mode: 'USER_DEFINED', showTopBar: false };
  expect(create({ page_url: MEAL_PLANNER, mode: 'user_defined', show_top_bar: false })).toEqual(settings);
  expect(create(settings, 'graphql')).toEqual(settings);
  expect(update({ page_id: HEX, font: 'Inter' })).toEqual({ pageId: HEX, font: 'Inter' });
});

test('a parameter in the wrong place, or sent twice, is refused', () => {
  const values = { page_url: MEAL_PLANNER, font: 'Inter' };
  const sent = { values, repeated: new Set(['font']), misplaced: ['mode'] };
  expect(faultsOf(() => parseCreateValues(sent, POLICY, 'rest'))).toEqual([
    { path: 'mode', message: UNKNOWN },
    { path: 'font', message: 'must be sent once' },
  ]);
});

test.each([
  ['pageUrl', 'page_url'],
  ['PAGE-URL', 'page_url'],
  ['url', 'page_url'],
  ['source_page_url', 'page_url'],
  ['pge_ulr', null],
  ['pge_urls', 'page_url'],
  ['page_ur', 'page_url'],
  ['page_irk', 'page_url'],
  ['page_irks', null],
  ['fomt', 'font'],
  ['fnt', 'font'],
  ['fo', 'font'],
  ['fixx', null],
  ['theme', 'mode'],
  ['Theme', 'mode'],
  ['de', 'mode'],
  ['ur', null],
  ['q', null],
  ['limit', null],
  ['page', 'page_url'],
  ['', null],
  [`${'x'.repeat(100)}mode`, null],
  [`${'x'.repeat(96)}mode`, 'mode'],
])('a create with the unknown parameter %s suggests %s', (path, similar) => {
  const message = similar === null ? UNKNOWN : `${UNKNOWN}; did you mean \`${similar}\`?`;
  expect(faultsOf(() => create({ page_url: MEAL_PLANNER, [path]: 'x' }))).toEqual([{ path, message }]);
});

const LIST = [
  { name: 'first', restName: 'first', restAlias: 'limit', type: 'integer' },
  { name: 'after', restName: 'after', type: 'id' },
  { name: 'orderBy', restName: 'order_by', type: 'text' },
  { name: 'search', restName: 'search', type: 'text' },
  { name: 'ids', restName: null, type: 'integer', isRequired: true },
  { name: 'size', restName: 'size', type: 'enum', values: { BIG: '', SMALL: '' } },
  { name: 'tags', restName: 'tags', type: 'enum', values: { RED: '', BLUE: '' }, isList: true },
] as const;

test.each([
  ['rest', 'page', '; page with `after`, the `end_cursor` of the previous page'],
  ['graphql', 'offset', '; page with `after`, the `endCursor` of the previous page'],
  ['rest', 'cursor', '; page with `after`, the `end_cursor` of the previous page'],
  ['rest', 'q', '; did you mean `search`?'],
  ['rest', 'query', '; did you mean `search`?'],
  ['rest', 'sort', '; did you mean `order_by`?'],
  ['graphql', 'sort_by', '; did you mean `orderBy`?'],
  ['graphql', 'limit', '; did you mean `first`?'],
  ['rest', 'nonsense', ''],
  ['rest', 'ids', ''],
  ['graphql', 'qqs', ''],
  ['graphql', 'xids', '; did you mean `ids`?'],
] as const)('in a list of %s, the name %s is explained', (spelling, path, hint) => {
  const { faults } = new InputReader({ values: { [path]: 1 } }, new ParameterList(LIST, spelling), POLICY);
  expect(faults).toEqual([{ path, message: UNKNOWN + hint }]);
});

test('a list in one spelling has only its own parameters, and checks their types', () => {
  const read = (spelling: 'graphql' | 'rest', values: object) => {
    const reader = new InputReader({ values }, new ParameterList(LIST, spelling), POLICY);
    reader.readAll();
    return [reader.values, Object.fromEntries(reader.faults.map(({ path, message }) => [path, message]))];
  };
  expect(read('rest', { size: 'big', search: 'x' })).toEqual([{ size: 'BIG', search: 'x' }, {}]);
  expect(read('graphql', { ids: 3, size: 'BIG' })).toEqual([{ ids: 3, size: 'BIG' }, {}]);
  expect(read('graphql', { ids: 3.5, search: 7, size: ['BIG'] })).toEqual([
    {},
    { ids: 'must be a whole number', search: 'must be one string', size: 'must be one of BIG, SMALL' },
  ]);
  expect(read('graphql', {})).toEqual([{}, { ids: 'is required' }]);
});

test('an alias stands for its parameter, in REST only and not beside it', () => {
  const rest = new ParameterList(LIST, 'rest');
  const reader = new InputReader({ values: { limit: 3 } }, rest, POLICY);
  expect([reader.has('first'), reader.read('first'), reader.values]).toEqual([true, 3, { first: 3 }]);
  expect([reader.has('after'), reader.read('after'), reader.read('unknown'), reader.has('unknown')]).toEqual([
    false,
    undefined,
    undefined,
    false,
  ]);
  expect([reader.nameOf('orderBy'), reader.nameOf('unknown')]).toEqual(['order_by', 'unknown']);
  const both = new InputReader({ values: { limit: 3, first: 3 } }, rest, POLICY);
  both.readAll();
  const alias = { path: 'limit', message: 'is another name for first; send one of them' };
  expect(both.faults).toEqual([alias]);
  const faulty = new InputReader({ values: { limit: 3, first: 1.5 } }, rest, POLICY);
  faulty.readAll();
  expect(faulty.faults).toEqual([{ path: 'first', message: 'must be a whole number' }, alias]);
});

test.each([
  ['rest', ['red', 'blue'], ['RED', 'BLUE']],
  ['graphql', ['BLUE'], ['BLUE']],
  ['graphql', 'BLUE', ['BLUE']],
] as const)('in %s, the list %j is read as %j', (spelling, tags, values) => {
  const reader = new InputReader({ values: { tags } }, new ParameterList(LIST, spelling), POLICY);
  expect(reader.read('tags')).toEqual(values);
  expect(reader.faults).toEqual([]);
});

test.each([
  ['rest', 'red', ''],
  ['rest', [], ''],
  ['graphql', ['RED', 'RED'], '; RED is there twice'],
  ['graphql', ['RED', 'GREEN'], '; not "GREEN"'],
  ['rest', ['green', 'red', 7, 'green', 'red'], '; not "green", 7'],
] as const)('in %s, the list %j is refused with the rule and %j', (spelling, tags, reason) => {
  const reader = new InputReader({ values: { tags } }, new ParameterList(LIST, spelling), POLICY);
  const names = spelling === 'rest' ? 'red, blue' : 'RED, BLUE';
  const message = `must be a list of one or more of ${names}, each once`;
  expect(reader.read('tags')).toBe(undefined);
  expect(reader.faults).toEqual([{ path: 'tags', message: message + reason }]);
});

test('an update takes the id of a page or its URL, but not both', () => {
  const message = 'must not be sent together with the URL of the page';
  expect(faultsOf(() => update({ page_url: MEAL_PLANNER, page_id: PAGE_ID }))).toEqual([{ path: 'page_id', message }]);
  expect(faultsOf(() => update({ page_url: MEAL_PLANNER }))).toEqual([]);
  expect(faultsOf(() => update({ id: ID }))).toMatchObject([{ path: 'id' }]);
  expect(faultsOf(() => update({}, 'graphql'))).toEqual([{ path: 'id', message: 'is required' }]);
});

test('a patch has the target, the source and the settings that were sent', () => {
  expect(parsePatch({ id: ID, font: 'Inter' }, POLICY)).toEqual({ id: ID, own: {}, settings: { font: 'Inter' } });
  expect(parsePatch({ id: ID, pageUrl: MEAL_PLANNER, expectedVersion: 1 }, POLICY)).toEqual({
    id: ID,
    source: { pageUrl: MEAL_PLANNER, pageId: PAGE_ID, title: 'Meal Planner' },
    settings: {},
    own: {},
    expectedVersion: 1,
  });
  expect(parsePatch({ id: ID, pageId: HEX }, POLICY)).toEqual({ id: ID, pageId: HEX, settings: {}, own: {} });
});

test.each<[values: object, target: object | null, message: string]>([
  [{ id: ID }, { id: ID }, ''],
  [{ id: 7, expectedVersion: 2 }, { id: '7', expectedVersion: 2 }, ''],
  [{ id: 1.5 }, null, 'must be one string'],
  [{ id: ID, expectedVersion: 0 }, null, 'must be a whole number from 1'],
  [{ id: ID, expectedVersion: 1.5 }, null, 'must be a whole number from 1'],
  [{ id: ID, expectedVersion: '1' }, null, 'must be a whole number from 1'],
])('the target %j is read as %j', (values, target, message) => {
  if (target) expect(parseTarget(values, POLICY)).toEqual(target);
  else expect(faultsOf(() => parseTarget(values, POLICY))).toMatchObject([{ message }]);
});

test('an input that only names an object has its id', () => {
  expect(parseId({ id: ID }, POLICY)).toBe(ID);
  expect(parseId({ id: 7 }, POLICY)).toBe('7');
  expect(faultsOf(() => parseId({}, POLICY))).toEqual([{ path: 'id', message: 'is required' }]);
});

test('a refresh names its embed', () => {
  expect(parseRefresh({ embedId: ID }, POLICY)).toBe(ID);
  expect(parseRefresh({ embedId: 7 }, POLICY)).toBe('7');
  expect(faultsOf(() => parseRefresh({}, POLICY))).toEqual([{ path: 'embedId', message: 'is required' }]);
});

const EMBED: Embed = createEmbed(
  { id: ID, createdAt: new Date(0) },
  'ada',
  parseDraft({ pageUrl: MEAL_PLANNER }, POLICY),
);

test('a new embed has version 1, and the title of its URL', () => {
  expect(EMBED).toEqual({ id: ID, createdAt: new Date(0), accountId: 'ada', ...DRAFT, version: 1, updatedAt: null });
  const about = parseDraft({ pageUrl: 'https://example.com/about-us' }, POLICY);
  expect(createEmbed({ id: ID, createdAt: new Date(0) }, 'ada', about).title).toBe('about us');
});

test.each<[patch: object, changes: object]>([
  [{}, {}],
  [{ font: 'Inter' }, { font: 'Inter' }],
  [{ mode: 'USER_DEFINED', showTopBar: false }, { mode: 'USER_DEFINED' }],
  [{ pageId: PAGE_ID.toUpperCase() }, {}],
  [
    { pageId: OTHER_PAGE_ID },
    { pageId: OTHER_PAGE_ID, pageUrl: MEAL_PLANNER.replace(HEX, OTHER_PAGE_ID.replaceAll('-', '')) },
  ],
  [{ pageUrl: `https://example.com/${HEX}` }, { pageUrl: `https://example.com/${HEX}`, title: 'example.com' }],
  [{ pageUrl: `https://example.com/Diet-${HEX}` }, { pageUrl: `https://example.com/Diet-${HEX}`, title: 'Diet' }],
])('the patch %j changes %j', (values, changes) => {
  const changed = applyPatch(EMBED, parsePatch({ id: ID, ...values }, POLICY));
  expect(changed).toEqual({ ...EMBED, ...changes });
  expect(isSameEmbed(EMBED, changed)).toBe(Object.keys(changes).length === 0);
});

test('an embed keeps the title of its page if the URL is sent again and the page cannot be fetched', () => {
  const about = { ...EMBED, pageUrl: 'https://example.com/about', title: 'Who we are' };
  const titleAfter = (pageUrl: string) => applyPatch(about, parsePatch({ id: ID, pageUrl }, POLICY)).title;
  expect(titleAfter('https://example.com/about')).toBe('Who we are');
  expect(titleAfter('https://example.com/about#team')).toBe('Who we are');
  expect(titleAfter('https://example.com/press')).toBe('press');
  const team = createEmbed(EMBED, 'ada', parseDraft({ pageUrl: 'https://example.com/about#team' }, POLICY));
  expect(resolveConflict('UPDATE', about, team).title).toBe('Who we are');
});

test('a page id is not put into a URL that has none', () => {
  const about = { ...EMBED, pageUrl: 'https://example.com/about' };
  const message = "can be replaced only if the page's URL contains an id; send the new URL instead";
  expect(faultsOf(() => applyPatch(about, { pageId: PAGE_ID, settings: {}, own: {} }))).toEqual([
    { path: 'pageId', message },
  ]);
});

test('an id that no embed can have is not found', () => {
  expect(requireEmbedId(ID)).toBe(ID);
  for (const id of ['', 'x', ID.toUpperCase(), `${ID}0`, `8${ID.slice(1)}`]) {
    expect(() => requireEmbedId(id)).toThrow(
      expect.objectContaining({ code: 'not_found', message: 'There is no embed with this id.' }),
    );
  }
});

test('a write to another version says how to repeat it', () => {
  expect(embedChanged()).toMatchObject({
    code: 'precondition_failed',
    message: expect.stringMatching(/^The embed has changed .* ETag in If-Match, or its version as expectedVersion\.$/),
  });
});
