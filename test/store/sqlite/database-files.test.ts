import { linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOfDatabase, isNameOf, isSameFile, statOf } from '../../../src/store/sqlite/database-files.ts';
import { temporaryFolder } from '../../open-app.ts';

/** Creates a file with names that lead to it, another file, and a link to a folder. */
function createFiles() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('a.db'), '');
  writeFileSync(at('other.db'), '');
  symlinkSync(at('a.db'), at('link.db'));
  linkSync(at('a.db'), at('second-name.db'));
  mkdirSync(at('folder'));
  symlinkSync(at('folder'), at('folder-link'));
  return at;
}

test.each([
  ['a.db', 'a.db', true],
  ['a.db', 'folder/../a.db', true],
  ['a.db', 'link.db', true],
  ['second-name.db', 'a.db', true],
  ['a.db', 'other.db', false],
  ['a.db', 'missing.db', false],
  ['missing.db', 'a.db', false],
  ['missing.db', 'missing.db', true],
  ['folder/missing.db', 'folder-link/missing.db', true],
  ['no/folder/missing.db', 'no/folder/missing.db', true],
  ['no/folder/missing.db', 'no/other/missing.db', false],
])('whether %s and %s are one file: %s', (first, second, expected) => {
  const at = createFiles();
  expect(isSameFile(at(first), at(second))).toBe(expected);
});

test('a name belongs to a file by its number and its device', () => {
  const at = createFiles();
  const { ino, dev } = statSync(at('a.db'));
  expect(statOf(at('a.db'))).toMatchObject({ ino, dev });
  expect(statOf(at('missing.db'))).toBeUndefined();
  expect(isNameOf(at('link.db'), { ino, dev })).toBe(true);
  expect(isNameOf(at('a.db'), { ino, dev: dev + 1 })).toBe(false);
  expect(isNameOf(at('other.db'), { ino, dev })).toBe(false);
  expect(isNameOf(at('missing.db'), { ino, dev })).toBe(false);
});

test('a database has files beside it, and a server none', () => {
  const beside = ['', '-wal', '-shm', '-journal', '.lock', '.lock-wal', '.lock-shm', '.lock-journal', '.audit.jsonl'];
  expect(filesOfDatabase('file:/data/a.db')).toEqual(beside.map((suffix) => `/data/a.db${suffix}`));
  expect(filesOfDatabase('postgresql://ada@127.0.0.1/embeds')).toEqual([]);
});
