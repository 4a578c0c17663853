import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { isOnPostgresql, newDatabase, openApp, openRaw } from '../open-app.ts';

test('replies with 429 at both doors to a token over RATE_LIMIT, and not to other tokens', async () => {
  const { as } = await openApp({ rateLimit: 3 });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const first = await ada.rest('GET', '/v1/embeds');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-policy')).toBe('"token";q=3;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"token";r=2;t=\d+$/);
  await ada.graphql('{ __typename }');
  await ada.rest('GET', '/v1/embeds');
  const rest = await ada.rest('GET', '/v1/embeds');
  expect([rest.status, rest.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(rest.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  const graphql = await ada.graphql('{ __typename }');
  const extensions = { code: 'RATE_LIMITED', retry_after: Number(graphql.headers.get('retry-after')) };
  expect([graphql.status, graphql.errors[0]?.extensions]).toMatchObject([429, extensions]);
  expect((await bob.rest('GET', '/v1/embeds')).status).toBe(200);
});

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([-DAY_MS, DAY_MS])('keeps the window of a minute when the clock is moved by %i ms', async (moved) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let laterMs = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + laterMs);
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl, rateLimit: 1 })).as('ada');
  const sendRequest = async () => {
    const { status, headers } = await ada.rest('GET', '/v1/embeds');
    return [status, headers.get('retry-after'), headers.get('ratelimit')];
  };
  const wait = async (ms: number) => {
    laterMs += ms;
    // the cache of the windows reads the clock once in a millisecond
    await pause(2);
  };
  expect(await sendRequest()).toEqual([200, null, '"token";r=0;t=60']);
  await wait(20_500);
  vi.setSystemTime(Date.now() + moved);
  const [status, retryAfter] = await sendRequest();
  expect([status, Number(retryAfter) > 20 && Number(retryAfter) <= 40]).toEqual([429, true]);
  await wait(39_500);
  // the clock of the test does not move that of the database server
  if (isOnPostgresql) await (await openRaw(databaseUrl)).query('DELETE FROM "Quota"');
  expect(await sendRequest()).toEqual([200, null, '"token";r=0;t=60']);
});

test('does not limit requests with RATE_LIMIT=0', async () => {
  const ada = await (await openApp({ rateLimit: 0 })).as('ada');
  const response = await ada.rest('GET', '/v1/embeds');
  expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null]);
});

test('sends the RateLimit headers with 429 too', async () => {
  const ada = await (await openApp({ rateLimit: 1 })).as('ada');
  await ada.rest('GET', '/v1/embeds');
  const refused = await ada.rest('GET', '/v1/embeds');
  expect(refused.headers.get('ratelimit-policy')).toBe('"token";q=1;w=60');
  expect(refused.headers.get('ratelimit')).toMatch(/^"token";r=0;t=\d+$/);
  expect(refused.body.detail).toMatch(/^More than 1 requests with this token in a minute; try again in \d+ s\.$/);
});

test('limits requests without a valid token by address, and not those with a valid token from the same address', async () => {
  const { app, as } = await openApp();
  const ada = await as('ada');
  const sendRequest = (authorization: string | null, ip: string) => {
    const headers = authorization === null ? {} : { authorization };
    return app.fetch(Object.assign(new Request('http://localhost:4000/v1/embeds', { headers }), { ip }));
  };
  const statuses = new Set<number>();
  for (let i = 0; i < 305; i++) {
    statuses.add((await sendRequest('Bearer wrong', '2001:db8::1')).status);
    statuses.add((await sendRequest(null, `2001:db8::${i}`)).status);
  }
  expect([...statuses]).toEqual([401, 429]);
  const refused = await sendRequest('Bearer wrong', '2001:db8::ffff');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=600;w=60');
  expect((await sendRequest('Bearer wrong', '2001:db8:0:1::1')).status).toBe(401);
  expect((await sendRequest(ada.authorization, '2001:db8::1')).status).toBe(200);
});

test.each([
  ['of an unknown address', undefined, undefined, [401, 429], 429],
  ['of a network', '2001:db8:11:1::1', '2001:db8:11:1:ffff::', [401, 429], 429],
  // the same digits
  ['of another network', '2001:db8:11:1::1', '2001:db8:1:47::', [401, 429], 401],
  ['of an address', '192.0.2.1', '192.0.2.1', [401, 429], 429],
  ['of another address', '192.0.2.1', '192.0.2.2', [401, 429], 401],
])('counts failures %s', async (_what, ip, otherIp, statuses, next) => {
  const { app } = await openApp();
  const sendRequest = (from: string | undefined) =>
    app.fetch(Object.assign(new Request('http://localhost:4000/v1/embeds'), { ip: from }));
  const seen = new Set<number>();
  for (let i = 0; i < 601; i++) seen.add((await sendRequest(ip)).status);
  expect([...seen]).toEqual(statuses);
  expect((await sendRequest(otherIp)).status).toBe(next);
  const { detail } = (await (await sendRequest(ip)).json()) as { detail: string };
  expect(detail).toMatch(
    /^More than 600 requests without a good token from this address in a minute; try again in \d+ s\.$/,
  );
});

test('counts no failures with RATE_LIMIT=0', async () => {
  const { app } = await openApp({ rateLimit: 0 });
  const seen = new Set<number>();
  for (let i = 0; i < 605; i++) seen.add((await app.fetch(new Request('http://localhost:4000/v1/embeds'))).status);
  expect([...seen]).toEqual([401]);
});
