import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Filter, parseListing } from '../../src/domain/embed/listing.ts';
import { migrateDatabase, openDatabase } from '../../src/store/database.ts';
import { asBlock } from '../../src/store/postgresql/migration/script.ts';
import { lockTimeoutAfter, pauseMsAfter } from '../../src/store/postgresql/migration/transaction.ts';
import { readMigration } from '../../src/store/prisma/migrations.ts';
import { newDatabase, newPostgresql, openRaw } from '../databases/database.ts';
import { undoHashedLists } from '../databases/earlier-schema.ts';
import { SILENT_LOG } from '../databases/server.ts';
import { run } from '../process/run.ts';
import { embedOf } from '../store/embeds/embed-of.ts';
import { insertAll } from '../store/embeds/insert-all.ts';

const EMBEDS = 3_000;
const MAX_KILLS = 200;

test('a migration that is killed again and again is continued, and leaves lists and indexes whole', async () => {
  const url = await newPostgresql();
  const earlier = await openDatabase(url, { log: SILENT_LOG });
  await earlier.tokens.ensureAccount('ada', new Date());
  const embeds = Array.from({ length: EMBEDS }, (_, i) => embedOf('ada', { title: `Soup ${i % 10}` }));
  await insertAll(earlier, embeds);
  await earlier.close();
  const raw = await openRaw(url);
  await undoHashedLists(raw);

  let kills = 0;
  // by a factor, so that a machine on which a start takes seconds needs few more kills
  for (let delayMs = 20; kills < MAX_KILLS; delayMs = 1.08 * delayMs + 20) {
    const migrating = run('src/main.ts', ['migrate'], { DATABASE_URL: url });
    const isDone = await Promise.race([migrating.ended.then((code) => code === 0), pause(delayMs, false)]);
    if (isDone) break;
    migrating.child.kill('SIGKILL');
    await migrating.ended;
    kills++;
  }
  expect(kills).toBeGreaterThan(5);
  expect(await migrateDatabase(url, SILENT_LOG)).toEqual([]);
  expect(await migrateDatabase(url, SILENT_LOG, true)).toEqual([expect.stringMatching(/_hashed_lists_contract$/)]);

  expect(
    await raw.query('SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE NOT indisvalid'),
  ).toEqual([]);
  const twice = 'SELECT migration_name FROM _prisma_migrations GROUP BY migration_name HAVING count(*) > 1';
  expect(await raw.query(twice)).toEqual([]);
  const database = await openDatabase(url, { log: SILENT_LOG });
  onTestFinished(() => database.close());
  const { filter, paging } = parseListing({ filter: { search: 'soup 7' }, first: 100 }, { allowPrivatePages: false });
  const page = await database.createList('ada', filter as Filter).findPage(paging);
  const expected = embeds.filter((_, i) => i % 10 === 7).map(({ id }) => id);
  expect(page.embeds.map(({ id }) => id)).toEqual(expected.reverse().slice(0, 100));
  expect((await database.createList('ada', null).count()).count).toBe(EMBEDS);
});

test('a migration that gets no lock stops no request meanwhile, and goes on when the lock is free', async () => {
  const url = await newPostgresql();
  const earlier = await openDatabase(url, { log: SILENT_LOG });
  await earlier.tokens.ensureAccount('ada', new Date());
  await insertAll(earlier, [embedOf('ada')]);
  await earlier.close();
  const reading = await openRaw(url);
  await undoHashedLists(reading);
  await reading.query('BEGIN');
  await reading.query('SELECT 1 FROM "Embed"');

  const waits: object[] = [];
  const info = (fields: object) => void ('waitingFor' in fields && waits.push(fields));
  const migrated = migrateDatabase(url, { ...SILENT_LOG, info });
  const requesting = await openRaw(url);
  // an attempt of the migration waits for 150 ms
  await requesting.query(`SET lock_timeout = '5s'`);
  const request = async () => {
    expect(await requesting.query('SELECT 1 FROM "Embed"')).toHaveLength(1);
    await requesting.query(`UPDATE "Embed" SET "font" = 'Lora'`);
    return waits.length;
  };
  await expect.poll(request).toBe(1);
  expect(waits).toEqual([
    {
      waitingFor: expect.stringMatching(/_hashed_lists: ALTER TABLE "Embed" /),
      reason: 'canceling statement due to lock timeout',
    },
  ]);
  await reading.query('COMMIT');
  expect(await migrated).toEqual([
    expect.stringMatching(/\d_hashed_lists$/),
    expect.stringMatching(/_fill_hashed_lists$/),
    expect.stringMatching(/_fill_words$/),
  ]);
});

