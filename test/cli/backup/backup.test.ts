import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { restore } from '../../../src/store/sqlite/backup.ts';
import { newDatabase, openApp } from '../../open-app.ts';
import { runBackup, runBackupInChild } from './run-backup.ts';

/** Creates a database and returns its URL, its file and its folder. */
async function createDatabase() {
  const databaseUrl = await newDatabase();
  const databaseFile = databaseUrl.slice('file:'.length);
  return { databaseUrl, databaseFile, folder: dirname(databaseFile) };
}

test('a backup of a running service replaces a damaged database, and the service continues with it', async () => {
  const { databaseUrl, databaseFile, folder } = await createDatabase();
  const backup = join(folder, 'monday.db');
  const before = await openApp({ databaseUrl });
  const ada = await before.as('ada');
  const ids = [(await ada.create()).id, (await ada.create()).id];
  const backedUp = await runBackupInChild('backup', databaseFile, backup);
  expect(backedUp).toMatchObject({ code: 0, stderr: '' });
  expect(backedUp.stdout).toMatch(/^Copied 2 embeds of 1 account \(0\.\d MB\) to \S+monday\.db\. The integrity .*\n$/);
  const later = await ada.create();
  expect(await runBackupInChild('restore', databaseFile, backup)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The database ${databaseFile} is in use by a running service or command: stop it first.\n`,
  });
  expect((await ada.rest('GET', '/v1/embeds')).body.embeds).toContainEqual(later);
  await before.database.close();

  // like a failed disk
  const descriptor = openSync(databaseFile, 'r+');
  writeSync(descriptor, Buffer.alloc(statSync(databaseFile).size, 0xa5));
  closeSync(descriptor);
  await expect(openDatabase(databaseUrl)).rejects.toThrow('npx embed-gateway restore FILE');
  const restored = await runBackup('restore', databaseFile, backup);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/^Restored 2 embeds of 1 account .*\nThe previous database is kept as \S+\.\n$/);
  const previous = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
  expect(readFileSync(previous).subarray(0, 4)).toEqual(Buffer.alloc(4, 0xa5));

  const after = (await openApp({ databaseUrl })).withAuthorization(ada.authorization);
  const { id } = await after.create();
  const { embeds, total_count } = (await after.rest('GET', '/v1/embeds')).body;
  expect([embeds.map((embed: { id: string }) => embed.id), total_count]).toEqual([[id, ...ids.toReversed()], 3]);
});

test('a backup replaces no file, and leaves no file when it fails', async () => {
  const { databaseFile, folder } = await createDatabase();
  const target = join(folder, 'there.db');
  writeFileSync(target, 'mine');
  expect(await runBackup('backup', databaseFile, target)).toMatchObject({
    code: 1,
    stderr: `${target} is already there: name a new file.\n`,
  });
  expect(readFileSync(target, 'utf8')).toBe('mine');

  for (const nowhere of [join(folder, 'no', 'such'), target]) {
    expect(await runBackup('backup', databaseFile, join(nowhere, 'folder.db'))).toMatchObject({
      code: 1,
      stderr: `There is no folder ${nowhere}: create it first.\n`,
    });
  }
  // the file system rejects the unfinished file, which has another name
  expect((await runBackup('backup', databaseFile, '/proc/x.db')).stderr).toMatch(
    /^The database \/proc\/x\.db cannot be /,
  );
  const long = await runBackup('backup', databaseFile, join(folder, 'x'.repeat(300)));
  expect(long).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database .* cannot be written: ENAMETOOLONG: .*\n$/),
  });
  const absent = await runBackup('backup', join(folder, 'absent.db'), join(folder, 'x.db'));
  expect(absent).toMatchObject({ code: 1, stderr: `There is no database ${join(folder, 'absent.db')}.\n` });
  expect(readdirSync(folder).sort()).toEqual(['embeds.db', 'embeds.db.lock', 'there.db']);
});

test('refuses to back up a damaged database, and to restore a damaged, foreign or newer one', async () => {
  const { folder } = await createDatabase();
  const at = (name: string) => join(folder, name);
  expect((await runBackup('backup', at('embeds.db'), at('good.db'))).code).toBe(0);

  for (const name of ['wrong-total.db', 'newer.db'])
    expect((await runBackup('backup', at('embeds.db'), at(name))).code).toBe(0);
  new BetterSqlite3(at('wrong-total.db'))
    .exec("INSERT INTO Account (id, createdAt, embedCount) VALUES ('ada', '2026-01-01', 7)")
    .close();
  new BetterSqlite3(at('newer.db'))
    .exec(
      "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_future', 1, 1)",
    )
    .close();
  new BetterSqlite3(at('foreign.db')).exec('CREATE TABLE recipes (id)').close();
  writeFileSync(at('noise.db'), 'x'.repeat(5_000));
  writeFileSync(at('empty.db'), '');
  const before = readFileSync(at('embeds.db'));
  for (const [name, reason] of [
    ['wrong-total.db', 'the account ada counts 7 embeds and has 0'],
    ['newer.db', 'newer than this version of the service: it has the migration 29990101000000_future'],
    ['foreign.db', 'belongs to another program'],
    ['noise.db', 'is not a SQLite database'],
    ['empty.db', 'is empty'],
    ['absent.db', 'There is no backup'],
  ] as const) {
    const { code, stdout, stderr } = await runBackup('restore', at('embeds.db'), at(name));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(readFileSync(at('embeds.db')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);

  expect((await runBackup('backup', at('wrong-total.db'), at('x.db'))).stderr).toContain('damaged');
  expect(existsSync(at('x.db'))).toBe(false);
});

test('a restore keeps the previous database in one file, and the next start migrates an older backup', async () => {
  const { databaseFile, folder } = await createDatabase();
  const backup = join(folder, 'old.db');
  expect((await runBackup('backup', databaseFile, backup)).code).toBe(0);
  const old = new BetterSqlite3(backup);
  old.exec(
    "DROP TABLE IdempotentCreate; DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_idempotent_creates'",
  );
  old.close();

  const restored = await runBackup('restore', databaseFile, backup);
  expect(restored.code).toBe(0);
  expect(restored.stdout).toMatch(/The next start will apply \d+_idempotent_creates\.\n$/);
  const previous = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
  expect(dirname(previous)).toBe(folder);
  expect(readdirSync(folder).sort()).toEqual(['embeds.db', basename(previous), 'embeds.db.lock', 'old.db']);
  const database = await openDatabase(`file:${databaseFile}`);
  onTestFinished(() => database.close());
  expect(database.appliedMigrations).toEqual([expect.stringMatching(/_idempotent_creates$/)]);

  // another program has read the file, and still has it open
  await database.close();
  const other = new BetterSqlite3(databaseFile);
  onTestFinished(() => void other.close());
  other.prepare('SELECT COUNT(*) FROM Embed').get();
  const rejected = await runBackup('restore', databaseFile, backup);
  expect([rejected.code, rejected.stderr]).toEqual([1, `The database ${databaseFile} is locked by another program.\n`]);
});

test('restores within the same second keep each previous database', async () => {
  const { databaseFile, folder } = await createDatabase();
  const backup = join(folder, 'monday.db');
  expect((await runBackup('backup', databaseFile, backup)).code).toBe(0);
  const now = new Date('2026-11-23T06:00:00.500Z');
  const kept: unknown[] = [];
  for (const created of ['first', 'second', 'third']) {
    const database = new BetterSqlite3(databaseFile);
    database.prepare('INSERT INTO Account (id, createdAt) VALUES (?, 0)').run(created);
    database.close();
    const { previousFile } = await restore(databaseFile, backup, now);
    const previous = new BetterSqlite3(previousFile ?? '', { fileMustExist: true });
    kept.push([basename(previousFile ?? ''), previous.prepare('SELECT id FROM Account').pluck().all()]);
    previous.close();
  }
  expect(kept).toEqual([
    ['embeds.db.before-restore-20261123T060000Z', ['first']],
    ['embeds.db.before-restore-20261123T060000Z-2', ['second']],
    ['embeds.db.before-restore-20261123T060000Z-3', ['third']],
  ]);
});

test.for([
  ['lost', rmSync],
  ['truncated', truncateSync],
] as const)(
  'a restore in place of a %s file does not read the write-ahead log that is left of it',
  async ([, harm]) => {
    const { databaseUrl, databaseFile, folder } = await createDatabase();
    const { as, database } = await openApp({ databaseUrl });
    const ada = await as('ada');
    const { id } = await ada.create();
    const backup = join(folder, 'monday.db');
    expect((await runBackupInChild('backup', databaseFile, backup)).code).toBe(0);
    for (let i = 0; i < 20; i++) await ada.create();
    const log = readFileSync(`${databaseFile}-wal`);
    expect(log.length).toBeGreaterThan(0);
    await database.close();
    harm(databaseFile);
    writeFileSync(`${databaseFile}-wal`, log);

    expect(await runBackup('restore', databaseFile, backup)).toMatchObject({ code: 0, stderr: '' });
    const after = (await openApp({ databaseUrl })).withAuthorization(ada.authorization);
    const { embeds } = (await after.rest('GET', '/v1/embeds')).body;
    expect(embeds.map((embed: { id: string }) => embed.id)).toEqual([id]);
    const left = readdirSync(folder).filter((name) => /before-restore.*-wal$/.test(name));
    expect(left.map((name) => readFileSync(join(folder, name)).equals(log))).toEqual([true]);
  },
);
