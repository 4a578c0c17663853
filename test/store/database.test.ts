import { randomBytes } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed.ts';
import { createEmbedIds } from '../../src/domain/embed-id.ts';
import { openDatabase } from '../../src/store/database.ts';
import { findSchemaDrift, knownMigrations } from '../../src/store/migrations.ts';
import { DurableSqlite } from '../../src/store/sqlite.ts';
import { temporaryFolder } from '../open-app.ts';
import { statementsOf } from './statements-of.ts';

const nextIdentity = createEmbedIds();

function embedOf(accountId: string): Embed {
  return {
    ...nextIdentity(),
    accountId,
    pageUrl: 'https://example.com/',
    pageId: '95747105-f402-490e-ba51-d52e00496c1c',
    title: 'x',
    mode: 'LIGHT',
    font: 'default',
    showTopBar: true,
    version: 1,
  };
}

async function openTemporary(file = join(temporaryFolder(), 'data', 'embeds.db')) {
  const database = await openDatabase(file);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  await database.tokens.ensureAccount('bob', new Date());
  return { database, file };
}

test('the migrations give the schema', async () => {
  expect(await findSchemaDrift(new DurableSqlite(':memory:'))).toBeNull();
});

test('a new file is migrated once, and then opens in write-ahead mode as it is', async () => {
  const { database, file } = await openTemporary();
  expect(database.appliedMigrations).toEqual(await knownMigrations());
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
  const again = await openDatabase(file);
  onTestFinished(() => again.close());
  expect(again.appliedMigrations).toEqual([]);
});

test('what was written is there after a restart, to the millisecond', async () => {
  const { database, file } = await openTemporary();
  const embed = embedOf('ada');
  await database.embeds.insert(embed);
  await database.close();
  const { database: reopened } = await openTemporary(file);
  expect(await reopened.embeds.find('ada', embed.id)).toEqual(embed);
});

test('the total of each account is kept by the database, whichever statement changes its embeds', async () => {
  const { database, file } = await openTemporary();
  const { embeds } = database;
  const made = Array.from({ length: 20 }, () => embedOf('ada'));
  await Promise.all(made.map((embed) => embeds.insert(embed)));
  await embeds.insert(embedOf('bob'));
  await Promise.all(made.slice(0, 5).map(({ id }) => embeds.delete('ada', id)));
  await Promise.allSettled([
    embeds.insert(made[10] as Embed),
    embeds.delete('ada', 'nope'),
    embeds.delete('bob', made[9]?.id ?? ''),
  ]);
  expect([await embeds.count('ada'), await embeds.count('bob'), await embeds.count('eve')]).toEqual([15, 1, 0]);

  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  raw.exec(`UPDATE Embed SET accountId = 'bob' WHERE id IN ('${made[5]?.id}', '${made[6]?.id}')`);
  raw.exec(`DELETE FROM Embed WHERE accountId = 'bob' AND id <> '${made[5]?.id}'`);
  const counted = raw
    .prepare('SELECT accountId, COUNT(*) AS count FROM Embed GROUP BY accountId ORDER BY accountId')
    .all();
  expect(counted).toEqual([
    { accountId: 'ada', count: 13 },
    { accountId: 'bob', count: 1 },
  ]);
  expect([await embeds.count('ada'), await embeds.count('bob')]).toEqual([13, 1]);
});

test('every write is one statement and opens no transaction', async () => {
  const { database } = await openTemporary();
  const embed = embedOf('ada');
  const statements = await statementsOf(async () => {
    await database.embeds.insert(embed);
    await database.embeds.update('ada', embed.id, (old) => ({ ...old, font: 'Lora' }));
    await database.embeds.delete('ada', embed.id);
    await database.tokens.ensureAccount('carol', new Date());
  });
  expect(statements.filter((sql) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)/i.test(sql))).toEqual([]);
  expect(statements.filter((sql) => /^(INSERT|UPDATE|DELETE)/i.test(sql))).toHaveLength(4);
});

test('a write that another process holds up is refused as unavailable, and nothing of it stays', async () => {
  const { database, file } = await openTemporary();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const embed = embedOf('ada');
  await expect(database.embeds.insert(embed)).rejects.toMatchObject({ code: 'unavailable' });
  other.exec('ROLLBACK');
  expect(await database.embeds.find('ada', embed.id)).toBeNull();
  await database.embeds.insert(embed);
  expect(await database.embeds.count('ada')).toBe(1);
});

test('the log of writes shrinks again after somebody held it up, and is gone after a close', async () => {
  const { database, file } = await openTemporary();
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

test('a database that cannot be used stops the start with one clear line', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'embeds.db');
  await (await openDatabase(file)).close();
  const raw = new BetterSqlite3(file);
  raw.exec(
    "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_future', 1, 1)",
  );
  raw.close();
  await expect(openDatabase(file)).rejects.toThrow(/newer than this version.*29990101000000_future/);

  const noise = join(folder, 'noise.db');
  writeFileSync(noise, randomBytes(8_192));
  await expect(openDatabase(noise)).rejects.toThrow(
    `${noise} is not a SQLite database. If it was one, restore a backup`,
  );

  const foreign = join(folder, 'foreign.db');
  new BetterSqlite3(foreign).exec('CREATE TABLE recipes (id)').close();
  await expect(openDatabase(foreign)).rejects.toThrow('belongs to another program');

  mkdirSync(join(folder, 'directory.db'));
  await expect(openDatabase(join(folder, 'directory.db'))).rejects.toThrow('cannot be written');
  await expect(openDatabase(join(noise, 'below-a-file.db'))).rejects.toThrow('cannot be written');
});
