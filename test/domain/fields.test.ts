import { expect, test } from 'vitest';
import { ALL_FIELDS, inputFieldsOf, parseText, REST_FIELDS } from '../../src/domain/embed/fields.ts';
import { fingerprintOf } from '../../src/domain/embed/idempotency.ts';
import { parseCreateValues, parseDraft } from '../../src/domain/embed/input.ts';

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
