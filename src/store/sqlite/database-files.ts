import { realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseDatabaseUrl } from '../database-url.ts';

/** What SQLite and this service keep beside a database file, and SQLite beside the file of its lock. */
const SUFFIXES = ['', '-wal', '-shm', '-journal', '.lock', '.lock-wal', '.lock-shm', '.lock-journal', '.audit.jsonl'];

/** The files of a database, whether they exist or not. A server has none here. */
export function filesOfDatabase(url: string): readonly string[] {
  const place = parseDatabaseUrl(url);
  return 'file' in place ? SUFFIXES.map((suffix) => place.file + suffix) : [];
}

/** Whether two names lead to the same file, by whichever links, or would if it existed. */
export function isSameFile(first: string, second: string): boolean {
  const other = statusOf(second);
  return placeOf(first) === placeOf(second) || (other !== undefined && isNameOf(first, other));
}

/** Whether a name leads to a file that is known by its status. */
export function isNameOf(name: string, { dev, ino }: Pick<Stats, 'dev' | 'ino'>): boolean {
  const status = statusOf(name);
  return status?.ino === ino && status.dev === dev;
}

/** The status of what a name leads to; undefined when that does not exist or cannot be reached. */
export function statusOf(name: string): Stats | undefined {
  try {
    return statSync(name);
  } catch {
    return undefined;
  }
}

/** The absolute path without links. */
function placeOf(name: string): string {
  const path = resolve(name);
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(placeOf(folder), basename(path));
  }
}
