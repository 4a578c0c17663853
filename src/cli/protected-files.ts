import { fstatSync } from 'node:fs';
import { filesOfDatabase, isNameOf, isSameFile, statusOf } from '../store/sqlite/database-files.ts';
import { InputError } from './run.ts';

/** Standard input and standard output, by their descriptors. */
type StandardStream = 0 | 1;

/**
 * Requires that a command does not write over the database or what belongs to it.
 * @param target a file, or standard output
 * @throws {InputError}
 */
export function requireNotOfDatabase(target: string | StandardStream, databaseUrl: string): void {
  const file = filesOfDatabase(databaseUrl).find((name) => isSame(name, target));
  if (file === undefined) return;
  const shown = typeof target === 'string' ? target : 'Standard output';
  throw new InputError(`${shown} is a file of the database (${file}): name another one.`);
}

/**
 * Requires that a file can be put in the place of what has this name: a regular file, or nothing.
 * @throws {InputError}
 */
export function requireReplaceable(name: string): void {
  const status = statusOf(name);
  if (status?.isDirectory()) throw new InputError(`${name} is a folder: name a file.`);
  if (status && !status.isFile())
    throw new InputError(`${name} is no regular file, and is not replaced: name another one.`);
}

/** Whether a name leads to the same file as another name, or as a standard stream. */
export function isSame(name: string, other: string | StandardStream): boolean {
  if (typeof other === 'string') return isSameFile(name, other);
  const status = fstatSync(other);
  return status.isFile() && isNameOf(name, status);
}
