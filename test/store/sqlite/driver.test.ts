import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { openSqliteDriver } from '../../../src/store/sqlite/driver.ts';
import { reasonOfSqliteCode } from '../../../src/store/sqlite/errors.ts';
import { createHealthMonitor } from '../../../src/store/sqlite/health.ts';

/** Opens a driver on a database in memory with one table. */
function openDriver() {
  const connection = new BetterSqlite3(':memory:');
  onTestFinished(() => void connection.close());
  connection.exec('CREATE TABLE "Sample" ("createdAt" TEXT, "showTopBar" INTEGER, "title" TEXT)');
  const driver = openSqliteDriver(connection, createHealthMonitor(':memory:'));
  return { connection, driver };
}

test('values of fields are stored and read with their types', async () => {
  const { driver } = openDriver();
  const createdAt = '2026-11-21T04:04:14.422Z';
  expect(await driver.run(Prisma.sql`INSERT INTO "Sample" VALUES (${createdAt}, ${true}, ${'Soup'})`, null)).toBe(1);
  await driver.run(Prisma.sql`INSERT INTO "Sample" VALUES (${null}, ${false}, ${null})`, null);
  expect(driver.all(Prisma.sql`SELECT * FROM "Sample"`, null)).toEqual([
    { createdAt: new Date(createdAt), showTopBar: true, title: 'Soup' },
    { createdAt: null, showTopBar: false, title: null },
  ]);
  expect(driver.all(Prisma.sql`SELECT COUNT(*) AS "count" FROM "Sample" WHERE "showTopBar" = ${true}`, null)).toEqual([
    { count: 1 },
  ]);
});

test('statements are prepared once, and forgotten when there are many', () => {
  const { connection, driver } = openDriver();
  const prepared: string[] = [];
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  const select = (i: number) => driver.all(Prisma.raw(`SELECT ${i} AS "i"`), null);
  for (let i = 0; i < 200; i++) expect(select(i)).toEqual([{ i }]);
  select(0);
  select(199);
  expect(prepared).toHaveLength(200);
  select(200);
  select(0);
  expect(prepared.slice(200)).toEqual(['SELECT 200 AS "i"', 'SELECT 0 AS "i"']);
});

test('a closed connection is unreachable, and a wrong statement is a bug', async () => {
  const { connection, driver } = openDriver();
  const wrong = Prisma.sql`SELECT * FROM "Missing"`;
  expect(() => driver.all(wrong, null)).toThrow('no such table: Missing');
  await expect(driver.run(wrong, null)).rejects.toThrow('no such table: Missing');
  connection.close();
  const statement = Prisma.sql`DELETE FROM "Sample"`;
  expect(() => driver.all(statement, null)).toThrow(expect.objectContaining({ reason: 'unreachable' }));
  await expect(driver.run(statement, null)).rejects.toMatchObject({ reason: 'unreachable' });
});

test.each([
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_BUSY_SNAPSHOT', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_READONLY_DBMOVED', 'missing'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_READONLY_DIRECTORY', 'read_only'],
  ['EMBEDS_LOG_LOST', 'log_lost'],
  ['EMBEDS_OVERWRITTEN', 'overwritten'],
  ['SQLITE_IOERR', 'failing'],
  ['SQLITE_IOERR_WRITE', 'failing'],
  ['SQLITE_CANTOPEN', 'failing'],
  ['SQLITE_CANTOPEN_ISDIR', 'failing'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_CORRUPT_VTAB', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_CONSTRAINT_UNIQUE', null],
  ['', null],
])('the reason of %s is %s', (code, reason) => {
  expect(reasonOfSqliteCode(code)).toBe(reason);
});
