import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { parseDraft } from '../../../src/domain/embed/input.ts';
import { createToken, SCOPES } from '../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { MEAL_PLANNER, newDatabase } from '../../open-app.ts';
import { embedOf } from '../../store/embeds/embed-of.ts';
import { runInProcess } from '../run-in-process.ts';

let folder: string;
let copy: string;
let target: string;
let written: Promise<Buffer> | undefined;

/** Creates a copy with rows in all tables, and a target that a restore would replace. */
beforeEach(async () => {
  const empty = await newDatabase();
  target = empty.slice('file:'.length);
  folder = dirname(target);
  copy = join(folder, 'copy.db');
  written ??= writeAllTables();
  writeFileSync(copy, await written);
});

async function writeAllTables(): Promise<Buffer> {
  const file = (await newDatabase()).slice('file:'.length);
  const { tokens, embeds, pages, close } = await openDatabase(`file:${file}`);
  for (const accountId of ['ada', 'bob']) {
    const { token } = createToken({ accountId, name: 'test', scopes: SCOPES, expiresAt: null }, new Date());
    await tokens.ensureAccount(accountId, new Date());
    await tokens.insert(token);
  }
  const draft = { ...parseDraft({ pageUrl: MEAL_PLANNER }, { allowPrivatePages: false }), title: 'Meal Planner' };
  for (const accountId of ['ada', 'ada', 'bob']) await embeds.insert({ ...embedOf(accountId), ...draft });
  const once = { key: '0:key', fingerprint: 'a'.repeat(64), complete: null };
  await embeds.insertOnce({ ...embedOf('ada'), ...draft }, once, (embed) => embed);
  const [freshUntil, fetchedAt, version] = [new Date(), new Date(), { movedTo: null, etag: null, lastModified: null }];
  const article = {
    ...{ title: 'x', headTitle: null, site: 'example.com', icon: null, language: null, direction: 'ltr' as const },
    ...{ image: null, hero: null, isPaywalled: false },
    ...{ byline: null, publishedAt: null, description: null, content: '<p>x</p>' },
  };
  const shown = { state: 'SHOWN', reason: null } as const;
  const attempt = { freshUntil, triedAt: fetchedAt, failure: null };
  await pages.save({
    pageUrl: MEAL_PLANNER,
    ...attempt,
    version: { ...version, fetchedAt, url: MEAL_PLANNER, status: shown, article },
  });
  await pages.save({ pageUrl: 'https://example.com/', ...attempt, version: null });
  await close();
  return readFileSync(file);
}

function tamper(sql: string): void {
  const raw = new BetterSqlite3(copy);
  raw.unsafeMode();
  raw.pragma('foreign_keys = OFF');
  raw.exec(sql);
  raw.close();
}

/** Rewrites the stored definition of an object. */
const rewrite = (name: string, from: string, to: string) => `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${name}';
  PRAGMA writable_schema = RESET;`;
const EMBED = '(SELECT min(id) FROM Embed)';
const set = (column: string, value: string) => `UPDATE Embed SET ${column} = ${value} WHERE id = ${EMBED}`;

/** Removes one token of the embed from the index. */
const removeToken = (token: string) =>
  `INSERT INTO EmbedIndex (EmbedIndex, rowid, tokens) SELECT 'delete', position, '${token}' FROM Embed WHERE id = ${EMBED}`;

const restore = () => runInProcess('restore', [copy], { DATABASE_URL: `file:${target}` });

async function expectRefusal(reason: RegExp): Promise<void> {
  const before = readFileSync(target);
  const { code, stdout, stderr } = await restore();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(reason);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(target).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);
}

test('a copy with rows in all tables is restored, also with statistics and tables of Litestream', async () => {
  tamper('ANALYZE; CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER)');
  const { code, stdout, stderr } = await restore();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Restored 4 embeds of 2 accounts /);
  const database = await openDatabase(`file:${target}`);
  expect((await database.createList('ada', null).count()).count).toBe(3);
  await database.close();
});

