import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthenticate } from '../../src/auth/authenticate.ts';
import { authorizationOf } from '../../src/auth/session-cookie.ts';
import { hashOfSession } from '../../src/domain/identity/session.ts';
import { createToken, hashOfToken } from '../../src/domain/identity/token.ts';
import { type Client, openApp, shareApp, type TestApp } from '../open-app.ts';

const gateway = shareApp();
const ORIGIN = 'http://localhost:4000';
const OWN = { origin: ORIGIN, 'content-type': 'application/json' };

/** Sends a request as a browser does for a page of the origin. */
function browse({ app }: Pick<TestApp, 'app'>, method: string, path: string, init: RequestInit = {}, base = ORIGIN) {
  const headers = new Headers({ ...OWN, ...(init.headers as Record<string, string>) });
  return app.fetch(new Request(new URL(path, base), { ...init, method, headers }));
}

const exchange = (app: TestApp, token: string, headers: Record<string, string> = {}) =>
  browse(app, 'POST', '/session', { headers, body: JSON.stringify({ token }) });

const tokenOf = ({ authorization }: Client) => authorization.replace('Bearer ', '');

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function signIn(app: TestApp, client: Client): Promise<string> {
  const response = await exchange(app, tokenOf(client));
  expect(response.status).toBe(204);
  return cookieOf(response);
}

const VIEWER = JSON.stringify({ query: '{ viewer { accountId tokenName scopes } }' });

async function viewerOf(app: TestApp, headers: Record<string, string>) {
  const response = await browse(app, 'POST', '/graphql', { headers, body: VIEWER });
  return { status: response.status, viewer: (await response.json()).data?.viewer };
}

const statusOf = async (app: TestApp, headers: Record<string, string>) => (await viewerOf(app, headers)).status;

/** Moves the clock over the time for which a known credential counts without a look-up. */
function passLookups(ms = 4_100): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}

