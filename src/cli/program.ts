import { Command, InvalidArgumentError } from 'commander';
import { isName, NAME_RULE } from '../domain/identity/account.ts';

/** With what a command ends, whichever it is. What else a command has to tell is in its own help. */
export const EXIT = {
  DONE: 0,
  FAILED: 1,
  /** The command line or the configuration is wrong: nothing was done. */
  USAGE: 2,
} as const;

const EXIT_CODES = `
Exit codes:
  0  done
  1  it failed, for the reason given
  2  the command line or the configuration is not valid`;

/**
 * The program of one script of package.json. All of them explain themselves, and refuse what they do not know, alike.
 * @param exitCodes what the command ends with, where it has more to tell than others
 */
export function createProgram(script: string, description: string, exitCodes = EXIT_CODES): Command {
  return new Command(`npm run ${script} --`)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride(({ code, exitCode }) => {
      // what a command itself gives up over is no matter of its command line
      if (code === 'commander.error') process.exit(EXIT.FAILED);
      process.exit(exitCode === 0 ? EXIT.DONE : EXIT.USAGE);
    })
    .addHelpText('afterAll', exitCodes);
}

/** An option that may be given once: of two values, one would be lost. */
export function once<T>(parse: (text: string) => T) {
  return (text: string, earlier?: T): T => {
    if (earlier !== undefined) throw new InvalidArgumentError('It was given before.');
    return parse(text);
  };
}

/** The name of an account or of a token. */
export function parseName(text: string): string {
  if (isName(text)) return text;
  throw new InvalidArgumentError(`It must be ${NAME_RULE}.`);
}

/** A whole number. */
export function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