/** Changes that both a start and a restore reject. */
const SCHEMA: readonly (readonly [what: string, sql: string, reason: RegExp])[] = [
  ['a dropped trigger', 'DROP TRIGGER Embed_index_delete', /it lacks the trigger Embed_index_delete/],
  [
    'an altered trigger',
    'DROP TRIGGER Embed_count_insert; CREATE TRIGGER Embed_count_insert AFTER INSERT ON Embed BEGIN SELECT 1; END',
    /its trigger Embed_count_insert differs from the one that the migrations create/,
  ],
  ['a dropped index', 'DROP INDEX Embed_accountId_idx', /it lacks the index Embed_accountId_idx/],
  [
    'an altered index',
    'DROP INDEX Token_hash_key; CREATE INDEX Token_hash_key ON Token (hash)',
    /its index Token_hash_key differs/,
  ],
  ['a dropped table', 'DROP TABLE Page', /it lacks the table Page/],
  [
    'a dropped column',
    'ALTER TABLE Page DROP COLUMN etag',
    /its table Page differs from the one that the migrations create/,
  ],
  ['an added column', 'ALTER TABLE Embed ADD COLUMN later TEXT', /its table Embed differs/],
  ['an altered default', rewrite('Account', 'DEFAULT 0', 'DEFAULT 1'), /its table Account differs/],
  [
    'an added CHECK',
    rewrite('Embed', '"font" TEXT NOT NULL', '"font" TEXT NOT NULL CHECK (font <> 1)'),
    /its table Embed differs/,
  ],
  ['a lost NOT NULL', rewrite('Embed', '"title" TEXT NOT NULL', '"title" TEXT'), /its table Embed differs/],
  [
    'a lost migration',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_imports'",
    /it has the table Import without the migration that creates it/,
  ],
  ['no migration', 'DELETE FROM _prisma_migrations', /it has the table Account without the migration that creates it/],
  [
    'a migration without its predecessor',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_cache_pages'",
    /it has the migration \d+_page_fetched_at without an earlier one/,
  ],
  [
    'a migration twice',
    "INSERT INTO _prisma_migrations SELECT 'x', checksum, finished_at, migration_name, logs, rolled_back_at, started_at, 1 FROM _prisma_migrations LIMIT 1",
    /it has the migration \d+_init twice/,
  ],
  [
    'a renamed migration',
    "UPDATE _prisma_migrations SET migration_name = '20260101000000_other' WHERE migration_name LIKE '%_init'",
    /newer than this version of the service/,
  ],
  ['an unfinished migration', 'UPDATE _prisma_migrations SET finished_at = NULL', /is half-migrated/],
];

test.each(SCHEMA)('a copy with %s is not restored, and no service starts on it', async (_, sql, reason) => {
  tamper(sql);
  await expectRefusal(reason);
  await expect(openDatabase(`file:${copy}`)).rejects.toThrow(reason);
});

