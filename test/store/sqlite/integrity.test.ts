import { expect, test } from 'vitest';
import { knownMigrations } from '../../../src/store/prisma/migrations.ts';
import { checkWhole, requireOk } from '../../../src/store/sqlite/integrity/integrity.ts';
import { openTables } from './open-tables.ts';

const known = knownMigrations('sqlite');
const last = known.at(-1) ?? '';
const without = (name: string) => known.filter((each) => !each.endsWith(name));
const FIX = 'restore a backup with npx embed-gateway restore FILE';
const damaged = (reason: string) => `The database copy.db is damaged (${reason}): ${FIX}`;
const EMBED = 'SELECT position FROM Embed';
const removeToken = (token: string) =>
  `INSERT INTO EmbedIndex (EmbedIndex, rowid, tokens) SELECT 'delete', position, '${token}' FROM Embed`;
const addToken = (token: string) => `INSERT INTO EmbedIndex (rowid, tokens) SELECT position, '${token}' FROM Embed`;
const unique = (index: string) => `DROP INDEX ${index}; CREATE INDEX ${index} ON Token (hash)`;

test.each<[what: string, sql: string, applied: readonly string[], message: string | null]>([
  ['nothing', '', known, null],
  ['statistics', 'ANALYZE', known, null],
  ['tables of other programs', 'CREATE TABLE mine (id); CREATE INDEX my ON mine (id)', known, null],
  ['a dropped trigger', 'DROP TRIGGER Embed_index_delete', known, damaged('it lacks the trigger Embed_index_delete')],
  ['a dropped index', 'DROP INDEX Embed_accountId_idx', known, damaged('it lacks the index Embed_accountId_idx')],
  ['a dropped table', 'DROP TABLE Page', known, damaged('it lacks the table Page')],
  [
    'an altered index',
    unique('Token_hash_key'),
    known,
    damaged('its index Token_hash_key differs from the one that the migrations create'),
  ],
  [
    'an added column',
    'ALTER TABLE Page ADD COLUMN later TEXT',
    known,
    damaged('its table Page differs from the one that the migrations create'),
  ],
  ['a migration twice', '', [...known, last], damaged(`it has the migration ${last} twice`)],
  [
    'a migration without its predecessor',
    '',
    without('_cache_pages'),
    damaged(`it has the migration ${known.find((name) => name.endsWith('_page_fetched_at'))} without an earlier one`),
  ],
  [
    'a table of a later migration',
    '',
    without('_imports'),
    damaged('it has the table Import without the migration that creates it'),
  ],
  ['no migration', '', [], damaged('it has the table Account without the migration that creates it')],
  [
    'an index on our table',
    'CREATE INDEX mine ON Embed (title)',
    known,
    'The database copy.db has the index mine on Embed, which is not one of ours: remove it with DROP INDEX "mine".',
  ],
  [
    'a trigger on our table',
    'CREATE TRIGGER mine AFTER INSERT ON Token BEGIN SELECT 1; END',
    known,
    'The database copy.db has the trigger mine on Token, which is not one of ours: remove it with DROP TRIGGER "mine".',
  ],
  [
    'an unfinished copy',
    'CREATE TABLE _copy (source TEXT)',
    known,
    'The database copy.db is an unfinished copy of another database: use a complete one.',
  ],
  [
    'rows without their account',
    "PRAGMA foreign_keys = OFF; UPDATE Account SET id = 'bob'",
    known,
    damaged('2 rows refer to what is not there'),
  ],
  [
    'an invalid row',
    "UPDATE Embed SET font = '-'",
    known,
    damaged('the row "01arz3ndektsv4rrffq69g5fav" of Embed has an invalid font'),
  ],
  [
    'terms that are not its own',
    "UPDATE Embed SET title = 'other'",
    known,
    damaged('the row "01arz3ndektsv4rrffq69g5fav" of Embed has an invalid terms'),
  ],
  ['a high total', 'UPDATE Account SET embedCount = 2', known, damaged('the account ada counts 2 embeds and has 1')],
  ['a low total', 'UPDATE Account SET embedCount = 0', known, damaged('the account ada counts 0 embeds and has 1')],
  [
    'a missing token',
    removeToken('616461mLIGHT'),
    known,
    damaged('the index for filters differs from the embeds: it has 5 of 6 tokens'),
  ],
  [
    'a token too many',
    addToken('x'),
    known,
    damaged('the index for filters differs from the embeds: it has 7 of 6 tokens'),
  ],
  [
    'a token of another account',
    `${removeToken('616461mLIGHT')}; ${addToken('626f62mLIGHT')}`,
    known,
    damaged('the index for filters differs from the embeds: it has 6 of 6 tokens'),
  ],
  [
    'a token of another embed',
    `${removeToken('616461mLIGHT')}; INSERT INTO EmbedIndex (rowid, tokens) VALUES ((${EMBED}) + 1, '616461mLIGHT')`,
    known,
    damaged('the index for filters differs from the embeds: it has 6 of 6 tokens'),
  ],
  [
    'a word too many',
    "INSERT INTO EmbedWord VALUES ('ada', 'y')",
    known,
    damaged('there is the word "616461wy" that no embed has'),
  ],
  ['missing words', "DELETE FROM EmbedWord WHERE word <> 'x'", known, damaged('the list of words lacks 2 words')],
])('a database with %s is checked', async (_what, sql, applied, message) => {
  const tables = await openTables();
  tables.exec(sql);
  const check = () => checkWhole(tables, 'copy.db', { applied, known });
  if (message === null) expect(check()).toEqual({ accounts: 1, embeds: 1 });
  else expect(check).toThrow(expect.objectContaining({ message }));
});

test('while a migration is pending, terms may be those of an earlier version', async () => {
  const tables = await openTables();
  tables.exec("UPDATE Embed SET title = 'other'");
  const migrations = { applied: known, known: [...known, '29990101000000_next'] };
  expect(checkWhole(tables, 'copy.db', migrations)).toEqual({ accounts: 1, embeds: 1 });
});

test('the result of a check of SQLite is shown in one line', () => {
  expect(() => requireOk('ok', 'copy.db')).not.toThrow();
  expect(() => requireOk('page 1\npage 2', 'copy.db')).toThrow(damaged('page 1 page 2'));
});
