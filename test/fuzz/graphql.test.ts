import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { anyJson, anyText, check, openUnlimitedApp, runsOf } from './check.ts';
import { anyOperation } from './documents.ts';

const OPERATIONS = runsOf(200);
const CODES = ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT'];

interface Reply {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: { readonly code: string };
  }[];
}

/** Checks the properties of every response. */
function expectContract(status: number, { data, errors }: Reply): void {
  for (const { extensions, message } of errors ?? []) {
    expect([message, CODES]).toEqual([message, expect.arrayContaining([extensions.code])]);
  }
  if (data === undefined) expect([status, errors?.length]).toEqual([400, expect.any(Number)]);
  else expect(status).toBe(200);
}

test('runs or rejects operations of the schema without an internal error', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  let ran = 0;
  await check(OPERATIONS, anyOperation, async ({ query, variables }) => {
    const { status, data, errors } = await ada.graphql(query, variables);
    expectContract(status, { data, errors });
    if (data) ran += 1;
  });
  expect(ran).toBeGreaterThan(OPERATIONS / 10);
  expectNoBugs();
});

test('runs or rejects any document without an internal error', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const tokens = fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '!',
    '$',
    '@',
    '...',
    '|',
    '&',
    '=',
    '"',
    '"""',
    '#',
    ',',
    'query',
    'mutation',
    'fragment',
    'on',
    'embeds',
    'createEmbed',
    'id',
    'null',
    '7',
    '1.',
    '"x"',
    '\\u',
    '\n',
    '\ufeff',
  );
  const anyDocument = fc.oneof(
    anyText,
    fc.array(tokens, { maxLength: 60 }).map((list) => list.join(' ')),
  );
  await check(runsOf(300), anyDocument, async (query) => {
    const { status, data, errors } = await ada.graphql(query);
    expectContract(status, { data, errors });
    if (data) expect(() => parse(query)).not.toThrow();
  });
  expectNoBugs();
});

test('accepts or rejects any request parameters of POST and GET without an internal error', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const value = fc.oneof(anyJson, fc.constantFrom('{ __typename }', '{}', '[]', 'query A { __typename }', 'A'));
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('query', 'variables', 'operationName', 'extensions') },
    anyText,
  );
  const parameters = fc.dictionary(name, value, { maxKeys: 5 });
  const accept = 'application/graphql-response+json';
  await check(runsOf(250), parameters, async (sent) => {
    const body = JSON.stringify(sent);
    const post = await ada.fetch('/graphql', {
      method: 'POST',
      body,
      headers: { accept, 'content-type': 'application/json' },
    });
    expectContract(post.status, (await post.json()) as Reply);
    const texts = Object.entries(sent).map(([key, part]) => [
      key,
      typeof part === 'string' ? part : JSON.stringify(part),
    ]);
    const query = new URLSearchParams(texts.map((pair) => pair.map((text) => (text ?? '').toWellFormed())));
    const get = await ada.fetch(`/graphql?${query}`, { headers: { accept } });
    expectContract(get.status, (await get.json()) as Reply);
  });
  expectNoBugs();
});
