import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { cannotHoldOnCitus } from '../databases/database.ts';
import { findFreePort } from '../free-port.ts';
import { newDatabase, openApp, openRaw } from '../open-app.ts';
import { run } from '../process/run.ts';

const isBoundOnCitus = cannotHoldOnCitus('a start reads the tables of accounts as requests do, with their limits');

/** Creates a database with an embed of Ada, and opens a session that locks one of its tables. */
async function lockTable(table: string) {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  await (await as('ada')).create();
  await database.close();
  const locking = await openRaw(url);
  await locking.query('BEGIN');
  await locking.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`);
  return { url, locking };
}

/** Opens a database, with what the log says that the start waits for. */
function beginStart(url: string) {
  const waits: unknown[] = [];
  const log = {
    info: (fields: object) => void ('waitingFor' in fields && waits.push(fields.waitingFor)),
    warn() {},
    error() {},
  };
  return { waits, opened: openDatabase(url, { log }) };
}

test.skipIf(isBoundOnCitus)('a start waits for locked tables without a limit, and says what for', async () => {
  const tables = [
    ['_prisma_migrations', 'the list of migrations'],
    ['Token', 'the list of tokens'],
    ['Embed', 'the totals of accounts'],
  ] as const;
  await Promise.all(
    tables.map(async ([table, waitingFor]) => {
      const { url, locking } = await lockTable(table);
      const { waits, opened } = beginStart(url);
      // longer than the limits of other statements
      await expect.poll(() => waits).toEqual([waitingFor, waitingFor]);
      await locking.query('COMMIT');
      const database = await opened;
      onTestFinished(() => database.close());
      expect((await database.createList('ada', null).count()).count).toBe(1);
    }),
  );
});

test.skipIf(isBoundOnCitus)('a start that has waited for a lock still refuses wrong totals', async () => {
  const { url, locking } = await lockTable('Account');
  await locking.query('UPDATE "Account" SET "embedCount" = 2');
  const { waits, opened } = beginStart(url);
  opened.catch(() => {});
  await expect.poll(() => waits).toEqual(['the totals of accounts']);
  await locking.query('COMMIT');
  await expect(opened).rejects.toThrow('the total of the account ada is 2 instead of 1');
});

test('a first start waits until it can write its token', async () => {
  const url = await newDatabase();
  const locking = await openRaw(url);
  await locking.query('BEGIN');
  // permits reads
  await locking.query('LOCK TABLE "Token" IN SHARE MODE');
  const service = run('src/main.ts', [], { DATABASE_URL: url, PORT: String(await findFreePort()), LOG_LEVEL: 'info' });
  await service.waitForOutput('"waitingFor":"the first token"');
  await locking.query('COMMIT');
  await service.waitForOutput('This is your access token.');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test.skipIf(isBoundOnCitus)('a start that is stopped while it waits leaves no session behind', async () => {
  const { url, locking } = await lockTable('EmbedTerm');
  const service = run('src/main.ts', [], { DATABASE_URL: url, PORT: String(await findFreePort()), LOG_LEVEL: 'info' });
  await service.waitForOutput('"waitingFor":"the totals of accounts"');
  const other = await openRaw(url);
  const sessionsOfStart = async () => {
    const rows = await other.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'embed-gateway start'",
    );
    return rows.length;
  };
  expect(await sessionsOfStart()).toBe(1);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await expect.poll(sessionsOfStart).toBe(0);
  await locking.query('ROLLBACK');
});
