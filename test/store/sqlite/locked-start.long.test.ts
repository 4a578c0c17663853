import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newSqlite } from '../../databases/database.ts';
import { findFreePort } from '../../free-port.ts';
import { run } from '../../process/run.ts';

/** Creates a database that another connection locks against writes. */
async function lockFile(mode: 'WAL' | 'DELETE') {
  const url = await newSqlite();
  await (await openDatabase(url)).close();
  const locking = new BetterSqlite3(url.slice('file:'.length));
  onTestFinished(() => void locking.close());
  locking.pragma(`journal_mode = ${mode}`);
  locking.exec('BEGIN IMMEDIATE');
  return { url, locking };
}

test('a start waits for another writer, and says every 5 s what for', async () => {
  await Promise.all(
    (['WAL', 'DELETE'] as const).map(async (mode) => {
      const { url, locking } = await lockFile(mode);
      const waits: unknown[] = [];
      const info = (fields: object) => void ('waitingFor' in fields && waits.push(fields.waitingFor));
      const opened = openDatabase(url, { log: { info, warn() {}, error() {} }, isService: true });
      const waitingFor = 'another program, which locks the database';
      await expect.poll(() => waits).toEqual([waitingFor, waitingFor]);
      locking.exec('COMMIT');
      await (await opened).close();
    }),
  );
});

test('a service that waits for another writer ends cleanly on SIGTERM', async () => {
  const { url } = await lockFile('WAL');
  const service = run('src/main.ts', [], { DATABASE_URL: url, PORT: String(await findFreePort()), LOG_LEVEL: 'info' });
  await service.waitForOutput('the start waits for the database');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.stderr()).toBe('Stopped by SIGTERM before the service was ready.\n');
});
