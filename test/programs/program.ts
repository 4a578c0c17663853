import { type Command, InvalidArgumentError } from 'commander';
import { createCommand } from '../../src/cli/program.ts';

/** Creates the program of a script of package.json. */
export function createProgram(script: string, description: string, exitCodes?: string): Command {
  return createCommand(`npm run ${script} --`, description, exitCodes);
}

/** Creates a parser of whole numbers. Both limits are allowed values. */
export function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