test('a migration waits longer after many tries, so that writes of 250 ms without a gap do not stop it', async () => {
  const url = await newPostgresql();
  const raw = await openRaw(url);
  await undoHashedLists(raw);
  const sessions = [await openRaw(url), await openRaw(url)];
  const hold = (i: number) => sessions[i]?.query('BEGIN; LOCK TABLE "Embed" IN ROW EXCLUSIVE MODE');
  await hold(0);
  let isOver = false;
  const info = (_fields: object, message: string) => {
    if (message === 'applied a migration') isOver = true;
  };
  const migrated = migrateDatabase(url, { ...SILENT_LOG, info });
  const isWaiting = async () =>
    (await raw.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"Embed"'::regclass`)).length > 0;
  for (let i = 0; !isOver; i = 1 - i) {
    while (!isOver && !(await isWaiting())) await pause(5);
    await pause(250);
    const next = hold(1 - i);
    // gets the lock, or waits behind the migration
    await Promise.race([next, pause(50)]);
    await sessions[i]?.query('COMMIT');
    await next;
  }
  for (const session of sessions) await session.query('ROLLBACK');
  expect(await migrated).toHaveLength(3);
});

test('a migration pauses for longer than it has waited, so that requests get more of the time', () => {
  for (let tries = 0; tries < 100; tries++) expect(pauseMsAfter(tries)).toBeGreaterThan(lockTimeoutAfter(tries));
});

test.each([
  ['an index', /: CREATE INDEX CONCURRENTLY /, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM "Token"'],
  ['a column', /: ALTER TABLE "Embed" /, 'BEGIN; LOCK TABLE "Embed" IN SHARE UPDATE EXCLUSIVE MODE'],
])('a migration says that %s waits for another session', async (_, waitingFor, hold) => {
  const url = await newPostgresql();
  const raw = await openRaw(url);
  await undoHashedLists(raw);
  await raw.query(hold);
  const waits: object[] = [];
  const info = (fields: object) => void ('waitingFor' in fields && waits.push(fields));
  const migrated = migrateDatabase(url, { ...SILENT_LOG, info });
  await expect.poll(() => waits).toContainEqual({ waitingFor: expect.stringMatching(waitingFor) });
  await raw.query('COMMIT');
  expect(await migrated).toHaveLength(3);
});

test('a migration of several tables locks them in the order in which writes do', async () => {
  const url = await newPostgresql();
  const [migrating, writing, next] = [await openRaw(url), await openRaw(url), await openRaw(url)];
  await migrating.query('ALTER TABLE "Embed" DROP COLUMN "settings" CASCADE');
  await migrating.query('ALTER TABLE "Account" DROP COLUMN "settings"');
  const isWaiting = async (table: string) =>
    (await writing.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"${table}"'::regclass`)).length > 0;
  // each write locks the table of embeds, and its trigger that of accounts
  const write = async (session: typeof next) => {
    await session.query('LOCK TABLE "Embed" IN ROW EXCLUSIVE MODE');
    await session.query('LOCK TABLE "Account" IN ROW EXCLUSIVE MODE');
  };
  await writing.query('BEGIN');
  await write(writing);
  const migrated = migrating.query(asBlock(readMigration('postgres', '20261123151143_add_settings')));
  await expect.poll(async () => (await isWaiting('Embed')) || isWaiting('Account')).toBe(true);
  await next.query('BEGIN');
  const written = write(next).then(() => next.query('COMMIT'));
  await Promise.race([written, pause(100)]);
  await writing.query('COMMIT');
  await Promise.all([migrated, written]);
});

test('embeds that a version without filters has written beside the new one are found after the contraction', async () => {
  const url = await newPostgresql();
  const raw = await openRaw(url);
  await undoHashedLists(raw);
  await migrateDatabase(url, SILENT_LOG);
  const database = await openDatabase(url, { log: SILENT_LOG });
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  const embed = embedOf('ada', { title: 'Soup' });
  await insertAll(database, [embed]);
  await raw.query(`UPDATE "Embed" SET "terms" = DEFAULT`);
  const { filter } = parseListing({ filter: { search: 'soup' } }, { allowPrivatePages: false });
  const count = async () => (await database.createList('ada', filter as Filter).count()).count;
  expect(await count()).toBe(0);
  await migrateDatabase(url, SILENT_LOG, true);
  expect(await count()).toBe(1);
});

test('changes that were recorded before a feed began again stop no write', async () => {
  const url = await newDatabase();
  const database = await openDatabase(url, { log: SILENT_LOG });
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  const raw = await openRaw(url);
  const longAgo = `(now() AT TIME ZONE 'utc') - interval '8 minutes'`;
  const keepOld = () =>
    raw.query(`
      INSERT INTO "EmbedChange" ("accountId", "lastNumber", "mark", "previousMark", "kind", "embedIds", "createdAt")
      SELECT 'ada', number, 'old', 'older', 'CREATED', 'x', ${longAgo} FROM generate_series(1, 9) AS number
      ON CONFLICT DO NOTHING`);
  const create = () => database.embeds.insert(embedOf('ada'));
  await keepOld();
  await raw.query(
    `INSERT INTO "ChangeFeed" ("accountId", "mark", "lastNumber", "renewedAt") VALUES ('ada', 'old', 9, ${longAgo})`,
  );
  await raw.query(asBlock(readMigration('postgres', '20261123160600_keep_changes')));
  await create();

  // the rows that the earlier form of that migration left
  await keepOld();
  await expect(create()).rejects.toThrow();
  const repair = async () => {
    await raw.query(`DELETE FROM "_prisma_migrations" WHERE "migration_name" ~ '_free_change_numbers$'`);
    expect(await migrateDatabase(url, SILENT_LOG)).toEqual([expect.stringMatching(/_free_change_numbers$/)]);
  };
  const kindsOfAll = async () => {
    const { changes } = await database.changes.readPage('ada', { size: 20, after: undefined });
    return changes.map(({ kind }) => kind);
  };
  await repair();
  const { embed } = await create();
  await database.embeds.update('ada', embed.id, (current) => ({ ...current, font: 'Lora' }));
  await database.embeds.delete('ada', embed.id);
  const kinds = await kindsOfAll();
  expect(kinds).toEqual(['CREATED', 'CREATED', 'UPDATED', 'DELETED']);

  // a change of several embeds skips old numbers
  await create();
  await raw.query(`UPDATE "Embed" SET "font" = 'Inter' WHERE "accountId" = 'ada'`);
  await raw.query(`DELETE FROM "EmbedChange" WHERE "lastNumber" < 7`);
  await keepOld();
  await repair();
  await create();
  expect(await kindsOfAll()).toEqual(['UPDATED', 'UPDATED', 'CREATED']);
});
