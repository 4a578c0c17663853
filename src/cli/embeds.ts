import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { LIST_DESCRIPTIONS } from '../domain/descriptions.ts';
import { applyPatch, createEmbed, resolveConflict, type Written } from '../domain/embed/embed.ts';
import { writeFactsOf } from '../domain/embed/field-changes.ts';
import { createEmbedIdGenerator, type EmbedIdentity, isEmbedId } from '../domain/embed/id.ts';
import {
  CREATE_PARAMETERS,
  parseCreate,
  parseCreateValues,
  parsePatch,
  parseUpdateValues,
  UPDATE_PARAMETERS,
} from '../domain/embed/input.ts';
import { LIST_PARAMETERS, parseListing, parseListQuery } from '../domain/embed/listing.ts';
import { embedUrlOf } from '../domain/embed/url.ts';
import { Refusal } from '../errors.ts';
import { exportedRowOf } from './bulk/row.ts';
import { flagOf, type Parameters, readOptions, withFlags, withParameters } from './options.ts';
import {
  type AccountOptions,
  accountOption,
  addSubcommand,
  createCommand,
  createParser,
  printResult,
  toTable,
} from './program.ts';
import { BY, InputError, requireAccount, withDatabase } from './run.ts';

const DESCRIPTIONS = {
  ...LIST_DESCRIPTIONS,
  first: 'The number of embeds: 1 to 100, 10 if omitted.',
  after: 'The id of the last embed of the previous page.',
  onConflict: 'What happens if an embed has the external id.',
};

const parseId = createParser(isEmbedId, 'It must be the id of an embed.');

/** Says what a write has done, and the URL. `before` is null if it created the embed, and the embed itself if it changed nothing. */
function describeWrite({ embed, before }: Written, host: Config): readonly string[] {
  const { id } = embed;
  const done = before === embed ? `Embed ${id} is unchanged.` : `${before ? 'Updated' : 'Created'} embed ${id}.`;
  return [done, embedUrlOf(embed, host)];
}

const EXTERNAL_ID_TAKEN =
  'Another embed of the account has this external id. Pass --on-conflict return to get it, or --on-conflict update to replace it.';

async function list(options: AccountOptions): Promise<void> {
  const config = readConfig();
  const query = readOptions(LIST_PARAMETERS, options, config, parseListQuery);
  const { paging, isOldestFirst, filter } = parseListing({ ...query }, config);
  const page = await withDatabase(async (database) => {
    await requireAccount(database, options.account);
    return database.createList(options.account, filter).findPage(paging);
  });
  const embeds = isOldestFirst ? page.embeds.toReversed() : page.embeds;
  const rows = embeds.map(({ id, createdAt, mode, font, pageUrl }) => [
    ...[id, createdAt.toISOString(), mode.toLowerCase(), font, pageUrl],
  ]);
  const next = page.isCut ? (page.stoppedAt ?? embeds.at(-1)?.id ?? null) : null;
  printResult(options, { embeds: embeds.map((embed) => exportedRowOf(embed, config)), next }, [
    ...toTable([['ID', 'CREATED', 'MODE', 'FONT', 'PAGE'], ...rows]),
    ...(next ? [`More: --after ${next}`] : []),
  ]);
}

async function create(options: AccountOptions): Promise<void> {
  const config = readConfig();
  const values = readOptions(CREATE_PARAMETERS.rest, options, config, parseCreateValues);
  const { draft, onConflict } = parseCreate(values, config);
  const { account: accountId } = options;
  let identity: EmbedIdentity | null = null;
  const written = await withDatabase(async ({ tokens, embeds, audit, now }) => {
    // a repetition writes the same embed
    identity ??= createEmbedIdGenerator(() => now().getTime())(accountId);
    const made = createEmbed(identity, accountId, draft);
    await tokens.ensureAccount(accountId, made.createdAt);
    const inserted = await embeds.insert(made, (current, created) => {
      if (onConflict === 'ERROR') throw new Refusal('conflict', EXTERNAL_ID_TAKEN);
      return resolveConflict(onConflict, current, created);
    });
    audit.record({ ...writeFactsOf(inserted), accountId, by: BY });
    return inserted;
  });
  const embed = exportedRowOf(written.embed, config);
  printResult(options, { embed, created: !written.before }, describeWrite(written, config));
}

async function update(id: string, options: AccountOptions): Promise<void> {
  const config = readConfig();
  const values = readOptions(UPDATE_PARAMETERS.rest, options, config, parseUpdateValues);
  if (Object.keys(values).length === 0) {
    const flags = new Intl.ListFormat('en-GB').format(UPDATE_PARAMETERS.rest.all.map(flagOf));
    throw new InputError(`Give at least one of ${flags}.`);
  }
  const patch = parsePatch({ ...values, id }, config);
  const written = await withDatabase(async ({ embeds, audit }) => {
    const updated = await embeds.update(options.account, id, (current) => applyPatch(current, patch));
    audit.record({ ...writeFactsOf(updated), accountId: options.account, by: BY });
    return updated;
  }).catch((error) => {
    // only the stored embed shows whether its page id can be replaced
    throw withFlags(error, UPDATE_PARAMETERS.rest);
  });
  const embed = exportedRowOf(written.embed, config);
  printResult(options, { embed }, describeWrite(written, config));
}

async function remove(id: string, options: AccountOptions): Promise<void> {
  await withDatabase(async ({ embeds, audit }) => {
    await embeds.delete(options.account, id);
    audit.record({ event: 'embed.deleted', accountId: options.account, embedId: id, by: BY });
  });
  printResult(options, { deleted: id }, [`Deleted embed ${id}.`]);
}

/** Creates the commands that work on single embeds, with the parameters and rules of REST. */
export function createEmbedsCommand(): Command {
  const command = createCommand(
    'embeds',
    'Lists, creates, changes and deletes embeds in the database of DATABASE_URL.',
  ).summary('Lists, creates, changes and deletes embeds.');
  const add = (name: string, description: string, parameters: Parameters = { all: [] }) =>
    withParameters(addSubcommand(command, name, description), parameters, DESCRIPTIONS).addOption(
      accountOption('the account of the embeds'),
    );
  add('list', 'List embeds of an account, newest first.', LIST_PARAMETERS).action(list);
  add(
    'create',
    'Create an embed. The account is created if it does not exist. No page is fetched: the title comes from the URL.',
    CREATE_PARAMETERS.rest,
  ).action(create);
  add('update', 'Change an embed.', UPDATE_PARAMETERS.rest)
    .argument('<id>', 'the id of the embed', parseId)
    .action(update);
  add('delete', 'Delete an embed permanently.').argument('<id>', 'the id of the embed', parseId).action(remove);
  return command;
}
