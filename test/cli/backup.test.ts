import { existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { findFreePort } from '../free-port.ts';
import { MEAL_PLANNER, openApp, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';
import { runInProcess } from './run-in-process.ts';

const TOKEN = 'a token of my own';

/** Runs the command in a child process. */
async function runCommand(name: 'backup' | 'restore', databaseFile: string, ...args: string[]) {
  const process = run('src/main.ts', [name, ...args], { DATABASE_URL: `file:${databaseFile}` });
  const code = await process.ended;
  return { code, stdout: process.stdout(), stderr: process.stderr() };
}

/** Runs the command in this process, which must not have the database open. */
function runCommandInProcess(name: 'backup' | 'restore', databaseFile: string, ...args: string[]) {
  return runInProcess(name, args, { DATABASE_URL: `file:${databaseFile}` });
}

async function start(databaseFile: string) {
  const port = await findFreePort();
  const environment = { PORT: String(port), DATABASE_URL: `file:${databaseFile}`, ACCESS_TOKEN: TOKEN };
  const service = run('src/main.ts', [], environment);
  await service.waitForOutput('"msg":"ready"');
  const url = `http://127.0.0.1:${port}/v1/embeds`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  return {
    service,
    async create() {
      const body = new URLSearchParams({ page_url: MEAL_PLANNER });
      const response = await fetch(url, { method: 'POST', headers, body });
      return ((await response.json()) as { embed: { id: string } }).embed.id;
    },
    async list() {
      const { embeds, total_count } = (await (await fetch(url, { headers })).json()) as {
        embeds: { id: string }[];
        total_count: number;
      };
      expect(total_count).toBe(embeds.length);
      return embeds.map(({ id }) => id);
    },
  };
}

test('a backup of a running service replaces a damaged database, and the service continues with it', async () => {
  const folder = temporaryFolder();
  const [databaseFile, backup] = [join(folder, 'embeds.db'), join(folder, 'monday.db')];
  const before = await start(databaseFile);
  const ids = [await before.create(), await before.create()];
  const backedUp = await runCommand('backup', databaseFile, backup);
  expect(backedUp).toMatchObject({ code: 0, stderr: '' });
  expect(backedUp.stdout).toMatch(/^Copied 2 embeds of 1 accounts \(0\.\d MB\) to \S+monday\.db\. The integrity .*\n$/);
  const later = await before.create();

  const rejected = await runCommand('restore', databaseFile, backup);
  expect(rejected).toMatchObject({ code: 1, stdout: '' });
  expect(rejected.stderr).toBe(
    `The database ${databaseFile} is in use by a running service or command: stop it first.\n`,
  );
  expect(await before.list()).toContain(later);

  // simulates a failed disk: no clean stop, and garbage in the file
  before.service.child.kill('SIGKILL');
  await before.service.ended;
  writeSync(openSync(databaseFile, 'r+'), Buffer.alloc(statSync(databaseFile).size, 0xa5));
  const broken = run('src/main.ts', [], { DATABASE_URL: `file:${databaseFile}`, PORT: String(await findFreePort()) });
  expect(await broken.ended).toBe(1);
  expect(broken.stderr()).toContain('npx embed-gateway restore FILE');

  const restored = await runCommand('restore', databaseFile, backup);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/^Restored 2 embeds of 1 accounts .*\nThe previous database is kept as \S+\.\n$/);
  const previous = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
  expect(readFileSync(previous).subarray(0, 4)).toEqual(Buffer.alloc(4, 0xa5));

  const after = await start(databaseFile);
  expect(await after.list()).toEqual(ids.toReversed());
  await after.create();
  expect(await after.list()).toHaveLength(3);
});

test('a backup replaces no file, and leaves no file when it fails', async () => {
  const folder = temporaryFolder();
  const databaseFile = join(folder, 'embeds.db');
  const ada = await (await openApp({ databaseUrl: `file:${databaseFile}` })).as('ada');
  await ada.create();
  const target = join(folder, 'there.db');
  writeFileSync(target, 'mine');
  expect(await runCommand('backup', databaseFile, target)).toMatchObject({
    code: 1,
    stderr: `${target} is already there: name a new file.\n`,
  });
  expect(readFileSync(target, 'utf8')).toBe('mine');

  const nowhere = join(folder, 'no', 'such', 'folder.db');
  expect((await runCommand('backup', databaseFile, nowhere)).code).toBe(1);
  const absent = await runCommand('backup', join(folder, 'absent.db'), join(folder, 'x.db'));
  expect(absent).toMatchObject({ code: 1, stderr: `There is no database ${join(folder, 'absent.db')}.\n` });
  const names = ['embeds.db', 'embeds.db-shm', 'embeds.db-wal', 'embeds.db.lock', 'there.db'];
  expect(readdirSync(folder).sort()).toEqual(names);
});

test('refuses to back up a damaged database, and to restore a damaged, foreign or newer one', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  await (await openDatabase(`file:${at('embeds.db')}`)).close();
  expect((await runCommandInProcess('backup', at('embeds.db'), at('good.db'))).code).toBe(0);

  for (const name of ['wrong-total.db', 'newer.db'])
    expect((await runCommandInProcess('backup', at('embeds.db'), at(name))).code).toBe(0);
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
    const { code, stdout, stderr } = await runCommandInProcess('restore', at('embeds.db'), at(name));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(readFileSync(at('embeds.db')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);

  expect((await runCommandInProcess('backup', at('wrong-total.db'), at('x.db'))).stderr).toContain('damaged');
  expect(existsSync(at('x.db'))).toBe(false);
});

test('a restore keeps the previous database in one file, and the next start migrates an older backup', async () => {
  const folder = temporaryFolder();
  const [databaseFile, backup] = [join(folder, 'data', 'embeds.db'), join(folder, 'old.db')];
  await (await openDatabase(`file:${databaseFile}`)).close();
  expect((await runCommand('backup', databaseFile, backup)).code).toBe(0);
  const old = new BetterSqlite3(backup);
  old.exec(
    "DROP TABLE IdempotentCreate; DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_idempotent_creates'",
  );
  old.close();

  const restored = await runCommand('restore', databaseFile, backup);
  expect(restored.code).toBe(0);
  expect(restored.stdout).toMatch(/The next start will apply \d+_idempotent_creates\.\n$/);
  const previous = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
  expect(dirname(previous)).toBe(dirname(databaseFile));
  expect(readdirSync(dirname(databaseFile)).sort()).toEqual(['embeds.db', basename(previous), 'embeds.db.lock']);
  const database = await openDatabase(`file:${databaseFile}`);
  onTestFinished(() => database.close());
  expect(database.appliedMigrations).toEqual([expect.stringMatching(/_idempotent_creates$/)]);

  // another program has read the file, and still has it open
  await database.close();
  const other = new BetterSqlite3(databaseFile);
  onTestFinished(() => void other.close());
  other.prepare('SELECT COUNT(*) FROM Embed').get();
  const rejected = await runCommand('restore', databaseFile, backup);
  expect([rejected.code, rejected.stderr]).toEqual([1, `The database ${databaseFile} is locked by another program.\n`]);
});

test('a backup during continuous writes is a consistent snapshot', async () => {
  const folder = temporaryFolder();
  const databaseFile = join(folder, 'embeds.db');
  const { as } = await openApp({ databaseUrl: `file:${databaseFile}` });
  const ada = await as('ada');
  await ada.create();
  const raw = new BetterSqlite3(databaseFile);
  raw.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30000)
    INSERT INTO Embed SELECT 16 * n, '0' || printf('%025d', n), accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, 1, '[""]'
    FROM numbers, (SELECT * FROM Embed LIMIT 1)`);
  raw.close();
  let isOver = false;
  let created = 0;
  const writer = (async () => {
    for (; !isOver; created++) {
      await ada.create();
      // requests in this process complete without I/O: give the event loop a turn to notice the end of the command
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const backedUp = await runCommand('backup', databaseFile, join(folder, 'copy.db'));
  isOver = true;
  await writer;
  expect(backedUp.code).toBe(0);
  const copy = new BetterSqlite3(join(folder, 'copy.db'));
  onTestFinished(() => void copy.close());
  const { total, counted } = copy
    .prepare('SELECT embedCount AS total, (SELECT COUNT(*) FROM Embed) AS counted FROM Account')
    .get() as { total: number; counted: number };
  expect(total).toBe(counted);
  expect(total).toBeGreaterThan(30_000);
  expect(total).toBeLessThanOrEqual(30_001 + created);
});
