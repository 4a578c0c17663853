import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { findSchemaDrift } from '../../../prisma/schema-engine/drift.ts';
import { ScratchSqlite } from '../../../prisma/schema-engine/sqlite-adapter.ts';
import type { Paging } from '../../../src/domain/embed/paging.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { knownMigrations } from '../../../src/store/prisma/migrations.ts';
import { newDatabase } from '../../databases/database.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { embedOf } from '../embeds/embed-of.ts';
import { statementsOf } from '../embeds/statements-of.ts';

const FIRST_PAGE: Paging = { size: 10, fromEnd: false, after: undefined, before: undefined };

async function open() {
  const url = await newDatabase();
  const file = url.slice('file:'.length);
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  return { database, file };
}

function rawOf(file: string): BetterSqlite3.Database {
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  return raw;
}

test('the migrations create the schema of the model', async () => {
  expect(await findSchemaDrift(new ScratchSqlite())).toBeNull();
});

test('a new file is migrated once, and has a write-ahead log', async () => {
  const file = join(temporaryFolder(), 'data', 'embeds.db');
  const database = await openDatabase(`file:${file}`);
  onTestFinished(() => database.close());
  expect(database.appliedMigrations).toEqual(knownMigrations('sqlite'));
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
  const again = await openDatabase(`file:${file}`);
  onTestFinished(() => again.close());
  expect(again.appliedMigrations).toEqual([]);
});

test('a write is rejected as unavailable while another process holds the lock, and has no effect', async () => {
  const { database, file } = await open();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const embed = embedOf('ada');
  await expect(database.embeds.insert(embed)).rejects.toMatchObject({ code: 'unavailable' });
  // it is only busy
  await database.ping();
  other.exec('ROLLBACK');
  expect(await database.embeds.find('ada', embed.id)).toBeNull();
  await database.embeds.insert(embed);
  expect((await database.createList('ada', null).count()).count).toBe(1);
});

test('a batch of creates is rejected as a whole while another process holds the lock, after one wait', async () => {
  const { database, file } = await open();
  const { embeds } = database;
  const raw = rawOf(file);
  raw.exec('BEGIN IMMEDIATE');
  const created = Array.from({ length: 10 }, () => embedOf('ada'));
  const tried = await statementsOf(async () => {
    for (const outcome of await Promise.allSettled(created.map((embed) => embeds.insert(embed)))) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
  });
  raw.exec('ROLLBACK');
  expect(tried).toHaveLength(1);
  expect((await database.createList('ada', null).count()).count).toBe(0);
});

test('the write-ahead log shrinks after a long read, and is gone after a close', async () => {
  const { database, file } = await open();
  const reader = new BetterSqlite3(file);
  reader.exec('BEGIN; SELECT COUNT(*) FROM Embed');
  const writer = new BetterSqlite3(file);
  writer.exec(
    "INSERT INTO Page (pageUrl, freshUntil, bytes, article) VALUES ('x', '2026-01-01', 0, zeroblob(24000000))",
  );
  const sizeOfLog = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  expect(sizeOfLog()).toBeGreaterThan(24_000_000);
  reader.close();
  writer.close();
  for (let i = 0; i < 3; i++) await database.embeds.insert(embedOf('ada'));
  expect(sizeOfLog()).toBeLessThanOrEqual(16 * 1024 * 1024);
  await database.close();
  expect(sizeOfLog()).toBe(0);
});

test('a database that was opened and not used leaves no write-ahead log', async () => {
  const url = await newDatabase();
  await (await openDatabase(url)).close();
  expect(readdirSync(dirname(url.slice('file:'.length))).sort()).toEqual(['embeds.db', 'embeds.db.lock']);
});