test('a token is exchanged for a session with its account, name and scopes', async () => {
  const ada = await gateway.as('ada', ['read', 'write']);
  const response = await exchange(gateway, tokenOf(ada));
  expect(response.headers.get('set-cookie')).toMatch(
    /^embed-gateway-session-4000=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { status, viewer } = await viewerOf(gateway, { cookie: `theme=dark; ${cookieOf(response)}` });
  expect(status).toBe(200);
  expect(viewer).toMatchObject({ tokenName: 'test', scopes: ['READ', 'WRITE'] });
  expect(viewer.accountId).toBe((await ada.graphql('{ viewer { accountId } }')).data.viewer.accountId);
});

test('spaces around a token do not count', async () => {
  const response = await exchange(gateway, ` ${tokenOf(await gateway.as('ada'))}\n`);
  expect([response.status, await statusOf(gateway, { cookie: cookieOf(response) })]).toEqual([204, 200]);
});

test('a request for another account than that of the session is rejected', async () => {
  const ada = await gateway.as('ada');
  const { accountId } = (await ada.graphql('{ viewer { accountId } }')).data.viewer;
  const cookie = await signIn(gateway, ada);
  expect(await statusOf(gateway, { cookie, 'embed-account': encodeURIComponent(accountId) })).toBe(200);
  expect(await statusOf(gateway, { cookie, 'embed-account': 'another' })).toBe(401);
});

test('a console without a cookie gets an error that says that its session has ended', async () => {
  const ended = 'The session has ended: it was signed out, has expired, or its token was revoked.';
  const read = await browse(gateway, 'POST', '/graphql', { headers: { 'embed-account': 'ada' }, body: VIEWER });
  expect([read.status, (await read.json()).errors[0].message]).toEqual([401, ended]);
  const change = await browse(gateway, 'POST', '/session', { body: JSON.stringify({ account: 'sales' }) });
  expect([change.status, (await change.json()).detail]).toEqual([401, ended]);
});

test('behind TLS, only a cookie that no other host can set counts', async () => {
  const ada = await gateway.as('ada');
  const secure = { origin: 'https://gateway.example' };
  const options = { headers: secure, body: JSON.stringify({ token: tokenOf(ada) }) };
  const response = await browse(gateway, 'POST', '/session', options, 'http://gateway.example');
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Host-embed-gateway-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = cookieOf(response);
  const ask = async (headers: Record<string, string>) =>
    (
      await browse(
        gateway,
        'POST',
        '/graphql',
        { headers: { ...secure, ...headers }, body: VIEWER },
        'http://gateway.example',
      )
    ).status;
  expect(await ask({ cookie })).toBe(200);
  expect(await ask({ cookie: cookie.replace('__Host-', '') })).toBe(401);
});

describe('the cookie does not count', () => {
  test.each<[string, Record<string, string>]>([
    ['with the origin of another site', { origin: 'https://evil.example' }],
    ['with the origin of an embed', { origin: 'http://01kb0000000000000000000000.embeds.localhost:4000' }],
    ['with the origin of a sandbox', { origin: 'null' }],
    ['with another port', { origin: 'http://localhost:4001' }],
    ['for a request of a site beside', { 'sec-fetch-site': 'same-site' }],
    ['for a request of another site', { 'sec-fetch-site': 'cross-site' }],
    ['for a request of the user', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_case, headers) => {
    const cookie = await signIn(gateway, await gateway.as('ada'));
    expect(await statusOf(gateway, { cookie })).toBe(200);
    expect(await statusOf(gateway, { cookie, ...headers })).toBe(401);
    const response = await browse(gateway, 'DELETE', '/session', { headers: { cookie, ...headers } });
    expect(response.status).toBe(403);
    expect(await statusOf(gateway, { cookie })).toBe(200);
    expect((await exchange(gateway, 'x', headers)).status).toBe(403);
  });

  test('without an origin, for MCP, and as a header', async () => {
    const cookie = await signIn(gateway, await gateway.as('ada'));
    const request = (path: string, init: RequestInit = {}) => gateway.app.fetch(new Request(ORIGIN + path, init));
    const headers = { cookie, 'content-type': 'application/json' };
    expect((await request('/graphql', { method: 'POST', headers, body: VIEWER })).status).toBe(401);
    expect((await request('/graphql?query={viewer{accountId}}', { headers })).status).toBe(401);
    expect((await request('/v1/embeds', { method: 'POST', headers, body: '{}' })).status).toBe(401);
    expect((await browse(gateway, 'POST', '/mcp', { headers, body: '{}' })).status).toBe(401);
    const authorization = `Session ${cookie.split('=')[1]}`;
    expect(await statusOf(gateway, { authorization })).toBe(401);
  });
});

const HOUR_MS = 3_600_000;

test.each(['signed out', 'expired', 'of a revoked token', 'of an expired token'])(
  'a session that is %s ends everywhere within 5 s',
  async (how) => {
    const app = await openApp();
    const { database } = app;
    const expiresAt = how === 'of an expired token' ? new Date(Date.now() + HOUR_MS) : null;
    const { text, token } = createToken({ accountId: 'ada', name: 'x', scopes: ['read'], expiresAt }, new Date());
    await database.tokens.ensureAccount('ada', new Date());
    await database.tokens.insert(token);
    const cookie = await signIn(app, app.withAuthorization(`Bearer ${text}`));
    expect(await statusOf(app, { cookie })).toBe(200);
    let passedMs = 4_100;
    if (how === 'signed out') {
      const response = await browse(app, 'DELETE', '/session', { headers: { cookie } });
      expect(response.status).toBe(204);
      expect(response.headers.get('set-cookie')).toMatch(/^embed-gateway-session-4000=; Path=\/; Max-Age=0; HttpOnly/);
    } else if (how === 'of a revoked token') await database.tokens.revoke(token.id, new Date());
    else {
      passedMs = expiresAt ? 2 * HOUR_MS : 31 * 24 * HOUR_MS;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + passedMs });
      onTestFinished(() => void vi.useRealTimers());
    }
    passLookups(passedMs);
    expect(await statusOf(app, { cookie })).toBe(401);
  },
);

test('an open subscription ends with its session', async () => {
  const app = await openApp();
  const cookie = await signIn(app, await app.as('ada'));
  const headers = { cookie, accept: 'text/event-stream' };
  const body = JSON.stringify({ query: 'subscription { embedChanged { kind } }' });
  const response = await browse(app, 'POST', '/graphql', { headers, body });
  expect(response.status).toBe(200);
  await browse(app, 'DELETE', '/session', { headers: { cookie } });
  expect(await response.text()).toContain('The session has ended');
});

