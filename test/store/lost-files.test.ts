import { cpSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { newDatabase } from '../databases/database.ts';
import { findFreePort } from '../free-port.ts';
import { MEAL_PLANNER, openApp, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';
import { embedOf } from './embed-of.ts';

/** Opens the app with an embed of Ada. */
async function openService() {
  const databaseUrl = await newDatabase();
  const file = databaseUrl.slice('file:'.length);
  const { app, as, database, logged } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const embed = await ada.create();
  return {
    file,
    database,
    ada,
    embed,
    create: () => ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER }),
    async ready() {
      const response = await app.fetch(new Request('http://localhost:4000/readyz'));
      return { status: response.status, body: await response.text() };
    },
    errors: (text: string) => logged.filter((line) => JSON.stringify(line).includes(text)),
  };
}

/** Creates a database of another gateway. */
async function createOtherDatabase(embeds: number): Promise<string> {
  const url = await newDatabase();
  const database = await openDatabase(url);
  await database.tokens.ensureAccount('bob', new Date());
  for (let i = 0; i < embeds; i++) await database.embeds.insert(embedOf('bob'));
  await database.close();
  return url.slice('file:'.length);
}

/** Replaces the content of a file, as `cp` does. */
function overwrite(file: string, by: string): void {
  writeFileSync(file, readFileSync(by));
}

function idsIn(file: string): unknown[] {
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  return raw.prepare('SELECT id FROM Embed ORDER BY id').pluck().all();
}

type Service = Awaited<ReturnType<typeof openService>>;

/** Expects that writes are rejected with the reason, and that reads continue. */
async function expectWritesRejected({ ada, embed, create, ready, errors }: Service, reason: string, logLine: string) {
  const rejected = await create();
  expect([rejected.status, rejected.body.code, rejected.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '10',
  ]);
  expect((await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'dark' })).status).toBe(503);
  expect((await ada.rest('DELETE', `/v1/embeds/${embed.id}`)).status).toBe(503);
  expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).status).toBe(200);
  expect(await ready()).toMatchObject({ status: 503, body: expect.stringContaining(reason) });
  expect(errors(logLine)).toHaveLength(1);
}

test('writes are rejected while the file is moved away', async () => {
  const service = await openService();
  const { file, ada, embed, ready, errors } = service;
  expect((await ready()).status).toBe(200);
  renameSync(file, `${file}.away`);
  await expectWritesRejected(service, 'its file was moved or deleted', 'the database file was moved or deleted');

  renameSync(`${file}.away`, file);
  expect((await ready()).status).toBe(200);
  expect(errors('the database can be written again')).toHaveLength(1);
  expect((await ada.rest('DELETE', `/v1/embeds/${embed.id}`)).status).toBe(200);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);
});

test('after the write-ahead log was deleted, no write is acknowledged, and the file contains earlier writes', async () => {
  const service = await openService();
  const copy = join(temporaryFolder(), 'as-after-a-crash.db');
  rmSync(`${service.file}-wal`);
  await expectWritesRejected(
    service,
    'its write-ahead log was moved',
    'the write-ahead log (-wal) or its index (-shm) was moved',
  );
  cpSync(service.file, copy);
  expect(idsIn(copy)).toEqual([service.embed.id]);
});

test('the first readiness check after the write-ahead log was deleted also saves earlier writes', async () => {
  const { file, embed, ready } = await openService();
  const copy = join(temporaryFolder(), 'as-after-a-crash.db');
  rmSync(`${file}-wal`);
  expect((await ready()).status).toBe(503);
  cpSync(file, copy);
  expect(idsIn(copy)).toEqual([embed.id]);
});

test('writes are rejected until a moved write-ahead log is back', async () => {
  const { file, create, ready } = await openService();
  renameSync(`${file}-wal`, `${file}-away`);
  expect((await create()).status).toBe(503);
  renameSync(`${file}-away`, `${file}-wal`);
  expect((await ready()).status).toBe(200);
  expect((await create()).status).toBe(201);
});

