import { expect, onTestFinished, test, vi } from 'vitest';
import { createAuthenticate } from '../../src/auth/authenticate.ts';
import { authorizationOf } from '../../src/auth/session-cookie.ts';
import { readConfig } from '../../src/config.ts';
import { openApp, type TestApp } from '../open-app.ts';
import { CLIENT, type Lies, openHostileProvider, openProvider, visitProvider } from './identity-providers.ts';

const ORIGIN = 'http://localhost:4000';
const CALLBACK = `${ORIGIN}/sign-in/callback`;

const oidcOf = (issuer: string) => ({ issuer, roleClaim: 'roles', ...CLIENT });

function browse({ app }: TestApp, method: string, path: string, headers: Record<string, string> = {}, body?: object) {
  const sent = { origin: ORIGIN, 'content-type': 'application/json', ...headers };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return app.fetch(new Request(new URL(path, ORIGIN), { method, headers: sent, redirect: 'manual', ...json }));
}

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

async function begin(app: TestApp, body: object = {}) {
  const response = await browse(app, 'POST', '/sign-in', {}, body);
  expect(response.status).toBe(200);
  return { cookie: cookieOf(response), location: String((await response.json()).location), response };
}

/** A browser sends no origin with a navigation. */
function returnTo({ app }: TestApp, url: string, cookie: string) {
  return app.fetch(new Request(url, { headers: cookie ? { cookie } : {}, redirect: 'manual' }));
}

async function viewerOf(app: TestApp, cookie: string) {
  const query = '{ viewer { accountId tokenName scopes person { subject name accounts } } }';
  const response = await browse(app, 'POST', '/graphql', { cookie }, { query });
  return (await response.json()).data?.viewer ?? response.status;
}

const now = performance.now.bind(performance);

/** Moves the clock over the time for which a known session counts without a look-up. */
function passLookups(ms = 4_100): void {
  const passedMs = performance.now() - now() + ms;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  onTestFinished(() => clock.mockRestore());
}

async function signIn(app: TestApp, login = 'ada-1') {
  const { cookie, location } = await begin(app);
  const callback = await visitProvider(location, login, CALLBACK);
  return { response: await returnTo(app, callback, cookie), callback, cookie };
}

async function openWithProvider(claims: object) {
  return openApp({ oidc: oidcOf(await openProvider(() => CALLBACK, claims)) });
}

test('a person signs in by a real provider, acts under their name, and changes between their accounts', async () => {
  const app = await openWithProvider({ name: 'Ada Lovelace', roles: ['admin', 'sales:viewer', 'x:owner'] });
  const { cookie, location, response: begun } = await begin(app, { return_to: '/#/tokens' });
  expect(begun.headers.get('set-cookie')).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge_method: 'S256',
    nonce: expect.stringMatching(/.{40}/),
    state: expect.stringMatching(/.{40}/),
  });
  expect(await viewerOf(app, cookie)).toBe(401);
  const response = await returnTo(app, await visitProvider(location, 'ada-1', CALLBACK), cookie);
  expect([response.status, response.headers.get('location')]).toEqual([303, '/#/tokens']);
  expect(response.headers.get('set-cookie')).toMatch(/=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  const session = cookieOf(response);
  const person = { subject: 'ada-1', name: 'Ada Lovelace', accounts: ['default', 'sales'] };
  expect(await viewerOf(app, session)).toEqual({
    accountId: 'default',
    tokenName: null,
    scopes: ['READ', 'WRITE', 'ADMIN'],
    person,
  });

  const mutation = 'mutation { createEmbed(input: { pageUrl: "https://example.com/Week" }) { embed { id } } }';
  expect(
    (await (await browse(app, 'POST', '/graphql', { cookie: session }, { query: mutation })).json()).errors,
  ).toBeUndefined();
  const query = '{ auditEvents { nodes { action actor actorTokenId } } }';
  const { data } = await (await browse(app, 'POST', '/graphql', { cookie: session }, { query })).json();
  expect(data.auditEvents.nodes).toEqual([{ action: 'EMBEDS_CREATED', actor: 'Ada Lovelace', actorTokenId: null }]);

  const elsewhere = await browse(app, 'POST', '/session', { cookie: session }, { account: 'x' });
  expect([elsewhere.status, (await elsewhere.json()).detail]).toEqual([403, 'You have no role in this account.']);
  const switched = await browse(app, 'POST', '/session', { cookie: session }, { account: 'sales' });
  expect(switched.status).toBe(204);
  expect(await viewerOf(app, cookieOf(switched))).toEqual({
    accountId: 'sales',
    tokenName: null,
    scopes: ['READ'],
    person,
  });
  const refused = await browse(app, 'POST', '/graphql', { cookie: cookieOf(switched) }, { query: mutation });
  expect((await refused.json()).errors[0].extensions.code).toBe('FORBIDDEN');
});

