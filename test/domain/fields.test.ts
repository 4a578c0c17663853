import { expect, test } from 'vitest';
import { parseBulkDelete, parseBulkUpdate } from '../../src/domain/embed/bulk.ts';
import { createEmbed } from '../../src/domain/embed/embed.ts';
import { changesBetween, fieldChangesOf } from '../../src/domain/embed/field-changes.ts';
import { ALL_FIELDS, inputFieldsOf, parseText, REST_FIELDS } from '../../src/domain/embed/fields.ts';
import { fingerprintOf } from '../../src/domain/embed/idempotency.ts';
import { parseCreateValues, parseDraft } from '../../src/domain/embed/input.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };
const DRAFT = parseDraft({ pageUrl: 'https://example.com/about' }, POLICY);

test('REST shows the eight fields of the specification, in its order, before all others', () => {
  expect(REST_FIELDS.map(({ restName }) => restName).slice(0, 8)).toEqual([
    'id',
    'created_at',
    'embed_url',
    'page_id',
    'page_url',
    'mode',
    'font',
    'show_top_bar',
  ]);
});

test('the fingerprint of a create equals the one that earlier versions stored', () => {
  expect(fingerprintOf(DRAFT)).toBe('6fe697a73a94d04dd7a66522eca025dc2f585cbcfceacdd5e22a5bd10aedb6f8');
});

test('the fingerprint of a create depends on every field of the input', () => {
  const fields = inputFieldsOf('create');
  for (const { name, type } of fields) {
    const other = type === 'boolean' ? !DRAFT[name as 'showTopBar'] : 'another value';
    expect([name, fingerprintOf({ ...DRAFT, [name]: other })]).not.toEqual([name, fingerprintOf(DRAFT)]);
  }
});

test.each([
  ['create', ['pageUrl', 'mode', 'font', 'showTopBar'], 'The URL of the source page: absolute,'],
  ['update', ['pageId', 'pageUrl', 'mode', 'font', 'showTopBar'], 'The URL of a new source page;'],
  ['filter', ['pageId', 'pageUrl', 'mode', 'font'], 'Only embeds of this page.'],
] as const)('the fields of the input %s have descriptions of their own', (input, names, description) => {
  const fields = inputFieldsOf(input);
  expect(fields.map(({ name }) => name).slice(0, names.length)).toEqual(names);
  expect(fields.find(({ name }) => name === 'pageUrl')?.description).toContain(description);
  const mode = fields.find(({ name }) => name === 'mode')?.description;
  expect(mode).toBe(input === 'filter' ? 'Only embeds with this colour mode.' : 'The colour mode.');
});

test('every field of an input has a label, and every enum has a name and described values', () => {
  for (const { inputs, label, type, enumName, values = {} } of ALL_FIELDS) {
    if (inputs) expect(label).toMatch(/^\w/);
    if (type === 'enum')
      expect([enumName, Object.values(values).every((text) => text.endsWith('.'))]).toEqual([expect.any(String), true]);
  }
});

test('a parameter that was sent twice has one fault, even if its values are invalid', () => {
  const sent = { values: { page_url: 'nonsense', font: 'Inter' }, repeated: new Set(['page_url', 'font']) };
  const message = 'must be sent once';
  expect(() => parseCreateValues(sent, POLICY, 'rest')).toThrow(
    expect.objectContaining({
      faults: [
        { path: 'page_url', message },
        { path: 'font', message },
      ],
    }),
  );
});

test.each([
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['boolean', '1', '1'],
  ['text', 'true', 'true'],
  ['text', 'false', 'false'],
  ['text', '7', '7'],
  ['integer', '0', 0],
  ['integer', '100', 100],
  ['integer', '01', '01'],
  ['integer', '-1', '-1'],
  ['integer', '1.5', '1.5'],
  ['integer', '1 ', '1 '],
  ['integer', 'x1', 'x1'],
  ['integer', '123456789012345', 123_456_789_012_345],
  ['integer', '1234567890123456', '1234567890123456'],
] as const)('as a value of the type %s, the text %j is read as %j', (type, text, value) => {
  expect(parseText(type, text)).toBe(value);
});

const ID = '01arz3ndektsv4rrffq69g5fav';
const ID_RULE = 'must be a list of 1 to 100 ids of embeds';

test('a call for several embeds names them by their ids, or a page of 100 by a filter', () => {
  const paging = { size: 100, fromEnd: false, after: undefined, before: undefined };
  const byIds = parseBulkDelete({ ids: [ID] }, POLICY);
  expect(byIds).toMatchObject({ ids: [ID], listing: { paging, isOldestFirst: false }, filterText: null });
  const byFilter = parseBulkDelete({ filter: { mode: 'DARK' }, after: ID }, POLICY);
  expect(byFilter).toMatchObject({ ids: null, listing: { paging: { ...paging, after: ID } } });
  expect([byFilter.listing.filter?.settings, byFilter.filterText]).toEqual([{ mode: 'DARK' }, '{"mode":"DARK"}']);
  expect(parseBulkDelete({ filter: {} }, POLICY).filterText).toBe('{}');
  expect(parseBulkDelete({ ids: Array(100).fill(ID) }, POLICY).ids).toHaveLength(100);
});

