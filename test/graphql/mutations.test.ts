import { expect, test } from 'vitest';
import { type Client, MEAL_PLANNER, shareApp } from '../open-app.ts';

const shared = shareApp();
const SCOPES = ['read', 'write', 'admin'] as const;

/** Counts the tokens and the embeds of the account. */
async function countAll(client: Client): Promise<readonly number[]> {
  const { data } = await client.graphql('{ tokens { totalCount } embeds { totalCount } }');
  return [data.tokens.totalCount, data.embeds.totalCount];
}

const newToken = (name: string, scope = 'READ') =>
  `createToken(input: { name: "${name}", scopes: [${scope}] }) { token { id name } secret }`;
const newEmbed = (font: string) =>
  `createEmbed(input: { pageUrl: "${MEAL_PLANNER}", font: "${font}" }) { embed { id } }`;
const ALL_DARK = 'updateEmbeds(input: { filter: {}, mode: DARK }) { embeds { id } }';
const UNKNOWN = 'deleteEmbed(input: { id: "01jd3y5v7r8k9m2n4p6q8s0tvw" }) { message }';

test('runs no mutation of a document if the arguments or the scopes of one are refused', async () => {
  const ada = await shared.as('ada', SCOPES);
  const administrator = await shared.as('ada', ['read', 'admin']);
  const writer = await shared.as('ada', ['write']);
  const before = await countAll(ada);
  const attempts: readonly (readonly [client: Client, document: string, errors: readonly unknown[]])[] = [
    [ada, `mutation { a: ${newToken('one')} b: ${newToken('B!')} }`, [['b', 'BAD_USER_INPUT']]],
    [
      ada,
      `mutation { a: ${newEmbed('Inter')} b: ${newEmbed('1, 2')} c: ${newEmbed(';')} }`,
      [
        ['b', 'BAD_USER_INPUT'],
        ['c', 'BAD_USER_INPUT'],
      ],
    ],
    [administrator, `mutation { a: ${newToken('one')} b: ${newToken('two', 'WRITE')} }`, [['b', 'FORBIDDEN']]],
    [administrator, `mutation { a: ${newToken('one')} b: ${newEmbed('Inter')} }`, [['b', 'FORBIDDEN']]],
    // needs the scope read too
    [writer, `mutation { a: ${newEmbed('Inter')} b: ${ALL_DARK} }`, [['b', 'FORBIDDEN']]],
    [
      ada,
      `mutation { ... on Mutation { a: ${newToken('one')} } ...b } fragment b on Mutation { b: ${newToken('')} }`,
      [['b', 'BAD_USER_INPUT']],
    ],
  ];
  for (const [client, document, expected] of attempts) {
    const { status, data, errors } = await client.graphql(document);
    expect([status, data, errors.map(({ path, extensions }) => [path?.join(), extensions.code])]).toEqual([
      200,
      null,
      expected,
    ]);
  }
  expect(await countAll(ada)).toEqual(before);
});

test('names the variable of a condition that is null, and runs no mutation', async () => {
  const ada = await shared.as('ada', SCOPES);
  const before = await countAll(ada);
  const document = `mutation($x: Boolean = true) {
    ... @include(if: $x) { a: ${newToken('one')} } b: ${newToken('two')}
  }`;
  const { status, data, errors } = await ada.graphql(document, { x: null });
  expect([status, data]).toEqual([200, null]);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  expect(errors[0]?.message).toContain('"if"');
  expect(await countAll(ada)).toEqual(before);
});

test.each([
  ['', ''],
  ['... @include(if: true) {', '}'],
])('keeps the payloads of the mutations before one that fails, and runs none after it: %s', async (begin, end) => {
  const ada = await shared.as('ada', SCOPES);
  const response = await ada.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation { ${begin} a: ${newToken('one')} ${end} b: ${UNKNOWN} c: ${newToken('two')} }`,
    }),
  });
  const { data, errors, extensions } = (await response.json()) as {
    data: null;
    errors: { path: string[]; extensions: { code: string } }[];
    extensions: { completed: { a: { token: { name: string }; secret: string } } };
  };
  expect([data, errors.map(({ path, extensions: { code } }) => [path, code])]).toEqual([null, [[['b'], 'NOT_FOUND']]]);
  const { completed } = extensions;
  expect(completed).toMatchObject({ a: { token: { name: 'one' } } });
  expect(Object.keys(completed)).toEqual(['a']);
  const created = shared.withAuthorization(`Bearer ${completed.a.secret}`);
  expect((await created.rest('GET', '/v1/embeds')).status).toBe(200);
});

test.each(['on Mutation', '@include(if: true)'])(
  'runs several mutations in order, also in a fragment %s',
  async (condition) => {
    const ada = await shared.as('ada', SCOPES);
    const [tokens = 0, embeds = 0] = await countAll(ada);
    const { data, errors } = await ada.graphql(
      `mutation ($no: Boolean!, $input: CreateEmbedInput!) {
      e: createEmbed(input: $input) { embed { id } }
      ...Rest
      ... ${condition} { last: ${newToken('last')} }
      e: createEmbed(input: $input) { embed { font } }
      skipped: createToken(input: { name: "B!", scopes: READ }) @include(if: $no) { secret }
    }
    fragment Rest on Mutation { __typename t: createToken(input: { name: "one", scopes: READ }) { secret } }`,
      { no: false, input: { pageUrl: MEAL_PLANNER, font: 'Inter' } },
    );
    expect(errors).toEqual([]);
    expect(Object.keys(data)).toEqual(['e', '__typename', 't', 'last']);
    expect(data.e.embed).toEqual({ id: expect.stringMatching(/^[0-9a-z]{26}$/), font: 'Inter' });
    expect(await countAll(ada)).toEqual([tokens + 2, embeds + 1]);
  },
);
