import { expect, test } from 'vitest';
import { MEAL_PLANNER, shareApp } from '../open-app.ts';

const gateway = shareApp();

const UNKNOWN = 'is not a parameter of this operation';
const BODY = { page_url: 'https://example.com/a' };
const PAGE_URL = 'pageUrl: "https://example.com/a"';

const CHANGED =
  'The embed has changed since you read it: read it again, and send its current ETag in If-Match, or its version as expectedVersion.';

test('both APIs name the first fault in the message, and suggest the parameter for a mistyped name', async () => {
  const ada = await gateway.as('ada');
  const create = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }';
  const ofRest = async (body: object) => (await ada.rest('POST', '/v1/embeds', body)).body.detail;
  const ofGraphql = async (input: object) => (await ada.graphql(create, { input })).errors[0]?.message;
  const ofList = async (query: string) => (await ada.rest('GET', `/v1/embeds?${query}`)).body.detail;

  const cases: [Promise<string | undefined>, string][] = [
    [ofRest({ page_url: MEAL_PLANNER, mode: 'blue' }), '`mode` must be one of light, dark, auto, user_defined.'],
    [ofGraphql({ pageUrl: MEAL_PLANNER, mode: 'blue' }), '`mode` must be one of LIGHT, DARK, AUTO, USER_DEFINED.'],
    [ofRest({}), '`page_url` is required.'],
    [
      ofRest({ pageUrl: MEAL_PLANNER }),
      `\`pageUrl\` ${UNKNOWN}; did you mean \`page_url\`? One more parameter is not valid.`,
    ],
    [
      ofGraphql({ page_url: MEAL_PLANNER }),
      `\`page_url\` ${UNKNOWN}; did you mean \`pageUrl\`? One more parameter is not valid.`,
    ],
    [
      ofRest({ page_url: MEAL_PLANNER, 'show-topbar': true }),
      `\`show-topbar\` ${UNKNOWN}; did you mean \`show_top_bar\`?`,
    ],
    [ofRest({ page_url: MEAL_PLANNER, mdoe: 'dark' }), `\`mdoe\` ${UNKNOWN}; did you mean \`mode\`?`],
    [
      ofRest({ page_url: MEAL_PLANNER, colour: 'red', x: 1 }),
      `\`colour\` ${UNKNOWN}. One more parameter is not valid.`,
    ],
    [ofList('page=2'), `\`page\` ${UNKNOWN}; page with \`after\`, the \`end_cursor\` of the previous page.`],
    [ofList('offset=10'), `\`offset\` ${UNKNOWN}; page with \`after\`, the \`end_cursor\` of the previous page.`],
    [ofList('first=500'), '`first` must be a whole number from 1 to 100.'],
  ];
  for (const [answer, message] of cases) expect(await answer).toBe(message);
});

test('both APIs show where a body is not valid JSON', async () => {
  const ada = await gateway.as('ada');
  const headers = { 'content-type': 'application/json' };
  const detailOf = async (body: string) =>
    (await (await ada.fetch('/v1/embeds', { method: 'POST', headers, body })).json()).detail;
  const messageOf = async (body: string) =>
    (await (await ada.fetch('/graphql', { method: 'POST', headers, body })).json()).errors[0].message;

  const where = (line: number, column: number) => `The body is not valid JSON: see line ${line}, column ${column}.`;
  for (const read of [detailOf, messageOf]) {
    expect(await read('{"a":\n  tru }')).toBe(where(2, 3));
    expect(await read("{'a': 1}")).toBe(where(1, 2));
    expect(await read('{"a": 1,}')).toBe(where(1, 9));
    expect(await read('{"a": 1')).toBe(where(1, 8));
    expect(await read('['.repeat(90_000))).toMatch(/^The body is not valid JSON/);
  }
});

