import { statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { DatabaseError } from '../open-options.ts';

/** What is read whole when the service starts: about 60 ms, some 200,000 embeds. */
const QUICK_BYTES = 64 * 1024 * 1024;

/** Tables that stay small. */
const SMALL_TABLES = ['Account', 'Token', '_prisma_migrations'];

/** Without these, totals would be wrong from then on, and embeds not found; of each table those that keep it. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  Account: ['Embed_count_insert', 'Embed_count_delete', 'Embed_count_move'],
  EmbedTerm: ['Embed_terms_insert', 'Embed_terms_delete', 'Embed_terms_update'],
};

/**
 * Finds most damage at the cost of milliseconds, so that a start stays short at any size. A file above
 * {@link QUICK_BYTES} is looked at in part: its schema, its small tables, and both ends of each index.
 * @throws {DatabaseError} that names the way out
 */
export function checkQuickly(database: BetterSqlite3.Database, file: string): void {
  const [tables, triggers] = [namesOf(database, 'table'), namesOf(database, 'trigger')];
  const needed = Object.entries(TRIGGERS).flatMap(([table, names]) => (tables.includes(table) ? names : []));
  const missing = needed.filter((name) => !triggers.includes(name));
  if (missing.length > 0) throw damaged(file, `it lacks ${missing.join(', ')}`);
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

/** What a full check found a database to hold. */
export interface Contents {
  readonly accounts: number;
  readonly embeds: number;
}

/**
 * Reads the whole database: its pages, its indexes, its references, and the totals that it keeps.
 * @throws {DatabaseError} that names the way out
 */
export function checkWhole(database: BetterSqlite3.Database, file: string): Contents {
  requireOk(database.pragma('integrity_check(1)', { simple: true }), file);
  const orphans = database.pragma('foreign_key_check') as unknown[];
  if (orphans.length > 0) throw damaged(file, `${orphans.length} rows refer to what is not there`);
  const { accounts, kept, embeds } = database
    .prepare<[], { accounts: number; kept: number; embeds: number }>(
      'SELECT COUNT(*) AS accounts, TOTAL(embedCount) AS kept, (SELECT COUNT(*) FROM Embed) AS embeds FROM Account',
    )
    .get() as { accounts: number; kept: number; embeds: number };
  if (kept !== embeds) throw damaged(file, `it counts ${kept} embeds and has ${embeds}`);
  return { accounts, embeds };
}

function requireOk(verdict: unknown, file: string): void {
  if (verdict !== 'ok') throw damaged(file, String(verdict).replaceAll('\n', ' '));
}

function damaged(file: string, reason: string): DatabaseError {
  return new DatabaseError(
    `The database ${file} is damaged (${reason}): restore a backup with npm run restore -- FILE`,
  );
}

function namesOf(database: BetterSqlite3.Database, type: 'trigger' | 'table'): unknown[] {
  return database.prepare('SELECT name FROM sqlite_master WHERE type = ?').pluck().all(type);
}

/** The indexes of all tables, those of primary keys too, with their columns. */
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
