import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { copyDatabase } from '../../../src/store/copy/copy.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { knownMigrations } from '../../../src/store/prisma/migrations.ts';
import { prepareSqliteFile } from '../../../src/store/sqlite/file.ts';
import { startPageCheck } from '../../../src/store/sqlite/integrity/page-check.ts';
import { takeExclusiveLock, takeSharedLock } from '../../../src/store/sqlite/lock.ts';
import { newDatabase } from '../../open-app.ts';

const RESTORE_HINT = /^The database \S+ is damaged.*: restore a backup with npx embed-gateway restore FILE$/;

/** Creates a file with 5,000 embeds. */
async function createFile(): Promise<string> {
  const file = (await newDatabase()).slice('file:'.length);
  const raw = new BetterSqlite3(file);
  raw.exec(`
    INSERT INTO Account (id, createdAt) VALUES ('ada', '2026-01-01T00:00:00.000+00:00');
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO Embed (position, id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, version, terms)
    SELECT 16 * n, printf('%026d', n), 'ada', '2026-01-01T00:00:00.000+00:00', 'https://example.com/',
      '95747105-f402-490e-ba51-d52e00496c1c', 'x', 'LIGHT', 'default', 1, 1, ' x' FROM numbers`);
  raw.close();
  return file;
}

function overwrite(file: string, from: number, length: number): void {
  writeSync(openSync(file, 'r+'), Buffer.alloc(length, 0xa5), 0, length, from);
}

/** Adds a table, and damages what was the middle of the file. */
async function damageLarger(file: string, bytes: number): Promise<void> {
  const middle = statSync(file).size / 2;
  new BetterSqlite3(file).exec(`CREATE TABLE Other (content); INSERT INTO Other VALUES (zeroblob(${bytes}))`).close();
  await (await openDatabase(`file:${file}`)).close();
  overwrite(file, middle, 4_096);
}

test('a damaged file is rejected, with a hint to restore a backup', async () => {
  const file = await createFile();
  const cases: readonly [damage: string, harm: (copy: string) => unknown, message: RegExp][] = [
    ['truncated', (copy) => truncateSync(copy, Math.floor(statSync(copy).size / 3)), RESTORE_HINT],
    ['garbage in the middle', (copy) => damageLarger(copy, 0), RESTORE_HINT],
    [
      'garbage in the header',
      (copy) => overwrite(copy, 0, 100),
      /is not a SQLite database\. If it was one, restore a backup: npx embed-gateway restore FILE$/,
    ],
    [
      'no trigger',
      (copy) => new BetterSqlite3(copy).exec('DROP TRIGGER Embed_count_insert').close(),
      /damaged \(it lacks the trigger Embed_count_insert\)/,
    ],
  ];
  for (const [damage, harm, message] of cases) {
    const copy = `${file}-${damage.replaceAll(' ', '-')}`;
    copyFileSync(file, copy);
    await harm(copy);
    await expect(openDatabase(`file:${copy}`), damage).rejects.toThrow(message);
  }
});

test('damage in a larger file is found while the service uses it, before a migration and by commands', async () => {
  const file = await createFile();
  await damageLarger(file, 10_000_000);
  const logged: string[] = [];
  const add = (_fields: object, message: string) => void logged.push(message);
  const log = { info: add, warn: add, error: add };
  const database = await openDatabase(`file:${file}`, { log, isService: true });
  await expect
    .poll(() => database.ping().catch((error: Error) => error.message))
    .toContain('The database cannot do this');
  expect(logged).toEqual([expect.stringMatching(/^the database is damaged: stop the service and restore a backup/)]);
  await database.close();

  await expect(openDatabase(`file:${file}`)).rejects.toThrow(RESTORE_HINT);
  const raw = new BetterSqlite3(file);
  raw
    .exec(`DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_page_index'; DROP INDEX "Embed_page_idx"`)
    .close();
  await expect(openDatabase(`file:${file}`, { isService: true })).rejects.toThrow(RESTORE_HINT);
});

