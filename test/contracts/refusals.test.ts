import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/doors/rest/resources.ts';
import { Refusal } from '../../src/errors.ts';
import type { ArgumentsRule } from '../../src/graphql/schema/builder.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { MEAL_PLANNER, shareApp } from '../open-app.ts';
import { rotated } from './rotation.ts';

const gateway = shareApp();

const HOSTILE = [
  '',
  ' ',
  '.',
  '..',
  '%',
  '%ZZ',
  '%00',
  '%C0%80',
  '%2e%2e%2f',
  '//',
  '\\',
  "'; DROP TABLE Embed; --",
  '" OR 1=1',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$' + '{7*7}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '9999999999999999999999999999',
  '\u0000',
  '\ud800',
  '\u202e\u200b\ufeff',
  '💥'.repeat(50),
  'x'.repeat(5_000),
  '01M7Y4DCYP2AD36ZR4WAQRYVPR',
  '01m7y4dcyp2ad36zr4waqryvpi',
  '8zzzzzzzzzzzzzzzzzzzzzzzzz',
];

const VALUES: readonly unknown[] = [
  ...HOSTILE,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  [],
  {},
  [[]],
  { a: { b: 1 } },
  [MEAL_PLANNER],
];

test('REST rejects hostile ids, cursors and page sizes without an internal error', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  for (const [i, text] of HOSTILE.entries()) {
    for (const encoded of [encodeURIComponent(text.toWellFormed()), text.replace(/[\s?#]/g, '').toWellFormed()]) {
      for (const method of rotated(['GET', 'PATCH', 'DELETE'], i)) {
        const response = await ada.fetch(`/v1/embeds/${encoded}`, { method });
        expect([text, method, response.status]).toEqual([
          text,
          method,
          encoded === '' || /^\.{1,2}$|^\/|^\\/.test(encoded) ? expect.any(Number) : 404,
        ]);
        expect(response.status).toBeLessThan(500);
      }
      for (const name of rotated(['first', 'after', 'limit', encoded || 'x'], i)) {
        const response = await ada.fetch(`/v1/embeds?${name}=${encoded}`);
        expect([name, text, response.status]).toEqual([name, text, 422]);
      }
    }
  }
  expect(errorsIn(logged)).toEqual([]);
});

test('both APIs accept or reject hostile values in every field without an internal error', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const { id } = await ada.create();
  for (const [i, value] of VALUES.entries()) {
    for (const name of rotated(
      ['page_url', 'mode', 'font', 'show_top_bar', 'page_id', '__proto__', 'constructor'],
      i,
    )) {
      const body = `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      const headers = { 'content-type': 'application/json' };
      const post = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
      expect([name, value, post.status]).toEqual([name, value, 422]);
      const patch = await ada.fetch(`/v1/embeds/${id}`, { method: 'PATCH', body, headers });
      expect([200, 422]).toContain(patch.status);
    }
    for (const name of rotated(['id', 'pageUrl', 'mode', 'font', 'showTopBar', 'pageId', 'x'], i)) {
      const input = { pageUrl: MEAL_PLANNER, [name]: value };
      const create = await ada.graphql(
        'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }',
        { input },
      );
      const update = await ada.graphql(
        'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id } } }',
        { input: { id, [name]: value } },
      );
      for (const { errors } of [create, update]) {
        expect(['BAD_USER_INPUT', 'NOT_FOUND', undefined]).toContain(errors[0]?.extensions.code);
      }
    }
    const read = await ada.graphql(
      'query($id: ID!, $ids: [ID!]!, $first: Int, $after: String, $before: String) { node(id: $id) { id } nodes(ids: $ids) { id } embeds(first: $first, after: $after, before: $before) { nodes { id } } }',
      { id: value, ids: [value], first: value, after: value, before: value },
    );
    expect(['BAD_USER_INPUT', undefined]).toContain(read.errors[0]?.extensions.code);
  }
  expect(errorsIn(logged)).toEqual([]);
});

test('each rule of both APIs refuses values without a text, and those that are nested deeply', () => {
  const policy = { allowPrivatePages: false };
  const deep = JSON.parse('['.repeat(9_000) + ']'.repeat(9_000));
  const values = [deep, { a: deep }, { toString: null }].flatMap((value) => [value, [value]]);
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const checks = fields.flatMap(({ name, args, extensions }) => {
    const rule = extensions.rule as ArgumentsRule | undefined;
    const input = getNamedType(args.find((arg) => arg.name === 'input')?.type);
    const inside = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    const sent = (value: unknown) => [
      ...args.map((arg) => ({ [arg.name]: value })),
      ...inside.map((each) => ({ input: { [each]: value } })),
    ];
    return rule
      ? [{ name, check: (value: unknown) => sent(value).map((each) => () => rule(each, policy, new Date())) }]
      : [];
  });
  const operations = OPERATIONS.map(({ operation: { id, parameters, validate } }) => ({
    name: id,
    check: (value: unknown) =>
      parameters.all.map(
        ({ path }) =>
          () =>
            void validate({ values: { [path]: value } }, policy, new Date()),
      ),
  }));
  for (const { name, check } of [...checks, ...operations]) {
    for (const run of values.flatMap(check)) {
      try {
        run();
      } catch (error) {
        expect([name, error]).toEqual([name, expect.any(Refusal)]);
      }
    }
  }
});

test('both APIs reject hostile bodies and documents without an internal error', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
  const bodies = [
    '',
    'null',
    '0',
    '"',
    '[]',
    '[[',
    deep('[', ']', 40_000),
    `{"page_url":${deep('[', ']', 40_000)}}`,
    `{"query":${deep('[', ']', 40_000)}}`,
    `{"query":"${deep('{', '}', 40_000)}"}`,
    `{"query":"${deep('{a', '}', 900)}"}`,
    `{"query":"query(${'$a:Int,'.repeat(9_000)}){__typename}"}`,
    `{"query":"{${'__typename '.repeat(9_000)}}"}`,
    `{"query":"query A{...F} fragment F on Query{...F}"}`,
    `{"query":"{embeds(first:1e999){totalCount}}"}`,
    `{"query":"{ __typename }","operationName":"Nope"}`,
    `{"query":"{ __typename }","variables":"x"}`,
    `{"query":"{ __typename }","extensions":[]}`,
    `{"query":"{ __typename }","page_url":"x"}`,
    `[{"query":"{ __typename }"}]`,
    '{"query":"subscription { x }"}',
    '{"query":""}',
    '{"query":null}',
    '{}',
    '\ufeff{}',
    'x'.repeat(99_999),
  ];
  const otherTypes = [
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=----',
    'text/plain',
    'x',
    ';;;',
  ];
  for (const [i, body] of bodies.entries()) {
    for (const type of ['application/json', ...rotated(otherTypes, i)]) {
      for (const path of ['/v1/embeds', '/graphql']) {
        const response = await ada.fetch(path, { method: 'POST', body, headers: { 'content-type': type } });
        expect([body.slice(0, 60), type, path, response.status]).toEqual([
          body.slice(0, 60),
          type,
          path,
          expect.any(Number),
        ]);
        expect(response.status).toBeLessThan(500);
        const text = await response.text();
        expect(text.length).toBeLessThan(5_000);
        if (response.status !== 200) expect(text).not.toMatch(/node_modules|\bat \w+ \(/);
      }
    }
  }
  expect(errorsIn(logged)).toEqual([]);
});

test('unknown paths return 404', async () => {
  const { withAuthorization, logged } = gateway;
  const client = withAuthorization(null);
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/embeds/',
    '/v1/embeds/a/b',
    '/v2/embeds',
    '/V1/embeds',
    '/graphql/',
    '/%ZZ',
    '/livez/x',
    '/.env',
  ]) {
    const { status, body } = await client.rest('GET', path);
    expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
  }
  expect(errorsIn(logged)).toEqual([]);
});

function errorsIn(logged: readonly object[]): readonly object[] {
  return logged.filter((line) => 'err' in line);
}
