import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Embed } from '../../../src/domain/embed/embed.ts';
import {
  type Client,
  isOnPostgresql,
  MEAL_PLANNER,
  newDatabase,
  openApp,
  openRaw,
  type RestEmbed,
  shareApp,
} from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';

const gateway = shareApp();

async function post(client: Client, key: string, body: object = { page_url: MEAL_PLANNER }) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const response = await client.fetch('/v1/embeds', { method: 'POST', body: JSON.stringify(body), headers });
  const reply = (await response.json()) as {
    embed: RestEmbed;
    code?: string;
    detail?: string;
    errors?: { path: string }[];
  };
  return { status: response.status, headers: response.headers, ...reply };
}

/** Resolves the conflict of an external id, which these embeds do not have. */
const keep = (embed: Embed) => embed;

/** A time in the past, in the syntax of both databases. */
const LONG_AGO = "'2001-01-01T00:00:00.000+00:00'";

const total = async (client: Client) => (await client.rest('GET', '/v1/embeds')).body.total_count;

test('a repeated create returns the embed as the first one created it', async () => {
  const { as } = gateway;
  const [ada, bob] = [await as('ada'), await as('bob')];
  const first = await post(ada, 'key-1');
  expect(first.status).toBe(201);
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  await ada.rest('PATCH', `/v1/embeds/${first.embed.id}`, { mode: 'dark' });
  for (const key of ['key-1', '"key-1"']) {
    const again = await post(ada, key);
    expect([again.status, again.embed, again.headers.get('location')]).toEqual([
      201,
      first.embed,
      first.headers.get('location'),
    ]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  expect(await total(ada)).toBe(1);
  expect((await post(ada, 'key-2')).embed.id).not.toBe(first.embed.id);
  expect((await post(bob, 'key-1')).embed.id).not.toBe(first.embed.id);
});

test('REST and GraphQL share keys, and each create of one GraphQL request has its own', async () => {
  const ada = await gateway.as('ada');
  const mutation = (alias: string) => `${alias}createEmbed(input: { pageUrl: "${MEAL_PLANNER}" }) { embed { id } }`;
  const send = async (query: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-1' };
    const response = await ada.fetch('/graphql', { method: 'POST', body: JSON.stringify({ query }), headers });
    return ((await response.json()) as { data: Record<string, { embed: { id: string } }> }).data;
  };
  const { embed } = await post(ada, 'key-1');
  expect((await send(`mutation { ${mutation('')} }`)).createEmbed?.embed.id).toBe(embed.id);
  const twice = await send(`mutation { ${mutation('a: ')} ${mutation('b: ')} }`);
  expect(new Set([embed.id, twice.a?.embed.id, twice.b?.embed.id]).size).toBe(3);
  expect(await send(`mutation { ${mutation('a: ')} ${mutation('b: ')} }`)).toEqual(twice);
});

test('a used key with other parameters is rejected, and so is an invalid key', async () => {
  const ada = await gateway.as('ada');
  await post(ada, 'key-1');
  const other = await post(ada, 'key-1', { page_url: MEAL_PLANNER, mode: 'dark' });
  expect([other.status, other.errors?.[0]?.path]).toEqual([422, 'Idempotency-Key']);
  for (const key of ['""', 'x'.repeat(256), 'a b']) expect((await post(ada, key)).status).toBe(400);
  expect(await total(ada)).toBe(1);
});

test('100 concurrent creates with one key create one embed', async () => {
  const ada = await gateway.as('ada');
  const responses = await Promise.all(Array.from({ length: 100 }, () => post(ada, 'storm')));
  // a busy PostgreSQL server may reject some
  for (const { status } of responses) expect([201, 409, 503]).toContain(status);
  const ids = new Set(responses.filter(({ status }) => status === 201).map(({ embed }) => embed.id));
  expect(ids.size).toBe(1);
  expect(await total(ada)).toBe(1);
  expect((await post(ada, 'storm')).embed.id).toBe([...ids][0]);
});

test('a retry during the first create is rejected at once', async () => {
  const release = Promise.withResolvers<void>();
  const slow = await openSite((_request, response) => {
    void release.promise.then(() => response.end());
  });
  const ada = await (await openApp({ allowPrivatePages: true })).as('ada');
  const responses: [string, number][] = [];
  const send = async (name: string) => {
    const { status, headers } = await post(ada, 'key-1', { page_url: `${slow.origin}/about` });
    responses.push([name, status]);
    if (status === 409) expect(headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
  };
  const first = send('first');
  await expect.poll(() => slow.requests.length).toBe(1);
  await send('retry');
  release.resolve();
  await first;
  await send('repetition');
  expect(responses).toEqual([
    ['retry', 409],
    ['first', 201],
    ['repetition', 201],
  ]);
  expect(await total(ada)).toBe(1);
});

test('the retry of a create that crashed before the title was known has the title', async () => {
  const databaseUrl = await newDatabase();
  const site = await openSite((_request, response) => void response.end(articlePage('A long trip')));
  const ada = await (await openApp({ databaseUrl, allowPrivatePages: true })).as('ada');
  const body = { page_url: `${site.origin}/about` };
  // the first fetch of the page may take longer than a create waits
  await expect.poll(async () => (await ada.create(body)).embed_url).toContain('/A-long-trip-');
  const others = await total(ada);
  const { embed } = await post(ada, 'key-1', body);
  expect(embed.embed_url).toContain('/A-long-trip-');
  const raw = await openRaw(databaseUrl);
  // the state after a crash right after the first statement, with an expired lease
  await raw.query(`DELETE FROM "Embed" WHERE "id" = '${embed.id}'`);
  const [row] = await raw.query('SELECT "embed" FROM "IdempotentCreate"');
  const stored = JSON.parse(row?.embed);
  const before = JSON.stringify({ embed: { ...stored.embed, title: 'about' }, isComplete: false });
  await raw.query(`UPDATE "IdempotentCreate" SET "isDone" = false, "leaseUntil" = ${LONG_AGO}, "embed" = '${before}'`);
  expect(await post(ada, 'key-1', body)).toMatchObject({ status: 201, embed });
  expect(await post(ada, 'key-1', body)).toMatchObject({ status: 201, embed });
  expect(await total(ada)).toBe(others + 1);
});

test('the retry of a create that crashed before the embed was written writes it, also after a restart', async () => {
  const databaseUrl = await newDatabase();
  const { as, database } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const { embed } = await post(ada, 'key-1');
  const raw = await openRaw(databaseUrl);
  // the state after a crash right after the first statement, with an expired lease
  await raw.query('DELETE FROM "Embed"');
  await raw.query('UPDATE "IdempotentCreate" SET "isDone" = false');
  expect((await post(ada, 'key-1')).status).toBe(409);
  await raw.query(`UPDATE "IdempotentCreate" SET "leaseUntil" = ${LONG_AGO}`);
  await database.close();

  const restarted = await (await openApp({ databaseUrl })).as('ada');
  expect(await post(restarted, 'key-1')).toMatchObject({ status: 201, embed });
  expect(await total(restarted)).toBe(1);

  // the state after a crash right after the second statement
  await raw.query(`UPDATE "IdempotentCreate" SET "isDone" = false, "leaseUntil" = ${LONG_AGO}`);
  expect(await post(restarted, 'key-1')).toMatchObject({ status: 201, embed });
  expect(await total(restarted)).toBe(1);
});

test('a create that another constraint rejects fails, and its retry writes the embed', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  await ada.create();
  const raw = await openRaw(databaseUrl);
  await raw.query('CREATE UNIQUE INDEX "one_font" ON "Embed"("accountId", "font")');
  expect((await post(ada, 'key-1')).status).toBe(500);
  await raw.query('DROP INDEX "one_font"');
  const { status, embed } = await post(ada, 'key-1');
  expect(status).toBe(201);
  expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).status).toBe(200);
  expect(await total(ada)).toBe(2);
});