test('an update of several embeds has the values that were sent', () => {
  expect(parseBulkUpdate({ ids: [ID], mode: 'DARK', showTopBar: false }, POLICY)).toMatchObject({
    ids: [ID],
    settings: { mode: 'DARK', showTopBar: false },
  });
  expect(parseBulkUpdate({ ids: [ID], mode: 'DARK' }, POLICY).pageUrl).toBe(undefined);
  const moved = parseBulkUpdate({ ids: [ID], pageUrl: 'https://example.com/' }, POLICY);
  expect([moved.pageUrl, moved.settings]).toEqual(['https://example.com/', {}]);
});

test.each<[input: object, faults: readonly (readonly [path: string, message: string])[]]>([
  [{}, [['ids', 'or the filter must be sent, and not both']]],
  [{ ids: [ID], filter: {} }, [['ids', 'or the filter must be sent, and not both']]],
  [{ ids: [ID], after: ID }, [['after', 'must not be sent together with ids']]],
  [{ ids: [] }, [['ids', ID_RULE]]],
  [{ ids: [ID, 'x'] }, [['ids', ID_RULE]]],
  [{ ids: [7] }, [['ids', ID_RULE]]],
  [{ ids: Array(101).fill(ID) }, [['ids', ID_RULE]]],
  [{ filter: { search: '' } }, [['filter.search', 'must have a word: letters or digits']]],
])('a delete of several embeds with %j is refused', (input, faults) => {
  const expected = faults.map(([path, message]) => ({ path, message }));
  expect(faultsOf(() => parseBulkDelete(input, POLICY))).toEqual(expected);
  const required = { path: 'mode', message: expect.stringMatching(/^is required, or another of pageUrl, mode, /) };
  expect(faultsOf(() => parseBulkUpdate(input, POLICY))).toEqual([required, ...expected]);
});

test.each<
  [before: object | null, after: object, changes: readonly (readonly [string, string | null, string | null])[]]
>([
  [{ a: 1, b: 'x' }, { a: 1, b: 'y' }, [['b', 'x', 'y']]],
  [{ a: 1 }, {}, [['a', '1', null]]],
  [{}, { a: [1] }, [['a', null, '[1]']]],
  [{ a: null }, {}, []],
  [
    null,
    { a: true, b: null },
    [
      ['a', null, 'true'],
      ['b', null, null],
    ],
  ],
  [{}, { a: 'x'.repeat(301) }, [['a', null, 'x'.repeat(300)]]],
  [{ a: `${'x'.repeat(300)}y` }, { a: 'x'.repeat(301) }, [['a', 'x'.repeat(300), 'x'.repeat(300)]]],
  [{}, { a: `${'x'.repeat(299)}😀` }, [['a', null, `${'x'.repeat(299)}\ufffd`]]],
])('between %j and %j, the changed fields are %j', (before, after, changes) => {
  const expected = changes.map(([field, old, current]) => ({ field, before: old, after: current }));
  expect(changesBetween(before as never, after as never)).toEqual(expected);
});

test('audit events list the fields that clients set, and another title of the same URL', () => {
  const embed = createEmbed({ id: ID, createdAt: new Date(0) }, 'ada', DRAFT);
  const settings = JSON.stringify({ watch: 'DAILY' });
  const changed = { ...embed, title: 'x', version: 2, pageUrl: 'https://example.com/b', font: 'Inter', settings };
  const changes = [
    { field: 'pageUrl', before: 'https://example.com/about', after: 'https://example.com/b' },
    { field: 'font', before: 'default', after: 'Inter' },
    { field: 'watch', before: null, after: 'DAILY' },
  ];
  expect(fieldChangesOf(embed, changed)).toEqual(changes);
  expect(fieldChangesOf(changed, { ...changed, settings: null })).toEqual([
    { field: 'watch', before: 'DAILY', after: null },
  ]);
  // the page was sent again, and has another title now
  const retitled = { field: 'title', before: embed.title, after: 'x' };
  expect(fieldChangesOf(embed, { ...embed, title: 'x', version: 2 })).toEqual([retitled]);
  const setFont = { field: 'font', before: 'default', after: 'Inter' };
  expect(fieldChangesOf(embed, { ...embed, title: 'x', font: 'Inter' })).toEqual([setFont, retitled]);
});
