import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openChangeRecords } from '../../src/store/postgresql/change-records.ts';
import { cannotHoldOnCitus } from '../databases/database.ts';
import { follow } from '../graphql/event-source.ts';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../open-app.ts';
import { makeToken, send, startGateway } from './gateway.ts';

const LISTENERS = `FROM pg_stat_activity
  WHERE application_name = 'embed-gateway changes' AND datname = current_database()`;
const OTHER_SESSIONS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

test('a subscription at one gateway receives changes by another, and a stop ends it at once', {
  timeout: 60_000,
}, async () => {
  const url = await newDatabase();
  const [one, other] = await Promise.all([startGateway(url), startGateway(url)]);
  const [ada, bob] = [await makeToken(url, 'ada'), await makeToken(url, 'bob')];
  const port = Number(new URL(other.origin).port);
  const [adas, bobs] = [await follow(port, ada), await follow(port, bob)];

  const body = { page_url: MEAL_PLANNER, font: 'One' };
  const created = await send(one.origin, 'POST', '/v1/embeds', { ...ada, body });
  const { id } = created.body.embed;
  await adas.count(1);
  await send(one.origin, 'PATCH', `/v1/embeds/${id}`, { ...ada, body: { font: 'Two' } });
  await adas.count(2);
  await send(one.origin, 'DELETE', `/v1/embeds/${id}`, ada);
  await adas.count(3);
  expect(adas.events.map(({ data }) => data.data.embedChanged)).toEqual([
    { kind: 'CREATED', embedId: id, embed: { id, font: 'One' } },
    { kind: 'UPDATED', embedId: id, embed: { id, font: 'Two' } },
    { kind: 'DELETED', embedId: id, embed: null },
  ]);
  expect(bobs.events).toEqual([]);

  const stopped = performance.now();
  other.run.child.kill('SIGTERM');
  expect(await other.run.ended).toBe(0);
  // far less than the 8 s that requests in flight may take
  expect(performance.now() - stopped).toBeLessThan(6_000);
  await Promise.all([adas.ended, bobs.ended]);
  expect(adas.events.slice(-2).map(({ event }) => event)).toEqual(['next', 'complete']);
  expect(adas.events.at(-2)?.data.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
});

test('no change is missed after a subscription has started, whichever process writes', {
  timeout: 60_000,
}, async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const ada = await as('ada');
  const writer = await openDatabase(url);
  onTestFinished(() => writer.close());
  let isOver = false;
  const writing = (async () => {
    for (let i = 0; !isOver; i++) {
      const { id } = await ada.create();
      if (i % 2 === 0) await writer.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
    }
  })();
  onTestFinished(() => {
    isOver = true;
    return writing;
  });
  for (let i = 0; i < 25; i++) {
    const changes = await database.changes.follow('ada');
    const before = await writer.embeds.count('ada');
    const received: string[] = [];
    for await (const { kind, embedId } of changes) {
      if (kind === 'CREATED') received.push(embedId);
      if (received.length >= 20) break;
    }
    const page = { size: 1_000, fromEnd: false, after: undefined, before: undefined };
    const after = (await writer.embeds.findPage('ada', page)).embeds.map(({ id }) => id).toReversed();
    // changes of embeds that the first list lacks arrive in order and complete
    const isNew = (id: string) => after.indexOf(id) >= before;
    expect(received.filter(isNew)).toEqual(after.slice(before, before + received.filter(isNew).length));
    expect(received.some(isNew)).toBe(true);
    if (after.length > 900) break;
  }
});

/** Opens an app and another process on one database. */
async function openTwo() {
  const url = await newDatabase();
  const app = await openApp({ databaseUrl: url });
  const writer = await openDatabase(url);
  onTestFinished(() => writer.close());
  const ada = await app.as('ada');
  return { ...app, ada, writer, raw: await openRaw(url), databaseUrl: url };
}

const noListeners = cannotHoldOnCitus('gateways do not listen, because triggers run on workers');

test.skipIf(noListeners)(
  'lost connections lose no change, and end no subscription',
  async () => {
    const { ada, database, writer, raw } = await openTwo();
    const { id } = await ada.create();
    const changes = await database.changes.follow('ada');
    for (let i = 0; i < 3; i++) {
      await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toHaveLength(1);
      await raw.query(`SELECT pg_terminate_backend(pid) ${OTHER_SESSIONS}`);
      const update = () => writer.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
      await expect.poll(() => update().then(() => 'updated', String)).toBe('updated');
      expect((await changes.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id, number: i + 1 });
    }
    await changes.return?.();
    await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toEqual([]);
  },
  40_000,
);

test.skipIf(noListeners)('changes arrive without notifications', async () => {
  const { ada, database, writer, raw } = await openTwo();
  const { id } = await ada.create();
  const changes = await database.changes.follow('ada');
  await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toHaveLength(1);
  for (let i = 0; i < 3; i++) {
    // like a pooler or Citus
    await raw.query('UPDATE "ChangeFeed" SET "notifiedAt" = NULL');
    await writer.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
    expect((await changes.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id });
  }
});