test('the retry of a crashed create gets the time until it may take over, at most 10 seconds', async () => {
  // on PostgreSQL, the gateway continues the clock of the server by its own monotonic clock
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const databaseUrl = await newDatabase();
    const ada = await (await openApp({ databaseUrl })).as('ada');
    const { embed } = await post(ada, 'key-1');
    const raw = await openRaw(databaseUrl);
    await raw.query('DELETE FROM "Embed"');
    await raw.query('UPDATE "IdempotentCreate" SET "isDone" = false');
    for (const [laterMs, seconds] of [
      [0, '10'],
      [6_100, '4'],
      [3_899, '1'],
    ] as const) {
      vi.advanceTimersByTime(laterMs);
      const { status, headers, code, detail } = await post(ada, 'key-1');
      expect([status, code, headers.get('retry-after'), detail]).toEqual([
        409,
        'conflict',
        seconds,
        `The first request with this Idempotency-Key is still in progress; try again in ${seconds} s.`,
      ]);
    }
    // a lease longer than any that is granted is from before the clock was set back
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace('Z', '+00:00');
    await raw.query(`UPDATE "IdempotentCreate" SET "leaseUntil" = '${tomorrow}'`);
    expect(await post(ada, 'key-1')).toMatchObject({ status: 201, embed });
    expect(await total(ada)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a key expires after 24 hours', async () => {
  const databaseUrl = await newDatabase();
  const first = await openApp({ databaseUrl });
  const ada = await first.as('ada');
  const { embed } = await post(ada, 'key-1');
  const raw = await openRaw(databaseUrl);
  const createdAt = new Date(Date.now() - 25 * 3_600_000).toISOString().replace('Z', '+00:00');
  await raw.query(`UPDATE "IdempotentCreate" SET "createdAt" = '${createdAt}'`);
  const later = await (await openApp({ databaseUrl })).as('ada');
  expect((await post(later, 'key-1')).embed.id).not.toBe(embed.id);
});

test('keys that have expired while the service was stopped are deleted some at a time, with the next creates', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const raw = await openRaw(databaseUrl);
  const rows = Array.from(
    { length: 1_200 },
    (_, i) => `('ada', 'old-${i}', '${FINGERPRINT}', ${LONG_AGO}, ${LONG_AGO}, true, '{}')`,
  );
  await raw.query(`
    INSERT INTO "IdempotentCreate" ("accountId", "key", "fingerprint", "createdAt", "leaseUntil", "isDone", "embed")
    VALUES ${rows.join()}`);
  const countOld = async () =>
    Number((await raw.query(`SELECT COUNT(*) AS "n" FROM "IdempotentCreate" WHERE "key" LIKE 'old-%'`))[0]?.n);
  await post(ada, 'key-1');
  await expect.poll(countOld).toBe(700);
  let creates = 1;
  await expect
    .poll(async () => {
      await post(ada, `key-${++creates}`);
      return countOld();
    })
    .toBe(0);
  expect(await total(ada)).toBe(creates);
});

