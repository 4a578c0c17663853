import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { PageCheckJob, PageFault } from './page-check.ts';

parentPort?.postMessage(findFault(workerData));

function findFault({ file, busyTimeoutMs }: PageCheckJob): PageFault | null {
  try {
    const database = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs });
    const result = database.pragma('quick_check(1)', { simple: true });
    return result === 'ok' ? null : { code: 'SQLITE_CORRUPT', message: String(result) };
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    return { code, message };
  }
}
