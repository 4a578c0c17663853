import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { newDatabase, openRaw } from '../open-app.ts';
import { run } from '../process/run.ts';

const PAGES = Array.from({ length: 5_000 }, (_, i) => `https://example.com/page-${i + 1}`);

test('an import continues after its connections are terminated, and no row is lost or duplicated', async () => {
  const databaseUrl = await newDatabase();
  await (await openDatabase(databaseUrl)).close();
  const raw = await openRaw(databaseUrl);
  const command = run('src/main.ts', ['import', '-', '--account', 'ada'], { DATABASE_URL: databaseUrl });
  command.child.stdin?.end(`page_url\n${PAGES.join('\n')}\n`);
  await expect.poll(() => raw.query('SELECT * FROM "Import"'), { interval: 5 }).toHaveLength(1);
  let cuts = 0;
  while (cuts < 4 && command.child.exitCode === null) {
    const cut = await raw.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'embed-gateway'`,
    );
    cuts += cut.length;
    await pause(20);
  }
  const code = await command.ended;
  expect(code, command.stderr()).toBe(0);
  expect(command.stdout()).toBe('Imported 5000 of 5000 rows into the new account ada; rejected 0.\n');
  expect(cuts).toBeGreaterThan(0);
  const { createList, close } = await openDatabase(databaseUrl);
  const all = await createList('ada', null).findPage({
    size: 10_000,
    fromEnd: true,
    after: undefined,
    before: undefined,
  });
  expect(all.embeds.map(({ pageUrl }) => pageUrl).toReversed()).toEqual(PAGES);
  expect((await createList('ada', null).count()).count).toBe(PAGES.length);
  await close();
});
