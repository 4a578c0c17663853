import { realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { locationOf } from '../database-url.ts';

/** The files of SQLite and of this service beside a database. The lock file is a SQLite database too. */
const SUFFIXES = ['', '-wal', '-shm', '-journal', '.lock', '.lock-wal', '.lock-shm', '.lock-journal', '.audit.jsonl'];

export function filesOfDatabase(url: string): readonly string[] {
  const place = locationOf(url);
  return 'file' in place ? SUFFIXES.map((suffix) => place.file + suffix) : [];
}

/** Follows links; also compares files that do not exist. */
export function isSameFile(first: string, second: string): boolean {
  const other = statOf(second);
  return resolveLinks(first) === resolveLinks(second) || (other !== undefined && isNameOf(first, other));
}

export function isNameOf(name: string, { dev, ino }: Pick<Stats, 'dev' | 'ino'>): boolean {
  const status = statOf(name);
  return status?.ino === ino && status.dev === dev;
}

export function statOf(name: string): Stats | undefined {
  try {
    return statSync(name);
  } catch {
    return undefined;
  }
}

function resolveLinks(name: string): string {
  const path = resolve(name);
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(resolveLinks(folder), basename(path));
  }
}
