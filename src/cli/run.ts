import type { Command } from 'commander';
import { ConfigError } from '../config/environment.ts';
import { Refusal } from '../errors.ts';
import { DatabaseError } from '../store/database-errors.ts';
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
