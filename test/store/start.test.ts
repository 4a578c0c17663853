import { chmodSync, copyFileSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { newDatabase } from '../open-app.ts';

const RESTORE_HINT = /^The database \S+ is damaged.*: restore a backup with npx embed-gateway restore FILE$/;

/** Creates a file with 5,000 embeds. */
async function createFile(): Promise<string> {
  const file = (await newDatabase()).slice('file:'.length);
  const raw = new BetterSqlite3(file);
  raw.exec(`
    INSERT INTO Account (id, createdAt) VALUES ('ada', '2026-01-01T00:00:00.000+00:00');
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO Embed SELECT 16 * n, printf('%026d', n), 'ada', '2026-01-01T00:00:00.000+00:00', 'https://example.com/',
      '95747105-f402-490e-ba51-d52e00496c1c', 'x', 'LIGHT', 'default', 1, 1, ' x' FROM numbers`);
  raw.close();
  return file;
}

function overwrite(file: string, from: number, length: number): void {
  writeSync(openSync(file, 'r+'), Buffer.alloc(length, 0xa5), 0, length, from);
}

test('a damaged file is rejected, with a hint to restore a backup', async () => {
  const file = await createFile();
  for (const [damage, harm, message] of [
    ['truncated', (copy: string) => truncateSync(copy, Math.floor(statSync(copy).size / 3)), RESTORE_HINT],
    ['garbage in the middle', (copy: string) => overwrite(copy, statSync(copy).size / 2, 4_096), RESTORE_HINT],
    [
      'garbage in the header',
      (copy: string) => overwrite(copy, 0, 100),
      /is not a SQLite database\. If it was one, restore a backup: npx embed-gateway restore FILE$/,
    ],
    [
      'no trigger',
      (copy: string) => void new BetterSqlite3(copy).exec('DROP TRIGGER Embed_count_insert').close(),
      /damaged \(it lacks the trigger Embed_count_insert\)/,
    ],
  ] as const) {
    const copy = `${file}-${damage.replaceAll(' ', '-')}`;
    copyFileSync(file, copy);
    harm(copy);
    await expect(openDatabase(`file:${copy}`), damage).rejects.toThrow(message);
  }
});

test('a folder that cannot be created is rejected with one line', async () => {
  await expect(openDatabase('file:/proc/nope/x.db')).rejects.toThrow(
    /^The database \/proc\/nope\/x\.db cannot be written: .*$/,
  );
});

test('a read-only file is rejected with one line', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may write into any file; npm run faults:read-only shows it on a read-only disk');
  const file = await createFile();
  chmodSync(file, 0o444);
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(/cannot be written/);
});
