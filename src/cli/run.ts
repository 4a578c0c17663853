import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { ConfigError } from '../config/environment.ts';
import { readConfig } from '../config.ts';
import { Refusal } from '../errors.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { DatabaseError } from '../store/database-errors.ts';
import type { Copy } from '../store/sqlite/backup.ts';
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
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof ConfigError || error instanceof InputError;
    const isExpected = isUsage || error instanceof DatabaseError || error instanceof Refusal;
    console.error(isExpected ? error.message : error);
    process.exitCode = isUsage ? EXIT.USAGE : failed;
  }
}

/** Runs work on the database of DATABASE_URL. The service may use the database at the same time. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(readConfig().databaseUrl, { poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws {InputError} if there is no such account, so that a mistyped name does not look like an empty list */
export async function requireAccount({ tokens }: Pick<Database, 'tokens'>, accountId: string): Promise<void> {
  if (!(await tokens.hasAccount(accountId))) throw new InputError(`There is no account ${accountId}.`);
}

/** The actor in the audit log. */
export const BY = `cli:${userInfo().username}`;

/** Describes the contents of a copy for the operator. */
export function contentsOf({ embeds, accounts, bytes }: Copy): string {
  return `${embeds} embeds of ${accounts} accounts (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

/** Returns a signal that aborts on SIGINT or SIGTERM, so that a stopped command leaves no unfinished files. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
