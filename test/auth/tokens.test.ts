import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createToken, isTokenText, SCOPES } from '../../src/domain/identity/token.ts';
import { MEAL_PLANNER, openApp, shareApp } from '../open-app.ts';

const gateway = shareApp();

const LOG = { info: () => {}, warn: () => {}, error: () => {} };
const CHALLENGE = 'Bearer realm="embed-gateway"';

test('replies with 401 at both doors to missing and invalid tokens, with the challenges of RFC 6750', async () => {
  const { withAuthorization } = gateway;
  const { text } = createToken({ accountId: 'ada', name: 'x', scopes: SCOPES, expiresAt: null }, new Date());
  const cases: [string | null, string, string][] = [
    [null, CHALLENGE, 'unauthenticated'],
    ['Basic YWRhOnNlY3JldA==', CHALLENGE, 'unauthenticated'],
    ['Bearer', CHALLENGE, 'unauthenticated'],
    [`Bearer ${text}`, `${CHALLENGE}, error="invalid_token"`, 'invalid_token'],
    [`Bearer ${text.slice(0, -1)}!`, `${CHALLENGE}, error="invalid_token"`, 'invalid_token'],
    ['Bearer nonsense', `${CHALLENGE}, error="invalid_token"`, 'invalid_token'],
  ];
  for (const [authorization, challenge, code] of cases) {
    const client = withAuthorization(authorization);
    const rest = await client.rest('GET', '/v1/embeds');
    expect([authorization, rest.status, rest.headers.get('www-authenticate')]).toEqual([authorization, 401, challenge]);
    expect(rest.body).toMatchObject({ status: 401, code });
    const graphql = await client.graphql('{ embeds { totalCount } }');
    expect([authorization, graphql.status, graphql.headers.get('www-authenticate')]).toEqual([
      authorization,
      401,
      challenge,
    ]);
    expect(graphql.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  }
});

test('refuses a missing scope with 403 insufficient_scope in REST and FORBIDDEN in GraphQL', async () => {
  const { as } = gateway;
  const reader = await as('ada', ['read']);
  const post = await reader.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  expect(post.status).toBe(403);
  expect(post.body.code).toBe('insufficient_scope');
  expect(post.headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope"`);
  const mutation = await reader.graphql(
    `mutation { createEmbed(input: { pageUrl: "${MEAL_PLANNER}" }) { embed { id } } }`,
  );
  expect(mutation.errors[0]?.extensions.code).toBe('FORBIDDEN');
  expect((await reader.rest('GET', '/v1/embeds')).body.total_count).toBe(0);

  const writer = await as('ada', ['write']);
  const created = await writer.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  expect(created.status).toBe(201);
  expect((await writer.rest('GET', `/v1/embeds/${created.body.embed.id}`)).status).toBe(403);
  const node = await writer.graphql('query($id: ID!) { node(id: $id) { id } }', { id: created.body.embed.id });
  expect(node.errors[0]?.extensions.code).toBe('FORBIDDEN');
});

test('refuses an update that changes nothing to a token with only the scope write', async () => {
  const { as, database } = await openApp();
  const [ada, bob] = [await as('ada'), await as('bob')];
  const [writer, bobsWriter] = [await as('ada', ['write']), await as('bob', ['write'])];
  const { id } = await ada.create({ mode: 'dark', font: 'Lora' });
  const path = `/v1/embeds/${id}`;
  const UPDATE = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { pageUrl title: html } } }';
  const needsRead =
    'This update changes nothing, so it would only read the embed: that needs a token with the scope read.';
  for (const [body, input] of [
    [{}, {}],
    [{ mode: 'dark' }, { mode: 'DARK' }],
    [
      { page_url: MEAL_PLANNER, font: 'Lora', show_top_bar: true },
      { pageUrl: MEAL_PLANNER, font: 'Lora', showTopBar: true },
    ],
    [{ page_id: '95747105f402490eba51d52e00496c1c' }, { pageId: '95747105f402490eba51d52e00496c1c' }],
  ]) {
    const rest = await writer.rest('PATCH', path, body);
    expect([rest.status, rest.headers.get('etag'), rest.body]).toEqual([
      403,
      null,
      expect.objectContaining({ code: 'insufficient_scope', detail: needsRead, errors: [] }),
    ]);
    const graphql = await writer.graphql(UPDATE, { input: { id, ...input } });
    expect([graphql.data, graphql.errors]).toEqual([
      null,
      [expect.objectContaining({ message: needsRead, extensions: expect.objectContaining({ code: 'FORBIDDEN' }) })],
    ]);
    // allowed with the scope read; other accounts do not learn that the embed exists
    expect((await ada.rest('PATCH', path, body)).status).toBe(200);
    for (const stranger of [bob, bobsWriter]) {
      expect((await stranger.rest('PATCH', path, body)).body.code).toBe('not_found');
      const theirs = await stranger.graphql(UPDATE, { input: { id, ...input } });
      expect(theirs.errors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    }
  }
  expect((await database.embeds.find('ada', id))?.version).toBe(1);
  const changed = await writer.rest('PATCH', path, { mode: 'light' });
  expect([changed.status, changed.body.embed.font]).toEqual([200, 'Lora']);
});

test('refuses conditions to a token with only the scope write, and replays idempotent creates to it', async () => {
  const { as } = gateway;
  const [ada, writer] = [await as('ada'), await as('ada', ['write'])];
  const post = async (client: typeof ada, mode: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-1' };
    const body = JSON.stringify({ page_url: MEAL_PLANNER, mode });
    const response = await client.fetch('/v1/embeds', { method: 'POST', body, headers });
    return { status: response.status, ...((await response.json()) as { embed: { id: string }; errors: object }) };
  };
  const { embed } = await post(ada, 'dark');
  // the client sent all parameters, so the response adds only the id
  expect(await post(writer, 'dark')).toEqual({ status: 201, embed });
  expect(await post(writer, 'light')).toMatchObject({ status: 422, errors: [{ path: 'Idempotency-Key' }] });
  const etag = (await ada.rest('GET', `/v1/embeds/${embed.id}`)).headers.get('etag') ?? '';
  for (const method of ['PATCH', 'DELETE']) {
    for (const condition of [etag, '"another"', '*']) {
      const body = method === 'PATCH' ? '{"mode":"light"}' : null;
      const headers = { 'if-match': condition, ...(body && { 'content-type': 'application/json' }) };
      const response = await writer.fetch(`/v1/embeds/${embed.id}`, { method, body, headers });
      expect([method, condition, response.status]).toEqual([method, condition, 403]);
    }
  }
  const deleted = await writer.rest('DELETE', `/v1/embeds/${embed.id}`);
  expect(deleted.body).toEqual({ message: `The embed ${embed.id} was deleted successfully.` });
});

test('hides the embeds of an account from other accounts', async () => {
  const { as } = gateway;
  const [ada, bob] = [await as('ada'), await as('bob')];
  const embed = await ada.create();
  const path = `/v1/embeds/${embed.id}`;
  const unknown = '/v1/embeds/01m7y4dcyp2ad36zr4waqryvpr';
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { mode: 'dark' }],
    ['DELETE', undefined],
  ] as const) {
    const theirs = await bob.rest(method, path, body);
    const nobodys = await bob.rest(method, unknown, body);
    expect(theirs.status).toBe(404);
    expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobodys.body, request_id: '' });
  }
  const list = await bob.rest('GET', `/v1/embeds?after=7zzzzzzzzzzzzzzzzzzzzzzzzz`);
  expect(list.body).toMatchObject({ embeds: [], total_count: 0 });
  const query =
    'query($id: ID!) { embed(id: $id) { id } node(id: $id) { id } nodes(ids: [$id]) { id } embeds { totalCount nodes { id } } }';
  const { data } = await bob.graphql(query, { id: embed.id });
  expect(data).toEqual({ embed: null, node: null, nodes: [null], embeds: { totalCount: 0, nodes: [] } });
  expect((await ada.rest('GET', path)).body.embed).toEqual(embed);
});

