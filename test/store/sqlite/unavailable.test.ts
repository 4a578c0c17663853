import { openSync, statSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { DurableSqlite } from '../../../src/store/sqlite/connection.ts';
import { newDatabase, openApp } from '../../open-app.ts';

const linesWith = (logged: readonly object[], text: string) =>
  logged.filter((line) => JSON.stringify(line).includes(text));

test('a write is synced to disk before its response, unless DURABILITY is fast', async () => {
  const synchronous = async (durability?: 'full' | 'fast') => {
    const file = (await newDatabase()).slice('file:'.length);
    const adapter = await new DurableSqlite(file, durability && { durability }).connect();
    const pragma = async (name: string) =>
      (await adapter.queryRaw({ sql: `PRAGMA ${name}`, args: [], argTypes: [] })).rows[0]?.[0];
    const values = [await pragma('synchronous'), await pragma('journal_mode')];
    await adapter.dispose();
    return values.map(String);
  };
  expect(await synchronous()).toEqual(['2', 'wal']);
  expect(await synchronous('full')).toEqual(['2', 'wal']);
  expect(await synchronous('fast')).toEqual(['1', 'wal']);
});

test('a read after the database is closed is refused, since a request may outlive the grace of a stop', async () => {
  const { embeds, close } = await openDatabase(await newDatabase());
  await close();
  expect(() => embeds.find('ada', '0'.repeat(26))).toThrow('The database cannot be reached; try again.');
});

test('damage causes 503 and one log line with a hint to restore a backup, and the service keeps running', async () => {
  const databaseUrl = await newDatabase();
  const databaseFile = databaseUrl.slice('file:'.length);
  const { app, as, logged } = await openApp({ databaseUrl });
  const ada = await as('ada');
  await ada.create();
  const raw = new BetterSqlite3(databaseFile);
  onTestFinished(() => void raw.close());
  raw.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO Embed (position, id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, version, terms)
    SELECT 16 * n, '0' || printf('%025d', n), accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, 1, ' x'
    FROM numbers, (SELECT * FROM Embed LIMIT 1)`);
  raw.pragma('wal_checkpoint(TRUNCATE)');
  const { size } = statSync(databaseFile);
  writeSync(openSync(databaseFile, 'r+'), Buffer.alloc(size / 2, 0xa5), 0, size / 2, size / 4);

  let list = await ada.rest('GET', '/v1/embeds?first=100');
  for (let pages = 0; list.status === 200 && pages < 60; pages++) {
    list = await ada.rest('GET', `/v1/embeds?first=100&after=${list.body.pagination.end_cursor}`);
  }
  expect([list.status, list.body.code]).toEqual([503, 'unavailable']);
  expect(JSON.stringify(list.body)).not.toMatch(/SQLITE|malformed/);
  const { errors } = await ada.graphql('{ embeds(last: 100, before: "00000000000000000000003000") { nodes { id } } }');
  expect(errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
  const ids = Array.from({ length: 50 }, (_, i) => String(100 * i + 1).padStart(26, '0'));
  const retrieved = await Promise.all(ids.map((id) => ada.rest('GET', `/v1/embeds/${id}`)));
  expect(retrieved.filter(({ status }) => status === 500)).toEqual([]);
  expect(retrieved.find(({ status }) => status === 503)?.body).toMatchObject({ code: 'unavailable' });
  expect(linesWith(logged, 'npx embed-gateway restore FILE')).toHaveLength(1);
  expect((await ada.rest('GET', '/v1/embeds?first=1')).status).toBe(200);
  expect((await app.fetch(new Request('http://localhost:4000/readyz'))).status).toBe(503);
  expect((await app.fetch(new Request('http://localhost:4000/livez'))).status).toBe(200);
});
