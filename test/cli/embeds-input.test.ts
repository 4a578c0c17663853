import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDatabase, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';
import { embeds, fileOf, hasAccount, pagesIn } from './run-embeds.ts';

test('invalid rows do not stop the import; each is reported by line with all its faults, and can be corrected and imported', async () => {
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
  const result = await embeds(databaseUrl, [
    'import',
    fileOf(rows.join('\n')),
    '--account',
    'ada',
    '--rejects',
    rejects,
  ]);
  expect(result).toMatchObject({ code: 1, stdout: 'Imported 2 of 6 rows into the new account ada; rejected 4.\n' });
  expect(result.stderr.trim().split('\n')).toEqual([
    'line 3: page_url must be on a public host, not a local, private or reserved one; mode must be one of light, dark, ' +
      'auto, user_defined; font must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, ' +
      'beginning with a letter or digit; show_top_bar must be true or false',
    expect.stringMatching(/^line 4: page_url must not .*; mode must be one of /),
    'line 6: has 2 cells, but the first line names 4 columns',
    'line 7: page_url is required',
  ]);
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/1', 'https://example.com/6']);

  const corrected = readFileSync(rejects, 'utf8')
    .replace('http://localhost/2,pink,-,maybe', 'https://example.com/2,auto,Lato,true')
    .replace('"https://example.com/3\n",LIGHT', 'https://example.com/3,light')
    .replace(/,light(,*)\n$/, 'https://example.com/5,light$1\n');
  const again = await embeds(databaseUrl, ['import', '-', '--account', 'ada'], corrected);
  expect(again).toMatchObject({ code: 1, stdout: 'Imported 3 of 4 rows into the account ada; rejected 1.\n' });
  expect(again.stderr).toMatch(/^line \d: page_url is required\n$/);
});

test('lines of JSON are validated one by one, by the rules of the API', async () => {
  const databaseUrl = await newDatabase();
  const rejects = join(temporaryFolder(), 'refused.ndjson');
  const lines = [
    '{"page_url":"https://example.com/1","show_top_bar":false}',
    '',
    '{"page_url":"https://example.com/2","mode":null,"pageUrl":"x","__proto__":{}}',
    '[]',
    '{"page_url":',
    '{"page_url":"https://example.com/3","mode":"dark","mode":"light"}',
    '{"page_url":"https://example.com/\\ud800","show_top_bar":"true"}',
  ];
  const args = ['import', '-', '--account', 'ada', '--rejects', rejects];
  expect(await embeds(databaseUrl, args, lines.join('\r\n'))).toMatchObject({ code: 1 });
  const refused = readFileSync(rejects, 'utf8').trim().split('\n');
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([
    {
      refused_line: 3,
      refused_because: [
        'pageUrl is not a parameter of this operation; did you mean `page_url`?',
        '__proto__ is not a parameter of this operation',
        'mode must not be null; leave it out instead',
      ],
      page_url: 'https://example.com/2',
      mode: null,
    },
    { refused_line: 4, refused_because: ['is not a JSON object'], refused_text: '[]' },
    { refused_line: 5, refused_because: ['is not valid JSON: see line 1, column 13'] },
    { refused_line: 6, refused_because: ['has the name "mode" twice'] },
    {
      refused_line: 7,
      refused_because: ['page_url must be well-formed Unicode', 'show_top_bar must be true or false'],
    },
  ]);
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/1']);
});

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])('columns may be separated by %s, as spreadsheets do in some countries', async (_, separator) => {
  const databaseUrl = await newDatabase();
  const rows = [
    ['"mode"', 'page_url'],
    ['dark', '"https://example.com/a,b;c"'],
  ].map((cells) => cells.join(separator));
  const result = await embeds(databaseUrl, ['import', fileOf(rows.join('\n')), '--account', 'ada']);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/a,b;c']);
});

test('lines may end in carriage returns, as spreadsheets on a Mac write them', async () => {
  const databaseUrl = await newDatabase();
  const rows = [
    'page_url,mode',
    'https://example.com/1,dark',
    '',
    'https://example.com/2,pink',
    'https://example.com/3,',
  ];
  const result = await embeds(databaseUrl, ['import', fileOf(rows.join('\r')), '--account', 'ada']);
  expect(result.stderr).toBe('line 4: mode must be one of light, dark, auto, user_defined\n');
  expect(await pagesIn(databaseUrl)).toEqual(['https://example.com/1', 'https://example.com/3']);
  // more than the longest line
  const long = [...Array(11_000).fill(`https://example.com/${'x'.repeat(80)},pink`), 'https://example.com/4,'];
  await embeds(databaseUrl, ['import', fileOf(['page_url,mode', ...long].join('\r')), '--account', 'ada']);
  expect(await pagesIn(databaseUrl)).toContain('https://example.com/4');
});

test('an import of standard input says that it needs a folder for temporary files', async () => {
  const environment = { DATABASE_URL: await newDatabase(), TMPDIR: join(temporaryFolder(), 'no') };
  const { ended, stderr } = run('src/main.ts', ['embeds', 'import', '-'], environment);
  expect(await ended).toBe(2);
  expect(stderr()).toMatch(/^The input cannot be copied to .*: ENOENT.*\n$/);
});

test('booleans may have the capital letters of spreadsheets', async () => {
  const databaseUrl = await newDatabase();
  const file = fileOf('page_url,show_top_bar\nhttps://example.com/a,FALSE\nhttps://example.com/b,True\n');
  expect(await embeds(databaseUrl, ['import', file, '--account', 'ada'])).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await embeds(databaseUrl, ['export', '--account', 'ada', '--format', 'ndjson']);
  const rows = stdout.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row).show_top_bar)).toEqual([false, true]);
});

const GOOD = 'https://example.com/good';
test.each<readonly [string, string | Buffer, string]>([
  ['an empty file', '', 'rows.csv is empty'],
  ['a file without a header', `${GOOD}\n${GOOD}\n`, `Line 1 must name the columns: "${GOOD}" is not a column`],
  [
    'an unknown column',
    `page_url,colour\n${GOOD},red\n`,
    '"colour" is not a column. The columns are page_url, mode, font, show',
  ],
  ['a column with a similar name', `url;mode\n${GOOD};dark\n`, '"url" is not a column. Did you mean page_url?'],
  ['a column named like a JavaScript property', `page_url,constructor\n${GOOD},x\n`, '"constructor" is not a column'],
  ['a duplicate column', `page_url,mode,page_url\n${GOOD},,\n`, 'Line 1 names the column page_url twice'],
  ['a header without page_url', 'mode\ndark\n', 'Line 1 does not name the column page_url'],
  ['only empty lines', '\n\r\n\n', 'The file has no line that names the columns'],
  ['an unclosed quote', `page_url\n${GOOD}\n"${GOOD}\n`, 'Quote Not Closed'],
  ['a quote in a cell', `page_url\n${GOOD}\n${GOOD}"\n`, 'line 3'],
  [
    'text that is not UTF-8',
    Buffer.from(`page_url\n${GOOD}\n${GOOD}/\xe9\n`, 'latin1'),
    'Line 3 is not valid UTF-8. In a spreadsheet, save it as "CSV UTF-8".',
  ],
  ['a line without end', `page_url\n${GOOD}\n${GOOD}/${'x'.repeat(1_100_000)}`, 'Line 3 is over 1048576 bytes'],
])('%s is refused before anything is written', async (_, text, reason) => {
  const databaseUrl = await newDatabase();
  const { code, stdout, stderr } = await embeds(databaseUrl, ['import', fileOf(text), '--account', 'ada']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await hasAccount(databaseUrl, 'ada')).toBe(false);
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
