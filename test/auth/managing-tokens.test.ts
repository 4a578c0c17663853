import { expect, test, vi } from 'vitest';
import { createToken, type Scope } from '../../src/domain/identity/token.ts';
import { expectParity } from '../contracts/parity.ts';
import { isOnCitus } from '../databases/database.ts';
import { type Client, isOnPostgresql, newDatabase, openApp, openRaw, type TestApp } from '../open-app.ts';
import { readDocument } from '../rest/conformance.ts';

const LIST = `query($first: Int, $after: String) {
  tokens(first: $first, after: $after) {
    edges { cursor }
    nodes { id name scopes createdAt expiresAt revokedAt lastUsedAt }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    totalCount
  }
}`;
const CREATE = 'mutation($input: CreateTokenInput!) { createToken(input: $input) { token { id scopes } secret } }';
const REVOKE = 'mutation($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id revokedAt } } }';
const NODES = 'query($ids: [ID!]!) { node(id: "000000000000") { id } nodes(ids: $ids) { id ... on Token { name } } }';

const NAMES = { read: 'READ', write: 'WRITE', admin: 'ADMIN' } as const;
const graphqlNames = (scopes: readonly string[]) => scopes.map((scope) => NAMES[scope as Scope] ?? scope);

/** Creates a token of an account in the store, and returns its id and a client that uses it. */
async function addToken({ database, withAuthorization }: TestApp, accountId: string, scopes: readonly Scope[]) {
  const { text, token } = createToken({ accountId, name: 'stored', scopes, expiresAt: null }, new Date());
  await database.tokens.ensureAccount(accountId, token.createdAt);
  await database.tokens.insert(token);
  return { id: token.id, client: withAuthorization(`Bearer ${text}`) };
}

