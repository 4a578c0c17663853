import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Raw } from '../databases/database.ts';
import { isOnPostgresql, MEAL_PLANNER, newDatabase, openApp, openRaw, temporaryFolder } from '../open-app.ts';
import { begin, csvOf, embeds, fileOf, hasAccount, pagesIn, pagesOf, runEmbedsWithOpenApp } from './run-embeds.ts';
import { runInProcess } from './run-in-process.ts';

test('a running service shows imported rows at once, in order, with an exact total', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const before = await ada.create();
  const file = fileOf(
    '\ufefffont,page_url,show_top_bar,mode\r\n' +
      `Open Sans,${MEAL_PLANNER},false,dark\r\n` +
      ',"https://example.com/a,b",,\r\n\r\n' +
      `default,${MEAL_PLANNER},false,user_defined`,
  );
  const done = await runEmbedsWithOpenApp(databaseUrl, ['import', file, '--account', 'ada']);
  expect(done).toEqual({ code: 0, stdout: 'Imported 3 of 3 rows into the account ada; rejected 0.\n', stderr: '' });
  const { body } = await ada.rest('GET', '/v1/embeds');
  expect(body.total_count).toBe(4);
  const common = {
    page_url: MEAL_PLANNER,
    page_id: before.page_id,
    embed_url: expect.stringContaining('Meal-Planner'),
  };
  expect(body.embeds).toMatchObject([
    { ...common, mode: 'user_defined', font: 'default', show_top_bar: true },
    { page_url: 'https://example.com/a,b', mode: 'light', font: 'default', show_top_bar: true },
    { ...common, mode: 'dark', font: 'Open Sans', show_top_bar: false },
    before,
  ]);
});

test('--dry-run writes nothing; the same content is imported once per account, unless --again is given', async () => {
  const databaseUrl = await newDatabase();
  const file = fileOf(csvOf(3));
  const into = (account: string, ...options: string[]) =>
    embeds(databaseUrl, ['import', file, '--account', account, ...options]);
  expect(await into('ada', '--dry-run')).toMatchObject({
    code: 0,
    stdout: 'Would import 3 of 3 rows into the account ada; rejected 0.\n',
  });
  expect(await hasAccount(databaseUrl, 'ada')).toBe(false);
  await into('ada');
  const once = await embeds(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(3));
  expect(once).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing to do: .* --again imports it once more/),
  });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(3));
  const results = [await into('bob'), await into('bob', '--again'), await into('ada', '--again')];
  expect(results.map(({ stdout }) => /into the (.*);/.exec(stdout)?.[1])).toEqual([
    'new account bob',
    'account bob',
    'account ada',
  ]);
  expect(await pagesIn(databaseUrl)).toEqual([...pagesOf(3), ...pagesOf(3)]);
  expect(await pagesIn(databaseUrl, 'bob')).toEqual([...pagesOf(3), ...pagesOf(3)]);
});

/** Makes the database reject a page. Returns a function that undoes it. */
async function rejectPage(raw: Raw, page: string): Promise<() => Promise<unknown>> {
  if (!isOnPostgresql) {
    await raw.query(
      `CREATE TRIGGER trap BEFORE INSERT ON "Embed" WHEN NEW."pageUrl" = '${page}' BEGIN SELECT RAISE(ABORT, 'trap'); END`,
    );
    return () => raw.query('DROP TRIGGER trap');
  }
  await raw.query("CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'trap'; END $$");
  await raw.query(
    `CREATE TRIGGER trap BEFORE INSERT ON "Embed" FOR EACH ROW WHEN (NEW."pageUrl" = '${page}') EXECUTE FUNCTION trap()`,
  );
  return () => raw.query('DROP FUNCTION trap CASCADE');
}

