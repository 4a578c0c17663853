import { expect, test } from 'vitest';
import { MEAL_PLANNER, shareApp } from '../open-app.ts';
import { expectParity, toCamelCaseKeys, toGraphQLLiteral } from './parity.ts';

const gateway = shareApp();

const CREATE = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }';
const UPDATE = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id } } }';
const LIST = 'query($first: Int, $after: String) { embeds(first: $first, after: $after) { totalCount } }';
interface Fault {
  readonly path: string;
  readonly message: string;
}

const DELETE = 'mutation($input: DeleteEmbedInput!) { deleteEmbed(input: $input) { message } }';

const drafts: Record<string, unknown>[] = [
  {},
  { page_url: null },
  { page_url: 'nonsense' },
  { page_url: 'ftp://example.com/' },
  { page_url: 'https://ada:secret@example.com/' },
  { page_url: 'http://169.254.169.254/latest' },
  { page_url: 'http://[::1]/' },
  { page_url: `https://example.com/${'x'.repeat(2_048)}` },
  { page_url: 7 },
  { page_url: ['https://example.com'] },
  { page_url: MEAL_PLANNER, mode: '' },
  { page_url: MEAL_PLANNER, mode: 7 },
  { page_url: MEAL_PLANNER, font: '' },
  { page_url: MEAL_PLANNER, font: 'a'.repeat(65) },
  { page_url: MEAL_PLANNER, font: 'Inter; } body { display: none' },
  { page_url: MEAL_PLANNER, font: 5 },
  { page_url: MEAL_PLANNER, show_top_bar: 'true' },
  { page_url: MEAL_PLANNER, show_top_bar: 1 },
  { page_url: MEAL_PLANNER, show_top_bar: null, mode: null, font: null },
  { page_url: 'x', mode: 'pink', font: '-', show_top_bar: {}, extra: 1 },
];

test('a fault in a create has the same code, paths and messages in both APIs', async () => {
  const ada = await gateway.as('ada');
  for (const draft of drafts) {
    const rest = await ada.rest('POST', '/v1/embeds', draft);
    const graphql = await ada.graphql(CREATE, { input: toCamelCaseKeys(draft) });
    expectParity(draft, rest.body, graphql.errors[0]);
  }
});

test('a fault in an update has the same code, paths and messages in both APIs', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create({ page_url: 'https://example.com/about' });
  const patches = [
    ...drafts.filter((draft) => Object.keys(draft).length > 0),
    { page_id: 'nonsense' },
    { page_id: null },
    { page_id: '95747105-f402-490e-ba51-d52e00496c1c' },
    { page_id: '95747105-f402-490e-ba51-d52e00496c1c', page_url: MEAL_PLANNER },
  ];
  for (const patch of patches) {
    const rest = await ada.rest('PATCH', `/v1/embeds/${id}`, patch);
    const graphql = await ada.graphql(UPDATE, { input: { ...toCamelCaseKeys(patch), id } });
    expectParity(patch, rest.body, graphql.errors[0]);
  }
});

test('a fault in a list has the same code, paths and messages in both APIs', async () => {
  const ada = await gateway.as('ada');
  for (const variables of [
    { first: 0 },
    { first: 101 },
    { first: -1 },
    { first: 'x' },
    { after: 'x' },
    { first: 'x', after: '' },
  ]) {
    const rest = await ada.rest(
      'GET',
      `/v1/embeds?${new URLSearchParams(Object.entries(variables).map(([k, v]) => [k, String(v)]))}`,
    );
    const graphql = await ada.graphql(LIST, variables);
    expectParity(variables, rest.body, graphql.errors[0]);
  }
});

test('unknown ids and missing scopes give the same errors in both APIs', async () => {
  const { as } = gateway;
  const [ada, reader] = [await as('ada'), await as('ada', ['read'])];
  const { id } = await ada.create();
  for (const [client, target] of [
    [ada, '01m7y4dcyp2ad36zr4waqryvpr'],
    [ada, 'nonsense'],
    [reader, id],
  ] as const) {
    const input = { id: target };
    expectParity(
      target,
      (await client.rest('DELETE', `/v1/embeds/${target}`)).body,
      (await client.graphql(DELETE, { input })).errors[0],
    );
    expectParity(
      target,
      (await client.rest('PATCH', `/v1/embeds/${target}`, {})).body,
      (await client.graphql(UPDATE, { input })).errors[0],
    );
  }
});