test('creates, lists and revokes tokens through both APIs, and shows the secret once', async () => {
  const app = await openApp();
  const { client: ada } = await addToken(app, 'ada', ['read', 'write', 'admin']);
  const { expectConforming } = await readDocument(ada);
  const answers: string[] = [];
  const call = async (client: Client, method: string, path: string, body?: object) => {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await client.fetch(path, { method, ...json });
    const text = await response.text();
    expectConforming(method, path, response, text);
    if (response.ok) expect(response.headers.get('cache-control')).toBe('no-store');
    return { status: response.status, text, body: JSON.parse(text) };
  };

  const draft = { name: 'ci', scopes: ['write', 'read'], expires_at: '2036-01-31T12:00:00+01:00' };
  const rest = await call(ada, 'POST', '/v1/tokens', draft);
  expect([rest.status, rest.body]).toEqual([
    201,
    {
      token: {
        id: expect.stringMatching(/^\w{12}$/),
        name: 'ci',
        scopes: ['read', 'write'],
        created_at: expect.stringMatching(/Z$/),
        expires_at: '2036-01-31T11:00:00.000Z',
        revoked_at: null,
        last_used_at: null,
      },
      secret: expect.stringMatching(/^emb_\w{49}$/),
    },
  ]);
  const graphql = await ada.graphql(CREATE, { input: { name: 'reader', scopes: 'READ' } });
  expect(graphql.headers.get('cache-control')).toBe('no-store');
  const secrets: string[] = [rest.body.secret, graphql.data.createToken.secret];
  const [writer, reader] = secrets.map((secret) => app.withAuthorization(`Bearer ${secret}`)) as [Client, Client];
  expect((await writer.rest('POST', '/v1/embeds', { page_url: 'https://example.com/a' })).status).toBe(201);
  expect((await reader.rest('POST', '/v1/embeds', { page_url: 'https://example.com/a' })).status).toBe(403);

  // pages of both APIs, newest first
  const names: string[] = [];
  let path: string | undefined = '/v1/tokens?first=2';
  while (path) {
    const response = await ada.fetch(path);
    const { tokens, total_count, pagination } = (await response.json()) as Awaited<ReturnType<Client['rest']>>['body'];
    answers.push(JSON.stringify(tokens));
    expect([total_count, pagination.total_count, pagination.end_cursor]).toEqual([3, 3, tokens.at(-1).id]);
    names.push(...tokens.map(({ name }: { name: string }) => name));
    path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    expect(pagination.has_next_page).toBe(path !== undefined);
  }
  expect(names).toEqual(['reader', 'ci', 'stored']);
  const [{ data: first }, all] = [await ada.graphql(LIST, { first: 1 }), await ada.graphql(LIST, { after: null })];
  const rows = all.data.tokens.nodes;
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(rows[1]).toMatchObject({ scopes: ['READ', 'WRITE'], expiresAt: '2036-01-31T11:00:00.000Z', revokedAt: null });
  expect(first.tokens.pageInfo).toEqual({
    startCursor: rows[0].id,
    endCursor: rows[0].id,
    hasNextPage: true,
    hasPreviousPage: false,
  });
  const last = await ada.graphql(LIST, { after: rows[1].id });
  expect(last.data.tokens).toMatchObject({
    nodes: [{ name: 'stored' }],
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
  const beyond = await ada.rest('GET', `/v1/tokens?after=${rows[2].id}`);
  expect(beyond.body).toMatchObject({ tokens: [], total_count: 3, pagination: { end_cursor: null } });
  const nodes = await ada.graphql(NODES, { ids: [rows[1].id, 'nonsense', rows[0].id, '000000000000'] });
  expect(nodes.data).toEqual({
    node: null,
    nodes: [{ id: rows[1].id, name: 'ci' }, null, { id: rows[0].id, name: 'reader' }, null],
  });

  // a second revocation changes nothing
  const revoked = await call(ada, 'DELETE', `/v1/tokens/${rows[1].id}`);
  expect([revoked.status, revoked.body.token.id]).toEqual([200, rows[1].id]);
  expect((await call(ada, 'DELETE', `/v1/tokens/${rows[1].id}`)).body).toEqual(revoked.body);
  const again = await ada.graphql(REVOKE, { input: { id: rows[0].id } });
  expect(again.data.revokeToken.token).toEqual({ id: rows[0].id, revokedAt: expect.any(String) });
  answers.push(JSON.stringify(all), JSON.stringify(app.logged), revoked.text, JSON.stringify(again));
  for (const secret of secrets) for (const answer of answers) expect(answer).not.toContain(secret.slice(4, 47));
});

test('rejects the same requests with the same messages at both APIs', async () => {
  const app = await openApp();
  const { id, client: ada } = await addToken(app, 'ada', ['read', 'admin']);
  const { id: bobsId } = await addToken(app, 'bob', ['read', 'write', 'admin']);
  const drafts: Record<string, unknown>[] = [
    {},
    { name: 'Ci', scopes: [] },
    { name: '', scopes: ['owner'] },
    { name: 7, scopes: ['read', 'read'] },
    { name: 'ci', scopes: ['read', null] },
    { name: 'ci', scopes: null, expires_at: null },
    { name: 'ci', scopes: ['read'], expires_at: 'soon' },
    { name: 'ci', scopes: ['read'], expires_at: '2001-01-01T00:00:00Z' },
    { name: 'ci', scopes: ['read'], expires_at: 5, account: 'bob' },
    // without faults, but with scopes that the caller does not have
    { name: 'ci', scopes: ['read', 'write'] },
    { name: 'ci', scopes: ['write'] },
  ];
  for (const draft of drafts) {
    const rest = await ada.rest('POST', '/v1/tokens', draft);
    const { expires_at, scopes, ...others } = draft;
    const input = {
      ...others,
      ...(scopes !== undefined && { scopes: Array.isArray(scopes) ? graphqlNames(scopes) : scopes }),
      ...(expires_at !== undefined && { expiresAt: expires_at }),
    };
    expectParity(draft, rest.body, (await ada.graphql(CREATE, { input })).errors[0]);
  }
  const faulty = await ada.rest('POST', '/v1/tokens', { name: 'Ci', scopes: [], expires_at: 'soon', account: 'bob' });
  expect([faulty.status, faulty.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['account', 'name', 'scopes', 'expires_at'],
  ]);
  for (const variables of [
    { first: 0 },
    { first: 101 },
    { after: 'x' },
    { after: '000000000000' },
    { after: bobsId },
  ]) {
    const query = new URLSearchParams(Object.entries(variables).map(([name, value]) => [name, String(value)]));
    const rest = await ada.rest('GET', `/v1/tokens?${query}`);
    expect(rest.status).toBe(422);
    expectParity(variables, rest.body, (await ada.graphql(LIST, variables)).errors[0]);
  }
  for (const [target, status] of [
    ['nonsense', 404],
    ['000000000000', 404],
    [bobsId, 404],
    [id, 409],
  ] as const) {
    const rest = await ada.rest('DELETE', `/v1/tokens/${target}`);
    expect([target, rest.status]).toEqual([target, status]);
    expectParity(target, rest.body, (await ada.graphql(REVOKE, { input: { id: target } })).errors[0]);
  }
  expect((await ada.graphql(NODES, { ids: [bobsId] })).data).toEqual({ node: null, nodes: [null] });
  expect((await ada.rest('GET', '/v1/tokens')).body.total_count).toBe(1);

  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-1' };
  const body = JSON.stringify({ name: 'ci', scopes: ['read'] });
  const keyed = await ada.fetch('/v1/tokens', { method: 'POST', headers, body });
  expect([keyed.status, (await keyed.json()) as object]).toMatchObject([
    422,
    { errors: [{ path: 'Idempotency-Key' }] },
  ]);
  const patched = await ada.rest('PATCH', `/v1/tokens/${id}`, {});
  expect([patched.status, patched.headers.get('allow')]).toEqual([405, 'DELETE, OPTIONS']);
});

test('needs the scope admin, which implies no other scope, and hides faults from tokens without it', async () => {
  const { as } = await openApp();
  const [admin, user] = [await as('ada', ['admin']), await as('ada', ['read', 'write'])];
  const calls: [string, string, object | undefined, string, object][] = [
    ['GET', '/v1/tokens?first=x', undefined, LIST, { first: 'x' }],
    ['POST', '/v1/tokens', { scopes: 7 }, CREATE, { input: { scopes: 7 } }],
    ['POST', '/v1/tokens', { name: 'ci', scopes: ['read'] }, CREATE, { input: { name: 'ci', scopes: ['READ'] } }],
    ['DELETE', '/v1/tokens/000000000000', undefined, REVOKE, { input: { id: '000000000000' } }],
  ];
  for (const [method, path, body, query, variables] of calls) {
    const rest = await user.rest(method, path, body);
    expect([path, rest.status, rest.body.detail]).toEqual([path, 403, 'This needs a token with the scope admin.']);
    expectParity(path, rest.body, (await user.graphql(query, variables)).errors[0]);
  }
  for (const ids of [['000000000000'], ['01m7y4dcyp2ad36zr4waqryvpr', '000000000000']]) {
    const codes = async (client: Client) =>
      (await client.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).errors.map((e) => e.message);
    expect(await codes(user)).toEqual(['This needs a token with the scope admin.']);
    expect(await codes(admin)).toEqual(ids.length === 1 ? [] : ['This needs a token with the scope read.']);
  }
  expect((await admin.rest('GET', '/v1/embeds')).status).toBe(403);
  expect((await admin.rest('POST', '/v1/embeds', { page_url: 'https://example.com' })).status).toBe(403);
  expect((await admin.rest('GET', '/v1/tokens')).body.total_count).toBe(2);
  const faults = await admin.graphql(LIST, { first: 'x' });
  expect(faults.errors[0]?.extensions.errors).toEqual([
    { path: 'first', message: 'must be a whole number from 1 to 100' },
  ]);
});

test('keeps one valid admin token of the account, also when all are revoked at once', async () => {
  const app = await openApp();
  const admins = await Promise.all(Array.from({ length: 6 }, () => addToken(app, 'ada', ['admin'])));
  const expired = createToken({ accountId: 'ada', name: 'x', scopes: ['admin'], expiresAt: new Date(1) }, new Date());
  await app.database.tokens.insert(expired.token);
  const { id: readerId } = await addToken(app, 'ada', ['read']);
  await addToken(app, 'bob', ['admin']);
  // each revokes the next one, while uses of all are recorded
  const revocations = await Promise.all(
    admins.flatMap(({ client }, i) => [
      client.rest('DELETE', `/v1/tokens/${admins[(i + 1) % admins.length]?.id}`),
      app.database.tokens.markUsed(admins[i]?.id ?? '', new Date()),
    ]),
  );
  const statuses = revocations.flatMap((response) => (response ? [response.status] : []));
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 409]);
  const stored = await app.database.tokens.list();
  const left = admins.filter(({ id }) => stored.some((token) => token.id === id && token.revokedAt === null));
  expect(left).toHaveLength(1);
  const last = left[0] as (typeof admins)[number];
  const message = /^This is the last token of the account with the scope admin/;
  expect((await last.client.rest('DELETE', `/v1/tokens/${last.id}`)).body.detail).toMatch(message);
  for (const id of [readerId, expired.token.id]) {
    expect((await last.client.rest('DELETE', `/v1/tokens/${id}`)).status).toBe(200);
  }
});

