import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { Refusal } from '../errors.ts';
import { DatabaseError } from '../store/opening.ts';

/** Runs a command. What the operator can mend is said in its own words, any other failure with its stack. */
export async function runCommand(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    const isExpected = [ConfigError, DatabaseError, Refusal].some((kind) => error instanceof kind);
    console.error(isExpected ? (error as Error).message : error);
    process.exitCode = 1;
  }
}
