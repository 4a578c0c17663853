import { once } from 'node:events';
import { statSync } from 'node:fs';
import module from 'node:module';
import { Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import { BUSY_TIMEOUT_MS } from '../connection.ts';
import { explainErrors, withSqlite } from '../file.ts';
import { requireOk } from './integrity.ts';

/** Size up to which a start reads the whole file: about 0.1 s for 200,000 embeds. */
const QUICK_BYTES = 64 * 1024 * 1024;
/** Size from which another thread reads the file, while this one loads code. Starting the thread takes about 20 ms. */
const THREAD_BYTES = 8 * 1024 * 1024;

const SMALL_TABLES = ['Account', 'Token', '_prisma_migrations'];

const WORKER = new URL('./page-check-worker.ts', import.meta.url);

export interface PageCheckJob {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** The result of `PRAGMA quick_check`, or the error of SQLite. */
export type PageCheckResult =
  | { readonly result: unknown }
  | { readonly error: { code: string | undefined; message: string } };

/**
 * Checks all pages. In a file above {@link QUICK_BYTES}, checks only the small tables, and both ends of each index.
 * @throws {DatabaseError} if the file is damaged
 */
export async function checkPages(file: string): Promise<void> {
  const { size } = statSync(file);
  if (size <= THREAD_BYTES || size > QUICK_BYTES) {
    return explainErrors(file, () =>
      withSqlite(file, (database) => {
        if (size <= QUICK_BYTES) requireOk(database.pragma('quick_check(1)', { simple: true }), file);
        else checkSamples(database, file);
      }),
    );
  }
  const checked = await checkInThread({ file, busyTimeoutMs: BUSY_TIMEOUT_MS });
  explainErrors(file, () => {
    if ('error' in checked) throw checked.error;
    requireOk(checked.result, file);
  });
}

async function checkInThread(job: PageCheckJob): Promise<PageCheckResult> {
  const env = { NODE_COMPILE_CACHE: module.getCompileCacheDir() };
  const [result] = await once(new Worker(WORKER, { workerData: job, env }), 'message');
  return result;
}

function checkSamples(database: BetterSqlite3.Database, file: string): void {
  for (const table of SMALL_TABLES) requireOk(database.pragma(`quick_check(${table})`, { simple: true }), file);
  for (const { table, columns } of indexesOf(database)) {
    for (const order of ['ASC', 'DESC']) {
      const by = columns.map((column) => `"${column}" ${order}`).join(', ');
      database.prepare(`SELECT * FROM "${table}" ORDER BY ${by} LIMIT 1`).get();
    }
  }
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
