import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_ACCOUNT, isName, NAME_RULE } from '../domain/identity/account.ts';

/** Exit codes of all commands. A command with more of them lists them in its help. */
export const EXIT = {
  DONE: 0,
  FAILED: 1,
  /** The command line or the configuration is not valid: nothing was done. */
  USAGE: 2,
} as const;

const EXIT_CODES = `
Exit codes:
  0  done
  1  failed, for the reason that was printed
  2  the command line or the configuration is not valid`;

/**
 * Creates a command. All commands have the same help option and reject unknown options and arguments in the same way.
 * @param exitCodes the end of its help and of the help of its subcommands
 */
export function createCommand(name: string, description: string, exitCodes = EXIT_CODES): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.DONE : EXIT.USAGE))
    .addHelpText('afterAll', exitCodes);
}

/** Options of a command that prints a result. */
export interface ResultOptions {
  readonly json?: boolean;
}

/** Options of a command about an account. */
export interface AccountOptions extends ResultOptions, Readonly<Record<string, unknown>> {
  readonly account: string;
}

/** Creates a command that prints a result, as JSON if the option says so. Errors are text on standard error in any case. */
export function createResultCommand(name: string, summary: string, description: string): Command {
  return withJson(createCommand(name, description).summary(summary));
}

/** Adds a subcommand that prints a result like {@link createResultCommand}. */
export function addSubcommand(command: Command, name: string, description: string): Command {
  return withJson(command.command(name).description(description));
}

function withJson(command: Command): Command {
  return command.option('--json', 'print the result as one JSON document');
}

/** Prints the result of a command: as JSON, or as lines for people. */
export function printResult({ json }: ResultOptions, result: object, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(result) : lines.join('\n'));
}

/** Returns a number with its noun, such as `1 embed` and `2 embeds`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Aligns the cells of rows in columns. */
export function toTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const toLine = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => toLine(row).trimEnd());
}

/** Wraps the parser of an option that may be given only once. */
export function once<T>(parse: (text: string) => T) {
  let isGiven = false;
  return (text: string): T => {
    if (isGiven) throw new InvalidArgumentError('It was given before.');
    isGiven = true;
    return parse(text);
  };
}

/** Creates the parser of an argument or an option. */
export function createParser(isValid: (text: string) => boolean, rule: string) {
  return (text: string): string => {
    if (isValid(text)) return text;
    throw new InvalidArgumentError(rule);
  };
}

const parseName = createParser(isName, `It must be ${NAME_RULE}.`);

/** Creates the option that names an account. */
export function accountOption(description: string): Option {
  return new Option('--account <name>', description).argParser(once(parseName)).default(DEFAULT_ACCOUNT);
}
