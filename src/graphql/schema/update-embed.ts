import {
  applyPatch,
  type Embed,
  embedChanged,
  embedNotFound,
  isSameEmbed,
  type Patch,
  requireEmbedId,
} from '../../domain/embed/embed.ts';
import { writeFactsOf } from '../../domain/embed/field-changes.ts';
import { parsePatch } from '../../domain/embed/input.ts';
import { EMBED_SETTINGS } from '../../domain/embed/settings.ts';
import type { Identity } from '../../domain/identity/account.ts';
import { Refusal } from '../../errors.ts';
import { type Context, recordChange } from '../execution/context.ts';
import { settingInputs } from './account/settings.ts';
import { builder, mutationOf } from './builder.ts';
import { EmbedType } from './embed.ts';
import { findTitle, findWarnings, WARNINGS_DESCRIPTION } from './fetched-facts.ts';
import { inputFields, targetFields } from './fields.ts';

builder.relayMutationField(
  'updateEmbed',
  {
    description:
      'The embed and its new values. Omitted fields keep their values. Null is an error, except that it removes `allowedSites`, `expiresAt`, `watch` and `look`.',
    inputFields: (t) => ({
      ...targetFields(t),
      ...inputFields(t, 'update'),
      ...settingInputs(t, EMBED_SETTINGS),
    }),
  },
  {
    description:
      'Changes an embed. Fails with `NOT_FOUND`, with `CONFLICT` if `expectedVersion` is stale, or with `BAD_USER_INPUT`, which lists all faults. An update that changes nothing also needs the scope `read`, and fails with `FORBIDDEN` without it.',
    ...mutationOf({ scopes: ['write'], parse: parsePatch }, async (update, context) => {
      const { id: target, expectedVersion, ...parsed } = update;
      const { accountId } = context.identity;
      const id = requireEmbedId(target);
      const patch = await withTitle(parsed, id, expectedVersion, context);
      if (patch.own?.watch) await context.watches.requireRoom(accountId, id);
      const change = (current: Embed) => requireChangeOrRead(current, applyPatch(current, patch), context.identity);
      const written = await context.embeds.update(accountId, id, change, expectedVersion);
      recordChange(context, writeFactsOf(written));
      return { embed: written.embed, sentFont: patch.settings.font };
    }),
  },
  {
    description: 'The updated embed.',
    outputFields: (t) => ({
      embed: t.expose('embed', { type: EmbedType, description: 'The updated embed.' }),
      warnings: t.stringList({
        description: WARNINGS_DESCRIPTION,
        resolve: ({ sentFont }, _args, context) => findWarnings(sentFont, context),
      }),
    }),
  },
);

/**
 * Returns the changed embed. The payload contains the whole embed, so an update that changes nothing counts as a read.
 * @throws {Refusal} `insufficient_scope`
 */
export function requireChangeOrRead(embed: Embed, changed: Embed, { scopes }: Identity): Embed {
  if (scopes.includes('read') || !isSameEmbed(embed, changed)) return changed;
  const message =
    'This update changes nothing, so it would only read the embed: that needs a token with the scope read.';
  throw new Refusal('insufficient_scope', message);
}

/**
 * Adds the title of the new page, if its URL contains none and it can be fetched in time.
 * @throws {Refusal} `not_found` or `precondition_failed`, before the page is fetched
 */
async function withTitle(patch: Patch, id: string, expected: number | undefined, context: Context): Promise<Patch> {
  const { source } = patch;
  if (!source || source.title !== null) return patch;
  const embed = await context.embeds.find(context.identity.accountId, id);
  if (!embed) throw embedNotFound();
  if (expected !== undefined && embed.version !== expected) throw embedChanged();
  return { ...patch, source: { ...source, title: await findTitle(context, source.pageUrl) } };
}