test('a sign-in cannot be repeated, finished in another browser, or mixed with another one', async () => {
  const app = await openWithProvider({ name: 'Ada', roles: 'viewer' });
  const { response, callback, cookie } = await signIn(app);
  expect(response.status).toBe(303);
  // the browser has the cookie of the session now
  const session = cookieOf(response);
  const replayed = await returnTo(app, callback, session);
  expect(replayed.status).toBe(400);
  expect(replayed.headers.get('set-cookie')).toBeNull();
  expect(await replayed.text()).toContain('This browser has not begun this sign-in');
  expect((await returnTo(app, callback, '')).status).toBe(400);
  const other = await begin(app);
  expect((await returnTo(app, callback, other.cookie)).status).toBe(400);
  expect(await viewerOf(app, session)).toMatchObject({ accountId: 'default' });
  expect((await browse(app, 'POST', '/sign-in', { cookie: session }, {})).status).toBe(200);
  passLookups();
  expect(await viewerOf(app, session)).toBe(401);
  // a client that has kept the cookie: the provider accepts a code once
  const again = await returnTo(app, callback, cookie);
  expect([again.status, again.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
  expect(again.headers.get('set-cookie')).toContain('Max-Age=0');
  // a stolen code with a state of its own
  const stolen = new URL(callback);
  stolen.searchParams.set('state', new URL(other.location).searchParams.get('state') ?? '');
  expect((await returnTo(app, stolen.href, other.cookie)).status).toBe(401);
});

test('a sign-in is finished once, within 10 minutes, by any browser and with any provider', async () => {
  const app = await openApp({ oidc: oidcOf(await openHostileProvider({})) });
  const open = async () => {
    const { cookie, location } = await begin(app);
    const { searchParams } = new URL(location);
    const query = { code: searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '' };
    const finish = (more = {}) => returnTo(app, `${CALLBACK}?${new URLSearchParams({ ...query, ...more })}`, cookie);
    return finish;
  };
  const finish = await open();
  expect((await finish({ iss: 'https://evil.example' })).status).toBe(401);
  expect((await finish()).status).toBe(303);
  const repeated = await finish();
  expect([repeated.status, await repeated.text()]).toEqual([400, expect.stringContaining('has finished it')]);
  const atOnce = await open();
  const statuses = await Promise.all([atOnce(), atOnce(), atOnce()]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  const late = await open();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  onTestFinished(() => void vi.useRealTimers());
  passLookups(601_000);
  expect((await late()).status).toBe(400);
});

test('a session of a person ends after 12 hours, and with another provider', async () => {
  const app = await openWithProvider({ name: 'Ada', roles: 'viewer' });
  const cookie = cookieOf((await signIn(app)).response);
  expect(await viewerOf(app, cookie)).toMatchObject({ accountId: 'default' });
  const request = { headers: new Headers({ cookie, origin: ORIGIN }) };
  const authorization = authorizationOf({ request, url: new URL(ORIGIN) });
  const authenticate = (issuer: string | null) =>
    createAuthenticate({ ...app.database, accessToken: null, issuer })(authorization);
  for (const issuer of [null, 'https://another.example']) {
    await expect(authenticate(issuer)).rejects.toMatchObject({ code: 'invalid_token' });
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  passLookups(12 * 3_600_000);
  expect(await viewerOf(app, cookie)).toBe(401);
});

test('a sign-in ends the other sessions of a person whose roles have changed', async () => {
  const claims = { name: 'Ada', roles: ['admin', 'sales:viewer'] };
  const app = await openWithProvider(claims);
  const open = async (login?: string) => cookieOf((await signIn(app, login)).response);
  const first = await open();
  claims.roles.reverse();
  const second = await open();
  const other = await open('bob-1');
  passLookups();
  expect(await viewerOf(app, first)).toMatchObject({ scopes: ['READ', 'WRITE', 'ADMIN'] });
  claims.roles = ['viewer'];
  const third = await open();
  passLookups();
  expect([await viewerOf(app, first), await viewerOf(app, second)]).toEqual([401, 401]);
  expect(await viewerOf(app, third)).toMatchObject({ scopes: ['READ'] });
  claims.roles = [];
  expect((await signIn(app)).response.status).toBe(403);
  passLookups();
  expect(await viewerOf(app, third)).toBe(401);
  expect(await viewerOf(app, other)).toMatchObject({ scopes: ['READ', 'WRITE', 'ADMIN'] });
});

test.each([
  ['no role', { name: 'Ada' }, 'You have no role here.'],
  ['an unknown role', { name: 'Ada', roles: ['owner'] }, 'You have no role here.'],
  [
    'an e-mail address that is not verified',
    { roles: 'admin', email: 'a@b.example', email_verified: false },
    'has not verified',
  ],
])('a person with %s is refused', async (_case, claims, message) => {
  const app = await openWithProvider(claims);
  const { response } = await signIn(app);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(message);
});

const signedBy = (...algorithms: string[]) => ({ id_token_signing_alg_values_supported: algorithms });
const NOW_S = Math.floor(Date.now() / 1_000);
const NO_USER_INFO = { userinfo_endpoint: 'http://127.0.0.1:9/' };

/** Signs a person in at a provider that puts the code into the nonce. */
async function signInByHostile(app: TestApp) {
  const { cookie, location } = await begin(app);
  const { searchParams } = new URL(location);
  const query = new URLSearchParams({ code: searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '' });
  return returnTo(app, `${CALLBACK}?${query}`, cookie);
}

test.each<[string, Lies, number]>([
  ['is honest', {}, 303],
  ['has another issuer in its token', { claims: { iss: 'https://evil.example' } }, 401],
  ['names another audience', { claims: { aud: 'another' } }, 401],
  ['repeats the nonce of another sign-in', { claims: { nonce: 'another' } }, 401],
  ['sends no nonce', { claims: { nonce: undefined } }, 401],
  ['sends an expired token', { claims: { iat: NOW_S - 900, exp: NOW_S - 600 } }, 401],
  ['signs with another key', { signsWithOtherKey: true }, 401],
  ['does not sign', { alg: 'none' }, 401],
  ['does not sign, as it announces', { alg: 'none', metadata: signedBy('none', 'RS256') }, 401],
  ['signs with the secret of the client', { alg: 'HS256', metadata: signedBy('HS256', 'RS256') }, 401],
  ['sends the token of another client', { claims: { aud: ['gateway', 'another'], azp: 'another' } }, 401],
  ['sends no subject', { claims: { sub: undefined } }, 401],
  ['sends an empty subject', { claims: { sub: '' } }, 401],
  ['sends a subject with a control character', { claims: { sub: 'a\u0000b' } }, 401],
  ['sends a subject with half a character', { claims: { sub: 'a\ud800' } }, 401],
  ['sends a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }, 401],
  ['says so in words about the e-mail address', { claims: { email: 'a@b.example', email_verified: 'false' } }, 403],
  ['has not verified the e-mail address', { claims: { email: 'a@b.example', email_verified: false } }, 403],
  ['sends another value about the e-mail address', { claims: { email: 'a@b.example', email_verified: null } }, 403],
  [
    'says only later that it has not verified the e-mail address',
    { claims: { email: 'a@b.example' }, userinfo: { sub: 'ada', email_verified: false } },
    403,
  ],
  ['has verified the e-mail address', { claims: { email: 'a@b.example', email_verified: true } }, 303],
  ['says so in words', { claims: { email: 'a@b.example', email_verified: 'true' } }, 303],
  ['says nothing about the e-mail address', { claims: { email: 'a@b.example' } }, 303],
  ['sends the facts of another person', { claims: { name: undefined }, userinfo: { sub: 'bob', name: 'Bob' } }, 503],
  ['has a clock that is a few seconds ahead', { claims: { nbf: NOW_S + 8 } }, 303],
  ['has a clock that is minutes ahead', { claims: { nbf: NOW_S + 300 } }, 401],
  ['names a person without an e-mail address', { claims: { email_verified: false } }, 303],
  ['is not asked for more than the token has', { metadata: NO_USER_INFO }, 303],
  ['does not say the name', { claims: { name: undefined }, metadata: NO_USER_INFO }, 503],
  ['does not say the roles', { claims: { roles: undefined }, metadata: NO_USER_INFO }, 503],
  ['gives a role to no account', { claims: { roles: { 'No Account': 'admin' } } }, 403],
  ['fails', { tokenStatus: 500 }, 503],
])('a provider that %s', async (_case, lies, status) => {
  const response = await signInByHostile(await openApp({ oidc: oidcOf(await openHostileProvider(lies)) }));
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.anything()]);
  if (status === 401) expect(text).toContain('The response of the sign-in provider is not valid: ');
  if (status !== 303) expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
});

test('without a role in the account default, a session begins in the first account, and a change keeps its end', async () => {
  const roles = ['zoo:viewer', 'art:editor'];
  const app = await openApp({ oidc: oidcOf(await openHostileProvider({ claims: { roles } })) });
  const cookie = cookieOf(await signInByHostile(app));
  expect(await viewerOf(app, cookie)).toMatchObject({ accountId: 'art', scopes: ['READ', 'WRITE'] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  passLookups(3_600_000);
  const switched = await browse(app, 'POST', '/session', { cookie }, { account: 'zoo' });
  const [, maxAgeS] = /; Max-Age=(\d+);/.exec(switched.headers.get('set-cookie') ?? '') ?? [];
  expect(Number(maxAgeS)).toBeLessThanOrEqual(11 * 3_600);
  expect(Number(maxAgeS)).toBeGreaterThan(10 * 3_600);
  expect(await viewerOf(app, cookieOf(switched))).toMatchObject({ accountId: 'zoo' });
});

test('a provider that is away, or that claims another issuer, is 503 with a reason', async () => {
  const wrong = await openHostileProvider({ metadata: { issuer: 'https://evil.example' } });
  const reasons = { 'http://127.0.0.1:59998': 'does not work: no response.', [wrong]: 'issuer does not match' };
  for (const [issuer, reason] of Object.entries(reasons)) {
    const response = await browse(await openApp({ oidc: oidcOf(issuer) }), 'POST', '/sign-in', {}, {});
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
    expect((await response.json()).detail).toContain(reason);
  }
});

test('a provider that refuses shows its reason without its markup', async () => {
  const app = await openApp({ oidc: oidcOf(await openHostileProvider({})) });
  const { cookie, location } = await begin(app);
  const state = new URL(location).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ error: 'access_denied', error_description: 'Ask <script> & Bob.', state });
  const response = await returnTo(app, `${CALLBACK}?${query}`, cookie);
  expect(response.status).toBe(401);
  const html = await response.text();
  expect(html).toContain('The sign-in provider has refused the sign-in: access_denied (Ask &lt;script&gt; &amp; Bob.)');
  expect(html).not.toContain('<script>');
});

test('only the console begins a sign-in, and it returns to the console only', async () => {
  const app = await openApp({ oidc: oidcOf(await openHostileProvider({})) });
  for (const path of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/docs',
    '/#/a\nb',
    '/#x',
    'javascript:1',
    7,
  ]) {
    expect((await browse(app, 'POST', '/sign-in', {}, { return_to: path })).status).toBe(422);
  }
  expect((await browse(app, 'POST', '/sign-in', { origin: 'https://evil.example' }, {})).status).toBe(403);
  const login = { state: 's', nonce: 'n', verifier: 'v', origin: ORIGIN, returnTo: 'https://evil.example/' };
  const forged = `embed-gateway-session-4000=${Buffer.from(JSON.stringify(login)).toString('base64url')}`;
  expect((await returnTo(app, `${CALLBACK}?state=s&code=n`, forged)).status).toBe(400);
  expect((await returnTo(await openApp(), CALLBACK, '')).status).toBe(404);
});

test('the steps of sign-ins of an address are limited', async () => {
  const app = await openApp({ oidc: oidcOf('http://127.0.0.1:9') });
  for (let i = 0; i < 120; i++) expect((await returnTo(app, CALLBACK, '')).status).toBe(400);
  expect((await returnTo(app, CALLBACK, '')).status).toBe(429);
});

test('the settings of the provider are checked', () => {
  const [id, secret] = [{ OIDC_CLIENT_ID: 'gateway' }, { OIDC_CLIENT_SECRET: 'hush' }];
  const issuer = 'https://login.example/realms/x';
  const oidc = { issuer, clientId: 'gateway', clientSecret: 'hush', roleClaim: 'roles' };
  expect(readConfig({ OIDC_ISSUER: issuer, ...id, ...secret }).oidc).toEqual(oidc);
  expect(readConfig({ ...id, ...secret }).oidc).toBeNull();
  expect(() => readConfig({ OIDC_ISSUER: issuer })).toThrow(
    /OIDC_CLIENT_ID must be set.*\n.*OIDC_CLIENT_SECRET must be set/,
  );
  for (const OIDC_ISSUER of ['http://login.example', 'https://a:b@login.example', `${issuer}?x`, 'x']) {
    expect(() => readConfig({ OIDC_ISSUER, ...id, ...secret })).toThrow('OIDC_ISSUER must be an https URL');
  }
  const wrong = { OIDC_CLIENT_SECRET: 'hüsh' };
  expect(() => readConfig({ OIDC_ISSUER: issuer, ...id, ...wrong })).toThrow(/^(?!.*hüsh)/s);
});
