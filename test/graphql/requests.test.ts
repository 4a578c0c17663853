import { expect, test } from 'vitest';
import { type Client, shareApp } from '../open-app.ts';

const gateway = shareApp();

const RESPONSE_TYPE = 'application/graphql-response+json';
const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

interface GraphQLResponse {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: {
      readonly code: string;
      readonly errors?: readonly { readonly path: string; readonly message: string }[];
      readonly request_id: string;
    };
  }[];
}

async function send(client: Client, path: string, init: RequestInit = {}, accept = RESPONSE_TYPE) {
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>), accept };
  const response = await client.fetch(path, { ...init, headers });
  const reply = (await response.json()) as GraphQLResponse;
  return { status: response.status, type: response.headers.get('content-type'), ...reply };
}

const get = (client: Client, parameters: Record<string, string> | string[][]) =>
  send(client, `/graphql?${new URLSearchParams(parameters)}`);
const post = (client: Client, body: unknown) =>
  send(client, '/graphql', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('refuses parameters of the wrong type by name, all at once', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const query = '{ __typename }';
  const cases: [Record<string, string> | string[][] | { body: unknown }, string[]][] = [
    [{ query, variables: 'x' }, ['variables']],
    [{ query, variables: '[]' }, ['variables']],
    [{ query, extensions: 'x' }, ['extensions']],
    [{ query, extensions: '7', variables: '{' }, ['variables', 'extensions']],
    [{}, ['query']],
    [
      [
        ['query', query],
        ['query', query],
      ],
      ['query'],
    ],
    [{ query, page: '1' }, ['page']],
    [{ query, ['__proto__']: '1', toString: '1' }, ['__proto__', 'toString']],
    [{ body: {} }, ['query']],
    [{ body: { query: [query] } }, ['query']],
    [{ body: { query: '' } }, ['query']],
    [
      { body: { query, variables: [], extensions: 'x', operationName: 7, colour: 1 } },
      ['colour', 'operationName', 'variables', 'extensions'],
    ],
  ];
  for (const [sent, paths] of cases) {
    const reply = 'body' in sent ? await post(ada, sent.body) : await get(ada, sent as Record<string, string>);
    expect({ sent, status: reply.status, type: reply.type }).toEqual({
      sent,
      status: 400,
      type: `${RESPONSE_TYPE}; charset=utf-8`,
    });
    expect(reply.data).toBeUndefined();
    expect(reply.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(reply.errors?.[0]?.extensions.errors?.map(({ path }) => path)).toEqual(paths);
  }
  expect(bugsIn(logged)).toEqual([]);
});

test('refuses a repeated name in an object of the request, at any depth', async () => {
  const ada = await gateway.as('ada');
  const query = 'query($first: Int, $filter: EmbedFilter) { embeds(first: $first, filter: $filter) { totalCount } }';
  const json = JSON.stringify(query);
  const twice = ['"first": 1, "first": 2', '"filter": { "mode": "DARK", "mode": "LIGHT" }'];
  const responses = [
    ...(await Promise.all(twice.map((variables) => post(ada, `{ "query": ${json}, "variables": { ${variables} } }`)))),
    ...(await Promise.all(twice.map((variables) => get(ada, { query, variables: `{ ${variables} }` })))),
    await post(ada, `{ "query": ${json}, "query": "{ __typename }" }`),
  ];
  const nothing = await get(ada, { query: '{ __typename }', variables: 'null' });
  expect([nothing.status, nothing.data]).toEqual([200, { __typename: 'Query' }]);
  const faults = responses.map(({ status, errors }) => [status, errors?.[0]?.extensions]);
  const once = (path: string) => [
    400,
    { code: 'BAD_USER_INPUT', errors: [{ path, message: 'must be sent once' }], request_id: expect.any(String) },
  ];
  expect(faults).toEqual(['first', 'mode', 'first', 'mode', 'query'].map(once));
});

test('reads null as omitted for the optional parameters, and replies to any Accept header', async () => {
  const ada = await gateway.as('ada');
  const body = JSON.stringify({ query: '{ __typename }', variables: null, operationName: null, extensions: null });
  for (const [accept, type] of [
    [RESPONSE_TYPE, RESPONSE_TYPE],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/plain', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    [`multipart/mixed, ${RESPONSE_TYPE};q=0.9`, RESPONSE_TYPE],
  ] as const) {
    const init = { method: 'POST', body, headers: { 'content-type': 'Application/JSON; Charset=UTF-8' } };
    const reply = await send(ada, '/graphql', init, accept);
    expect([accept, reply.status, reply.type, reply.data]).toEqual([
      accept,
      200,
      `${type}; charset=utf-8`,
      { __typename: 'Query' },
    ]);
  }
});

test.each([
  ['lists', `{ nodes(ids: ${deep('[', ']', 5_000)}) { id } }`],
  ['few enough lists', `{ nodes(ids: ${deep('[', ']', 900)}) { id } }`],
  ['lists without an end', `{ nodes(ids: ${'['.repeat(1_500)}`],
  ['braces', `{ a ${deep('{ a ', '}', 600)} }`],
  ['objects', `mutation { createEmbed(input: ${deep('{a:', '}', 600)}) { embed { id } } }`],
  ['types', `query($a: ${deep('[', ']', 900)}) { __typename }`],
  ['parentheses', `{ ${deep('a(', ')', 900)} }`],
  ['inline fragments', `{ ${deep('... { ', '}', 600)} }`],
  ['directives', `{ a ${deep('@a(b: {c: [', ']})', 300)} }`],
])('refuses %s nested too deeply, without a stack overflow', async (_what, query) => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const { status, data, errors } = await post(ada, { query });
  expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
  expect(bugsIn(logged)).toEqual([]);
});

