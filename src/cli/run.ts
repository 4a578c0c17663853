import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { Refusal } from '../errors.ts';
import { DatabaseError } from '../store/database-errors.ts';
import { EXIT } from './program.ts';

/** Why a command cannot begin with what it was given: one line for the operator. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * Runs a command. What the operator can mend is said in its own words, any other failure with its stack.
 * @param failed the exit code of a failure
 */
export async function runCommand(program: Command, failed: number = EXIT.FAILED): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    const isUsage = error instanceof ConfigError || error instanceof InputError;
    const isExpected = isUsage || error instanceof DatabaseError || error instanceof Refusal;
    console.error(isExpected ? error.message : error);
    process.exitCode = isUsage ? EXIT.USAGE : failed;
  }
}