test('faults in literals, and nulls in nullable variables, have the same paths as in REST', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  for (const draft of drafts.filter((draft) => Object.keys(draft).length > 0)) {
    const literal = toGraphQLLiteral(draft);
    const create = await ada.graphql(`mutation { createEmbed(input: ${literal}) { embed { id } } }`);
    expectParity(draft, (await ada.rest('POST', '/v1/embeds', draft)).body, create.errors[0]);
    const update = await ada.graphql(
      `mutation { updateEmbed(input: ${literal.replace('{', `{ id: "${id}" `)}) { embed { id } } }`,
    );
    expectParity(draft, (await ada.rest('PATCH', `/v1/embeds/${id}`, draft)).body, update.errors[0]);
  }
  const nulls = { mode: null, font: null, show_top_bar: null, page_url: 'http://localhost/' };
  const { body } = await ada.rest('POST', '/v1/embeds', nulls);
  expect(body.errors[0]).toEqual({ path: 'page_url', message: expect.any(String) });
  const viaVariables = `mutation($mode: EmbedMode, $font: String, $bar: Boolean, $url: URL!) {
    a: createEmbed(input: { pageUrl: $url, mode: $mode, font: $font, showTopBar: $bar }) { embed { id } }
  }`;
  const rejected = await ada.graphql(viaVariables, { mode: null, font: null, bar: null, url: 'http://localhost/' });
  expect([rejected.status, rejected.data, rejected.errors[0]?.path]).toEqual([200, null, ['a']]);
  expectParity(nulls, body, rejected.errors[0]);
  const inFragments = `mutation { ...A ... on Mutation { ...B } }
    fragment A on Mutation { a: createEmbed(input: { pageUrl: 1, mode: null }) { embed { id } } }
    fragment B on Mutation { b: deleteEmbed(input: {}) { message } }`;
  const many = await ada.graphql(inFragments);
  expect([many.status, many.errors.length]).toEqual([400, 1]);
  expect(many.errors[0]?.extensions.errors).toEqual([
    { path: 'pageUrl', message: 'must be one string' },
    { path: 'mode', message: 'must not be null; leave it out instead' },
    { path: 'id', message: 'is required' },
  ]);
});

test('faults of views have the same paths and messages in both APIs, in literals and in variables', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const inRest = async (query: string) => {
    const { body } = await ada.rest('GET', `/v1/embeds/${id}/views?${query}`);
    return body.errors.map(({ path, message }: Fault) => ({
      path,
      message: message.replace('day, site', 'DAY, SITE'),
    }));
  };
  const declared = '($id: ID!, $from: Date!, $to: Date!, $by: ViewGrouping)';
  const inGraphQL = async (args: string, variables?: object) => {
    const field = `embed(id: ${variables ? '$id' : `"${id}"`}) { ...Counts }`;
    const fragment = `fragment Counts on Embed { views${args} { views } }`;
    const query = `query ${variables ? declared : ''} { ${field} } ${fragment}`;
    return (await ada.graphql(query, variables)).errors.flatMap(({ extensions }) => extensions.errors ?? []);
  };
  const inVariables = (variables: object) => inGraphQL('(from: $from, to: $to, by: $by)', { id, ...variables });
  const all = await inRest('from=x&to=y&by=z');
  expect(all.map(({ path }: Fault) => path)).toEqual(['from', 'to', 'by']);
  expect(await inGraphQL('(from: "x", to: "y", by: Z)')).toEqual(all);
  expect(await inVariables({ from: 'x', to: 'y', by: 'Z' })).toEqual(all);
  const missing = await inRest('');
  expect(missing.map(({ path }: Fault) => path)).toEqual(['from', 'to']);
  expect(await inGraphQL('')).toEqual(missing);
  expect(await inVariables({})).toEqual(missing);
  const day = '2026-01-31';
  const quoted = [{ path: 'by', message: 'must be written without quotes: SITE' }];
  expect(await inGraphQL(`(from: "${day}", to: "${day}", by: "SITE")`)).toEqual(quoted);
  const isNull = [{ path: 'by', message: 'must not be null; leave it out instead' }];
  expect(await inVariables({ from: day, to: day, by: null })).toEqual(isNull);
});

