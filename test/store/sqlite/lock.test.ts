import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { DatabaseError } from '../../../src/store/database-errors.ts';
import { knownMigrations } from '../../../src/store/prisma/migrations.ts';
import { databaseErrorOf, explainErrors } from '../../../src/store/sqlite/file.ts';
import { takeExclusiveLock, takeSharedLock, waitForLock } from '../../../src/store/sqlite/lock.ts';
import { migrateSqlite } from '../../../src/store/sqlite/migration.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const FILE = 'embeds.db';

const caughtFrom = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

test('a database that is in use cannot be restored, until all that use it have ended', async () => {
  const file = join(temporaryFolder(), FILE);
  const database = await openDatabase(`file:${file}`);
  const other = takeSharedLock(file);
  const reason = `The database ${file} is in use by a running service or command: stop it first.`;
  expect(() => takeExclusiveLock(file)).toThrow(new DatabaseError(reason));
  other.release();
  expect(() => takeExclusiveLock(file)).toThrow(new DatabaseError(reason));
  await database.close();
  takeExclusiveLock(file).release();
});

test('a database that is being restored cannot be opened', async () => {
  const file = join(temporaryFolder(), FILE);
  const lock = takeExclusiveLock(file);
  const reason = `The database ${file} is being restored: wait until that is done.`;
  expect(await caughtFrom(() => openDatabase(`file:${file}`))).toEqual(new DatabaseError(reason));
  lock.release();
  await (await openDatabase(`file:${file}`)).close();
});

test('a lock file that cannot be opened is named with the reason', () => {
  const file = join(temporaryFolder(), FILE);
  mkdirSync(`${file}.lock`);
  expect(() => takeSharedLock(file)).toThrow(
    expect.objectContaining({
      message: `The database ${file} cannot be locked: ${file}.lock: unable to open database file.`,
      cause: expect.objectContaining({ code: 'SQLITE_CANTOPEN' }),
    }),
  );
});

test('a part of a start is repeated while the database is locked, up to its limit, and not after other errors', async () => {
  const file = join(temporaryFolder(), FILE);
  const [holder, waiter] = [1, 2].map(() => new BetterSqlite3(file, { timeout: 0 })) as [Database, Database];
  onTestFinished(() => {
    holder.close();
    waiter.close();
  });
  let tries = 0;
  const begin = () => {
    tries++;
    if (tries === 3) holder.exec('COMMIT');
    return waiter.exec('BEGIN IMMEDIATE');
  };
  const wait = (maxWaitMs: number, part: () => unknown) => waitForLock(SILENT_LOG, 'a test', maxWaitMs, part);
  holder.exec('BEGIN IMMEDIATE');
  await wait(60_000, begin);
  expect(tries).toBe(3);

  const failed = await caughtFrom(() => wait(-1, () => holder.exec('BEGIN IMMEDIATE; SELECT 1')));
  expect(failed).toMatchObject({ code: 'SQLITE_BUSY' });
  const bug = new TypeError('a bug');
  const failing = () => {
    tries++;
    throw bug;
  };
  expect(await caughtFrom(() => wait(60_000, failing))).toBe(bug);
  expect(tries).toBe(4);
});

test('errors of SQLite and of the file system become one line, and bugs stay as they are', async () => {
  for (const [code, message] of [
    ['SQLITE_FULL', `The disk of ${FILE} is full.`],
    ['SQLITE_BUSY', `The database ${FILE} is locked by another program.`],
    ['SQLITE_CORRUPT', `The database ${FILE} is damaged: restore a backup with npx embed-gateway restore FILE`],
    ['SQLITE_READONLY', `The database ${FILE} cannot be written: why.`],
    ['EACCES', `The database ${FILE} cannot be written: why.`],
    ['SQLITE_EMPTY', `The database ${FILE} cannot be opened: why.`],
  ] as const) {
    const error = Object.assign(new Error('why'), { code, syscall: 'open' });
    expect(databaseErrorOf(error, FILE)).toMatchObject({ message, cause: error });
  }
  const known = new DatabaseError('known');
  expect(databaseErrorOf(known, FILE)).toBe(known);

  const ofSystem = Object.assign(new Error('why'), { code: 'ENOSPC', syscall: 'write' });
  expect(await caughtFrom(() => explainErrors(FILE, () => Promise.reject(ofSystem)))).toMatchObject({
    message: expect.stringContaining(FILE),
    cause: ofSystem,
  });
  const bug = new TypeError('a bug');
  expect(await caughtFrom(() => explainErrors(FILE, () => Promise.reject(bug)))).toBe(bug);
});

test('a file with all migrations is left alone, also if another process has applied them meanwhile', async () => {
  const file = join(temporaryFolder(), FILE);
  expect(await migrateSqlite(file, knownMigrations('sqlite'), SILENT_LOG)).toEqual([]);
  expect(existsSync(file)).toBe(false);

  await (await openDatabase(`file:${file}`)).close();
  expect(await migrateSqlite(file, [], SILENT_LOG)).toEqual([]);
  expect(existsSync(`${file}.before-update`)).toBe(false);
});
