import { chmodSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { findFreePort } from '../free-port.ts';
import { temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';

const RESTORE_HINT = /^The database \S+ is damaged.*: restore a backup with npx embed-gateway restore FILE$/;

let file: string;

beforeEach(async () => {
  file = join(temporaryFolder(), 'embeds.db');
  await (await openDatabase(`file:${file}`)).close();
  const raw = new BetterSqlite3(file);
  raw.exec(`
    INSERT INTO Account (id, createdAt) VALUES ('ada', '2026-01-01T00:00:00.000+00:00');
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO Embed SELECT 16 * n, printf('%026d', n), 'ada', '2026-01-01T00:00:00.000+00:00', 'https://example.com/',
      '95747105-f402-490e-ba51-d52e00496c1c', 'x', 'LIGHT', 'default', 1, 1, ' x' FROM numbers`);
  raw.close();
});

function overwrite(from: number, length: number): void {
  writeSync(openSync(file, 'r+'), Buffer.alloc(length, 0xa5), 0, length, from);
}

test('a truncated file is rejected, with a hint to restore a backup', async () => {
  truncateSync(file, Math.floor(statSync(file).size / 3));
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(RESTORE_HINT);
});

test.each([0, 10_000_000])(
  'a file with garbage in the middle and %i more bytes is rejected, with a hint',
  async (bytes) => {
    const middle = statSync(file).size / 2;
    new BetterSqlite3(file).exec(`CREATE TABLE Other (content); INSERT INTO Other VALUES (zeroblob(${bytes}))`).close();
    await (await openDatabase(`file:${file}`)).close();
    overwrite(middle, 4_096);
    await expect(openDatabase(`file:${file}`)).rejects.toThrow(RESTORE_HINT);
  },
);

test('a file with garbage in its header is rejected, with a hint to restore a backup', async () => {
  overwrite(0, 100);
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(
    /is not a SQLite database\. If it was one, restore a backup: npx embed-gateway restore FILE$/,
  );
});

test('a file without one of the triggers is rejected', async () => {
  new BetterSqlite3(file).exec('DROP TRIGGER Embed_count_insert').close();
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(/damaged \(it lacks the trigger Embed_count_insert\)/);
});

test('a folder that cannot be created ends the start at once with one line', async () => {
  const service = run('src/main.ts', [], {
    PORT: String(await findFreePort()),
    DATABASE_URL: 'file:/proc/nope/x.db',
    LOG_LEVEL: 'silent',
  });
  expect(await service.ended).toBe(1);
  expect(service.stderr()).toMatch(/^The database \/proc\/nope\/x\.db cannot be written: .*\n$/);
});

test('a read-only file is rejected with one line', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may write into any file; npm run faults:read-only shows it on a read-only disk');
  chmodSync(file, 0o444);
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(/cannot be written/);
});
