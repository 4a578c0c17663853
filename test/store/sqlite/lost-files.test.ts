import { cpSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, openEngine } from '../../../src/store/database.ts';
import { newDatabase } from '../../databases/database.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { MEAL_PLANNER, openApp, temporaryFolder } from '../../open-app.ts';
import { embedOf } from '../embeds/embed-of.ts';

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

test('a transaction that cannot be committed takes no later write with it', async () => {
  const databaseUrl = await newDatabase();
  const file = databaseUrl.slice('file:'.length);
  const options = { durability: 'full', poolSize: 1, log: SILENT_LOG, auditLog: SILENT_LOG } as const;
  const { client, close } = await openEngine(databaseUrl, options);
  onTestFinished(close);
  const insert = (id: string) => ({ data: { id, createdAt: new Date() } });
  const transaction = client.$transaction(async ({ account }) => {
    await account.create(insert('ada'));
    renameSync(file, `${file}.away`);
  });
  await expect(transaction).rejects.toThrow();
  renameSync(`${file}.away`, file);
  await client.account.create(insert('bob'));
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.prepare('SELECT id FROM Account').pluck().all()).toEqual(['bob']);
});

test('writes are rejected while the file is moved away', async () => {
  const service = await openService();
  const { file, ada, embed, ready, errors } = service;
  expect((await ready()).status).toBe(200);
  renameSync(file, `${file}.away`);
  await expectWritesRejected(service, 'its file was moved or deleted', 'the database file was moved or deleted');
  expect(errors(`${file} was moved"`)).toHaveLength(1);

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
  const lost = `${service.file}-wal was moved, deleted or overwritten; what it held is in the database file now"`;
  expect(service.errors(lost)).toHaveLength(1);
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
  ['emptied', '-wal was moved, deleted or overwritten', (file: string) => writeFileSync(`${file}-wal`, '')],
  [
    'overwritten',
    '-wal was moved, deleted or overwritten',
    (file: string) => writeFileSync(`${file}-wal`, Buffer.alloc(8_192, 7), { flag: 'r+' }),
  ],
  ['separated from its index', '-shm was moved or deleted', (file: string) => rmSync(`${file}-shm`)],
])('writes are rejected after the write-ahead log was %s', async (_, detail, harm) => {
  const { file, create, ready, errors } = await openService();
  harm(file);
  expect((await create()).status).toBe(503);
  expect((await ready()).status).toBe(503);
  expect(errors('the write-ahead log (-wal) or its index (-shm)')).toHaveLength(1);
  expect(errors(`${file}${detail}"`)).toHaveLength(1);
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
  const { file, create, database, errors } = await openService();
  const other = await createOtherDatabase(3);
  overwrite(file, other);
  expect((await create()).status).toBe(503);
  expect(errors(`the write-ahead log of the previous database is kept as ${file}-wal.`)).toHaveLength(1);
  await database.close();
  expect(idsIn(file)).toEqual(idsIn(other));
  const kept = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}-wal.`));
  expect(kept).toEqual([expect.stringMatching(/-wal\.\d{8}T\d{6}Z$/)]);
  expect(readFileSync(join(dirname(file), kept[0] ?? '')).length).toBeGreaterThan(0);
  const again = await openDatabase(`file:${file}`);
  onTestFinished(() => again.close());
  expect((await again.createList('bob', null).count()).count).toBe(3);
});

test('writes to a file with a changed time are rejected until the next start, which has all embeds', async () => {
  const { file, embed, create, database } = await openService();
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect((await create()).status).toBe(503);
  await database.close();
  expect(idsIn(file)).toEqual([embed.id]);
});

test('writes and checkpoints of another connection do not cause rejections', async () => {
  const { file, create, ready } = await openService();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  const insert = other.prepare(
    "INSERT INTO Page (pageUrl, freshUntil, bytes, article) VALUES (?, '2026-01-01', 0, zeroblob(9000))",
  );
  for (const mode of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']) {
    insert.run(mode);
    other.pragma(`wal_checkpoint(${mode})`);
    expect([mode, (await create()).status, (await ready()).status]).toEqual([mode, 201, 200]);
  }
});
