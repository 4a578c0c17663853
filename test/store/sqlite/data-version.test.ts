import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createDataVersion } from '../../../src/store/sqlite/connection.ts';
import { temporaryFolder } from '../../open-app.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Opens a file twice: the connection whose data version is read, and another one. */
function openTwice() {
  const file = join(temporaryFolder(), 'embeds.db');
  const own = new BetterSqlite3(file);
  own.pragma('journal_mode = WAL');
  own.exec('CREATE TABLE t (id)');
  const other = new BetterSqlite3(file);
  onTestFinished(() => {
    other.close();
    own.close();
  });
  return { own, other };
}

test('the version changes with each commit of another connection, and is looked up once until the microtasks have run', async () => {
  const { own, other } = openTwice();
  const version = createDataVersion(own);
  const seen = [version()];
  for (let i = 0; i < 3; i++) {
    await nextTurn();
    expect(version()).toBe(seen.at(-1));
    other.exec('INSERT INTO t VALUES (1)');
    // it has looked already
    expect(version()).toBe(seen.at(-1));
    await nextTurn();
    seen.push(version());
    expect(new Set(seen).size).toBe(i + 2);
  }
  own.exec('INSERT INTO t VALUES (2)');
  await nextTurn();
  expect(version()).toBe(seen.at(-1));
  // the next look is after the microtasks
  other.exec('INSERT INTO t VALUES (3)');
  await null;
  expect(seen).not.toContain(version());
});

test('a version that cannot be read equals no other', async () => {
  const { own } = openTwice();
  const version = createDataVersion(own);
  version();
  await nextTurn();
  own.close();
  expect([version(), version()]).toEqual([Number.NaN, Number.NaN]);
});