const FINGERPRINT = 'a'.repeat(64);
const LONG_AGO_MS = Date.parse(LONG_AGO.slice(1, -1));

/** Opens a store with two creates of Ada that crashed before their embeds were written. */
async function openCrashed() {
  const { embeds, raw } = await openStore();
  const created = { a: embedOf('ada'), b: embedOf('ada') };
  const create = (key: 'a' | 'b', complete: ((embed: Embed) => Promise<Embed>) | null) =>
    embeds.insertOnce({ ...created[key], id: embedOf('ada').id }, { key, fingerprint: FINGERPRINT, complete }, keep);
  for (const key of ['a', 'b'] as const) {
    await embeds.insertOnce(created[key], { key, fingerprint: FINGERPRINT, complete: null }, keep);
    await embeds.delete('ada', created[key].id);
  }
  const crash = () => raw.query(`UPDATE "IdempotentCreate" SET "isDone" = false, "leaseUntil" = ${LONG_AGO}`);
  await crash();
  return {
    created,
    create,
    crash,
    setIncomplete: () =>
      raw.query(`UPDATE "IdempotentCreate" SET "embed" = replace("embed", '"isComplete":true', '"isComplete":false')`),
    async read(key: string) {
      const [row] = await raw.query(`SELECT * FROM "IdempotentCreate" WHERE "key" = '${key}'`);
      // PostgreSQL stores a time without a zone
      const text = row?.leaseUntil instanceof Date ? row.leaseUntil : String(row?.leaseUntil);
      return { isDone: Boolean(row?.isDone), leaseUntil: new Date(text).getTime(), embed: JSON.parse(row?.embed) };
    },
  };
}

const fail = () => Promise.reject(new Error('a bug'));

