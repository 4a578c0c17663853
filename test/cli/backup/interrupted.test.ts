import fs, { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp, replaceWithCopy, restore } from '../../../src/store/sqlite/backup.ts';
import { explainErrors } from '../../../src/store/sqlite/file.ts';
import { newDatabase, temporaryFolder } from '../../open-app.ts';

const NOW = new Date('2026-11-23T06:00:00Z');

function addAccount(file: string, id: string): void {
  const database = new BetterSqlite3(file);
  database.prepare("INSERT INTO Account (id, createdAt) VALUES (?, '2026-01-01T00:00:00.000+00:00')").run(id);
  database.close();
}

function accountsOf(file: string): unknown[] {
  const database = new BetterSqlite3(file, { fileMustExist: true });
  onTestFinished(() => void database.close());
  return database.prepare('SELECT id FROM Account').pluck().all();
}

/** Creates a database with the account `ada`. */
async function createFile(): Promise<string> {
  const file = (await newDatabase()).slice('file:'.length);
  addAccount(file, 'ada');
  return file;
}

/** Leaves a part of a database, and its write-ahead log, which SQLite cannot write into that part. Returns the bytes by suffix. */
function truncateWithLog(file: string): ReadonlyMap<string, Buffer> {
  const database = new BetterSqlite3(file);
  database.exec("PRAGMA journal_mode = WAL; INSERT INTO Account (id, createdAt) VALUES ('bob', 0)");
  const left = new Map([
    ['', readFileSync(file).subarray(0, 5_000)],
    ['-wal', readFileSync(`${file}-wal`)],
  ]);
  database.close();
  for (const [suffix, bytes] of left) writeFileSync(file + suffix, bytes);
  return left;
}

const CALLS = ['fsyncSync', 'linkSync', 'renameSync'] as const;

/** Runs the work while the n-th of these calls fails, for each n up to their number. Returns the names of the calls. */
async function failEach(work: () => Promise<unknown>, check: () => void): Promise<readonly string[]> {
  const originals = Object.fromEntries(CALLS.map((name) => [name, fs[name]]));
  const restoreCalls = () => {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  };
  onTestFinished(restoreCalls);
  const failed: string[] = [];
  for (;;) {
    const before = failed.length;
    let remaining = before;
    for (const name of CALLS) {
      const original = originals[name] as (...args: unknown[]) => unknown;
      const call = (...args: unknown[]) => {
        if (remaining-- !== 0) return original(...args);
        failed.push(name);
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: name });
      };
      Object.assign(fs, { [name]: call });
    }
    syncBuiltinESMExports();
    const error = await work().then(
      () => null,
      (reason: Error) => reason,
    );
    restoreCalls();
    if (failed.length === before) return failed;
    expect(error?.message).toMatch(/^The database \S+ cannot be written: EIO: i\/o error\.$/);
    check();
  }
}

test('a backup of which a call fails leaves no file', async () => {
  const file = await createFile();
  const target = join(temporaryFolder(), 'monday.db');
  const failed = await failEach(
    () => backUp(file, target),
    () => expect(readdirSync(dirname(target))).toEqual([]),
  );
  // the file, its name, and the folder of the name
  expect(failed).toEqual(['fsyncSync', 'linkSync', 'fsyncSync']);
  expect(accountsOf(target)).toEqual(['ada']);
});

test('a restore of which a call fails leaves the previous database with its log, or the restored one', async () => {
  const file = await createFile();
  const backup = join(temporaryFolder(), 'monday.db');
  await backUp(file, backup);
  const damaged = truncateWithLog(file);
  const [main = Buffer.of()] = damaged.values();
  const isRestored = () => !readFileSync(file).equals(main);
  const failed = await failEach(
    () => restore(file, backup, NOW),
    () => {
      if (isRestored()) return;
      expect(readdirSync(dirname(file)).filter((name) => /part|before/.test(name))).toEqual([]);
      for (const [suffix, bytes] of damaged) expect(readFileSync(file + suffix).equals(bytes)).toBe(true);
    },
  );
  // the copy; the second name of the previous file, and its log; the new file, and the folder of all names
  const [rename, sync] = ['renameSync', 'fsyncSync'];
  expect(failed).toEqual([sync, 'linkSync', rename, rename, rename, sync]);
  expect(accountsOf(file)).toEqual(['ada']);
  for (const [suffix, bytes] of damaged) {
    expect(readFileSync(`${file}.before-restore-20261123T060000Z${suffix}`).equals(bytes)).toBe(true);
  }
});