test('refuses an expired or revoked token within 5 seconds of its last use', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const { database, withAuthorization } = gateway;
    const now = database.now();
    const createClientWith = async (expiresAt: Date | null) => {
      const { text, token } = createToken({ accountId: 'ada', name: 'x', scopes: SCOPES, expiresAt }, now);
      await database.tokens.ensureAccount('ada', now);
      await database.tokens.insert(token);
      return { id: token.id, client: withAuthorization(`Bearer ${text}`) };
    };
    const expiring = await createClientWith(new Date(now.getTime() + 60_000));
    const revoked = await createClientWith(null);
    const statuses = async () => {
      const responses = [
        await expiring.client.rest('GET', '/v1/embeds'),
        await revoked.client.rest('GET', '/v1/embeds'),
      ];
      return responses.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    expect(await database.tokens.revoke(revoked.id, new Date())).toMatchObject({ id: revoked.id });
    vi.advanceTimersByTime(5_000);
    expect(await statuses()).toEqual([200, 401]);
    vi.advanceTimersByTime(55_001);
    expect(await statuses()).toEqual([401, 401]);
  } finally {
    vi.useRealTimers();
  }
});

test('refuses a revoked token within 5 seconds although the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const { database, withAuthorization } = gateway;
    const { text, token } = createToken({ accountId: 'ada', name: 'x', scopes: SCOPES, expiresAt: null }, new Date());
    await database.tokens.ensureAccount('ada', new Date());
    await database.tokens.insert(token);
    const ada = withAuthorization(`Bearer ${text}`);
    expect((await ada.rest('GET', '/v1/embeds')).status).toBe(200);
    await database.tokens.revoke(token.id, new Date());
    vi.setSystemTime(Date.now() - 86_400_000);
    vi.advanceTimersByTime(5_000);
    expect((await ada.rest('GET', '/v1/embeds')).status).toBe(401);
  } finally {
    vi.useRealTimers();
  }
});

