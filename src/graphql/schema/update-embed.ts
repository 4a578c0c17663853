import { applyPatch, type Patch, requireEmbedId } from '../../domain/embed/embed.ts';
import { parsePatch } from '../../domain/embed/input.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { type Context, expectedVersion } from '../execution/context.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedType } from './embed.ts';
import { inputFields } from './fields.ts';
import { findTitle } from './page-title.ts';

const updateRule: ArgumentsRule = ({ input }, pagePolicy) => void parsePatch(input, pagePolicy);

builder.relayMutationField(
  'updateEmbed',
  {
    description: 'The embed and its new values. Omitted fields keep their values; null is an error.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The id of the embed.' }),
      ...inputFields(t, 'update'),
    }),
  },
  {
    description: 'Changes an embed. Fails with `NOT_FOUND`, or with `BAD_USER_INPUT`, which lists all faults.',
    extensions: { rule: updateRule },
    resolve: async (_root, { input }, context) => {
      const accountId = requireScope(context.identity, 'write');
      const patch = await withTitle(parsePatch(input, context.pagePolicy), context);
      const id = requireEmbedId(input.id);
      return context.embeds.update(accountId, id, (embed) => applyPatch(embed, patch), expectedVersion(context, id));
    },
  },
  {
    description: 'The updated embed.',
    outputFields: (t) => ({
      embed: t.field({ type: EmbedType, description: 'The updated embed.', resolve: (embed) => embed }),
    }),
  },
);

/** Adds the title of the new page, if its URL contains none and it can be fetched in time. */
async function withTitle(patch: Patch, context: Context): Promise<Patch> {
  const { source } = patch;
  if (!source || source.title !== null) return patch;
  return { ...patch, source: { ...source, title: await findTitle(context, source.pageUrl) } };
}
