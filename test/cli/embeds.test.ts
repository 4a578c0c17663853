import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Raw } from '../databases/database.ts';
import { isOnPostgresql, MEAL_PLANNER, newDatabase, openApp, openRaw, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';

// a test is of several processes, one after the other
vi.setConfig({ testTimeout: 60_000 });

function begin(databaseUrl: string, args: readonly string[], input = '') {
  const command = run('src/cli/embeds.ts', args, { DATABASE_URL: databaseUrl });
  // a command that ends before it has read all of it is one of the cases
  command.child.stdin?.on('error', () => {}).end(input);
  return command;
}

async function embeds(databaseUrl: string, args: readonly string[], input?: string) {
  const command = begin(databaseUrl, args, input);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** A CSV whose rows tell their numbers; whoever reads it back sees that all are there, once and in order. */
const csvOf = (rows: number) => `page_url\n${pagesOf(rows).join('\n')}\n`;
const pagesOf = (rows: number) => Array.from({ length: rows }, (_, i) => `https://example.com/page-${i + 1}`);

async function pagesIn(databaseUrl: string, account = 'ada'): Promise<string[]> {
  const { embeds, close } = await openDatabase(databaseUrl);
  const all = { size: 10_000, fromEnd: true, after: undefined, before: undefined };
  const page = await embeds.findPage(account, all);
  expect(await embeds.count(account)).toBe(page.embeds.length);
  await close();
  return page.embeds.map(({ pageUrl }) => pageUrl).toReversed();
}

async function hasAccount(databaseUrl: string, account: string): Promise<boolean> {
  const { tokens, close } = await openDatabase(databaseUrl);
  const has = await tokens.hasAccount(account);
  await close();
  return has;
}

function fileOf(text: string | Buffer, name = 'rows.csv'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

test('rows become embeds that a running service shows at once, in their order, with an exact total', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const before = await ada.create();
  const file = fileOf(
    '\ufefffont,page_url,show_top_bar,mode\r\n' +
      `Open Sans,${MEAL_PLANNER},false,dark\r\n` +
      ',"https://example.com/a,b",,\r\n\r\n' +
      `default,${MEAL_PLANNER},false,user_defined`,
  );
  const done = await embeds(databaseUrl, ['import', file, '--account', 'ada']);
  expect(done).toEqual({ code: 0, stdout: 'Imported 3 of 3 rows into the account ada; refused 0.\n', stderr: '' });
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

test('a service that writes all the time and an import do not lose or refuse each other anything', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const command = begin(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(1_200));
  let isOver = false;
  void command.ended.then(() => {
    isOver = true;
  });
  let made = 0;
  for (; !isOver; made++) {
    const { status } = await ada.rest('POST', '/v1/embeds', { page_url: 'https://example.com/ours' });
    expect(status).toBe(201);
    await pause(5);
  }
  expect(await command.ended).toBe(0);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1_200 + made);
  const pages = await pagesIn(databaseUrl);
  expect(pages.filter((page) => !page.endsWith('/ours'))).toEqual(pagesOf(1_200));
});

test('refused rows stop no other; they are told by line with all their faults, and can be mended and imported', async () => {
  const databaseUrl = await newDatabase();
  const rows = [
    'page_url,mode,font,show_top_bar',
    'https://example.com/1,light,,',
    'http://localhost/2,pink,-,maybe',
    '"https://example.com/3\n",LIGHT,,',
    'https://example.com/4,dark',
    ',light,,',
    'https://example.com/6,,,false',
  ];
  const rejects = join(temporaryFolder(), 'refused.csv');
  const done = await embeds(databaseUrl, ['import', fileOf(rows.join('\n')), '--account', 'ada', '--rejects', rejects]);
  expect(done).toMatchObject({ code: 1, stdout: 'Imported 2 of 6 rows into the new account ada; refused 4.\n' });
  expect(done.stderr.trim().split('\n')).toEqual([
    'line 3: page_url must be on a public host, not a local, private or reserved one; mode must be one of light, dark, ' +
      'auto, user_defined; font must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, ' +
      'beginning with a letter or digit; show_top_bar must be true or false',
    expect.stringMatching(/^line 4: page_url must not .*; mode must be one of /),
    'line 6: has 2 cells where the first line names 4 columns',
    'line 7: page_url is required',
  ]);
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/1', 'https://example.com/6']);

  const mended = readFileSync(rejects, 'utf8')
    .replace('http://localhost/2,pink,-,maybe', 'https://example.com/2,auto,Lato,true')
    .replace('"https://example.com/3\n",LIGHT', 'https://example.com/3,light')
    .replace(/,light,,\n$/, 'https://example.com/5,light,,\n');
  const again = await embeds(databaseUrl, ['import', '-', '--account', 'ada'], mended);
  expect(again).toMatchObject({ code: 1, stdout: 'Imported 3 of 4 rows into the account ada; refused 1.\n' });
  expect(again.stderr).toMatch(/^line \d: page_url is required\n$/);
});

test('lines of JSON are refused one by one, by the rules of the API', async () => {
  const databaseUrl = await newDatabase();
  const rejects = join(temporaryFolder(), 'refused.ndjson');
  const lines = [
    '{"page_url":"https://example.com/1","show_top_bar":false}',
    '',
    '{"page_url":"https://example.com/2","mode":null,"pageUrl":"x","__proto__":{}}',
    '[]',
    '{"page_url":',
    '{"page_url":"https://example.com/\\ud800","show_top_bar":"true"}',
  ];
  const args = ['import', '-', '--account', 'ada', '--rejects', rejects];
  expect(await embeds(databaseUrl, args, lines.join('\r\n'))).toMatchObject({ code: 1 });
  const refused = readFileSync(rejects, 'utf8').trim().split('\n');
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([
    {
      refused_line: 3,
      refused_because: [
        'pageUrl is not a parameter of this operation',
        '__proto__ is not a parameter of this operation',
        'mode must not be null; leave it out instead',
      ],
      page_url: 'https://example.com/2',
      mode: null,
    },
    { refused_line: 4, refused_because: ['is not a JSON object'], refused_text: '[]' },
    { refused_line: 5, refused_because: ['is not valid JSON'] },
    {
      refused_line: 6,
      refused_because: ['page_url must be well-formed Unicode', 'show_top_bar must be true or false'],
    },
  ]);
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/1']);
});

const GOOD = 'https://example.com/good';
test.each<readonly [string, string | Buffer, string]>([
  ['an empty file', '', 'it is empty'],
  ['a file without a header', `${GOOD}\n${GOOD}\n`, `Line 1 must name the columns: "${GOOD}" is none`],
  [
    'an unknown column',
    `page_url,colour\n${GOOD},red\n`,
    '"colour" is none. The columns are page_url, mode, font, show',
  ],
  ['a column of JavaScript', `page_url,constructor\n${GOOD},x\n`, '"constructor" is none'],
  ['a column that stands twice', `page_url,mode,page_url\n${GOOD},,\n`, 'Line 1 names the column page_url twice'],
  ['a header without page_url', 'mode\ndark\n', 'Line 1 names no column page_url'],
  ['only empty lines', '\n\r\n\n', 'There is no line that names the columns'],
  ['a quote that never ends', `page_url\n${GOOD}\n"${GOOD}\n`, 'Quote Not Closed'],
  ['a quote in a cell', `page_url\n${GOOD}\n${GOOD}"\n`, 'line 3'],
  ['what is not UTF-8', Buffer.from(`page_url\n${GOOD}\n${GOOD}/\xe9\n`, 'latin1'), 'Line 3 is not valid UTF-8'],
  ['a line without end', `page_url\n${GOOD}\n${GOOD}/${'x'.repeat(1_100_000)}`, 'Line 3 is over 1048576 bytes'],
])('%s is refused before anything is written', async (_, text, reason) => {
  const databaseUrl = await newDatabase();
  const { code, stdout, stderr } = await embeds(databaseUrl, ['import', fileOf(text), '--account', 'ada']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await hasAccount(databaseUrl, 'ada')).toBe(false);
});

test('--dry-run writes nothing; the same content is imported once, into each account, and again when asked', async () => {
  const databaseUrl = await newDatabase();
  const file = fileOf(csvOf(3));
  const into = (account: string, ...options: string[]) =>
    embeds(databaseUrl, ['import', file, '--account', account, ...options]);
  expect(await into('ada', '--dry-run')).toMatchObject({
    code: 0,
    stdout: 'Would import 3 of 3 rows into the account ada; refused 0.\n',
  });
  expect(await hasAccount(databaseUrl, 'ada')).toBe(false);
  await into('ada');
  const once = await embeds(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(3));
  expect(once).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing to do: .* --again imports it once more/),
  });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(3));
  const told = [await into('bob'), await into('bob', '--again'), await into('ada', '--again')];
  expect(told.map(({ stdout }) => /into the (.*);/.exec(stdout)?.[1])).toEqual([
    'new account bob',
    'account bob',
    'account ada',
  ]);
  expect(await pagesIn(databaseUrl)).toEqual([...pagesOf(3), ...pagesOf(3)]);
  expect(await pagesIn(databaseUrl, 'bob')).toEqual([...pagesOf(3), ...pagesOf(3)]);
});