test('damage at both ends of an index of a larger file is found before the service uses it', async () => {
  const file = await createFile();
  const raw = new BetterSqlite3(file);
  raw.exec('CREATE TABLE Other (content); INSERT INTO Other VALUES (zeroblob(10000000))');
  const leaves = raw
    .prepare("SELECT pgoffset FROM dbstat WHERE name = 'Embed_id_key' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all() as number[];
  raw.close();
  expect(leaves.length).toBeGreaterThan(2);
  for (const [end, offset = 0] of [
    ['first', leaves[0]],
    ['last', leaves.at(-1)],
  ] as const) {
    const copy = `${file}-${end}`;
    copyFileSync(file, copy);
    overwrite(copy, offset, 4_096);
    await expect(openDatabase(`file:${copy}`, { isService: true }), end).rejects.toThrow(RESTORE_HINT);
    // a restore may follow
    takeExclusiveLock(copy).release();
  }
});

test('a thread checks the pages of files over 8 MiB and up to 64 MiB, until it is stopped', async () => {
  const file = await createFile();
  overwrite(file, 0, 100);
  const MIB = 1024 ** 2;
  for (const [bytes, isChecked] of [
    [8 * MIB, false],
    [8 * MIB + 1, true],
    [64 * MIB, true],
    [64 * MIB + 1, false],
  ] as const) {
    truncateSync(file, bytes);
    const check = startPageCheck(file);
    expect([bytes, check !== null]).toEqual([bytes, isChecked]);
    await check?.stop();
    if (check) expect(await check.fault).toBeNull();
  }
});

test('a larger file without damage is checked without a line in the log', async () => {
  const file = await createFile();
  const raw = new BetterSqlite3(file);
  raw.exec('CREATE TABLE Other (content); INSERT INTO Other VALUES (zeroblob(9000000))');
  raw.close();
  const checked = once(process, 'worker').then(([worker]) => once(worker, 'exit'));
  const logged: unknown[] = [];
  const add = (...line: unknown[]) => void logged.push(line);
  const database = await openDatabase(`file:${file}`, { log: { info: add, warn: add, error: add }, isService: true });
  onTestFinished(() => database.close());
  await checked;
  await database.ping();
  expect(logged).toEqual([]);
});

test('a check of pages that fails without a sign of damage is only logged', async () => {
  const file = await createFile();
  truncateSync(file, 9_000_000);
  const logged: (readonly [string, object])[] = [];
  const add = (fields: object, message: string) => void logged.push([message, fields]);
  const log = { info: add, warn: add, error: add };
  const database = await openDatabase(`file:${file}`, { log, isService: true });
  // before the thread opens it
  renameSync(file, `${file}-moved`);
  await expect.poll(() => logged).toEqual([['the pages of the database were not checked', expect.anything()]]);
  expect(logged[0]?.[1]).toEqual({ file, reason: 'unable to open database file' });
  renameSync(`${file}-moved`, file);
  await database.ping();
  await database.close();
});

test('a database that lost its content is not begun anew', async () => {
  const file = await createFile();
  const write = new BetterSqlite3(file);
  write.exec('DELETE FROM Embed WHERE position = 16');
  for (const name of [file, `${file}-wal`]) copyFileSync(name, name.replace(file, `${file}-killed`));
  write.close();
  const audit = (copy: string) => writeFileSync(`${copy}.audit.jsonl`, '{}\n');
  const cases: readonly [name: string, harm: (copy: string) => unknown, remains: string, moved: string[]][] = [
    ['truncated', (copy) => [truncateSync(copy), audit(copy)], '-wal', ['', '-wal']],
    ['removed', (copy) => rmSync(copy), '-wal', ['-wal']],
    ['audited', (copy) => [truncateSync(copy), rmSync(`${copy}-wal`), audit(copy)], '.audit.jsonl', ['']],
  ];
  for (const [name, harm, remains, moved] of cases) {
    const copy = `${file}-${name}`;
    for (const suffix of ['', '-wal']) copyFileSync(`${file}-killed${suffix}`, copy + suffix);
    harm(copy);
    const kept = statSync(copy + remains).size;
    await expect(openDatabase(`file:${copy}`)).rejects.toThrow(
      `The database ${copy} has no content, but ${copy}${remains} has: restore a backup with npx embed-gateway restore FILE. To begin an empty database, move ${moved.map((suffix) => copy + suffix).join(' and ')} away.`,
    );
    expect(statSync(copy + remains).size).toBe(kept);
    for (const suffix of moved) renameSync(copy + suffix, `${copy}-moved${suffix}`);
    await (await openDatabase(`file:${copy}`)).close();
  }
});

test('a database is begun in an empty file, and beside the audit log of a database that was removed', async () => {
  const url = await newDatabase();
  const file = url.slice('file:'.length);
  rmSync(file);
  writeFileSync(`${file}.audit.jsonl`, '{}\n');
  await (await openDatabase(url)).close();
  writeFileSync(`${file}-empty`, '');
  await (await openDatabase(`${url}-empty`)).close();
});

test('a check of pages whose thread fails has the reason, and does not end the process', async () => {
  const file = await createFile();
  truncateSync(file, 9_000_000);
  process.once('worker', (worker) => worker.emit('error', new Error('out of memory')));
  const check = startPageCheck(file);
  expect(await check?.fault).toEqual({ code: '', message: 'out of memory' });
  await check?.stop();
});

test('a file that another program locks for writes is rejected, unless a migration follows, which waits', async () => {
  const file = await createFile();
  const known = knownMigrations('sqlite');
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  expect(prepareSqliteFile(file, [...known, '29990101000000_next'])).toEqual(known);
  expect(() => prepareSqliteFile(file, known)).toThrow('database is locked');
  other.exec('ROLLBACK');
  expect(prepareSqliteFile(file, known)).toEqual(known);
});

test('a file without a write-ahead log is rejected', () => {
  expect(() => prepareSqliteFile(':memory:', [])).toThrow(/^The database \S+ does not support write-ahead logging\.$/);
});

test('a database that another process creates beside an audit log is not refused', async () => {
  const file = (await newDatabase()).slice('file:'.length);
  truncateSync(file);
  writeFileSync(`${file}.audit.jsonl`, '{}\n');
  const lock = takeSharedLock(file);
  await (await openDatabase(`file:${file}`)).close();
  lock.release();
});

test('a database is copied to a file beside the audit log of a database that was removed', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()];
  const file = to.slice('file:'.length);
  rmSync(file);
  writeFileSync(`${file}.audit.jsonl`, '{}\n');
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const progress = { begin: () => {}, advance: () => {} };
  const { signal } = new AbortController();
  const copied = await copyDatabase(from, to, { progress, log, signal });
  expect(copied.resumedAt).toBe(0);
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

test('a copy that was interrupted before it recorded its source is rejected', async () => {
  const url = await newDatabase();
  new BetterSqlite3(url.slice('file:'.length)).exec('CREATE TABLE "_copy" ("source" TEXT NOT NULL)').close();
  await expect(openDatabase(url)).rejects.toThrow('The database has an unfinished copy of another database: run');
});
