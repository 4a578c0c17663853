import { execFileSync, type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { newDatabase, temporaryFolder } from '../../open-app.ts';
import { embedOf } from '../../store/embeds/embed-of.ts';
import { embeds, fileOf } from '../run-embeds.ts';
import { runInProcess } from '../run-in-process.ts';

const COMPANIONS = ['', '-wal', '-shm', '-journal', '.lock', '.lock-journal', '.audit.jsonl'];

/** Creates a database that no process uses, with an embed of the account `default`. */
async function createClosedDatabase() {
  const databaseUrl = await newDatabase();
  const file = databaseUrl.slice('file:'.length);
  const folder = dirname(file);
  const { tokens, embeds: store, audit, close } = await openDatabase(databaseUrl);
  await tokens.ensureAccount('default', new Date());
  const options = { accountId: 'default', name: 'test', scopes: SCOPES, expiresAt: null };
  const { token } = createToken(options, new Date());
  await tokens.insert(token);
  audit.record({ event: 'token.created', ...options, tokenId: token.id, by: 'start' });
  await store.insert(embedOf('default'));
  await close();
  const snapshot = () =>
    readdirSync(folder).map((name) => {
      const { ino, mode } = statSync(join(folder, name));
      return [name, ino, mode, statSync(join(folder, name)).isFile() && readFileSync(join(folder, name), 'latin1')];
    });
  return { folder, file, databaseUrl, snapshot };
}

const ROWS = 'page_url\nhttps://example.com/1\nnothing\n';

/** Expects one line on standard error, exit code 2, and unchanged files. */
async function expectRefusal(
  { databaseUrl, snapshot }: { databaseUrl: string; snapshot: () => unknown },
  script: string,
  args: readonly string[],
  reason: RegExp,
) {
  const before = snapshot();
  const { code, stdout, stderr } = await runInProcess(script, args, { DATABASE_URL: databaseUrl });
  expect([args, code, stdout]).toEqual([args, 2, '']);
  expect(stderr).toMatch(reason);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(snapshot()).toEqual(before);
}

test('no command overwrites the database file, nor the files beside it', async () => {
  const database = await createClosedDatabase();
  for (const suffix of COMPANIONS) {
    const target = database.file + suffix;
    const reason = new RegExp(`^${target} is a file of the database `);
    await expectRefusal(database, 'embeds', ['export', target], reason);
    await expectRefusal(database, 'embeds', ['import', fileOf(ROWS), '--rejects', target], reason);
    await expectRefusal(database, 'backup', [target], reason);
    await expectRefusal(database, 'restore', [target], reason);
    const copy = ['--from', database.databaseUrl, '--to', `file:${target}`];
    await expectRefusal(database, 'copy', copy, /^--from and --to have the file .* in common: name two/);
    const back = ['--to', database.databaseUrl, '--from', `file:${target}`];
    await expectRefusal(database, 'copy', back, /^--from and --to have the file .* in common: name two/);
  }
});

test.each([
  ['a symbolic link', symlinkSync],
  ['a hard link', linkSync],
])('no command overwrites the database through %s, nor the file that it imports', async (_, link) => {
  const database = await createClosedDatabase();
  const name = join(database.folder, 'link.csv');
  link(database.file, name);
  const reason = /link\.csv is a file of the database /;
  await expectRefusal(database, 'embeds', ['export', name], reason);
  await expectRefusal(database, 'embeds', ['import', fileOf(ROWS), '--rejects', name], reason);
  await expectRefusal(database, 'backup', [name], reason);
  await expectRefusal(database, 'restore', [name], reason);
  const copy = ['--from', database.databaseUrl, '--to', `file:${name}`];
  await expectRefusal(database, 'copy', copy, /in common/);

  const rows = join(database.folder, 'rows.csv');
  const sameRows = join(database.folder, 'same.csv');
  writeFileSync(rows, ROWS);
  link(rows, sameRows);
  for (const rejects of [rows, sameRows]) {
    await expectRefusal(
      database,
      'embeds',
      ['import', rows, '--rejects', rejects],
      /^--rejects must name another file/,
    );
  }
});

test('no command overwrites the database through a link to its folder, or through a standard stream', async () => {
  const database = await createClosedDatabase();
  const folder = join(temporaryFolder(), 'link');
  symlinkSync(database.folder, folder);
  await expectRefusal(database, 'backup', [join(folder, 'embeds.db-journal')], /is a file of the database/);
  const before = database.snapshot();
  const env = { PATH: process.env.PATH, DATABASE_URL: database.databaseUrl };
  const toItself = {
    env,
    encoding: 'utf8',
    stdio: ['ignore', openSync(database.file, 'r+'), 'pipe'],
  } satisfies SpawnSyncOptionsWithStringEncoding;
  const exported = spawnSync(process.execPath, ['src/main.ts', 'embeds', 'export'], toItself);
  expect([exported.status, exported.stderr]).toEqual([
    2,
    expect.stringMatching(/^Standard output is a file of the .*\n$/),
  ]);
  const rows = fileOf(ROWS);
  const imported = spawnSync(process.execPath, ['src/main.ts', 'embeds', 'import', '-', '--rejects', rows], {
    ...toItself,
    stdio: [openSync(rows, 'r'), 'pipe', 'pipe'],
  });
  expect([imported.status, imported.stderr]).toEqual([
    2,
    expect.stringMatching(/^--rejects must name another file.*\n$/),
  ]);
  expect(database.snapshot()).toEqual(before);
});

test('a target that is a folder, a device or a pipe is rejected with one line, and is not replaced', async () => {
  const database = await createClosedDatabase();
  const [folder, pipe] = [join(database.folder, 'folder'), join(database.folder, 'pipe')];
  mkdirSync(folder);
  execFileSync('mkfifo', [pipe]);
  for (const [target, reason] of [
    [folder, /is a folder\. Name a file\.\n$/],
    [pipe, /is not a regular file/],
    ['/dev/full', /^\/dev\/full is not a regular file/],
    [join(database.folder, 'no', 'such.csv'), /cannot be written/],
  ] as const) {
    await expectRefusal(database, 'embeds', ['export', target], reason);
    await expectRefusal(database, 'embeds', ['import', fileOf(ROWS), '--rejects', target], reason);
  }
  const exported = spawnSync(process.execPath, ['src/main.ts', 'embeds', 'export'], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.databaseUrl },
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  expect([exported.status, exported.stderr]).toEqual([
    3,
    expect.stringMatching(/^Standard output cannot be written: .*\n$/),
  ]);
});

test('a command whose result cannot be written fails', async () => {
  const { databaseUrl } = await createClosedDatabase();
  const created = spawnSync(
    process.execPath,
    ['src/main.ts', 'tokens', 'create', '--account', 'ada', '--name', 'ci', '--json'],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    },
  );
  expect([created.status, created.stderr]).toEqual([
    1,
    expect.stringMatching(/^Standard output cannot be written: .*\n$/),
  ]);
});

test('an import of a device or a folder ends with one line', async () => {
  const { databaseUrl } = await createClosedDatabase();
  for (const [name, line] of [
    ['/dev/zero', 'Line 1 is over 1048576 bytes.\n'],
    ['/dev/urandom', 'Line 1 is not valid UTF-8. In a spreadsheet, save it as "CSV UTF-8".\n'],
    ['/dev/full', 'Line 1 is over 1048576 bytes.\n'],
    ['/dev/null', 'There is nothing to import: /dev/null is empty.\n'],
    ['/', '/ is a folder. Name a file.\n'],
  ] as const) {
    const { code, stdout, stderr } = await embeds(databaseUrl, ['import', name]);
    expect([name, code, stdout, stderr]).toEqual([name, 2, '', line]);
  }
});

test('a pipe is imported to its end', async () => {
  const { folder, databaseUrl } = await createClosedDatabase();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [imported] = await Promise.all([embeds(databaseUrl, ['import', pipe]), writeFile(pipe, ROWS)]);
  expect(imported).toMatchObject({
    code: 1,
    stdout: 'Imported 1 of 2 rows into the account default; rejected 1.\n',
  });
});