/** The database refuses a page, and so the statement that would write it. */
async function refusePage(raw: Raw, page: string): Promise<() => Promise<unknown>> {
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

test('what fails in the midst goes on where it was, and refuses to under other rules', async () => {
  const databaseUrl = await newDatabase();
  const text = csvOf(1_300).replace('page-7\n', 'page-7\nhttp://10.0.0.1/\n');
  const file = fileOf(text);
  await (await openDatabase(databaseUrl)).close();
  const release = await refusePage(await openRaw(databaseUrl), 'https://example.com/page-1100');
  expect(await embeds(databaseUrl, ['import', file, '--account', 'ada'])).toMatchObject({ code: 3, stdout: '' });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_000));
  await release();

  const lax = run('src/cli/embeds.ts', ['import', file, '--account', 'ada'], {
    DATABASE_URL: databaseUrl,
    ALLOW_PRIVATE_PAGES: 'true',
  });
  expect(await lax.ended).toBe(2);
  expect(lax.stderr()).toContain('Other rows are refused now');
  expect(await embeds(databaseUrl, ['import', '-', '--account', 'ada', '--again'], text)).toMatchObject({
    code: 1,
    stdout: 'Imported 1300 of 1301 rows into the account ada; refused 1. 1000 were there from an interrupted import.\n',
  });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_300));
});