test('type errors name the parameter if no validation rule applies', async () => {
  const ada = await gateway.as('ada');
  const pathsOf = async (query: string, variables?: object) => {
    const { errors, data } = await ada.graphql(query, variables);
    expect(data ?? null).toBeNull();
    return errors.flatMap(({ extensions }) => extensions.errors?.map(({ path }) => path) ?? [extensions.code]);
  };
  const create = (input: string) => `mutation { createEmbed(input: ${input}) { embed { id } } }`;
  expect(await pathsOf(create(`{ pageUrl: "${MEAL_PLANNER}", mode: "DARK", font: dark }`))).toEqual(['mode', 'font']);
  expect(await pathsOf(create(`{ pageUrl: "${MEAL_PLANNER}", mode: DARK, mode: LIGHT }`))).toEqual(['mode']);
  expect(await pathsOf(create('7'))).toEqual(['pageUrl', 'input']);
  expect(await pathsOf('mutation { createEmbed { embed { id } } }')).toEqual(['pageUrl']);
  expect(await pathsOf('mutation { updateAccount { account { id } } }')).toEqual(['input']);
  expect(await pathsOf('{ embed { id } node { id } }')).toEqual(['id', 'id']);
  expect(await pathsOf('{ embeds(first: 0, after: 7, colour: 1) { totalCount } }')).toEqual([
    'colour',
    'first',
    'after',
  ]);
  expect(await pathsOf('{ embeds(first: 0) { totalCount } nope }')).toEqual(['query']);
  expect(await pathsOf('{ embeds(first: "x") { totalCount } nope }')).toEqual(['first', 'query']);
  expect(await pathsOf('query($n: Int = 5) { embeds(first: $n, after: 7) { totalCount } }')).toEqual(['after']);
  expect(await pathsOf('query($id: ID) { embed(id: $id) { id } }', { id: null })).toEqual(['query']);
  expect(await pathsOf('query($if: Boolean!) { embeds @include(if: $if) { totalCount } }', { if: 1 })).toEqual(['if']);
});

test('a request without the scope gets no validation errors in either API', async () => {
  const { as } = gateway;
  const [reader, writer] = [await as('ada', ['read']), await as('ada', ['write'])];
  const { id } = await writer.create();
  const faulty = { page_url: 7, mode: null, extra: 1 };
  const rejected = [
    (await reader.rest('POST', '/v1/embeds', faulty)).body,
    (await reader.rest('PATCH', `/v1/embeds/${id}`, faulty)).body,
    (await reader.rest('DELETE', `/v1/embeds/${id}?x=1`)).body,
    (await writer.rest('GET', '/v1/embeds?first=x')).body,
  ];
  for (const { code, errors } of rejected) expect([code, errors]).toEqual(['insufficient_scope', []]);
  for (const reply of [
    await reader.graphql(CREATE, { input: toCamelCaseKeys(faulty) }),
    await reader.graphql(CREATE, { input: { pageUrl: 'x' } }),
    await reader.graphql(UPDATE, { input: { id, mode: null } }),
    await reader.graphql('mutation { createEmbed(input: { pageUrl: 7 }) { embed { id } } }'),
    await writer.graphql(LIST, { first: 'x' }),
  ]) {
    expect(reply.errors.map(({ extensions }) => extensions)).toEqual([
      { code: 'FORBIDDEN', request_id: expect.any(String) },
    ]);
    if (reply.data === undefined) expect(reply.status).toBe(403);
  }
});
