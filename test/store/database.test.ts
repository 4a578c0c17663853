import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { COORDINATOR_TABLES } from '../../src/store/postgresql/citus/tables.ts';
import { isOnCitus, newDatabase, openRaw } from '../databases/database.ts';
import { embedOf } from './embeds/embed-of.ts';
import { statementsOf } from './embeds/statements-of.ts';

async function openTestDatabase(given?: string) {
  const url = given ?? (await newDatabase());
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  await database.tokens.ensureAccount('bob', new Date());
  return { database, url };
}

test('an embed is the same after a restart, to the millisecond', async () => {
  const { database, url } = await openTestDatabase();
  const embed = embedOf('ada');
  await database.embeds.insert(embed);
  await database.close();
  const { database: reopened } = await openTestDatabase(url);
  expect(await reopened.embeds.find('ada', embed.id)).toEqual(embed);
});

test('a check for readiness reads all tables', async () => {
  const { database, url } = await openTestDatabase();
  const catalog = url.startsWith('file:')
    ? `sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%\\_%' ESCAPE '\\'`
    : `(SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public') AS t`;
  const tables = isOnCitus
    ? COORDINATOR_TABLES
    : (await (await openRaw(url)).query(`SELECT name FROM ${catalog}`)).map(({ name }) => String(name));
  const text = (await statementsOf(database.ping)).join();
  expect(tables.length).toBeGreaterThan(6);
  expect(tables.filter((name) => !text.includes(`EXISTS(SELECT 1 FROM "${name}")`))).toEqual([]);
});

test('a statement after the end is refused, and opens no connection again', async () => {
  const url = await newDatabase();
  const database = await openDatabase(url);
  await database.close();
  const refused = { message: 'The database cannot be reached; try again.' };
  await expect(database.tokens.hasAny()).rejects.toMatchObject(refused);
  await expect(database.tokens.ensureAccount('ada', new Date())).rejects.toMatchObject(refused);
  if (!url.startsWith('file:')) {
    const findSessions = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'embed-gateway' AND datname = current_database()`;
    const raw = await openRaw(url);
    await expect.poll(() => raw.query(findSessions)).toEqual([]);
  }
});

test('triggers keep the total of each account, whichever statement changes its embeds', async () => {
  const { database, url } = await openTestDatabase();
  const { embeds, createList } = database;
  const created = Array.from({ length: 20 }, () => embedOf('ada'));
  await Promise.all(created.map((embed) => embeds.insert(embed)));
  await embeds.insert(embedOf('bob'));
  await Promise.all(created.slice(0, 5).map(({ id }) => embeds.delete('ada', id)));
  await Promise.allSettled([
    embeds.insert(created[10] as Embed),
    embeds.delete('ada', 'nope'),
    embeds.delete('bob', created[9]?.id ?? ''),
  ]);
  const totals = (...names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await createList(name, null).count()).count));
  expect(await totals('ada', 'bob', 'eve')).toEqual([15, 1, 0]);

  // Citus moves no row to another account
  if (isOnCitus) return;
  const raw = await openRaw(url);
  await raw.query(`UPDATE "Embed" SET "accountId" = 'bob' WHERE "id" IN ('${created[5]?.id}', '${created[6]?.id}')`);
  await raw.query(`DELETE FROM "Embed" WHERE "accountId" = 'bob' AND "id" <> '${created[5]?.id}'`);
  const counted = await raw.query('SELECT "accountId" FROM "Embed" ORDER BY "accountId"');
  expect(counted.map(({ accountId }) => accountId)).toEqual([...Array(13).fill('ada'), 'bob']);
  expect(await totals('ada', 'bob')).toEqual([13, 1]);
});

test('every write is one statement and opens no transaction', async () => {
  const { database } = await openTestDatabase();
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