test('a restore in place of a lost file, of which a call fails, says why', async () => {
  const backup = join(temporaryFolder(), 'monday.db');
  await backUp(await createFile(), backup);
  const file = join(temporaryFolder(), 'embeds.db');
  const failed = await failEach(
    () => restore(file, backup, NOW),
    () => rmSync(file, { force: true }),
  );
  expect(failed).toEqual(['fsyncSync', 'renameSync', 'fsyncSync']);
});

test('a copy from before an update, of which a call fails, is complete or not there', async () => {
  const file = await createFile();
  const copy = join(temporaryFolder(), 'embeds.db.before-update');
  const failed = await failEach(
    () => explainErrors(file, () => replaceWithCopy(file, copy)),
    () => {
      for (const name of readdirSync(dirname(copy))) expect(accountsOf(join(dirname(copy), name))).toEqual(['ada']);
    },
  );
  // the file, its name, and the folder of the name
  expect(failed).toEqual(['fsyncSync', 'renameSync', 'fsyncSync']);
});

test('a backup has the rows of its beginning, and replaces no file that another program creates meanwhile', async () => {
  const file = await createFile();
  const target = join(temporaryFolder(), 'monday.db');
  const copied = backUp(file, target);
  addAccount(file, 'bob');
  expect(await copied).toMatchObject({ accounts: 1 });
  expect(accountsOf(target)).toEqual(['ada']);

  rmSync(target);
  const refused = backUp(file, target);
  writeFileSync(target, 'mine');
  await expect(refused).rejects.toThrow(`${target} is already there: name a new file.`);
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('a backup and a restore that are stopped change nothing', async () => {
  const file = await createFile();
  const backup = join(temporaryFolder(), 'monday.db');
  const stopped = AbortSignal.abort();
  await expect(backUp(file, backup, stopped)).rejects.toThrow(/^Stopped; nothing was changed\.$/);
  expect(readdirSync(dirname(backup))).toEqual([]);
  await backUp(file, backup);
  addAccount(file, 'bob');
  await expect(restore(file, backup, NOW, stopped)).rejects.toThrow(/^Stopped; nothing was changed\.$/);
  expect(accountsOf(file)).toEqual(['ada', 'bob']);
});

test('a backup can be stopped after each 10 MB', async () => {
  const file = await createFile();
  new BetterSqlite3(file)
    .exec("INSERT INTO Page (pageUrl, freshUntil, bytes, article) VALUES ('x', '2026-01-01', 0, zeroblob(40000000))")
    .close();
  const { signal } = new AbortController();
  const check = vi.spyOn(signal, 'throwIfAborted');
  // its row is not valid
  await expect(backUp(file, join(temporaryFolder(), 'monday.db'), signal)).rejects.toThrow('damaged');
  expect(check.mock.calls.length).toBeGreaterThan(4);
});

test('a restore on a new machine creates the folder of the database', async () => {
  const backup = join(temporaryFolder(), 'monday.db');
  await backUp(await createFile(), backup);
  const file = join(temporaryFolder(), 'data', 'of', 'the service', 'embeds.db');
  expect(await restore(file, backup, NOW)).toMatchObject({ accounts: 1, previousFile: null });
  expect(accountsOf(file)).toEqual(['ada']);
});

test('a file that is no database is not restored, and a backup of it leaves nothing beside it', async () => {
  const folder = temporaryFolder();
  const noise = join(folder, 'noise.db');
  writeFileSync(noise, 'x'.repeat(5_000));
  await expect(backUp(noise, join(folder, 'monday.db'))).rejects.toThrow(/is not a SQLite database/);
  expect(readdirSync(folder)).toEqual(['noise.db']);
  await expect(restore(await createFile(), noise, NOW)).rejects.toThrow(/is not a SQLite database/);
});