test('an import that is killed at any moment, again and again, leaves no row lost or doubled', async () => {
  const databaseUrl = await newDatabase();
  const file = fileOf(csvOf(2_300));
  const args = ['import', file, '--account', 'ada'];
  await (await openDatabase(databaseUrl)).close();
  const raw = await openRaw(databaseUrl);
  const marks = () => raw.query('SELECT "rows", "embeds" FROM "Import"');
  // the first kill waits for the first mark, the others come soon after the start
  for (const afterMs of [0, 450, 550, 600, 650]) {
    const command = begin(databaseUrl, args);
    if (afterMs > 0) await pause(afterMs);
    else
      await expect.poll(async () => (await marks())[0]?.rows ?? 0, { interval: 5, timeout: 40_000 }).toBeGreaterThan(0);
    command.child.kill('SIGKILL');
    await command.ended;
    const done = (await marks())[0]?.embeds;
    expect(await pagesIn(databaseUrl)).toEqual(pagesOf(done));
  }
  expect(await embeds(databaseUrl, args)).toMatchObject({ code: 0 });
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(2_300));
});

test('two commands that import the same at once import it once', async () => {
  const databaseUrl = await newDatabase();
  const args = ['import', fileOf(csvOf(1_300)), '--account', 'ada'];
  await (await openDatabase(databaseUrl)).close();
  const both = await Promise.all([embeds(databaseUrl, args), embeds(databaseUrl, args)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(1_300));
});

test('an import waits for who holds the database for longer than a statement may', async () => {
  const databaseUrl = await newDatabase();
  await (await openDatabase(databaseUrl)).close();
  const raw = await openRaw(databaseUrl);
  const command = begin(databaseUrl, ['import', '-', '--account', 'ada'], csvOf(2_300));
  await expect.poll(() => raw.query('SELECT * FROM "Import"'), { interval: 5, timeout: 40_000 }).toHaveLength(1);
  await raw.query(isOnPostgresql ? 'BEGIN' : 'BEGIN IMMEDIATE');
  if (isOnPostgresql) await raw.query('LOCK TABLE "Embed" IN EXCLUSIVE MODE');
  await pause(isOnPostgresql ? 4_000 : 1_500);
  await raw.query('COMMIT');
  expect(await command.ended).toBe(0);
  expect(await pagesIn(databaseUrl)).toEqual(pagesOf(2_300));
});

test.each(['csv', 'ndjson'])('an export as %s is imported elsewhere, where it is the same again', async (format) => {
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
  const steady = (text: string) => text.replace(/[0-7][0-9a-hjkmnp-tv-z]{25}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
  expect([back.stderr, steady(back.stdout)]).toEqual(['', steady(exported)]);
});

test('an export names its file when it is whole, and ends quietly when nobody reads on', async () => {
  const databaseUrl = await newDatabase();
  await embeds(databaseUrl, ['import', '-'], csvOf(2_500));
  const folder = temporaryFolder();
  const file = join(folder, 'embeds.csv');
  writeFileSync(file, 'of yesterday');
  const raw = await openRaw(databaseUrl);
  expect((await embeds(databaseUrl, ['export', join(folder, 'no', 'x.csv')])).code).toBe(2);
  await raw.query('ALTER TABLE "Embed" RENAME TO "Gone"');
  expect((await embeds(databaseUrl, ['export', file])).code).toBe(3);
  expect(readdirSync(folder)).toEqual(['embeds.csv']);
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');
  await raw.query('ALTER TABLE "Gone" RENAME TO "Embed"');
  expect((await embeds(databaseUrl, ['export', file])).code).toBe(0);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2_501);

  const head = run('src/cli/embeds.ts', ['export'], { DATABASE_URL: databaseUrl });
  head.child.stdout?.once('data', () => head.child.stdout?.destroy());
  expect([await head.ended, head.stderr()]).toEqual([0, '']);
});

test.each([
  [['import'], 'file'],
  [['import', 'a.csv', 'b.csv'], 'too many arguments'],
  [['import', 'a.csv', '--colour'], '--colour'],
  [['import', 'a.csv', '--format', 'xml'], '--format'],
  [['import', 'a.csv', '--account', 'A b'], '--account'],
  [['import', 'a.csv', '--account', 'a', '--account', 'b'], '--account'],
  [['import', 'a.csv', '--rejects', './a.csv'], '--rejects'],
  [['import', '/no/such/file.csv'], 'There is no file /no/such/file.csv.'],
  [['import', 'src'], 'src is a folder'],
  [['export'], 'There is no account default.'],
  [['explode'], 'explode'],
])('%j is refused with exit code 2 and the reason', async (args, reason) => {
  const { code, stdout, stderr } = await embeds(`file:${join(temporaryFolder(), 'x.db')}`, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
});
