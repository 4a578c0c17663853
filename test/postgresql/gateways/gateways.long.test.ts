import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newPostgresql } from '../../databases/database.ts';
import { type Client, MEAL_PLANNER, newDatabase, openApp, openRaw } from '../../open-app.ts';
import { type Gateway, makeToken, send, startGateway } from './gateway.ts';

/** Opens gateways of one database, with the same token. */
async function openGateways(rateLimit = 0) {
  const databaseUrl = await newDatabase();
  const { id, authorization } = await makeToken(databaseUrl, 'ada');
  const apps = await Promise.all([1, 2, 3].map(() => openApp({ databaseUrl, rateLimit })));
  return { databaseUrl, apps, tokenId: id, clients: apps.map((app) => app.withAuthorization(authorization)) };
}

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

test('counts of a minute that is over are deleted without waiting for another gateway', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const databaseUrl = await newDatabase();
  const { database } = await openApp({ databaseUrl });
  const [raw, observer] = [await openRaw(databaseUrl), await openRaw(databaseUrl)];
  await raw.query(`INSERT INTO "Quota" SELECT key, 1, now() - interval '1 day' FROM unnest('{a,b}'::text[]) AS key`);
  await raw.query('BEGIN');
  await raw.query(`SELECT 1 FROM "Quota" WHERE "key" = 'a' FOR UPDATE`);
  vi.advanceTimersByTime(61_000);
  expect(await database.counts?.add('c', 5)).toMatchObject({ used: 5 });
  expect(await observer.query('SELECT "key" FROM "Quota" ORDER BY "key"')).toEqual([{ key: 'a' }, { key: 'c' }]);
  await raw.query('ROLLBACK');
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

/** Three gateways on one database. Each test has its own account. */
let gateways: readonly Gateway[];
let url: string;
const ends: (() => void)[] = [];

beforeAll(async () => {
  url = await newPostgresql();
  gateways = await Promise.all([1, 2, 3].map(() => startGateway(url, { registerCleanup: (end) => ends.push(end) })));
});

afterAll(() => {
  for (const end of ends) end();
});

function pick<T>(items: readonly T[], number: number): T {
  return items[number % items.length] as T;
}

const CREATE = `mutation { createEmbed(input: { pageUrl: "${MEAL_PLANNER}" }) { embed { id } } }`;

test('under mixed load on three gateways, ids are unique and in order, totals exact, and paging yields each embed once', async () => {
  const { authorization } = await makeToken(url, 'mixed');
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const call = (number: number, method: string, path: string, body?: unknown) =>
    send(pick(gateways, number).origin, method, path, { authorization, body, agent });

  const inOrder: string[] = [];
  for (let i = 0; i < 60; i++) {
    const { status, body } = await call(i, 'POST', '/v1/embeds', { page_url: MEAL_PLANNER });
    expect(status).toBe(201);
    inOrder.push(body.embed.id);
  }
  expect(inOrder.toSorted()).toEqual(inOrder);

  let isOver = false;
  async function readAllPages(start: number): Promise<number> {
    let rounds = 0;
    for (; !isOver || rounds === 0; rounds++) {
      const received: string[] = [];
      let after = '';
      for (let page = start; ; page++) {
        const { status, body } = await call(page, 'GET', `/v1/embeds?first=20${after}`);
        expect(status).toBe(200);
        received.push(...body.embeds.map(({ id }: { id: string }) => id));
        if (!body.pagination.has_next_page) break;
        after = `&after=${body.pagination.end_cursor}`;
      }
      expect(new Set(received).size).toBe(received.length);
      expect(received.filter((id) => inOrder.includes(id))).toEqual(inOrder.toReversed());
    }
    return rounds;
  }

  /** Creates over REST and GraphQL, updates, deletes; returns the ids that remain. */
  async function work(worker: number): Promise<readonly string[]> {
    const mine: string[] = [];
    for (let i = 0; i < 40; i++) {
      const number = worker + i;
      if (i % 2 === 0) mine.push((await call(number, 'POST', '/v1/embeds', { page_url: MEAL_PLANNER })).body.embed.id);
      else mine.push((await call(number, 'POST', '/graphql', { query: CREATE })).body.data.createEmbed.embed.id);
      const id = pick(mine, i * 7);
      // another gateway sees the completed write
      expect((await call(number + 1, 'PATCH', `/v1/embeds/${id}`, { font: `Font ${i}` })).status).toBe(200);
      expect((await call(number + 2, 'GET', `/v1/embeds/${id}`)).body.embed.font).toBe(`Font ${i}`);
      if (i % 4 !== 3) continue;
      mine.splice(mine.indexOf(id), 1);
      expect((await call(number, 'DELETE', `/v1/embeds/${id}`)).status).toBe(200);
      expect((await call(number + 1, 'GET', `/v1/embeds/${id}`)).status).toBe(404);
    }
    return mine;
  }

  const readers = [0, 1].map(readAllPages);
  const left = (await Promise.all([0, 1, 2, 3, 4, 5].map(work))).flat();
  isOver = true;
  for (const rounds of await Promise.all(readers)) expect(rounds).toBeGreaterThan(0);
  const all = [...inOrder, ...left];
  expect(new Set(all).size).toBe(60 + 6 * 30);
  for (const number of [0, 1, 2]) {
    expect((await call(number, 'GET', '/v1/embeds')).body.total_count).toBe(all.length);
  }
});

test('one idempotency key creates one embed, whichever gateway gets the retries', async () => {
  const { authorization } = await makeToken(url, 'retries');
  const create = async (origin: string, key: string): Promise<string> => {
    const options = { authorization, body: { page_url: MEAL_PLANNER }, headers: { 'idempotency-key': key } };
    for (let tries = 0; tries < 100; tries++) {
      const { status, body } = await send(origin, 'POST', '/v1/embeds', options);
      if (status === 201) return body.embed.id;
      // the first request is in progress, or too many wait
      expect([409, 503]).toContain(status);
      await pause(50);
    }
    throw new Error('the first request never finishes');
  };
  const keys = Array.from({ length: 20 }, (_, i) => `key-${i}`);
  const created = await Promise.all(
    keys.map((key) => Promise.all([...gateways, ...gateways].map(({ origin }) => create(origin, key)))),
  );
  for (const ids of created) expect(new Set(ids).size).toBe(1);
  const list = await send(gateways[0]?.origin ?? '', 'GET', '/v1/embeds', { authorization });
  expect(list.body.total_count).toBe(keys.length);
});

test('a rolling restart under load fails no create of a client that retries refused connections elsewhere', async () => {
  const { authorization } = await makeToken(url, 'restarts');
  let isOver = false;
  const statuses = new Set<number>();
  const kept = new Agent({ keepAlive: true, timeout: 5_000 });
  onTestFinished(() => kept.destroy());
  const create = async (first: number, agent?: Agent) => {
    const options = { authorization, body: { page_url: MEAL_PLANNER }, ...(agent && { agent }) };
    for (let number = first; ; number++) {
      try {
        return (await send(pick(gateways, number).origin, 'POST', '/v1/embeds', options)).status;
      } catch (error) {
        if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      }
    }
  };
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    let created = 0;
    for (; !isOver; created++) {
      statuses.add(await create(worker + created, worker % 2 === 0 ? kept : undefined));
      // a steady load: requests without a pause between them would only keep the restarts from the processor
      await pause(20);
    }
    return created;
  });
  for (const gateway of gateways) await gateway.restart();
  isOver = true;
  const created = (await Promise.all(workers)).reduce((sum, each) => sum + each, 0);
  expect([...statuses]).toEqual([201]);
  const database = await openDatabase(url, { poolSize: 1 });
  onTestFinished(() => database.close());
  expect((await database.createList('restarts', null).count()).count).toBe(created);
});
