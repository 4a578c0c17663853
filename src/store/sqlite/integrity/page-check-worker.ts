import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { PageCheckJob, PageCheckResult } from './page-check.ts';

parentPort?.postMessage(check(workerData));

function check({ file, busyTimeoutMs }: PageCheckJob): PageCheckResult {
  try {
    const database = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs });
    return { result: database.pragma('quick_check(1)', { simple: true }) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { error: { code, message } };
  }
}
