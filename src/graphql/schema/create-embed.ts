import {
  CONFLICT_DESCRIPTION,
  CONFLICT_RULES,
  createEmbed,
  type Embed,
  isSameEmbed,
  isSamePage,
  resolveConflict,
} from '../../domain/embed/embed.ts';
import { writeFactsOf } from '../../domain/embed/field-changes.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/embed/idempotency.ts';
import { parseCreate } from '../../domain/embed/input.ts';
import { EMBED_SETTINGS, readSettings } from '../../domain/embed/settings.ts';
import type { Resolve } from '../../store/embeds.ts';
import { type Context, recordChange } from '../execution/context.ts';
import { settingInputs } from './account/settings.ts';
import { builder, mutationOf } from './builder.ts';
import { EmbedEdgeType, EmbedType } from './embed.ts';
import { findTitle, findWarnings, WARNINGS_DESCRIPTION } from './fetched-facts.ts';
import { defineEnum, inputFields } from './fields.ts';
import { requireChangeOrRead } from './update-embed.ts';

const ConflictRuleType = defineEnum(
  'ConflictRule',
  'What a create does if an embed of the account has its `externalId`. `UPDATE` also sets the settings that are sent.',
  CONFLICT_RULES,
);

export const { inputType: CreateEmbedInputType } = builder.relayMutationField(
  'createEmbed',
  {
    description: 'The source page and the settings of a new embed.',
    inputFields: (t) => ({
      ...inputFields(t, 'create'),
      onConflict: t.field({
        type: ConflictRuleType,
        required: true,
        defaultValue: 'ERROR',
        description: CONFLICT_DESCRIPTION,
      }),
      ...settingInputs(t, EMBED_SETTINGS, 'With `onConflict: UPDATE`, null removes it.'),
    }),
  },
  {
    description:
      'Creates an embed of a public page. Fails with `BAD_USER_INPUT`, which lists all faults, or with `CONFLICT` if an embed has the `externalId`, unless `onConflict` says otherwise.',
    ...mutationOf({ scopes: ['write'], parse: parseCreate }, async ({ draft, settings, onConflict }, context, info) => {
      const { accountId } = context.identity;
      const key = parseIdempotencyKey(context.idempotencyKey);
      const embed = createEmbed(context.newEmbedIdentity(accountId), accountId, draft);
      const resolve: Resolve = (current, made) =>
        requireChangeOrRead(current, resolveConflict(onConflict, current, made, settings), context.identity);
      const needs = { title: draft.title === null, room: readSettings(draft.settings).watch !== 'OFF', resolve };
      const complete = needs.title || needs.room ? (made: Embed) => completeEmbed(made, needs, context) : null;
      // the alias tells several creates of one request apart
      const once =
        key === null
          ? null
          : { key: `${info.path.key}:${key}`, fingerprint: fingerprintOf(draft, onConflict, settings), complete };
      const written = once
        ? await context.embeds.insertOnce(embed, once, resolve)
        : { ...(await context.embeds.insert((await complete?.(embed)) ?? embed, resolve)), replayed: false };
      if (!written.replayed) recordChange(context, writeFactsOf(written));
      return written;
    }),
  },
  {
    description: 'The new embed.',
    outputFields: (t) => ({
      embed: t.expose('embed', { type: EmbedType, description: 'The new embed.' }),
      embedEdge: t.field({
        type: EmbedEdgeType,
        description: "The new embed as an edge, for the head of the list (Relay's `@prependEdge`).",
        resolve: ({ embed }) => ({ cursor: embed.id, node: embed }),
      }),
      replayed: t.exposeBoolean('replayed', {
        description:
          'Whether an earlier request with the same `Idempotency-Key` created the embed. It is returned as it was created.',
      }),
      created: t.boolean({
        description:
          'Whether the embed is new. False if an embed had the `externalId`: `onConflict` says what happened to it.',
        resolve: ({ before }) => before === null,
      }),
      warnings: t.stringList({
        description: WARNINGS_DESCRIPTION,
        resolve: ({ embed }, _args, context) => findWarnings(embed.font, context),
      }),
    }),
  },
);

/**
 * Checks that the account may watch one more embed, and adds the title of the page, if it can be fetched in time and the embed of
 * an external id does not have it already.
 * @throws {Refusal} `invalid` if the account watches the maximum, and what `resolve` throws
 */
async function completeEmbed(
  embed: Embed,
  needs: { readonly title: boolean; readonly room: boolean; readonly resolve: Resolve },
  context: Context,
): Promise<Embed> {
  const { accountId, externalId } = embed;
  const current = externalId === null ? null : await context.embeds.findByExternalId(accountId, externalId);
  // an embed that stays as it is needs nothing
  if (current && isSameEmbed(current, needs.resolve(current, embed))) return embed;
  // here, because a repeated create and one of an embed that is watched need no room
  if (needs.room) await context.watches.requireRoom(accountId, current?.id);
  if (!needs.title || (current && isSamePage(current, embed))) return embed;
  const title = await findTitle(context, embed.pageUrl);
  return title === null ? embed : { ...embed, title };
}
