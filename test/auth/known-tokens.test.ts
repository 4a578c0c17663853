import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBearerToken } from '../../src/auth/authenticate.ts';
import { createToken } from '../../src/domain/identity/token.ts';
import { Refusal } from '../../src/errors.ts';
import { type Client, newDatabase, openApp, type TestApp } from '../open-app.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  vi.advanceTimersByTime(3_600_000);
});
afterEach(() => void vi.useRealTimers());

const statusOf = async (client: Client) => (await client.rest('GET', '/v1/embeds')).status;

/** Waits without moving the clocks, which `expect.poll` does. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await condition()); turns++) {
    expect(turns).toBeLessThan(2_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Counts the look-ups of tokens. */
function countLookups({ database }: TestApp): () => number {
  const { tokens } = database;
  const { findByHash } = tokens;
  let lookups = 0;
  tokens.findByHash = (hash) => {
    lookups++;
    return findByHash.call(tokens, hash);
  };
  return () => lookups;
}

test.each([
  [1_999, 200, 200],
  [2_000, 200, 401],
  [3_999, 200, 401],
  [4_000, 401, 401],
])('a token that was revoked %i ms after its look-up gets %i, and then %i', async (ms, first, next) => {
  const gateway = await openApp();
  const ada = await gateway.as('ada');
  expect(await statusOf(ada)).toBe(200);
  const [token] = await gateway.database.tokens.list();
  await gateway.database.tokens.revoke(token?.id ?? '', new Date());
  const lookups = countLookups(gateway);
  vi.advanceTimersByTime(ms);
  expect(await statusOf(ada)).toBe(first);
  expect(lookups()).toBe(first === 200 ? 0 : 1);
  await until(async () => (await statusOf(ada)) === next);
  expect(lookups()).toBe(next === 200 ? 0 : 1);
});

test('tokens that become old one after the other are looked up again together', async () => {
  const gateway = await openApp();
  const clients = [await gateway.as('ada'), await gateway.as('bob')];
  for (const client of clients) expect(await statusOf(client)).toBe(200);
  const lookups = countLookups(gateway);
  vi.advanceTimersByTime(2_000);
  for (const client of [...clients, ...clients]) expect(await statusOf(client)).toBe(200);
  await until(async () => lookups() > 0);
  expect(lookups()).toBe(2);
});

test('an unknown token is looked up again after 2 s', async () => {
  const { database, withAuthorization } = await openApp();
  const { text, token } = createToken({ accountId: 'ada', name: 'x', scopes: ['read'], expiresAt: null }, new Date());
  const ada = withAuthorization(`Bearer ${text}`);
  expect(await statusOf(ada)).toBe(401);
  await database.tokens.ensureAccount('ada', new Date());
  await database.tokens.insert(token);
  vi.advanceTimersByTime(1_999);
  expect(await statusOf(ada)).toBe(401);
  vi.advanceTimersByTime(1);
  expect(await statusOf(ada)).toBe(200);
});

test('simultaneous requests with one token look it up once, and a mistyped one not at all', async () => {
  const gateway = await openApp();
  const ada = await gateway.as('ada');
  const lookups = countLookups(gateway);
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(ada)));
  expect([new Set(statuses), lookups()]).toEqual([new Set([200]), 1]);
  const mistyped = gateway.withAuthorization(`${ada.authorization.slice(0, -1)}!`);
  expect([await statusOf(mistyped), lookups()]).toEqual([401, 1]);
  // another spelling of the header is another look-up
  expect([
    await statusOf(gateway.withAuthorization(ada.authorization.toLowerCase().slice(0, 6) + ada.authorization.slice(6))),
    lookups(),
  ]).toEqual([200, 2]);
});

test('a look-up that fails is repeated, and a known token needs none for 4 s', async () => {
  const gateway = await openApp();
  const ada = await gateway.as('ada');
  const { tokens } = gateway.database;
  const { findByHash } = tokens;
  const fail = () => Promise.reject(new Refusal('unavailable', 'The database does not answer.'));
  tokens.findByHash = fail;
  expect(await statusOf(ada)).toBe(503);
  tokens.findByHash = findByHash;
  expect(await statusOf(ada)).toBe(200);
  tokens.findByHash = fail;
  vi.advanceTimersByTime(3_999);
  expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200]);
  vi.advanceTimersByTime(1);
  expect(await statusOf(ada)).toBe(503);
  tokens.findByHash = findByHash;
  expect(await statusOf(ada)).toBe(200);
});

test('the account of ACCESS_TOKEN is created once, and again if that fails', async () => {
  const { database, withAuthorization } = await openApp({ accessToken: 'any string of 16+ characters' });
  const operator = withAuthorization('Bearer any string of 16+ characters');
  const { tokens } = database;
  const { ensureAccount } = tokens;
  let calls = 0;
  tokens.ensureAccount = () => {
    calls++;
    return Promise.reject(new Refusal('unavailable', 'The database does not answer.'));
  };
  expect([await statusOf(operator), await statusOf(operator), calls]).toEqual([503, 503, 2]);
  tokens.ensureAccount = (...args) => {
    calls++;
    return ensureAccount.apply(tokens, args);
  };
  const spellings = ['Bearer any string of 16+ characters', 'bearer   any string of 16+ characters  '];
  for (const spelling of [...spellings, ...spellings]) expect(await statusOf(withAuthorization(spelling))).toBe(200);
  expect(calls).toBe(3);
});