test('cached statements keep working when the schema changes', async () => {
  const { database, file } = await open();
  const { embeds } = database;
  const raw = rawOf(file);
  const embed = embedOf('ada');
  await embeds.insert(embed);
  await embeds.find('ada', embed.id);
  raw.exec('ALTER TABLE "Embed" ADD COLUMN "later" TEXT; CREATE INDEX "later" ON "Embed" ("later")');
  const second = embedOf('ada');
  await embeds.insert(second);
  expect(await Promise.all([embed, second].map(({ id }) => embeds.find('ada', id)))).toEqual([embed, second]);
  expect((await database.createList('ada', null).findPage(FIRST_PAGE)).embeds).toEqual([second, embed]);
});

test('a statement is prepared once, however often it runs', async () => {
  const { embeds, createList } = (await open()).database;
  const ids = Array.from({ length: 50 }, () => embedOf('ada').id);
  const { prepare } = BetterSqlite3.prototype;
  await embeds.find('ada', ids[0] as string);
  let prepared = 0;
  BetterSqlite3.prototype.prepare = function (this: BetterSqlite3.Database, sql: string) {
    prepared++;
    return prepare.call(this, sql);
  } as typeof prepare;
  onTestFinished(() => void Object.assign(BetterSqlite3.prototype, { prepare }));
  for (const id of ids) await embeds.find('ada', id);
  expect(prepared).toBe(0);
  expect(await createList('ada', null).exists({ to: ids[0] as string })).toBe(false);
  expect(prepared).toBe(1);
});

test('opening a database that cannot be used fails with the reason in one line', async () => {
  const folder = temporaryFolder();
  const url = await newDatabase();
  const raw = new BetterSqlite3(url.slice('file:'.length));
  raw.exec(
    "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_future', 1, 1)",
  );
  raw.close();
  await expect(openDatabase(url)).rejects.toThrow(/^The database is newer than this version.*29990101000000_future/);

  const noise = join(folder, 'noise.db');
  writeFileSync(noise, randomBytes(8_192));
  await expect(openDatabase(`file:${noise}`)).rejects.toThrow(
    `${noise} is not a SQLite database. If it was one, restore a backup`,
  );

  const foreign = join(folder, 'foreign.db');
  new BetterSqlite3(foreign).exec('CREATE TABLE recipes (id)').close();
  const before = readFileSync(foreign);
  await expect(openDatabase(`file:${foreign}`)).rejects.toThrow('belongs to another program');
  expect(readFileSync(foreign).equals(before)).toBe(true);

  mkdirSync(join(folder, 'directory.db'));
  await expect(openDatabase(`file:${join(folder, 'directory.db')}`)).rejects.toThrow('cannot be written');
  await expect(openDatabase(`file:${join(noise, 'below-a-file.db')}`)).rejects.toThrow('cannot be written');
});

test('a write is committed before it resolves, also while webhooks are inserted', async () => {
  const { database, file } = await open();
  const raw = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void raw.close());
  const select = raw.prepare('SELECT version FROM Embed WHERE id = ?').pluck();
  const embeds = Array.from({ length: 600 }, () => embedOf('ada'));
  await Promise.all(embeds.map((embed) => database.embeds.insert(embed)));
  const versions: unknown[] = [];
  async function update({ id }: { readonly id: string }): Promise<void> {
    await database.embeds.update('ada', id, (embed) => ({ ...embed, font: 'Inter' }));
    versions.push(select.get(id));
  }
  for (let i = 0; i < 20; i++) {
    const { id } = embedOf('ada');
    const none = { disabledAt: null, disabledReason: null, failingSince: null, previousSecret: null };
    const secrets = { secret: '', previousSecretUntil: null };
    const key = { accountId: 'ada', id, url: 'https://example.com/', createdAt: new Date() };
    const inserted = database.webhooks.insert({ ...none, ...secrets, ...key, events: ['EMBED_CREATED'] });
    const updated: Promise<void>[] = [];
    for (const [turn, embed] of embeds.splice(0, 30).entries()) {
      updated.push(update(embed));
      // the updates begin at many moments of the insert
      for (let k = 0; k < 3; k++) await null;
      if (turn % 3 === i % 3) await (i % 2 ? nextTurn() : new Promise(process.nextTick));
    }
    await Promise.all([inserted, ...updated]);
  }
  expect(versions).toEqual(Array(600).fill(2));
});