test('does not count an admin token that expires within 24 hours as another one', async () => {
  const app = await openApp();
  const { id, client } = await addToken(app, 'ada', ['admin']);
  const addExpiring = async (afterMs: number) => {
    const expiresAt = new Date(Date.now() + afterMs);
    const { token } = createToken({ accountId: 'ada', name: 'x', scopes: ['admin'], expiresAt }, new Date());
    await app.database.tokens.insert(token);
    return token.id;
  };
  const revoke = (tokenId: string) => client.rest('DELETE', `/v1/tokens/${tokenId}`);
  const hourMs = 3_600_000;
  const soon = await addExpiring(4_000);
  await addExpiring(23 * hourMs);
  const refused = await revoke(id);
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  expect(refused.body.detail).toContain('no other one is valid for 24 hours more');
  expect((await revoke(soon)).status).toBe(200);
  await addExpiring(25 * hourMs);
  expect((await revoke(id)).status).toBe(200);
});

test.skipIf(!isOnPostgresql)('lets simultaneous revocations on PostgreSQL see each other', async () => {
  const databaseUrl = await newDatabase();
  const app = await openApp({ databaseUrl });
  const [one, other] = [await addToken(app, 'ada', ['admin']), await addToken(app, 'ada', ['admin'])];
  const raw = await openRaw(databaseUrl);
  await raw.query('BEGIN');
  await raw.query('SELECT * FROM "Token" FOR UPDATE');
  const revocations = [one, other].map(({ id }, i) => [other, one][i]?.client.rest('DELETE', `/v1/tokens/${id}`));
  // both have begun, and wait for the locks
  const waiting = isOnCitus
    ? `SELECT count(DISTINCT waiting_gpid) FROM citus_lock_waits WHERE blocked_statement LIKE '%revokedAt%'`
    : `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%revokedAt%'`;
  const watcher = await openRaw(databaseUrl);
  await expect.poll(async () => Number((await watcher.query(waiting))[0]?.count)).toBe(2);
  await raw.query('COMMIT');
  const statuses = (await Promise.all(revocations)).map((response) => response?.status);
  expect(statuses.toSorted()).toEqual([200, 409]);
});

