import { fstatSync } from 'node:fs';
import { filesOfDatabase, isNameOf, isSameFile, statOf } from '../store/sqlite/database-files.ts';
import { InputError } from './run.ts';

/** The descriptor of standard input or output. */
type StandardStream = 0 | 1;

/** @throws {InputError} if a command would overwrite a file of the database */
export function requireNotDatabaseFile(target: string | StandardStream, databaseUrl: string): void {
  const file = filesOfDatabase(databaseUrl).find((name) => isSameFileOrStream(name, target));
  if (file === undefined) return;
  const shownTarget = typeof target === 'string' ? target : 'Standard output';
  throw new InputError(`${shownTarget} is a file of the database (${file}). Name another file.`);
}

/** @throws {InputError} if the name exists and is not a regular file */
export function requireReplaceable(name: string): void {
  const status = statOf(name);
  if (status?.isDirectory()) throw new InputError(`${name} is a folder. Name a file.`);
  if (status && !status.isFile())
    throw new InputError(`${name} is not a regular file, so it is not replaced. Name another file.`);
}

export function isSameFileOrStream(name: string, other: string | StandardStream): boolean {
  if (typeof other === 'string') return isSameFile(name, other);
  const status = fstatSync(other);
  return status.isFile() && isNameOf(name, status);
}
