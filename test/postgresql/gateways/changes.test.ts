import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { PrismaClient as PostgresqlClient } from '../../../src/generated/postgresql/client.ts';
import { openChangeRecords } from '../../../src/store/postgresql/changes/change-records.ts';
import { cannotHoldOnCitus } from '../../databases/database.ts';
import { follow } from '../../graphql/event-source.ts';
import { newDatabase, openApp, openRaw } from '../../open-app.ts';
import { openService } from '../../open-service.ts';
import { embedOf } from '../../store/embeds/embed-of.ts';
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

test('recorded changes are deleted after 7 days', async () => {
  const { ada, database, raw, databaseUrl } = await openTwo();
  const changes = await database.changes.follow('ada');
  await ada.create();
  await changes.next();
  await raw.query(`UPDATE "EmbedChange" SET "createdAt" = "createdAt" - interval '8 days'`);
  await ada.create();
  const client = new PostgresqlClient({ adapter: new PrismaPg(databaseUrl) });
  onTestFinished(() => client.$disconnect());
  await openChangeRecords(client, null).purge();
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

test('a stream cannot be continued if changes after its position are deleted', async () => {
  const { ada, database, raw } = await openTwo();
  const changes = await database.changes.follow('ada');
  for (let i = 0; i < 3; i++) await ada.create();
  const { mark, number } = (await changes.next()).value ?? { mark: '', number: 0 };
  await raw.query('DELETE FROM "EmbedChange" WHERE "lastNumber" <= 2');
  const continued = await database.changes.follow('ada', `${mark}-${number}`);
  await expect(continued.next()).rejects.toThrow('Changes may have been missed');
});
