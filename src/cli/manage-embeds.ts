import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.ts';
import { LIST_DESCRIPTIONS } from '../domain/descriptions.ts';
import { applyPatch, createEmbed, type Embed, requireEmbedId, resolveConflict } from '../domain/embed/embed.ts';
import { listChanges } from '../domain/embed/field-changes.ts';
import { inputFieldsOf, parseText } from '../domain/embed/fields.ts';
import { createEmbedIdGenerator } from '../domain/embed/id.ts';
import {
  CREATE_PARAMETERS,
  parseCreate,
  parseCreateValues,
  parsePatch,
  parseUpdateValues,
  UPDATE_PARAMETERS,
} from '../domain/embed/input.ts';
import { LIST_PARAMETERS, parseListing, parseListQuery } from '../domain/embed/listing.ts';
import { DEFAULT_ACCOUNT } from '../domain/identity/account.ts';
import type { Parameter, ParameterList } from '../domain/input/parameters.ts';
import { Refusal } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { exportedRowOf } from './bulk/row.ts';
import { createCommand, once, parseName, printResult, type ResultOptions, toTable, withJson } from './program.ts';
import { BY, InputError, withDatabase } from './run.ts';

interface Options extends ResultOptions, Readonly<Record<string, unknown>> {
  readonly account: string;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...LIST_DESCRIPTIONS,
  first: 'The number of embeds: 1 to 100, 10 if omitted.',
  after: 'The id of the last embed of the previous page.',
  onConflict: 'What happens if an embed has the external id.',
  ...Object.fromEntries(inputFieldsOf('create').map(({ name, description }) => [name, description])),
};

const flagOf = ({ path }: Parameter) => path.replaceAll('_', '-');

/** Adds an option for each parameter of REST. */
function withParameters(command: Command, { all }: ParameterList): Command {
  for (const parameter of all) {
    const { name, values } = parameter;
    const description = values ? [...values.keys()].join(', ') : (DESCRIPTIONS[name] ?? `As ${name} of the API.`);
    command.addOption(new Option(`--${flagOf(parameter)} <value>`, description).argParser(once((text) => text)));
  }
  const account = 'the account of the embeds';
  return withJson(command).addOption(
    new Option('--account <name>', account).argParser(parseName).default(DEFAULT_ACCOUNT),
  );
}

/** Returns the parameters that were given, with the names of REST. */
function valuesOf({ all }: ParameterList, options: Options): Readonly<Record<string, unknown>> {
  const given = all.flatMap((parameter) => {
    const text = options[flagOf(parameter).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text !== 'string') return [];
    return [[parameter.path, parameter.isList ? text.split(',') : parseText(parameter.type, text)]];
  });
  return Object.fromEntries(given);
}

/** Runs a parser of the API. Names all faults by their options. */
function parse<T>(list: ParameterList, parser: () => T): T {
  try {
    return parser();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid') throw error;
    const flags = new Map(list.all.map((parameter) => [parameter.path, `--${flagOf(parameter)}`]));
    throw new InputError(error.faults.map(({ path, message }) => `${flags.get(path) ?? path} ${message}`).join('\n'));
  }
}

const parseId = (text: string) => {
  try {
    return requireEmbedId(text);
  } catch {
    throw new InvalidArgumentError('It must be the id of an embed.');
  }
};

function print(options: Options, embed: Embed, line: string): void {
  printResult(options, { embed: exportedRowOf(embed, readConfig()) }, [line]);
}

