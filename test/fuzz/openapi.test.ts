import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { MEAL_PLANNER } from '../open-app.ts';
import { readDocument } from '../rest/conformance.ts';
import { anyJson, anyText, check, openUnlimitedApp, runsOf } from './check.ts';

const BODIES = runsOf(300);
const PARAMETERS = runsOf(300);

const anyFont = fc.oneof(
  fc.constantFrom('default', 'Inter Tight', 'a'.repeat(64), 'a'.repeat(65), '-a', 'ä'),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{0,70}$/),
);
const anyMode = fc.constantFrom('light', 'dark', 'auto', 'user_defined', 'LIGHT', 'pink', '');
const anyPageId = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.replaceAll('-', '')),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replace('-', '')),
  fc.stringMatching(/^[0-9a-f]{31,33}$/),
);
const anyPageUrl = fc.oneof(
  { weight: 4, arbitrary: fc.constant(MEAL_PLANNER) },
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'HTTPS://example.com',
    'http://example.com?x',
    'https://ada@example.com/',
    'https://ada:secret@example.com/',
    'https://example.com/@ada',
    'https://example.com/a b',
    'https:/example.com/',
    'https://',
    'ftp://example.com/',
    'example.com',
  ),
  anyText.map((text) => `https://example.com/${text}`),
);

/** Generates any JSON instead of a value of the field, once in seven times. */
const orAnyJson = (arbitrary: Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: anyJson });

const settings = {
  mode: orAnyJson(anyMode),
  font: orAnyJson(anyFont),
  show_top_bar: orAnyJson(fc.boolean()),
};
const unknownField = fc.dictionary(fc.oneof(anyText, fc.constantFrom('pageUrl', 'id')), anyJson, { maxKeys: 1 });
const withUnknownField = (arbitrary: Arbitrary<object>) =>
  fc.oneof(
    { weight: 5, arbitrary },
    { weight: 1, arbitrary: fc.tuple(arbitrary, unknownField).map(([body, unknown]) => ({ ...unknown, ...body })) },
  );

/** Fields with rules that a JSON schema cannot express: a public host, and the length of the encoded URL. */
const NOT_EXPRESSIBLE = ['page_url'];

const anyDraft = fc.record({ page_url: orAnyJson(anyPageUrl), ...settings }, { requiredKeys: [] });
const anyPatch = fc.oneof(
  anyDraft,
  fc.record({ page_id: orAnyJson(anyPageId), ...settings }, { requiredKeys: [] }),
  fc.record({ page_url: anyPageUrl, page_id: anyPageId }),
);

test.each([
  ['POST', '/v1/embeds', withUnknownField(anyDraft)],
  ['PATCH', '/v1/embeds/{id}', withUnknownField(anyPatch)],
])('%s %s accepts exactly the bodies that the OpenAPI document allows', async (method, template, anyBody) => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const { validatorAt, expectConforming } = await readDocument(ada);
  const { id } = await ada.create();
  const path = template.replace('{id}', id);
  const pointer = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody/content/application~1json`;
  const validate = validatorAt(`${pointer}/schema`);
  const counts = { allowed: 0, forbidden: 0 };
  await check(BODIES, anyBody, async (body) => {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    const isAllowed = validate(JSON.parse(text)) as boolean;
    counts[isAllowed ? 'allowed' : 'forbidden'] += 1;
    const response = await ada.fetch(path, { method, body: text, headers });
    const responseText = await response.text();
    expectConforming(method, path, response, responseText);
    const { errors = [] } = JSON.parse(responseText) as { errors?: { path: string; message: string }[] };
    if (!isAllowed) expect([text, response.status]).toEqual([text, 422]);
    else if (response.status === 422)
      for (const fault of errors) expect([text, NOT_EXPRESSIBLE]).toEqual([text, expect.arrayContaining([fault.path])]);
    else expect([text, response.ok]).toEqual([text, true]);
    if (!response.ok) return;
    // restores the page, whose URL contains a page id
    await ada.rest('PATCH', `/v1/embeds/${id}`, { page_url: MEAL_PLANNER });
  });
  expect(Math.min(counts.allowed, counts.forbidden)).toBeGreaterThan(BODIES / 10);
  expectNoBugs();
});

test('accepts exactly the query parameters and headers that the OpenAPI document allows', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const { validatorAt, expectConforming, document } = await readDocument(ada);
  const list = document.paths['/v1/embeds']?.get?.parameters ?? [];
  const names = ['first', 'limit', 'after'];
  const validators = new Map(
    names.map((name, i) => [name, validatorAt(`/paths/~1v1~1embeds/get/parameters/${i}/schema`)]),
  );
  expect(list.slice(0, 3)).toEqual(names.map((name) => expect.objectContaining({ name, in: 'query' })));
  const { id } = await ada.create();
  const anyValue = fc.oneof(
    fc.integer({ min: -2, max: 120 }).map(String),
    fc.constantFrom(id, id.toUpperCase(), '', '1.5', '1e1', '١', '+1'),
    fc.stringMatching(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    anyText.map((text) => text.toWellFormed()),
  );
  const counts = { allowed: 0, forbidden: 0 };
  await check(PARAMETERS, fc.tuple(fc.constantFrom(...names), anyValue), async ([name, value]) => {
    const isAllowed = validators.get(name)?.(/^-?\d+$/.test(value) ? Number(value) : value) as boolean;
    counts[isAllowed ? 'allowed' : 'forbidden'] += 1;
    const path = `/v1/embeds?${new URLSearchParams({ [name]: value })}`;
    const response = await ada.fetch(path);
    expectConforming('GET', path, response, await response.text());
    expect([path, response.status]).toEqual([path, isAllowed ? 200 : 422]);
  });
  expect(Math.min(counts.allowed, counts.forbidden)).toBeGreaterThan(PARAMETERS / 10);

  const isKey = validatorAt('/components/parameters/Idempotency-Key/schema');
  const anyKey = fc.oneof(
    fc.stringMatching(/^[\x21-\x7e]{1,20}$/),
    fc.stringMatching(/^"[\x20-\x7e]{0,20}"$/),
    fc.constantFrom('a'.repeat(255), 'a'.repeat(256), 'a b', '"', '""'),
  );
  await check(runsOf(100), anyKey, async (key) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const body = JSON.stringify({ page_url: MEAL_PLANNER });
    const { status } = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
    expect([key, status]).toEqual([key, isKey(key) ? 201 : 400]);
  });
  expectNoBugs();
});