test('one of two retries after a crash completes the create, and the other must wait', async () => {
  const { created, create, setIncomplete } = await openCrashed();
  await setIncomplete();
  const completed: string[] = [];
  const complete = async (embed: Embed) => {
    completed.push(embed.id);
    return embed;
  };
  const [one, two] = await Promise.allSettled([create('a', complete), create('a', complete)]);
  expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected']);
  expect([one, two].find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
  expect(completed).toEqual([created.a.id]);
});

test('a retry takes over the create of its own key alone', async () => {
  const { created, create, read } = await openCrashed();
  expect(await create('a', fail)).toEqual({ embed: created.a, before: null, replayed: false });
  expect(await create('a', fail)).toEqual({ embed: created.a, before: null, replayed: true });
  const other = await read('b');
  expect([other.isDone, other.embed.embed.id]).toEqual([false, created.b.id]);
  expect((await read('a')).isDone).toBe(true);
  if (!isOnPostgresql) expect(other.leaseUntil).toBe(LONG_AGO_MS);
  expect(await create('b', fail)).toEqual({ embed: created.b, before: null, replayed: false });
});

test('a create that has completed its embed has the whole lease to write it', async () => {
  const { create, read, setIncomplete } = await openCrashed();
  await setIncomplete();
  let takenUntil = Number.NaN;
  await create('a', async (embed) => {
    takenUntil = (await read('a')).leaseUntil;
    await pause(5);
    return embed;
  });
  expect((await read('a')).leaseUntil).toBeGreaterThan(takenUntil);
});

test('what completes an embed is stored before the embed is written, and a failure gives the lease back', async () => {
  const { created, create, crash, read, setIncomplete } = await openCrashed();
  await setIncomplete();
  await expect(create('a', fail)).rejects.toThrow('a bug');
  // the next retry need not wait
  let leaseMs = 0;
  const complete = async (embed: Embed) => {
    leaseMs = (await read('a')).leaseUntil - Date.now();
    await expect(create('a', fail)).rejects.toMatchObject({ code: 'conflict' });
    return { ...embed, title: 'complete' };
  };
  expect(await create('a', complete)).toEqual({
    embed: { ...created.a, title: 'complete' },
    before: null,
    replayed: false,
  });
  if (!isOnPostgresql) {
    expect(leaseMs).toBeGreaterThan(0);
    expect(leaseMs).toBeLessThanOrEqual(10_000);
  }
  await crash();
  expect(await create('a', fail)).toEqual({
    embed: { ...created.a, title: 'complete' },
    before: null,
    replayed: false,
  });
});

test('a key that has expired since the last trim can be used again', async () => {
  const { embeds, raw } = await openStore();
  const once = { key: 'a', fingerprint: FINGERPRINT, complete: null };
  await embeds.insertOnce(embedOf('ada'), once, keep);
  await raw.query(`UPDATE "IdempotentCreate" SET "createdAt" = ${LONG_AGO}`);
  const embed = embedOf('ada');
  expect(await embeds.insertOnce(embed, once, keep)).toEqual({ embed, before: null, replayed: false });
  expect(await embeds.insertOnce(embedOf('ada'), once, keep)).toEqual({ embed, before: null, replayed: true });
});

test('a key with another fingerprint is refused', async () => {
  const { embeds } = await openStore();
  const once = { key: 'a', fingerprint: FINGERPRINT, complete: null };
  await embeds.insertOnce(embedOf('ada'), once, keep);
  const other = { ...once, fingerprint: 'b'.repeat(64) };
  await expect(embeds.insertOnce(embedOf('ada'), other, keep)).rejects.toMatchObject({
    code: 'invalid',
    faults: [{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }],
  });
});

test('a create deletes the expired keys of all accounts, and keeps the others', async () => {
  const databaseUrl = await newDatabase();
  const first = await openApp({ databaseUrl });
  const [ada, bob] = [await first.as('ada'), await first.as('bob')];
  await post(ada, 'key-1');
  await post(bob, 'key-2');
  const raw = await openRaw(databaseUrl);
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().replace('Z', '+00:00');
  await raw.query(`UPDATE "IdempotentCreate" SET "createdAt" = '${ago(25)}' WHERE "accountId" = 'ada'`);
  await raw.query(`UPDATE "IdempotentCreate" SET "createdAt" = '${ago(23)}' WHERE "accountId" = 'bob'`);
  const later = await (await openApp({ databaseUrl })).as('ada');
  await post(later, 'key-3');
  const keys = async () => {
    const rows = await raw.query('SELECT "key" FROM "IdempotentCreate" ORDER BY "key"');
    return rows.map(({ key }) => `${key}`.split(':').at(-1));
  };
  await expect.poll(keys).toEqual(['key-2', 'key-3']);
});