test.each<readonly [what: string, sql: string, reason: RegExp]>([
  [
    'an index more',
    'CREATE UNIQUE INDEX mine ON Embed (title, id)',
    /has the index mine on Embed, .*DROP INDEX "mine"\.$/m,
  ],
  ['a trigger more', 'CREATE TRIGGER mine AFTER INSERT ON Embed BEGIN SELECT 1; END', /DROP TRIGGER "mine"\.$/m],
  ['an unfinished copy', 'CREATE TABLE _copy (source TEXT)', /is an unfinished copy of another/],
  [
    'a total that is too high',
    "UPDATE Account SET embedCount = 9 WHERE id = 'bob'",
    /the account bob counts 9 embeds and has 1/,
  ],
  ['a total that is too low', "UPDATE Account SET embedCount = 0 WHERE id = 'bob'", /counts 0 embeds and has 1/],
  [
    'totals that only agree in their sum',
    'UPDATE Account SET embedCount = 4 - embedCount',
    /the account ada counts 1 embeds and has 3/,
  ],
  ['a negative total', 'UPDATE Account SET embedCount = -1', /the row "ada" of Account has an invalid embedCount/],
  ['a missing account', "DELETE FROM Account WHERE id = 'ada'", /5 rows refer to what is not there|4 rows refer/],
  [
    'a malformed account',
    "INSERT INTO Account (id, createdAt, embedCount) VALUES ('A B', '2026-01-01', 0)",
    /of Account has an invalid id/,
  ],
  ['an unknown mode', set('mode', "'PINK'"), /of Embed has an invalid mode/],
  ['a javascript: URL', set('pageUrl', "'javascript:alert(1)'"), /of Embed has an invalid pageUrl/],
  ['a malformed id', set('id', "'<script>'"), /the row "<script>" of Embed has an invalid id/],
  ['a font of CSS', set('font', "'x; } body {'"), /of Embed has an invalid font/],
  ['a malformed page id', set('pageId', "'x'"), /of Embed has an invalid pageId/],
  ['an empty title', set('title', "''"), /of Embed has an invalid title/],
  ['a top bar that is neither on nor off', set('showTopBar', '2'), /of Embed has an invalid showTopBar/],
  ['a user-defined mode without a top bar', set('mode', "'USER_DEFINED', showTopBar = 0"), /invalid showTopBar/],
  ['a negative version', set('version', '-1'), /of Embed has an invalid version/],
  ['a version that is no number', set('version', "'x'"), /of Embed has an invalid version/],
  ['a negative position', set('position', '-position'), /of Embed has an invalid position/],
  [
    'positions in another order than the ids',
    set('position', '(SELECT max(position) + 8 FROM Embed)'),
    /the embed "[0-9a-z]{26}" is not in the order of the ids/,
  ],
  ['an invalid time', set('createdAt', "'yesterday'"), /of Embed has an invalid createdAt/],
  ['no terms', set('terms', "'[]'"), /of Embed has an invalid terms/],
  ['terms that are not its own', set('terms', "' other'"), /of Embed has an invalid terms/],
  ['a token that is missing', removeToken('616461mLIGHT'), /the index for filters differs .* 27 of 28 tokens/],
  ['a token too many', `INSERT INTO EmbedIndex (rowid, tokens) VALUES (1, 'x')`, /the index for filters differs/],
  ['a word too many', `INSERT INTO EmbedWord VALUES ('ada', 'x')`, /the word "616461wx" that no embed has/],
  ['a word that is missing', `DELETE FROM EmbedWord WHERE accountId = 'bob'`, /the list of words lacks [0-9]+ words/],
  [
    'a token of another account',
    `${removeToken('616461mLIGHT')}; INSERT INTO EmbedIndex (rowid, tokens) SELECT position, '626f62mLIGHT' FROM Embed WHERE id = ${EMBED}`,
    /the index for filters differs/,
  ],
  ['a bad token hash', "UPDATE Token SET hash = 'x' || id", /of Token has an invalid hash/],
  ['a scope that does not exist', "UPDATE Token SET scope = 'root'", /of Token has an invalid scope/],
  ['an expiry that is no time', "UPDATE Token SET expiresAt = 'never'", /of Token has an invalid expiresAt/],
  [
    'a negative import',
    `INSERT INTO Import VALUES ('ada', '${'a'.repeat(64)}', -1, -1, NULL)`,
    /of Import has an invalid rows/,
  ],
  [
    'a kept create of another page',
    `UPDATE IdempotentCreate SET embed = replace(embed, 'https:', 'javascript:')`,
    /invalid embed/,
  ],
  ['a page that is no page', "UPDATE Page SET url = 'javascript:x'", /of Page has an invalid url/],
  ['a page in no known state', "UPDATE Page SET state = 'LOST'", /of Page has an invalid state/],
  ['an article that is no JSON', "UPDATE Page SET article = '<p>'", /of Page has an invalid article/],
  [
    'an altered checksum',
    "UPDATE _prisma_migrations SET checksum = 'x'",
    /of _prisma_migrations has an invalid checksum/,
  ],
  [
    'two rows of one key',
    `${rewrite('Token_hash_key', 'UNIQUE ', '')} INSERT INTO Token SELECT id || 'x', accountId, name, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt FROM Token;
     ${rewrite('Token_hash_key', 'CREATE INDEX', 'CREATE UNIQUE INDEX')}`,
    /is damaged/,
  ],
  ['the tables of another program', 'DROP TABLE _prisma_migrations', /belongs to another program/],
])('a copy with %s is not restored', async (_, sql, reason) => {
  tamper(sql);
  await expectRefusal(reason);
});

test('a truncated or corrupted copy is not restored', async () => {
  const bytes = readFileSync(copy);
  for (const part of [100, 1_000, Math.floor(bytes.length / 2), bytes.length - 4_096]) {
    writeFileSync(copy, bytes);
    truncateSync(copy, part);
    await expectRefusal(/copy\.db is (damaged|not a SQLite database)/);
  }
  for (let at = 8_192; at < bytes.length; at += 16_384) {
    const flipped = Buffer.from(bytes);
    flipped.fill(0xa5, at, at + 600);
    writeFileSync(copy, flipped);
    await expectRefusal(/copy\.db is damaged/);
  }
  expect(statSync(copy).size).toBe(bytes.length);
});
