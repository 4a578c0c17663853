import { once } from 'node:events';
import { statSync } from 'node:fs';
import module from 'node:module';
import { Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import { BUSY_TIMEOUT_MS } from '../connection.ts';
import { withSqlite } from '../file.ts';
import { requireOk } from './integrity.ts';

/** Size up to which all pages are always checked before the file is used: about 0.05 s. */
const MAX_QUICK_BYTES = 8 * 1024 * 1024;
/** Size up to which all pages are checked at all: about 0.4 s. A stop waits for the check. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

const WORKER = new URL('./page-check-worker.ts', import.meta.url);

export interface PageCheckJob {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** A fault with its result code of SQLite (https://sqlite.org/rescode.html), which is empty if the thread failed. */
export interface PageFault {
  readonly code: string;
  readonly message: string;
}

/** A check that a thread makes while the file is used. */
export interface PageCheck {
  /** The first fault; null if there is none, or if the check was stopped. */
  readonly fault: Promise<PageFault | null>;
  stop(): Promise<unknown>;
}

/**
 * Checks all pages of a small file, or of one of medium size if it is to be checked whole. Otherwise checks only both
 * ends of each index, so that a start takes as long at any size.
 * @throws {DatabaseError} or the error of SQLite, if the file is damaged
 */
export function checkPages(file: string, { isWhole }: { readonly isWhole: boolean }): void {
  const maxBytes = isWhole ? MAX_CHECKED_BYTES : MAX_QUICK_BYTES;
  withSqlite(file, (database) => {
    if (statSync(file).size <= maxBytes) requireOk(database.pragma('quick_check(1)', { simple: true }), file);
    else checkSamples(database);
  });
}

/** Starts a check of all pages of a file of medium size. Returns null for any other. */
export function startPageCheck(file: string): PageCheck | null {
  const { size } = statSync(file);
  if (size <= MAX_QUICK_BYTES || size > MAX_CHECKED_BYTES) return null;
  const env = { NODE_COMPILE_CACHE: module.getCompileCacheDir() };
  const job: PageCheckJob = { file, busyTimeoutMs: BUSY_TIMEOUT_MS };
  const worker = new Worker(WORKER, { workerData: job, env });
  const stopped = once(worker, 'exit').then(() => null);
  const found = once(worker, 'message').then(([fault]): PageFault | null => fault);
  const fault = Promise.race([found, stopped]).catch(({ message }: Error) => ({ code: '', message }));
  return { fault, stop: () => worker.terminate() };
}

function checkSamples(database: BetterSqlite3.Database): void {
  for (const { table, index, columns } of indexesOf(database)) {
    for (const order of ['ASC', 'DESC']) {
      const by = columns.map((column) => `"${column}" ${order}`).join(', ');
      database.prepare(`SELECT * FROM "${table}" INDEXED BY "${index}" ORDER BY ${by} LIMIT 1`).get();
    }
  }
}

function indexesOf(database: BetterSqlite3.Database) {
  const rows = database
    .prepare<[], { table: string; index: string; columns: string }>(
      `SELECT t.name AS "table", i.name AS "index", json_group_array(c.name ORDER BY c.seqno) AS columns
       FROM sqlite_master AS t, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c
       WHERE t.type = 'table' AND c.name IS NOT NULL AND NOT i.partial GROUP BY t.name, i.name`,
    )
    .all();
  return rows.map(({ table, index, columns }) => ({ table, index, columns: JSON.parse(columns) as string[] }));
}
