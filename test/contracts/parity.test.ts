import { expect, test } from 'vitest';
import { MEAL_PLANNER, openApp } from '../open-app.ts';

/** The GraphQL code that stands for each code of REST. */
const CODES: Record<string, string> = {
  invalid: 'BAD_USER_INPUT',
  not_found: 'NOT_FOUND',
  insufficient_scope: 'FORBIDDEN',
};

const CREATE = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }';
const UPDATE = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id } } }';
const LIST = 'query($first: Int, $after: String) { embeds(first: $first, after: $after) { totalCount } }';
const DELETE = 'mutation($input: DeleteEmbedInput!) { deleteEmbed(input: $input) { message } }';

const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const camelCased = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [toCamelCase(name), value]));

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

test('the same fault in a create has the same code, paths and messages at both doors', async () => {
  const ada = await (await openApp()).as('ada');
  for (const draft of drafts) {
    const rest = await ada.rest('POST', '/v1/embeds', draft);
    const graphql = await ada.graphql(CREATE, { input: camelCased(draft) });
    expectParity(draft, rest.body, graphql.errors[0]);
  }
});

test('the same fault in an update has the same code, paths and messages at both doors', async () => {
  const ada = await (await openApp()).as('ada');
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
    const graphql = await ada.graphql(UPDATE, { input: { ...camelCased(patch), id } });
    expectParity(patch, rest.body, graphql.errors[0]);
  }
});

test('the same fault in a list has the same code, paths and messages at both doors', async () => {
  const ada = await (await openApp()).as('ada');
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

test('what is not there and what is not allowed read the same at both doors', async () => {
  const { as } = await openApp();
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

interface GraphQLFault {
  readonly message: string;
  readonly extensions: {
    readonly code: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

function expectParity(what: unknown, problem: Problem, error: GraphQLFault | undefined): void {
  const inWordsOfGraphQL = problem.errors.map(({ path, message }) => ({ path: toCamelCase(path), message }));
  // the only word that the doors spell differently is a mode
  const spelled = (faults: readonly { path: string; message: string }[]) =>
    faults.map(({ path, message }) => ({ path, message: path === 'mode' ? message.toLowerCase() : message }));
  expect({ what, code: CODES[problem.code], message: problem.detail, errors: spelled(inWordsOfGraphQL) }).toEqual({
    what,
    code: error?.extensions.code,
    message: error?.message,
    errors: spelled(error?.extensions.errors ?? []),
  });
}