test('only changes of followed accounts are recorded and notified, and a statement that changes many in parts', async () => {
  const { ada, as, database, raw, databaseUrl } = await openTwo();
  const bob = await as('bob');
  const listener = new pg.Client(databaseUrl);
  await listener.connect();
  onTestFinished(() => listener.end());
  const payloads: string[] = [];
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('LISTEN embed_changed');
  const created = await Promise.all(Array.from({ length: 450 }, () => ada.create()));
  await bob.create();
  const recorded = () => raw.query('SELECT "accountId", "lastNumber" FROM "EmbedChange" ORDER BY "lastNumber"');
  expect(await recorded()).toEqual([]);

  const changes = await database.changes.follow('ada');
  await bob.create();
  // one statement of another client
  await raw.query(`UPDATE "Embed" SET "font" = 'Other'`);
  const received: string[] = [];
  while (received.length < 450) received.push((await changes.next()).value?.embedId ?? '');
  expect(received.toSorted()).toEqual(created.map(({ id }) => id).toSorted());
  expect(await recorded()).toEqual(['200', '400', '450'].map((lastNumber) => ({ accountId: 'ada', lastNumber })));
  expect(payloads.filter((payload) => payload.startsWith('bob'))).toEqual([]);
});

test('a subscription is refused with 503 while an earlier write has not ended, and can be repeated', async () => {
  const { ada, database, raw } = await openTwo();
  const { id } = await ada.create();
  await raw.query('BEGIN');
  await raw.query(`UPDATE "Embed" SET "font" = 'Other' WHERE "id" = '${id}'`);
  const query = new URLSearchParams({ query: 'subscription { embedChanged { embedId } }' });
  const subscribe = () => ada.fetch(`/graphql?${query}`, { headers: { accept: 'text/event-stream' } });
  const refused = await subscribe();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({
    errors: [
      {
        message: 'A write does not end, so changes may be missed; try again.',
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      },
    ],
  });
  await raw.query('ROLLBACK');
  await (await database.changes.follow('ada')).return?.();
});

test('a subscription is refused with 503 if the tables of changes cannot be written', async () => {
  const { ada, raw } = await openTwo();
  await raw.query('BEGIN');
  await raw.query('LOCK TABLE "ChangeFeed" IN ACCESS EXCLUSIVE MODE');
  const query = new URLSearchParams({ query: 'subscription { embedChanged { embedId } }' });
  const refused = await ada.fetch(`/graphql?${query}`, { headers: { accept: 'text/event-stream' } });
  expect([refused.status, ((await refused.json()) as { errors: object[] }).errors]).toMatchObject([
    503,
    [{ message: 'The database is busy; try again.' }],
  ]);
  await raw.query('ROLLBACK');
});

test('recorded changes are deleted after 10 minutes', async () => {
  const { ada, database, raw, databaseUrl } = await openTwo();
  const changes = await database.changes.follow('ada');
  await ada.create();
  await changes.next();
  await raw.query(`UPDATE "EmbedChange" SET "createdAt" = "createdAt" - interval '11 minutes'`);
  await ada.create();
  const client = new PostgresqlClient({ adapter: new PrismaPg(databaseUrl) });
  onTestFinished(() => client.$disconnect());
  await openChangeRecords(client).purge();
  expect(await raw.query('SELECT "lastNumber" FROM "EmbedChange"')).toEqual([{ lastNumber: '2' }]);
});

test.skipIf(cannotHoldOnCitus('the sessions that wait for a lock are on workers'))(
  'changes of one account are sent in the order of their commits',
  async () => {
    const { ada, database, raw, databaseUrl } = await openTwo();
    const observer = await openRaw(databaseUrl);
    const [first, second] = [await ada.create(), await ada.create()];
    const changes = await database.changes.follow('ada');
    await raw.query('BEGIN');
    await raw.query(`UPDATE "Embed" SET "font" = 'Other' WHERE "id" = '${first.id}'`);
    // begins later, and cannot commit earlier
    const other = ada.rest('PATCH', `/v1/embeds/${second.id}`, { font: 'Other' });
    const waiting = `SELECT 1 ${OTHER_SESSIONS} AND wait_event_type = 'Lock' AND query LIKE 'UPDATE%'`;
    await expect.poll(() => observer.query(waiting)).toHaveLength(1);
    await raw.query('COMMIT');
    expect((await other).status).toBe(200);
    expect((await changes.next()).value?.embedId).toBe(first.id);
    expect((await changes.next()).value?.embedId).toBe(second.id);
  },
);

test('a stream ends, and cannot be continued, if changes were not recorded or are deleted', async () => {
  const { ada, database, raw, databaseUrl } = await openTwo();
  const changes = await database.changes.follow('ada');
  await ada.create();
  const { mark, number } = (await changes.next()).value ?? { mark: '', number: 0 };
  const continueAfter = async (after: string) => (await database.changes.follow('ada', after)).next();
  const missed = 'Changes may have been missed';

  // like a gateway that was stopped for longer than an account counts as followed
  await raw.query(`UPDATE "ChangeFeed" SET "renewedAt" = "renewedAt" - interval '8 minutes'`);
  await ada.create();
  expect(await raw.query('SELECT 1 FROM "EmbedChange"')).toHaveLength(1);
  const ended = expect(changes.next()).rejects.toThrow(missed);
  const other = await openDatabase(databaseUrl);
  onTestFinished(() => other.close());
  const others = await other.changes.follow('ada');
  await ended;
  await expect(continueAfter(`${mark}-${number}`)).rejects.toThrow(missed);

  await ada.create();
  await ada.create();
  await raw.query('DELETE FROM "EmbedChange" WHERE "lastNumber" <= 2');
  await expect(continueAfter(`${others.start.mark}-${others.start.number}`)).rejects.toThrow(missed);
});
