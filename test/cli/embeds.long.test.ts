import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { isOnPostgresql, newDatabase, openApp, openRaw } from '../open-app.ts';
import { begin, csvOf, embeds, fileOf, pagesIn, pagesOf, runEmbedsInChild } from './run-embeds.ts';

test('concurrent writes of a service and an import all succeed', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const command = begin(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(1_200));
  let isOver = false;
  void command.ended.then(() => {
    isOver = true;
  });
  let created = 0;
  for (; !isOver; created++) {
    const { status } = await ada.rest('POST', '/v1/embeds', { page_url: 'https://example.com/ours' });
    expect(status).toBe(201);
    await pause(5);
  }
  expect(await command.ended).toBe(0);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1_200 + created);
  const pages = await pagesIn(databaseUrl);
  expect(pages.filter((page) => !page.endsWith('/ours'))).toEqual(pagesOf(1_200));
});

test('an import that is killed repeatedly loses and repeats no row', async () => {
  const databaseUrl = await newDatabase();
  const file = fileOf(csvOf(2_300));
  const args = ['import', file, '--account', 'ada'];
  await (await openDatabase(databaseUrl)).close();
  // closes each connection: closing a second one of the same file in this process would drop its locks (POSIX)
  const checkpoints = async () => {
    const raw = await openRaw(databaseUrl);
    const rows = await raw.query('SELECT "rows", "embeds" FROM "Import"');
    await raw.close();
    return rows;
  };
  // the first kill waits for the first checkpoint, the others follow soon after the start
  for (const afterMs of [0, 450, 550, 600, 650]) {
    const command = begin(databaseUrl, args);
    if (afterMs > 0) await pause(afterMs);
    else await expect.poll(async () => (await checkpoints())[0]?.rows ?? 0, { interval: 5 }).toBeGreaterThan(0);
    command.child.kill('SIGKILL');
    await command.ended;
    const imported = (await checkpoints())[0]?.embeds;
    expect(await pagesIn(databaseUrl)).toEqual(pagesOf(imported));
  }
  expect(await embeds(databaseUrl, args)).toMatchObject({ code: 0 });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(2_300));
});

test('two concurrent imports of the same content import it once', async () => {
  const databaseUrl = await newDatabase();
  const args = ['import', fileOf(csvOf(1_300)), '--account', 'ada'];
  await (await openDatabase(databaseUrl)).close();
  const both = await Promise.all([runEmbedsInChild(databaseUrl, args), runEmbedsInChild(databaseUrl, args)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_300));
});

test('an import waits while another process locks the database longer than the statement timeout', async () => {
  const databaseUrl = await newDatabase();
  await (await openDatabase(databaseUrl)).close();
  const raw = await openRaw(databaseUrl);
  const command = begin(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(2_300));
  await expect.poll(() => raw.query('SELECT * FROM "Import"'), { interval: 5 }).toHaveLength(1);
  await raw.query(isOnPostgresql ? 'BEGIN' : 'BEGIN IMMEDIATE');
  if (isOnPostgresql) await raw.query('LOCK TABLE "Embed" IN EXCLUSIVE MODE');
  await pause(isOnPostgresql ? 4_000 : 1_500);
  await raw.query('COMMIT');
  expect(await command.ended).toBe(0);
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(2_300));
});
