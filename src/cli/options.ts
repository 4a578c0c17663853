import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { parseText } from '../domain/embed/fields.ts';
import type { SentParameters } from '../domain/input/input-reader.ts';
import { type Parameter, type ParameterList, spellDescription } from '../domain/input/parameters.ts';
import { Refusal } from '../errors.ts';
import { once } from './program.ts';
import { InputError } from './run.ts';

/** The parameters that a command has as options. */
export type Parameters = Pick<ParameterList, 'all'>;

/** Names in descriptions whose spelling is not that of REST. */
const SPELLINGS: Readonly<Record<string, string>> = { onConflict: '--on-conflict', changes: 'GET /v1/changes' };

export const flagOf = ({ path }: Parameter) => `--${path.replaceAll('_', '-')}`;

/**
 * Adds an option for each parameter of REST. {@link readOptions} checks the values, so that all faults are printed.
 * @param descriptions of parameters without one, by their names in GraphQL's spelling
 */
export function withParameters(
  command: Command,
  { all }: Parameters,
  descriptions: Readonly<Record<string, string>> = {},
): Command {
  for (const parameter of all) {
    const description = spellDescription(parameter.description ?? descriptions[parameter.name] ?? '', SPELLINGS);
    const note = parameter.isList ? ' Separate several by commas.' : '';
    const option = new Option(`${flagOf(parameter)} <value>`, description + note);
    const choices = choicesOf(parameter);
    if (choices) option.choices(choices);
    if (parameter.isList) option.argParser(addToList);
    else option.argParser(once((text) => text));
    command.addOption(option);
  }
  return command;
}

function choicesOf({ type, values }: Parameter): readonly string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return values && [...values.keys()].map(String);
}

/** @param earlier the values of the earlier occurrences of the option */
function addToList(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...new Set([...earlier, ...text.split(/[ ,]+/)])];
}

/** Returns whether the option takes several values, separated by commas. */
export function takesList({ parseArg }: Option): boolean {
  return parseArg === addToList;
}

/**
 * Parses the options of a command with a parser of REST.
 * @throws {InputError} with all faults, one in a line
 */
export function readOptions<T>(
  parameters: Parameters,
  options: Readonly<Record<string, unknown>>,
  config: Config,
  parser: (sent: SentParameters, policy: Config, spelling: 'rest') => T,
): T {
  try {
    return parser({ values: valuesOf(parameters, options) }, config, 'rest');
  } catch (error) {
    throw withFlags(error, parameters);
  }
}

/** Returns the error of an input whose faults name options, or any other error as it is. */
export function withFlags(error: unknown, { all }: Parameters): unknown {
  if (!(error instanceof Refusal) || error.code !== 'invalid') return error;
  const flags = new Map(
    all.flatMap((parameter) => [parameter.path, parameter.name].map((name) => [name, flagOf(parameter)])),
  );
  // a message can name another parameter
  const nameFlags = (message: string) => message.replace(/\w+_\w+/g, (name) => flags.get(name) ?? name);
  const lines = error.faults.map(({ path, message }) => `${flags.get(path) ?? path} ${nameFlags(message)}`);
  return new InputError(lines.join('\n'));
}

/** Returns the parameters that were given. */
function valuesOf({ all }: Parameters, options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = all.flatMap((parameter) => {
    const value = options[new Option(flagOf(parameter)).attributeName()];
    return value === undefined
      ? []
      : [[parameter.path, typeof value === 'string' ? parseText(parameter.type, value) : value]];
  });
  return Object.fromEntries(given);
}
