import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { PrismaClient as PostgresqlClient } from '../../../src/generated/postgresql/client.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { DIRECT_EXECUTOR } from '../../../src/store/executor.ts';
import { openChangeRecords } from '../../../src/store/postgresql/changes/change-records.ts';
import { cannotHoldOnCitus } from '../../databases/database.ts';
import { follow } from '../../graphql/event-source.ts';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../../open-app.ts';
import { openService } from '../../open-service.ts';
import { embedOf } from '../../store/embeds/embed-of.ts';
import { makeToken, send, startGateway } from './gateway.ts';
import { LISTENERS, lifeOf, OTHER_SESSIONS, openTwo } from './open-two.ts';

test('a subscription at one gateway receives changes by another', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const { listener } = await openService({ databaseUrl });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const [adas, bobs] = [await follow(listener.port, ada), await follow(listener.port, bob)];
  const { id } = await ada.create({ font: 'One' });
  await adas.count(1);
  await ada.rest('PATCH', `/v1/embeds/${id}`, { font: 'Two' });
  await adas.count(2);
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  await adas.count(3);
  expect(adas.events.map(({ data }) => data.data.embedChanged)).toEqual(lifeOf(id));
  expect(bobs.events).toEqual([]);
});

test.skipIf(cannotHoldOnCitus('gateways do not listen, because triggers run on workers'))(
  'changes arrive without notifications',
  async () => {
    const { ada, database, writer, raw } = await openTwo();
    const { id } = await ada.create();
    const changes = await database.changes.follow('ada');
    await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toHaveLength(1);
    // like a pooler or Citus
    await raw.query('UPDATE "ChangeFeed" SET "notifiedAt" = NULL');
    await writer.embeds.update('ada', id, (embed) => ({ ...embed, font: 'Other' }));
    expect((await changes.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id });
  },
);

test('only changes of followed accounts are notified, and a statement that changes many is recorded in parts', async () => {
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

  const changes = await database.changes.follow('ada');
  await bob.create();
  // one statement of another client
  await raw.query(`UPDATE "Embed" SET "font" = 'Other'`);
  const received: string[] = [];
  while (received.length < 450) received.push((await changes.next()).value?.embedId ?? '');
  expect(received.toSorted()).toEqual(created.map(({ id }) => id).toSorted());
  const recorded = `SELECT "lastNumber" FROM "EmbedChange" WHERE "accountId" = 'ada' AND "kind" = 'UPDATED' ORDER BY 1`;
  expect(await raw.query(recorded)).toEqual(['650', '850', '900'].map((lastNumber) => ({ lastNumber })));
  expect(payloads.filter((payload) => payload.startsWith('bob'))).toEqual([]);
});

test.skipIf(cannotHoldOnCitus('gateways do not listen, because triggers run on workers'))(
  'a gateway notifies once for a batch, after its commit, and the trigger never does',
  async () => {
    const { as, database, writer, raw, databaseUrl } = await openTwo();
    await as('bob');
    const listener = new pg.Client(databaseUrl);
    await listener.connect();
    onTestFinished(() => listener.end());
    const payloads: string[] = [];
    listener.on('notification', ({ payload = '' }) => payloads.push(payload));
    await listener.query('LISTEN embed_changed');
    await database.changes.follow('ada');
    await expect.poll(() => raw.query('SELECT 1 FROM "ChangeFeed" WHERE "notifiedAt" IS NOT NULL')).toHaveLength(1);
    await Promise.all(
      ['ada', 'bob'].flatMap((id) => Array.from({ length: 32 }, () => writer.embeds.insert(embedOf(id)))),
    );
    await expect.poll(() => payloads).toEqual(['ada 32']);
    // another client
    await raw.query(`UPDATE "Embed" SET "font" = 'Other'`);
    const position = `SELECT "lastNumber" FROM "ChangeFeed" WHERE "accountId" = 'ada'`;
    expect(await raw.query(position)).toEqual([{ lastNumber: '64' }]);
    await raw.query(`NOTIFY embed_changed, 'end'`);
    await expect.poll(() => payloads).toEqual(['ada 32', 'end']);
  },
);