test('accepts or refuses variables of any depth, size and type, without a bug', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const query = `query($id: ID!, $ids: [ID!]!, $first: Int) { embed(id: $id) { id } nodes(ids: $ids) { id } embeds(first: $first) { totalCount } }`;
  const values = [
    deep('[', ']', 40_000),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    '1e400',
    '-1e400',
    '123456789012345678901234567890',
    '"\\u0000"',
    '"\\ud800"',
    '{"__proto__":{"toString":1}}',
    '{"toJSON":1}',
    `[${'1,'.repeat(40_000)}1]`,
    'true',
  ];
  for (const value of values) {
    for (const name of ['id', 'ids', 'first']) {
      const body = `{"query":${JSON.stringify(query)},"variables":{"id":"x","ids":["x"],"${name}":${value}}}`;
      const reply = await post(ada, body);
      const code = reply.errors?.[0]?.extensions.code ?? 'none';
      expect([name, value.slice(0, 40), code]).toEqual([
        name,
        value.slice(0, 40),
        expect.stringMatching(/^(none|BAD_USER_INPUT)$/),
      ]);
      if (reply.data === undefined) expect(reply.status).toBe(400);
      expect(JSON.stringify(reply).length).toBeLessThan(20_000);
    }
  }
  expect(bugsIn(logged)).toEqual([]);
});

test('refuses invalid names and operations', async () => {
  const { as, logged } = gateway;
  const ada = await as('ada');
  const queries = [
    '{ a\u0000b }',
    '{ \ud800 }',
    'query \u0000 { __typename }',
    'query($a\u0000: Int) { __typename }',
    'subscription { __typename }',
    'fragment A on Query { __typename }',
    'type Query { a: Int }',
    'extend schema @a',
    '{ __typename } { __typename }',
    'query A { __typename } query A { __typename }',
    'query A { __typename } query B { __typename }',
    '{ ...A } fragment A on Query { ...A }',
    '{ ...A } fragment A on Nope { id }',
    '{ constructor __proto__ toString }',
    '{ embeds(first: 99999999999999999999) { totalCount } }',
    '{ embeds(first: 1e400) { totalCount } }',
    '{ embed(id: "\\u{110000}") { id } }',
    '{ embed(id: """) { id } }',
    '#',
    ' ',
  ];
  for (const query of queries) {
    const reply = await post(ada, { query });
    expect([query, reply.status, reply.data, reply.errors?.[0]?.extensions.code]).toEqual([
      query,
      400,
      undefined,
      'BAD_USER_INPUT',
    ]);
  }
  for (const operationName of ['Nope', '\u0000', '__proto__', 'constructor']) {
    const reply = await post(ada, { query: 'query A { __typename }', operationName });
    expect([operationName, reply.status]).toEqual([operationName, 400]);
  }
  expect(bugsIn(logged)).toEqual([]);
});

function bugsIn(logged: readonly object[]): readonly object[] {
  return logged.filter((line) => 'err' in line);
}

test('sends the request id with every error, also for equal requests that run once', async () => {
  const { as, withAuthorization } = gateway;
  const [ada, reader] = [await as('ada'), await as('ada', ['read'])];
  const mutation = 'mutation { deleteEmbed(input: { id: "x" }) { message } }';
  const unlike = '{ embeds(after: "x") { totalCount } }';
  const requests: readonly (readonly [Client, string, string])[] = [
    [withAuthorization(null), '{ __typename }', 'UNAUTHENTICATED'],
    [reader, mutation, 'FORBIDDEN'],
    [ada, mutation, 'NOT_FOUND'],
    [ada, '{', 'BAD_USER_INPUT'],
    [ada, '{ nothing }', 'BAD_USER_INPUT'],
    [ada, unlike, 'BAD_USER_INPUT'],
    [ada, unlike, 'BAD_USER_INPUT'],
  ];
  const responses = await Promise.all(
    requests.map(([client, query], i) =>
      send(client, '/graphql', {
        method: 'POST',
        body: JSON.stringify({ query }),
        headers: { 'x-request-id': `request-${i}` },
      }),
    ),
  );
  const sent = responses.map(({ errors }) => errors?.map(({ extensions }) => [extensions.code, extensions.request_id]));
  expect(sent).toEqual(requests.map(([, , code], i) => [[code, `request-${i}`]]));
});

test('tells each caller its account and the scopes of its token, whatever these are', async () => {
  const { as, withAuthorization } = gateway;
  const [admin, writer] = [await as('ada', ['admin']), await as('bob', ['write'])];
  const query = '{ viewer { accountId tokenName scopes } }';
  for (const [client, accountId, scopes] of [
    [admin, 'ada', ['ADMIN']],
    [writer, 'bob', ['WRITE']],
    [await as('ada', ['read', 'write']), 'ada', ['READ', 'WRITE']],
  ] as const) {
    const { data } = await client.graphql(query);
    expect(data).toEqual({ viewer: { accountId: expect.stringMatching(`^${accountId}`), tokenName: 'test', scopes } });
  }
  expect((await withAuthorization(null).graphql(query)).status).toBe(401);
  expect((await writer.graphql('{ viewer { accountId } embeds { totalCount } }')).errors[0]?.extensions.code).toBe(
    'FORBIDDEN',
  );
});