test('lets ACCESS_TOKEN revoke every token, and the command line too', async () => {
  const app = await openApp({ accessToken: 'the token of the operator' });
  const operator = app.withAuthorization('Bearer the token of the operator');
  const { id } = await addToken(app, 'default', ['read', 'write', 'admin']);
  expect((await operator.rest('DELETE', `/v1/tokens/${id}`)).status).toBe(200);
  const { body } = await operator.rest('POST', '/v1/tokens', { name: 'next', scopes: ['read', 'write', 'admin'] });
  expect(body.token.scopes).toEqual(['read', 'write', 'admin']);
  expect((await operator.rest('GET', '/v1/tokens')).body.tokens.map(({ name }: { name: string }) => name)).toEqual([
    'next',
    'stored',
  ]);
  expect(await app.database.tokens.revoke(body.token.id, new Date())).toMatchObject({ name: 'next' });
});

test('records the last use at most once a minute, and never lets a request wait for it', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const app = await openApp();
    const { id, client } = await addToken(app, 'ada', ['read', 'admin']);
    const { markUsed } = app.database.tokens;
    const uses: string[] = [];
    // a database that never answers
    app.database.tokens.markUsed = (tokenId) => {
      uses.push(tokenId);
      return new Promise(() => {});
    };
    for (let i = 0; i < 100; i++) {
      expect((await client.rest('GET', '/v1/embeds')).status).toBe(200);
      vi.advanceTimersByTime(1_000);
    }
    expect(uses).toEqual([id, id]);
    app.database.tokens.markUsed = markUsed;
    vi.advanceTimersByTime(60_000);
    const usedAt = app.database.now().toISOString();
    await client.rest('GET', '/v1/embeds');
    const lastUsed = async () => (await client.rest('GET', '/v1/tokens')).body.tokens[0].last_used_at;
    await expect.poll(lastUsed).toBe(usedAt);
    vi.advanceTimersByTime(59_000);
    await client.rest('GET', '/v1/embeds');
    expect(await lastUsed()).toBe(usedAt);
  } finally {
    vi.useRealTimers();
  }
});