test('a subscription is refused with 503 if its tables cannot be written', async () => {
  const { ada, raw, database } = await openTwo();
  await raw.query('BEGIN');
  await raw.query('LOCK TABLE "ChangeFeed" IN ACCESS EXCLUSIVE MODE');
  const query = new URLSearchParams({ query: 'subscription { embedChanged { embedId } }' });
  const response = await ada.fetch(`/graphql?${query}`, { headers: { accept: 'text/event-stream' } });
  const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
  expect([response.status, response.headers.get('retry-after'), errors]).toEqual([
    ...[503, '1'],
    [expect.objectContaining({ message: 'The database is busy; try again.' })],
  ]);
  await raw.query('ROLLBACK');
  await (await database.changes.follow('ada')).return?.();
});

test('recorded changes are deleted after 7 days, some at a time', async () => {
  const { ada, database, raw, databaseUrl } = await openTwo();
  const changes = await database.changes.follow('ada');
  await ada.create();
  await changes.next();
  await raw.query(`
    INSERT INTO "EmbedChange" ("accountId", "lastNumber", "mark", "previousMark", "kind", "embedIds", "createdAt")
    SELECT 'bob', n, 'mark', 'mark', 'CREATED', 'id', now() FROM generate_series(1, 700) AS n`);
  await raw.query(`UPDATE "EmbedChange" SET "createdAt" = "createdAt" - interval '8 days'`);
  await ada.create();
  const client = new PostgresqlClient({ adapter: new PrismaPg(databaseUrl) });
  onTestFinished(() => client.$disconnect());
  const records = openChangeRecords({ client, shards: null, executor: DIRECT_EXECUTOR });
  expect([await records.trim(), await records.trim()]).toEqual([true, false]);
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

test.skipIf(cannotHoldOnCitus('the sessions that wait for a lock are on workers'))(
  'a change that is committed while those after the last one are read is not missed',
  async () => {
    const { ada, database, raw, databaseUrl } = await openTwo();
    const observer = await openRaw(databaseUrl);
    const { id } = await ada.create();
    const first = await ada.rest('GET', '/v1/changes');
    const after: string = first.body.pagination.end_cursor;
    await raw.query('BEGIN');
    await raw.query('LOCK TABLE "ChangeFeed" IN ACCESS EXCLUSIVE MODE');
    await raw.query(`UPDATE "Embed" SET "font" = 'Other' WHERE "id" = '${id}'`);
    const page = ada.rest('GET', `/v1/changes?after=${after}`);
    const waiting = `SELECT 1 ${OTHER_SESSIONS} AND wait_event_type = 'Lock' AND query LIKE '%SELECT%"ChangeFeed"%'`;
    await expect.poll(() => observer.query(waiting)).toHaveLength(1);
    await raw.query('COMMIT');
    const { status, body } = await page;
    expect([status, body.changes]).toEqual([200, [expect.objectContaining({ kind: 'updated', embed_id: id })]]);
    const continued = await database.changes.follow('ada', after);
    expect((await continued.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id });
  },
);

test('a stream cannot be continued if changes after its position are deleted', async () => {
  const { ada, database, raw } = await openTwo();
  const changes = await database.changes.follow('ada');
  for (let i = 0; i < 3; i++) await ada.create();
  const { mark, number } = (await changes.next()).value ?? { mark: '', number: 0 };
  await raw.query('DELETE FROM "EmbedChange" WHERE "lastNumber" <= 2');
  const continued = await database.changes.follow('ada', `${mark}-${number}`);
  await expect(continued.next()).rejects.toThrow('Changes may have been missed');
});

test('a subscription at one gateway receives changes by another process, and a stop of the process ends it at once', async () => {
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
  expect(adas.events.map(({ data }) => data.data.embedChanged)).toEqual(lifeOf(id));
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

test('no change is missed after a subscription has started, whichever process writes', async () => {
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
  const page = { size: 1_000, fromEnd: false, after: undefined, before: undefined };
  const list = async () =>
    (await writer.createList('ada', null).findPage(page)).embeds.map(({ id }) => id).toReversed();
  for (let i = 0; i < 25; i++) {
    const changes = await database.changes.follow('ada');
    const before = await list();
    const received: string[] = [];
    for await (const { kind, embedId } of changes) {
      if (kind === 'CREATED' && !before.includes(embedId)) received.push(embedId);
      if (received.length >= 20) break;
    }
    const after = await list();
    // changes of embeds that the first list lacks arrive in order and complete
    expect(received).toEqual(after.slice(before.length, before.length + 20));
    if (after.length > 900) break;
  }
});

test.skipIf(cannotHoldOnCitus('gateways do not listen, because triggers run on workers'))(
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
      // the create is number 1
      expect((await changes.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id, number: i + 2 });
    }
    await changes.return?.();
    await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toEqual([]);
  },
);
