import { requireEmbedId } from '../../domain/embed/embed.ts';
import { parseTarget } from '../../domain/embed/input.ts';
import { actorOf, requireScope } from '../../domain/identity/account.ts';
import { builder, inputRule } from './builder.ts';
import { targetFields } from './fields.ts';

builder.relayMutationField(
  'deleteEmbed',
  {
    description: 'The embed to delete.',
    inputFields: targetFields,
  },
  {
    description:
      'Deletes an embed permanently. Fails with `NOT_FOUND`, or with `CONFLICT` if `expectedVersion` is stale.',
    extensions: { rule: inputRule(parseTarget) },
    resolve: async (_root, { input }, context) => {
      const accountId = requireScope(context.identity, 'write');
      const { id: target, expectedVersion } = parseTarget(input, context.pagePolicy);
      const id = requireEmbedId(target);
      await context.embeds.delete(accountId, id, expectedVersion);
      const { audit, identity, requestId } = context;
      audit.record({ event: 'embed.deleted', accountId, embedId: id, by: actorOf(identity), requestId });
      return { id };
    },
  },
  {
    description: 'The confirmation of the deletion.',
    outputFields: (t) => ({
      deletedEmbedId: t.id({
        description: "The id of the deleted embed (Relay's `@deleteEdge`).",
        resolve: ({ id }) => id,
      }),
      message: t.string({
        description: 'A sentence that confirms the deletion.',
        resolve: ({ id }) => `The embed ${id} was deleted successfully.`,
      }),
    }),
  },
);
