import { statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../../database-errors.ts';
import { type IndexedRow, tokensOf } from '../posting-lists.ts';
import { findRowFault } from './row-rules.ts';
import { findSchemaFault, type Migrations, requireNoAdditions } from './schema-check.ts';

/** Size up to which a start reads the whole file: about 60 ms for 200,000 embeds. */
const QUICK_BYTES = 64 * 1024 * 1024;

const SMALL_TABLES = ['Account', 'Token', '_prisma_migrations'];

/** In a file above {@link QUICK_BYTES}, checks only the schema, the small tables, and both ends of each index. */
export function checkQuickly(database: BetterSqlite3.Database, file: string, migrations: Migrations): void {
  requireNoFault(findSchemaFault(database, migrations), file);
  const isSmall = statSync(file).size <= QUICK_BYTES;
  const checks = isSmall ? ['quick_check(1)'] : SMALL_TABLES.map((table) => `quick_check(${table})`);
  for (const check of checks) requireOk(database.pragma(check, { simple: true }), file);
  if (isSmall) return;
  for (const { table, columns } of indexesOf(database)) {
    for (const order of ['ASC', 'DESC']) {
      const by = columns.map((column) => `"${column}" ${order}`).join(', ');
      database.prepare(`SELECT * FROM "${table}" ORDER BY ${by} LIMIT 1`).get();
    }
  }
}

export interface Contents {
  readonly accounts: number;
  readonly embeds: number;
}

const WRONG_TOTALS = `
  SELECT id, embedCount AS total, (SELECT COUNT(*) FROM Embed WHERE accountId = Account.id) AS embeds
  FROM Account WHERE total IS NOT embeds LIMIT 1`;

export function checkWhole(database: BetterSqlite3.Database, file: string, migrations: Migrations): Contents {
  requireOk(database.pragma('integrity_check(1)', { simple: true }), file);
  requireNoFault(findSchemaFault(database, migrations), file);
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
  return tablesOf(database).includes('EmbedIndex') ? findIndexFault(database) : null;
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
  for (const { term, doc } of postings.iterate()) add(found, term, doc);
  if (expected.count === found.count && expected.hash === found.hash) return null;
  return `the index for filters differs from the embeds: it has ${found.count} of ${expected.count} tokens`;
}

function add(sum: Sum, token: string, position: number): void {
  let hash = position % 0x7fffffff;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  sum.count += 1;
  sum.hash = (sum.hash + hash) | 0;
}

function requireOk(result: unknown, file: string): void {
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

function tablesOf(database: BetterSqlite3.Database): unknown[] {
  return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}

function indexesOf(database: BetterSqlite3.Database) {
  const rows = database
    .prepare<[], { table: string; columns: string }>(
      `SELECT t.name AS "table", json_group_array(c.name) AS columns
       FROM sqlite_master AS t, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c
       WHERE t.type = 'table' GROUP BY t.name, i.name ORDER BY c.seqno`,
    )
    .all();
  return rows.map(({ table, columns }) => ({ table, columns: JSON.parse(columns) as string[] }));
}