async function list(options: Options): Promise<void> {
  const config = readConfig();
  const query = parse(LIST_PARAMETERS, () => parseListQuery({ values: valuesOf(LIST_PARAMETERS, options) }, config));
  const { paging, isOldestFirst, filter } = parseListing({ ...query }, config);
  const page = await withDatabase((database) => database.createList(options.account, filter).findPage(paging));
  const embeds = isOldestFirst ? page.embeds.toReversed() : page.embeds;
  const rows = embeds.map(({ id, createdAt, mode, font, pageUrl }) => [
    ...[id, createdAt.toISOString(), mode.toLowerCase(), font, pageUrl],
  ]);
  const next = page.isCut ? ((isOldestFirst ? undefined : page.stoppedAt) ?? embeds.at(-1)?.id ?? null) : null;
  printResult(options, { embeds: embeds.map((embed) => exportedRowOf(embed, config)), next }, [
    ...toTable([['ID', 'CREATED', 'MODE', 'FONT', 'PAGE'], ...rows]),
    ...(next ? [`More: --after ${next}`] : []),
  ]);
}

async function create(options: Options): Promise<void> {
  const config = readConfig();
  const values = parse(CREATE_PARAMETERS.rest, () =>
    parseCreateValues({ values: valuesOf(CREATE_PARAMETERS.rest, options) }, config, 'rest'),
  );
  const { draft, onConflict } = parseCreate(values, config);
  const { account: accountId } = options;
  const made = createEmbed(createEmbedIdGenerator()(accountId), accountId, draft);
  const { embed, before } = await withDatabase(async ({ tokens, embeds, audit }) => {
    await tokens.ensureAccount(accountId, made.createdAt);
    const written = await embeds.insert(made, (current, created) => resolveConflict(onConflict, current, created));
    if (written.before) recordUpdate(audit, written.before, written.embed);
    else audit.record({ event: 'embed.created', accountId, embedId: made.id, by: BY });
    return written;
  });
  print(options, embed, before ? `Embed ${embed.id} has the external id.` : `Created embed ${embed.id}.`);
}

async function update(id: string, options: Options): Promise<void> {
  const config = readConfig();
  const values = parse(UPDATE_PARAMETERS.rest, () =>
    parseUpdateValues({ values: valuesOf(UPDATE_PARAMETERS.rest, options) }, config, 'rest'),
  );
  const patch = parsePatch({ ...values, id }, config);
  const embed = await withDatabase(async ({ embeds, audit }) => {
    let before: Embed | undefined;
    const after = await embeds.update(options.account, id, (current) => {
      before = current;
      return applyPatch(current, patch);
    });
    if (before) recordUpdate(audit, before, after);
    return after;
  });
  print(options, embed, `Updated embed ${id}.`);
}

function recordUpdate(audit: Database['audit'], before: Embed, after: Embed): void {
  const changes = listChanges(before, after);
  if (changes.length === 0) return;
  const { accountId, id: embedId, title } = after;
  audit.record({ event: 'embed.updated', accountId, embedId, title, changes, by: BY });
}

async function remove(id: string, options: Options): Promise<void> {
  await withDatabase(async ({ embeds, audit }) => {
    await embeds.delete(options.account, id);
    audit.record({ event: 'embed.deleted', accountId: options.account, embedId: id, by: BY });
  });
  printResult(options, { deleted: id }, [`Deleted embed ${id}.`]);
}

/** Adds the commands that work on single embeds, with the parameters and rules of REST. */
export function addEmbedCommands(command: Command): Command {
  const add = (name: string, description: string, parameters: ParameterList) => {
    const added = withParameters(createCommand(name, description), parameters);
    command.addCommand(added);
    return added;
  };
  const none = { all: [] } as unknown as ParameterList;
  add('list', 'List embeds of an account, newest first.', LIST_PARAMETERS).action(list);
  add(
    'create',
    'Create an embed. The account is created if it does not exist. No page is fetched: the title comes from the URL.',
    CREATE_PARAMETERS.rest,
  ).action(create);
  add('update', 'Change an embed.', UPDATE_PARAMETERS.rest)
    .argument('<id>', 'the id of the embed', parseId)
    .action(update);
  add('delete', 'Delete an embed permanently.', none).argument('<id>', 'the id of the embed', parseId).action(remove);
  return command;
}