test('a failed import continues at its checkpoint, but not under other rules', async () => {
  const databaseUrl = await newDatabase();
  const text = csvOf(1_100).replace('page-7\n', 'page-7\nhttp://10.0.0.1/\n');
  const file = fileOf(text);
  const release = await rejectPage(await openRaw(databaseUrl), 'https://example.com/page-1050');
  expect(await embeds(databaseUrl, ['import', file, '--account', 'ada'])).toMatchObject({
    code: 3,
    stdout: '',
  });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_000));
  await release();

  const lax = { DATABASE_URL: databaseUrl, ALLOW_PRIVATE_PAGES: 'true' };
  const refused = await runInProcess('embeds', ['import', file, '--account', 'ada'], lax);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The rules have changed since this import began'),
  });
  expect(await embeds(databaseUrl, ['import', '-', '--account', 'ada', '--again'], text)).toMatchObject({
    code: 1,
    stdout:
      'Imported 1100 of 1101 rows into the account ada; rejected 1. 1000 were there from an interrupted import.\n',
  });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_100));
});

test.each(['csv', 'ndjson'])(
  'an export as %s can be imported into another database, and exports the same there',
  async (format) => {
    const [from, to] = [await newDatabase(), await newDatabase()];
    const { as } = await openApp({ databaseUrl: from });
    const ada = await as('ada');
    await ada.create({ mode: 'user_defined', font: 'Open Sans' });
    await ada.create({ page_url: 'https://example.com/a,"b"?c=1&d=é', show_top_bar: false });
    await (await as('bob')).create();
    const file = join(temporaryFolder(), `embeds.${format}`);
    expect(await embeds(from, ['export', file, '--account', 'ada'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Exported 2 embeds to ${file}.\n`,
    });
    const exported = readFileSync(file, 'utf8');
    const { body } = await ada.rest('GET', '/v1/embeds');
    if (format === 'ndjson') {
      const lines = exported.trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(body.embeds.toReversed());
    }
    expect((await embeds(to, ['import', file])).code).toBe(0);
    const back = await embeds(to, ['export', '--format', format]);
    const withoutIdsAndTimes = (text: string) =>
      text.replace(/[0-7][0-9a-hjkmnp-tv-z]{25}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
    expect([back.stderr, withoutIdsAndTimes(back.stdout)]).toEqual(['', withoutIdsAndTimes(exported)]);
  },
);

test('an export prints the embeds as one JSON document, or what it has written to a file', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const toJson = async (...args: string[]) => {
    const { stdout, stderr } = await embeds(databaseUrl, ['export', ...args, '--account', 'ada', '--json']);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  expect(await toJson()).toEqual({ embeds: [] });
  const created = [await ada.create(), await ada.create({ font: 'a-b' })];
  expect(await toJson()).toEqual({ embeds: created });
  const file = join(temporaryFolder(), 'embeds.csv');
  expect(await toJson(file)).toEqual({ account: 'ada', file, exported: 2 });
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
  expect((await embeds(databaseUrl, ['export', '--json', '--format', 'csv'])).code).toBe(2);
});

test('an export replaces its file only when complete, and ends quietly when the reader closes the pipe', async () => {
  const databaseUrl = await newDatabase();
  await embeds(databaseUrl, ['import', '-'], csvOf(1_200));
  const folder = temporaryFolder();
  const file = join(folder, 'embeds.csv');
  writeFileSync(file, 'of yesterday');
  const raw = await openRaw(databaseUrl);
  const nowhere = join(folder, 'no', 'x.csv');
  expect(await embeds(databaseUrl, ['export', nowhere])).toMatchObject({
    code: 2,
    stderr: `${nowhere} cannot be written: ENOENT: no such file or directory, open '${nowhere}'.\n`,
  });
  await raw.query('ALTER TABLE "Embed" RENAME TO "Gone"');
  expect((await embeds(databaseUrl, ['export', file])).code).toBe(3);
  expect(readdirSync(folder)).toEqual(['embeds.csv']);
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');
  await raw.query('ALTER TABLE "Gone" RENAME TO "Embed"');
  // of an export that runs with the same process id, in another container
  const part = `embeds.csv.${process.pid}.part`;
  writeFileSync(join(folder, part), 'its rows');
  expect((await embeds(databaseUrl, ['export', file])).code).toBe(0);
  expect(readdirSync(folder)).toEqual(['embeds.csv', part]);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1_201);

  const head = begin(databaseUrl, ['export']);
  head.child.stdout?.once('data', () => head.child.stdout?.destroy());
  expect([await head.ended, head.stderr()]).toEqual([0, '']);
});