test('REST names the parameter, the rule and the cure of mistakes that newcomers make', async () => {
  const { as, withAuthorization } = gateway;
  const ada = await as('ada');
  const { id } = await ada.create();
  const cases: readonly [method: string, path: string, body: object | undefined, status: number, detail: string][] = [
    ['GET', '/v1/embeds?sort=created_at', undefined, 422, `\`sort\` ${UNKNOWN}; did you mean \`order_by\`?`],
    ['GET', '/v1/embeds?q=meal', undefined, 422, `\`q\` ${UNKNOWN}; did you mean \`search\`?`],
    ['POST', '/v1/embeds', { ...BODY, theme: 'dark' }, 422, `\`theme\` ${UNKNOWN}; did you mean \`mode\`?`],
    ['POST', '/v1/embeds', { page_url: null }, 422, '`page_url` is required, and must not be null.'],
    ['GET', '/v1', undefined, 404, 'There is nothing at this path. Did you mean /v1/embeds?'],
    ['GET', '/v2/embeds', undefined, 404, 'There is nothing at this path. Did you mean /v1/embeds?'],
    ['GET', '/v1/graphql', undefined, 404, 'There is nothing at this path. Did you mean /graphql?'],
    ['GET', '/graphiql', undefined, 404, 'There is nothing at this path. Did you mean /graphql?'],
    ['GET', '/openapi.yaml', undefined, 404, 'There is nothing at this path. Did you mean /openapi.json?'],
    ['GET', '/swagger-ui/index.html', undefined, 404, 'There is nothing at this path. Did you mean /docs?'],
  ];
  for (const [method, path, body, status, detail] of cases) {
    const reply = await ada.rest(method, path, body);
    expect([path, reply.status, reply.body.detail]).toEqual([path, status, detail]);
  }
  const headers = { 'content-type': 'application/json', 'if-match': '"stale"' };
  const stale = await ada.fetch(`/v1/embeds/${id}`, { method: 'PATCH', body: '{"mode":"dark"}', headers });
  expect([stale.status, (await stale.json()).detail]).toEqual([412, CHANGED]);
  const empty = await ada.fetch('/v1/embeds', { method: 'POST', body: '', headers });
  expect([empty.status, (await empty.json()).detail]).toEqual([400, 'The body is empty; it must be a JSON object.']);
  const anonymous = await withAuthorization(null).rest('GET', '/v1/embeds');
  expect(anonymous.body.detail).toBe('Send an access token in the header Authorization: Bearer <token>.');
});

test('GraphQL names the parameter, the rule and the cure of mistakes that newcomers make', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const misplaced = (name: string) => `\`${name}\` is not an argument of this field; send it in \`input\`.`;
  const cases: readonly [query: string, message: string][] = [
    [`mutation { createEmbed(${PAGE_URL}) { embed { id } } }`, misplaced('pageUrl')],
    [`mutation { updateEmbed(id: "${id}", input: { mode: AUTO }) { embed { id } } }`, misplaced('id')],
    [`mutation { deleteEmbed(id: "${id}") { message } }`, misplaced('id')],
    [
      `mutation { createEmbed(input: { ${PAGE_URL}, mode: "DARK" }) { embed { id } } }`,
      '`mode` must be written without quotes: DARK.',
    ],
    [
      '{ embeds(page: 2) { totalCount } }',
      `\`page\` ${UNKNOWN}; page with \`after\`, the \`endCursor\` of the previous page.`,
    ],
    ['{ embeds(limit: 2) { totalCount } }', `\`limit\` ${UNKNOWN}; did you mean \`first\`?`],
    ['{ embeds(sort: CREATED_AT) { totalCount } }', `\`sort\` ${UNKNOWN}; did you mean \`orderBy\`?`],
    [`mutation { updateEmbed(input: { id: "${id}", mode: AUTO, expectedVersion: 9 }) { embed { id } } }`, CHANGED],
  ];
  for (const [query, message] of cases) {
    const { errors } = await ada.graphql(query);
    expect([query, errors[0]?.message]).toEqual([query, message]);
  }
});