test('a session of ACCESS_TOKEN ends when that is changed, and its row does not contain the hash of that', async () => {
  const app = await openApp({ accessToken: 'a token of my own' });
  const uses: string[] = [];
  app.database.tokens.markUsed = async (id) => void uses.push(id);
  const cookie = await signIn(app, app.withAuthorization('Bearer a token of my own'));
  expect((await viewerOf(app, { cookie })).viewer).toMatchObject({ accountId: 'default', tokenName: null });
  // it is no token of the database
  expect(uses).toEqual([]);
  const { database } = app;
  const session = await database.sessions.findByHash(hashOfSession(cookie.split('=')[1] ?? ''));
  expect(session?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
  expect(session?.tokenHash).not.toBe(hashOfToken('a token of my own'));
  const request = { headers: new Headers({ cookie, origin: ORIGIN }) };
  const authorization = authorizationOf({ request, url: new URL(ORIGIN) });
  const authenticate = (accessToken: string) =>
    createAuthenticate({ ...database, accessToken, issuer: null })(authorization);
  await expect(authenticate('a token of my own')).resolves.toMatchObject({ accountId: 'default' });
  await expect(authenticate('another token of mine')).rejects.toMatchObject({ code: 'invalid_token' });
});

test('a new sign-in replaces the session of the browser, and a holder has at most 100', async () => {
  const ada = await gateway.as('ada');
  const first = await signIn(gateway, ada);
  const second = cookieOf(await exchange(gateway, tokenOf(ada), { cookie: first }));
  expect(await statusOf(gateway, { cookie: first })).toBe(401);
  expect(await statusOf(gateway, { cookie: second })).toBe(200);
  const ofBob = await signIn(gateway, await gateway.as('bob'));
  for (let i = 0; i < 100; i++) await signIn(gateway, ada);
  passLookups();
  expect(await statusOf(gateway, { cookie: `a=b;${ofBob}` })).toBe(200);
  expect(await statusOf(gateway, { cookie: second })).toBe(401);
});

test('a session of a token stays in its account', async () => {
  const cookie = await signIn(gateway, await gateway.as('ada'));
  const body = JSON.stringify({ account: 'default' });
  expect((await browse(gateway, 'POST', '/session', { headers: { cookie }, body })).status).toBe(403);
});

test('a token that is not valid, and a body that is none, are refused', async () => {
  expect((await exchange(gateway, 'emb_wrong')).status).toBe(401);
  expect((await exchange(gateway, 'emb_wrong')).headers.get('set-cookie')).toBeNull();
  expect((await exchange(gateway, '')).status).toBe(422);
  const send = (body: string, headers = {}) => browse(gateway, 'POST', '/session', { headers, body });
  expect((await send('[]')).status).toBe(400);
  const malformed = await send('{');
  expect([malformed.status, (await malformed.json()).detail]).toEqual([
    400,
    'The body is not valid JSON: see line 1, column 2.',
  ]);
  expect((await send('{"token":"a","token":"b"}')).status).toBe(400);
  expect((await send('token=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  expect((await send(`{"token":"${'x'.repeat(10_000)}"}`)).status).toBe(413);
});

test('wrong tokens count against the limit of their address', async () => {
  const app = await openApp({ rateLimit: 60 });
  for (let i = 0; i < 600; i++) expect((await exchange(app, 'wrong')).status).toBe(401);
  expect((await exchange(app, 'wrong')).status).toBe(429);
});

test('a script of the service reads over REST with the cookie, and nobody else does', async () => {
  const cookie = await signIn(gateway, await gateway.as('ada'));
  const read = (headers: Record<string, string>) =>
    gateway.app.fetch(new Request(`${ORIGIN}/v1/embeds`, { headers: { cookie, ...headers } }));
  const ofScript = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
  expect((await read(ofScript)).status).toBe(200);
  expect((await browse(gateway, 'POST', '/v1/embeds', { headers: { cookie }, body: '{}' })).status).toBe(422);
  for (const headers of [
    {},
    { ...ofScript, 'sec-fetch-site': 'same-site' },
    { ...ofScript, 'sec-fetch-site': 'none' },
    { ...ofScript, 'sec-fetch-dest': 'document' },
    { ...ofScript, 'sec-fetch-dest': 'iframe' },
    { ...ofScript, origin: 'https://evil.example' },
    { origin: 'https://evil.example' },
  ]) {
    expect((await read(headers)).status).toBe(401);
  }
});

test('without the console and GraphiQL, no session can be opened', async () => {
  const app = await openApp({ console: false, graphiql: false });
  const ada = await app.as('ada');
  expect((await exchange(app, tokenOf(ada))).status).toBe(404);
});
