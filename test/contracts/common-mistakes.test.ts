import { expect, test } from 'vitest';
import { shareApp } from '../open-app.ts';

const gateway = shareApp();

const BODY = { page_url: 'https://example.com/a' };
const PAGE_URL = 'pageUrl: "https://example.com/a"';

const CHANGED =
  'The embed has changed since you read it: read it again, and send its current ETag in If-Match, or its version as expectedVersion.';

test('REST names the parameter, the rule and the cure of mistakes that newcomers make', async () => {
  const { as, withAuthorization } = gateway;
  const ada = await as('ada');
  const { id } = await ada.create();
  const unknown = 'is not a parameter of this operation';
  const cases: readonly [method: string, path: string, body: object | undefined, status: number, detail: string][] = [
    ['GET', '/v1/embeds?sort=created_at', undefined, 422, `\`sort\` ${unknown}; did you mean \`order_by\`?`],
    ['GET', '/v1/embeds?q=meal', undefined, 422, `\`q\` ${unknown}; did you mean \`search\`?`],
    ['POST', '/v1/embeds', { ...BODY, theme: 'dark' }, 422, `\`theme\` ${unknown}; did you mean \`mode\`?`],
    ['POST', '/v1/embeds', { page_url: null }, 422, '`page_url` is required, and must not be null.'],
    ['GET', '/v1', undefined, 404, 'There is nothing at this path. Did you mean /v1/embeds?'],
    ['GET', '/v2/embeds', undefined, 404, 'There is nothing at this path. Did you mean /v1/embeds?'],
    ['GET', '/v1/graphql', undefined, 404, 'There is nothing at this path. Did you mean /graphql?'],
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
  const unknown = 'is not a parameter of this operation';
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
      `\`page\` ${unknown}; page with \`after\`, the \`endCursor\` of the previous page.`,
    ],
    ['{ embeds(limit: 2) { totalCount } }', `\`limit\` ${unknown}; did you mean \`first\`?`],
    ['{ embeds(sort: CREATED_AT) { totalCount } }', `\`sort\` ${unknown}; did you mean \`orderBy\`?`],
    [`mutation { updateEmbed(input: { id: "${id}", mode: AUTO, expectedVersion: 9 }) { embed { id } } }`, CHANGED],
  ];
  for (const [query, message] of cases) {
    const { errors } = await ada.graphql(query);
    expect([query, errors[0]?.message]).toEqual([query, message]);
  }
});
