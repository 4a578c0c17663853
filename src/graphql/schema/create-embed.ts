import { createEmbed, type Embed } from '../../domain/embed/embed.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/embed/idempotency.ts';
import { parseDraft } from '../../domain/embed/input.ts';
import { requireScope } from '../../domain/identity/account.ts';
import type { Context } from '../execution/context.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedEdgeType, EmbedType } from './embed.ts';
import { findTitle, findWarnings, WARNINGS_DESCRIPTION } from './fetched-facts.ts';
import { inputFields } from './fields.ts';

const createRule: ArgumentsRule = ({ input }, pagePolicy) => void parseDraft(input, pagePolicy);

builder.relayMutationField(
  'createEmbed',
  {
    description: 'The source page and the settings of a new embed.',
    inputFields: (t) => inputFields(t, 'create'),
  },
  {
    description: 'Creates an embed of a public page. Fails with `BAD_USER_INPUT`, which lists all faults.',
    extensions: { rule: createRule },
    resolve: async (_root, { input }, context, info) => {
      const accountId = requireScope(context.identity, 'write');
      const draft = parseDraft(input, context.pagePolicy);
      const key = parseIdempotencyKey(context.idempotencyKey);
      const embed = createEmbed(context.newEmbedIdentity(accountId), accountId, draft);
      const complete = draft.title === null ? (made: Embed) => withPageTitle(made, context) : null;
      // the alias tells several creates of one request apart
      const once =
        key === null ? null : { key: `${info.path.key}:${key}`, fingerprint: fingerprintOf(draft), complete };
      const created = once
        ? await context.embeds.insertOnce(embed, once)
        : { embed: await context.embeds.insert((await complete?.(embed)) ?? embed), replayed: false };
      const by = `token:${context.identity.tokenId}`;
      if (!created.replayed) context.audit.record({ event: 'embed.created', accountId, embedId: embed.id, by });
      return created;
    },
  },
  {
    description: 'The new embed.',
    outputFields: (t) => ({
      embed: t.field({ type: EmbedType, description: 'The new embed.', resolve: ({ embed }) => embed }),
      embedEdge: t.field({
        type: EmbedEdgeType,
        description: "The new embed as an edge, for the head of the list (Relay's `@prependEdge`).",
        resolve: ({ embed }) => ({ cursor: embed.id, node: embed }),
      }),
      replayed: t.boolean({
        description:
          'Whether an earlier request with the same `Idempotency-Key` created the embed. It is returned as it was created.',
        resolve: ({ replayed }) => replayed,
      }),
      warnings: t.stringList({
        description: WARNINGS_DESCRIPTION,
        resolve: ({ embed }, _args, context) => findWarnings(embed.font, context),
      }),
    }),
  },
);

/** Adds the title of the page, if it can be fetched in time. */
async function withPageTitle(embed: Embed, context: Context): Promise<Embed> {
  const title = await findTitle(context, embed.pageUrl);
  return title === null ? embed : { ...embed, title };
}