test.each([
  ['emptied', (file: string) => writeFileSync(`${file}-wal`, '')],
  ['overwritten', (file: string) => writeFileSync(`${file}-wal`, Buffer.alloc(8_192, 7), { flag: 'r+' })],
  ['separated from its index', (file: string) => rmSync(`${file}-shm`)],
])('writes are rejected after the write-ahead log was %s', async (_, harm) => {
  const { file, create, ready, errors } = await openService();
  harm(file);
  expect((await create()).status).toBe(503);
  expect((await ready()).status).toBe(503);
  expect(errors('the write-ahead log (-wal) or its index (-shm)')).toHaveLength(1);
});

test('after another database was copied over the file, no write is acknowledged', async () => {
  const service = await openService();
  overwrite(service.file, await createOtherDatabase(3));
  await expectWritesRejected(
    service,
    'another program wrote over its file',
    'another program wrote over the database file',
  );
});

test('a copy over the file is detected, also one of the same size and of the same database', async () => {
  const { file, create, ready, database } = await openService();
  const raw = new BetterSqlite3(file);
  raw.pragma('wal_checkpoint(PASSIVE)');
  await raw.backup(`${file}.monday`);
  raw.close();
  expect((await create()).status).toBe(201);
  overwrite(file, `${file}.monday`);
  expect((await create()).status).toBe(503);
  expect((await ready()).status).toBe(503);
  await database.close();
});

test('the next start serves the database that was copied over the file, and keeps the log of the old one', async () => {
  const { file, create, database } = await openService();
  const other = await createOtherDatabase(3);
  overwrite(file, other);
  expect((await create()).status).toBe(503);
  await database.close();
  expect(idsIn(file)).toEqual(idsIn(other));
  const kept = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}-wal.`));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(dirname(file), kept[0] ?? '')).length).toBeGreaterThan(0);
  const again = await openDatabase(`file:${file}`);
  onTestFinished(() => again.close());
  expect(await again.embeds.count('bob')).toBe(3);
});

test('writes to a file with a changed time are rejected until the next start, which has all embeds', async () => {
  const { file, embed, create, database } = await openService();
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect((await create()).status).toBe(503);
  await database.close();
  expect(idsIn(file)).toEqual([embed.id]);
});

test('writes and checkpoints of this process and of others do not cause rejections', async () => {
  const { file, create, ready } = await openService();
  const writes = `
    import BetterSqlite3 from 'better-sqlite3';
    const raw = new BetterSqlite3(process.argv[1], { timeout: 10_000 });
    raw.pragma('wal_autocheckpoint = 2');
    console.log('started');
    for (let i = 0; i < 400; i++) {
      raw.prepare('INSERT INTO Page (pageUrl, freshUntil, bytes, article) VALUES (?, ?, 0, zeroblob(9000))').run('x' + i, '2026-01-01');
      if (i % 20 === 0) raw.pragma('wal_checkpoint(TRUNCATE)');
    }
    raw.close();`;
  const other = run('--input-type=module', ['-e', writes, file], {});
  await other.waitForOutput('started');
  let isOver = false;
  const ended = other.ended.finally(() => {
    isOver = true;
  });
  const statuses = new Set<number>();
  while (!isOver) {
    const { status, body } = await create();
    // the other process may hold the lock for longer than the timeout
    if (body.detail !== 'The database is busy; try again.') statuses.add(status);
    statuses.add((await ready()).status === 200 ? 201 : 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).toBe(0);
  expect([...statuses]).toEqual([201]);
});

test('a service that was killed after its log was deleted has all acknowledged embeds at the next start', async () => {
  const file = (await newDatabase()).slice('file:'.length);
  const port = await findFreePort();
  const token = 'a token of my own';
  const service = run('src/main.ts', [], {
    PORT: String(port),
    DATABASE_URL: `file:${file}`,
    ACCESS_TOKEN: token,
    RATE_LIMIT: '0',
  });
  await service.waitForOutput('"msg":"ready"');
  const create = async () => {
    const body = new URLSearchParams({ page_url: MEAL_PLANNER });
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/embeds`, { method: 'POST', headers, body });
    const reply = (await response.json()) as { embed?: { id: string } };
    return response.status === 201 ? reply.embed?.id : null;
  };
  const acknowledged = new Set<unknown>();
  const clients = Array.from({ length: 8 }, async () => {
    for (let id = await create(); id !== null; id = await create()) acknowledged.add(id);
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(50);
  rmSync(`${file}-wal`);
  await Promise.all(clients);
  service.child.kill('SIGKILL');
  await service.ended;
  const kept = new Set(idsIn(file));
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
});
