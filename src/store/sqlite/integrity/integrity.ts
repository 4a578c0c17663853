import type BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../../database-errors.ts';
import { type IndexedRow, tokensOf } from '../posting-lists.ts';
import { findRowFault } from './row-rules.ts';
import { findSchemaFault, type Migrations, requireNoAdditions } from './schema-check.ts';

/** @throws {DatabaseError} if the schema differs from the one that the migrations create */
export function checkSchema(database: BetterSqlite3.Database, file: string, migrations: Migrations): void {
  requireNoFault(findSchemaFault(database, migrations), file);
}

export interface Contents {
  readonly accounts: number;
  readonly embeds: number;
}

const WRONG_TOTALS = `
  SELECT id, embedCount AS total, (SELECT COUNT(*) FROM Embed WHERE accountId = Account.id) AS embeds
  FROM Account WHERE total IS NOT embeds LIMIT 1`;

/** Lists read the positions in place of the ids. */
const MISPLACED = `
  SELECT id FROM (SELECT id, position, lag(position) OVER (ORDER BY id) AS previous FROM Embed)
  WHERE position <= previous LIMIT 1`;

export function checkWhole(database: BetterSqlite3.Database, file: string, migrations: Migrations): Contents {
  requireOk(database.pragma('integrity_check(1)', { simple: true }), file);
  checkSchema(database, file, migrations);
  requireNoAdditions(database, file, migrations.applied);
  const orphans = database.pragma('foreign_key_check') as unknown[];
  if (orphans.length > 0) throw damaged(file, `${orphans.length} rows refer to what is not there`);
  requireNoFault(findRowFault(database, migrations.applied.length === migrations.known.length), file);
  requireNoFault(findTotalFault(database), file);
  return database
    .prepare<[], Contents>('SELECT COUNT(*) AS accounts, (SELECT COUNT(*) FROM Embed) AS embeds FROM Account')
    .get() as Contents;
}

function findTotalFault(database: BetterSqlite3.Database): string | null {
  const wrong = database.prepare<[], { id: string; total: number; embeds: number }>(WRONG_TOTALS).get();
  if (wrong) return `the account ${wrong.id} counts ${wrong.total} embeds and has ${wrong.embeds}`;
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'EmbedIndex'").get()) return null;
  const misplaced = database.prepare<[], string>(MISPLACED).pluck().get();
  if (misplaced !== undefined) return `the embed ${JSON.stringify(misplaced)} is not in the order of the ids`;
  return findIndexFault(database);
}

interface Sum {
  count: number;
  hash: number;
}

/** Compares sums over all tokens, in any order. A whole comparison would need another index of the same size. */
function findIndexFault(database: BetterSqlite3.Database): string | null {
  const expected: Sum = { count: 0, hash: 0 };
  const found: Sum = { count: 0, hash: 0 };
  const rows = database.prepare<[], IndexedRow>(
    'SELECT "position", "accountId", "pageId", "mode", "font", "terms" FROM "Embed"',
  );
  for (const row of rows.iterate()) for (const token of tokensOf(row)) add(expected, token, row.position);
  const postings = database.prepare<[], { term: string; doc: number }>('SELECT "term", "doc" FROM "EmbedIndexTerm"');
  const words = new Set<string>();
  for (const { term, doc } of postings.iterate()) {
    add(found, term, doc);
    if (/^[0-9a-f]+w[^=]/.test(term)) words.add(term);
  }
  if (expected.count !== found.count || expected.hash !== found.hash)
    return `the index for filters differs from the embeds: it has ${found.count} of ${expected.count} tokens`;
  const listed = database
    .prepare<[], string>(`SELECT lower(hex("accountId")) || 'w' || "word" FROM "EmbedWord"`)
    .pluck();
  for (const word of listed.iterate()) {
    if (!words.delete(word)) return `there is the word ${JSON.stringify(word)} that no embed has`;
  }
  if (words.size > 0) return `the list of words lacks ${words.size} words`;
  return null;
}

function add(sum: Sum, token: string, position: number): void {
  let hash = position % 0x7fffffff;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  sum.count += 1;
  sum.hash = (sum.hash + hash) | 0;
}

/** @param result of an integrity check of SQLite */
export function requireOk(result: unknown, file: string): void {
  if (result !== 'ok') throw damaged(file, String(result).replaceAll('\n', ' '));
}

function requireNoFault(fault: string | null, file: string): void {
  if (fault !== null) throw damaged(file, fault);
}

function damaged(file: string, reason: string): DatabaseError {
  return new DatabaseError(
    `The database ${file} is damaged (${reason}): restore a backup with npx embed-gateway restore FILE`,
  );
}