test('a token is created and ends by the clock of the database, which is not that of this machine', async () => {
  const { database, as } = await openApp();
  const ada = await as('ada');
  const now = () => new Date(Date.now() + 3_600_000);
  const late = createApp({ config: { ...readConfig({}), renderer: 'off' }, database: { ...database, now }, log: LOG });
  onTestFinished(() => late.close());
  const headers = { authorization: ada.authorization, 'content-type': 'application/json' };
  const post = (fields: object) => {
    const body = JSON.stringify({ name: 'x', scopes: ['read'], ...fields });
    return late.fetch(new Request('http://localhost:4000/v1/tokens', { method: 'POST', headers, body }));
  };
  const { token } = await (await post({})).json();
  expect(Date.parse(token.created_at)).toBeGreaterThan(Date.now() + 3_000_000);
  const { secret } = await (await post({ expires_at: new Date(Date.now() + 1_800_000).toISOString() })).json();
  const url = 'http://localhost:4000/v1/embeds';
  const list = await late.fetch(new Request(url, { headers: { authorization: `Bearer ${secret}` } }));
  expect(list.status).toBe(401);
});

test('accepts ACCESS_TOKEN as a token of the account default with all scopes', async () => {
  const accessToken = 'any string of 16+ characters';
  const { withAuthorization, as } = await openApp({ accessToken });
  const operator = withAuthorization(`Bearer ${accessToken}`);
  expect((await operator.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER })).status).toBe(201);
  expect((await (await as('default')).rest('GET', '/v1/embeds')).body.total_count).toBe(1);
  expect((await withAuthorization(`Bearer ${accessToken}x`).rest('GET', '/v1/embeds')).status).toBe(401);
});

test('detects mistyped tokens by their checksum, and stores only the hash of a token', async () => {
  const { text, token } = createToken({ accountId: 'ada', name: 'x', scopes: SCOPES, expiresAt: null }, new Date());
  expect(text).toMatch(/^emb_[0-9A-Za-z]{49}$/);
  expect(isTokenText(text)).toBe(true);
  for (let i = 4; i < text.length; i++) {
    const other = text[i] === 'a' ? 'b' : 'a';
    expect(isTokenText(text.slice(0, i) + other + text.slice(i + 1))).toBe(false);
  }
  expect(JSON.stringify(token)).not.toContain(text.slice(4, 20));
});