test.each([
  [null, 'Send an access token in the header Authorization: Bearer <token>.'],
  ['', 'The Authorization header must be: Bearer <token>.'],
  ['Bearer', 'The Authorization header must be: Bearer <token>.'],
  ['Bearer    ', 'The Authorization header must be: Bearer <token>.'],
  ['Basic x', 'The Authorization header must be: Bearer <token>.'],
  ['Bearerx', 'The Authorization header must be: Bearer <token>.'],
  ['Token Bearer x', 'The Authorization header must be: Bearer <token>.'],
  ['Bearer x', 'The token is unknown, expired or revoked.'],
  ['Bearer emb_x', 'The token is not complete or was changed: its checksum is wrong. Copy all 53 characters again.'],
])('the Authorization header %j is refused with a reason', async (authorization, detail) => {
  const { withAuthorization } = await openApp();
  const { status, body } = await withAuthorization(authorization).rest('GET', '/v1/embeds');
  expect([status, body.detail]).toEqual([401, detail]);
});

test('a look-up without a free descriptor is no fault of the caller', async () => {
  const { as, database } = await openApp();
  const ada = await as('ada');
  database.tokens.findByHash = () => Promise.reject(Object.assign(new Error('open EMFILE'), { code: 'EMFILE' }));
  const { status, errors } = await ada.graphql('{ __typename }');
  expect([status, errors[0]?.extensions]).toEqual([
    503,
    { code: 'SERVICE_UNAVAILABLE', retry_after: 1, request_id: expect.any(String) },
  ]);
});

test('an Authorization header is read in a time that grows with its length, not with its square', () => {
  const text = `a${' '.repeat(1_000_000)}b`;
  expect(findBearerToken(`Bearer ${text}  `)).toBe(text);
});

test('the use of a token is recorded once a minute, also by several gateways and when the clock is moved back', async () => {
  const databaseUrl = await newDatabase();
  const uses: string[] = [];
  const openGateway = async (name: string) => {
    const gateway = await openApp({ databaseUrl });
    const { tokens } = gateway.database;
    const { markUsed } = tokens;
    tokens.markUsed = (id, at) => {
      uses.push(name);
      return markUsed.call(tokens, id, at);
    };
    return gateway;
  };
  const first = await openGateway('first');
  // opened now: on a server, their clocks begin with its time, which goes on
  const others = [await openGateway('second'), await openGateway('third')];
  const ada = await first.as('ada');
  const [second, third] = others.map(({ withAuthorization }) => withAuthorization(ada.authorization)) as [
    Client,
    Client,
  ];
  const visit = async (client: Client, ms: number) => {
    vi.advanceTimersByTime(ms);
    await statusOf(client);
    return uses.length;
  };
  expect([await visit(ada, 0), await visit(ada, 55_999), await visit(ada, 4_000)]).toEqual([1, 1, 1]);
  expect([await visit(ada, 4_000), await visit(ada, 56_000), await visit(ada, 4_000)]).toEqual([2, 2, 3]);
  await until(
    async () => Number((await first.database.tokens.list())[0]?.lastUsedAt) === first.database.now().getTime(),
  );
  expect([await visit(second, 55_000), await visit(second, 9_000)]).toEqual([3, 4]);
  vi.advanceTimersByTime(61_000);
  vi.setSystemTime(Date.now() - 62_000);
  await visit(third, 0);
  // the clock of a server does not move with that of the machine
  expect(uses.slice(3)).toEqual(first.database.isRemote ? ['second', 'third'] : ['second']);
});

test('at most 100 uses wait for the database', async () => {
  const gateway = await openApp();
  const { tokens } = gateway.database;
  let waiting: PromiseWithResolvers<void>[] = [];
  tokens.markUsed = () => {
    const use = Promise.withResolvers<void>();
    waiting.push(use);
    return use.promise;
  };
  for (let i = 0; i < 103; i++) expect(await statusOf(await gateway.as('ada'))).toBe(200);
  expect(waiting).toHaveLength(100);
  const [first, second] = waiting.splice(0, 2);
  first?.resolve();
  second?.reject(new Error('The database does not answer.'));
  waiting = [];
  for (let i = 0; i < 3; i++) expect(await statusOf(await gateway.as('ada'))).toBe(200);
  expect(waiting).toHaveLength(2);
});

test('a database that does not answer is no failure of the caller', async () => {
  const { app, database, as } = await openApp();
  const { authorization } = await as('ada');
  database.tokens.findByHash = () => Promise.reject(new Refusal('unavailable', 'The database does not answer.'));
  const statuses = new Set<number>();
  for (let i = 0; i < 605; i++) {
    const request = new Request('http://localhost:4000/v1/embeds', { headers: { authorization } });
    statuses.add((await app.fetch(request)).status);
  }
  expect([...statuses]).toEqual([503]);
});
