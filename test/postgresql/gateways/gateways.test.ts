import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, MEAL_PLANNER, newDatabase, openApp, openRaw } from '../../open-app.ts';
import { makeToken } from './gateway.ts';

/** Opens gateways of one database, with the same token. */
async function openGateways(rateLimit = 0) {
  const databaseUrl = await newDatabase();
  const { id, authorization } = await makeToken(databaseUrl, 'ada');
  const apps = await Promise.all([1, 2, 3].map(() => openApp({ databaseUrl, rateLimit })));
  return { databaseUrl, apps, tokenId: id, clients: apps.map((app) => app.withAuthorization(authorization)) };
}

test('one idempotency key creates one embed, whichever gateway gets the retries', async () => {
  const { clients } = await openGateways();
  const create = async (client: Client, key: string) => {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const body = JSON.stringify({ page_url: MEAL_PLANNER });
    let id = '';
    await expect
      .poll(async () => {
        const response = await client.fetch('/v1/embeds', { method: 'POST', headers, body });
        // while the first request is in progress
        if (response.status === 409) return 409;
        id = ((await response.json()) as { embed: { id: string } }).embed.id;
        return response.status;
      })
      .toBe(201);
    return id;
  };
  const keys = ['one', 'two', 'three'];
  const created = await Promise.all(
    keys.map((key) => Promise.all([...clients, ...clients].map((client) => create(client, key)))),
  );
  for (const ids of created) expect(new Set(ids).size).toBe(1);
  expect((await clients[0]?.rest('GET', '/v1/embeds'))?.body.total_count).toBe(keys.length);
});

test('every gateway rejects a revoked token within 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { apps, clients, tokenId } = await openGateways();
  const statuses = () => Promise.all(clients.map(async (client) => (await client.rest('GET', '/v1/embeds')).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await apps[0]?.database.tokens.revoke(tokenId, new Date());
  vi.advanceTimersByTime(5_000);
  expect(await statuses()).toEqual([401, 401, 401]);
});

test('all gateways share a rate limit, to within 2 % for each', async () => {
  const { databaseUrl, apps, clients } = await openGateways(300);
  let allowed = 0;
  let minRemaining = 300;
  await Promise.all(
    Array.from({ length: 12 }, async (_, worker) => {
      for (let i = 0; i < 50; i++) {
        const { status, headers } = await (clients[(worker + i) % 3] as Client).rest('GET', '/v1/embeds?first=1');
        expect([200, 429]).toContain(status);
        if (status === 200) allowed++;
        else expect(headers.get('ratelimit')).toMatch(/^"token";r=0;t=\d+$/);
        minRemaining = Math.min(minRemaining, Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
      }
    }),
  );
  expect(minRemaining).toBe(0);
  // concurrent requests at several gateways may each be counted late
  expect(allowed).toBeGreaterThanOrEqual(300 - 3);
  expect(allowed).toBeLessThanOrEqual(300 * (1 + 3 * 0.02));
  // the count of another token is its own
  const bob = await makeToken(databaseUrl, 'bob');
  const response = await apps[0]?.withAuthorization(bob.authorization).rest('GET', '/v1/embeds');
  expect(response?.status).toBe(200);
});

test('a minute of a rate limit does not get longer when the clock of the database is set back', async () => {
  const databaseUrl = await newDatabase();
  const { authorization } = await makeToken(databaseUrl, 'ada');
  const sendRequest = async () => {
    // a new gateway has no counts of its own
    const ada = (await openApp({ databaseUrl, rateLimit: 1 })).withAuthorization(authorization);
    const { status, headers } = await ada.rest('GET', '/v1/embeds');
    return { status, retryAfterS: Number(headers.get('retry-after')) };
  };
  expect(await sendRequest()).toMatchObject({ status: 200 });
  const raw = await openRaw(databaseUrl);
  const moveClock = (by: string) => raw.query(`UPDATE "Quota" SET "endsAt" = "endsAt" + interval '${by}'`);
  await moveClock('5 seconds');
  const { status, retryAfterS } = await sendRequest();
  expect(status).toBe(429);
  expect(retryAfterS).toBeGreaterThan(0);
  expect(retryAfterS).toBeLessThanOrEqual(60);
  // a minute that ends tomorrow counts as over
  await moveClock('1 day');
  expect(await sendRequest()).toMatchObject({ status: 200 });
  expect(await sendRequest()).toMatchObject({ status: 429 });
});
