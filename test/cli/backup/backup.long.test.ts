import { openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { MEAL_PLANNER, openApp, temporaryFolder } from '../../open-app.ts';
import { run } from '../../process/run.ts';
import { runBackupInChild } from './run-backup.ts';

const TOKEN = 'a token of my own';

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

test('a service that was killed with a damaged database continues with its backup', async () => {
  const folder = temporaryFolder();
  const [databaseFile, backup] = [join(folder, 'embeds.db'), join(folder, 'monday.db')];
  const before = await start(databaseFile);
  const ids = [await before.create(), await before.create()];
  const backedUp = await runBackupInChild('backup', databaseFile, backup);
  expect(backedUp).toMatchObject({ code: 0, stderr: '' });
  expect(backedUp.stdout).toMatch(/^Copied 2 embeds of 1 account \(0\.\d MB\) to \S+monday\.db\. The integrity .*\n$/);
  const later = await before.create();

  const rejected = await runBackupInChild('restore', databaseFile, backup);
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

  const restored = await runBackupInChild('restore', databaseFile, backup);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/^Restored 2 embeds of 1 account .*\nThe previous database is kept as \S+\.\n$/);
  const previous = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
  expect(readFileSync(previous).subarray(0, 4)).toEqual(Buffer.alloc(4, 0xa5));

  const after = await start(databaseFile);
  expect(await after.list()).toEqual(ids.toReversed());
  await after.create();
  expect(await after.list()).toHaveLength(3);
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
    INSERT INTO Embed (position, id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, version, terms)
    SELECT 16 * n, '0' || printf('%025d', n), accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, 1, '[""]'
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
  const backedUp = await runBackupInChild('backup', databaseFile, join(folder, 'copy.db'));
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
