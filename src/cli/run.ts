import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { ConfigError } from '../config/environment.ts';
import { readConfig } from '../config.ts';
import { Refusal } from '../errors.ts';
import { retry } from '../retry.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { DatabaseError } from '../store/database-errors.ts';
import { isBusy } from '../store/prisma/errors.ts';
import { EXIT } from './program.ts';

/** An input that a command cannot start with. The message is one line for the operator. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * Parses the arguments and runs the command that they name. Prints an expected error as its message, and any other with
 * its stack. Sets the exit code; does not throw.
 * @param failed the exit code of a failure
 */
export async function runCommand(program: Command, args: readonly string[], failed: number): Promise<void> {
  // a token is shown only once; a reader may close its pipe early
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    console.error(`Standard output cannot be written: ${message}.`);
    process.exitCode = failed;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof ConfigError || error instanceof InputError;
    const isExpected = isUsage || error instanceof DatabaseError || error instanceof Refusal;
    console.error(isExpected ? error.message : error);
    process.exitCode = isUsage ? EXIT.USAGE : failed;
  }
}

/** Time for which a command waits for a database that another process locks. */
const BUSY_RETRY_FOR_MS = 10_000;
const BUSY_RETRY_MS = 100;

/** Repeats work while another process locks the database. The work may have begun, so it must bear repetition. */
export function retryWhileBusy<T>(
  work: () => Promise<T>,
  { forMs = BUSY_RETRY_FOR_MS, signal }: { readonly forMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  return retry(work, (error) => (isBusy(error) ? BUSY_RETRY_MS : null), { forMs, signal });
}

/**
 * Runs work on the database of DATABASE_URL. The service may use the database at the same time: the work is repeated while
 * the database is busy.
 */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl } = readConfig();
  const database = await retryWhileBusy(() => openDatabase(databaseUrl, { poolSize: 1 }));
  try {
    return await retryWhileBusy(() => work(database));
  } finally {
    await database.close();
  }
}

/** @throws {InputError} if there is no such account, so that a mistyped name does not look like an empty list */
export async function requireAccount({ tokens }: Pick<Database, 'tokens'>, accountId: string): Promise<void> {
  if (!(await tokens.hasAccount(accountId))) throw new InputError(`There is no account ${accountId}.`);
}

/** The actor in the audit log. */
export const BY = `cli:${findUserName() ?? `uid-${process.getuid?.()}`}`;

/** Returns null for a user of a container that /etc/passwd does not list. */
function findUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** Returns a signal that aborts on SIGINT or SIGTERM, so that a stopped command leaves no unfinished files. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
