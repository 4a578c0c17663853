import { requireEmbedId } from '../../domain/embed/embed.ts';
import { parseTarget } from '../../domain/embed/input.ts';
import { recordChange } from '../execution/context.ts';
import { builder, mutationOf } from './builder.ts';
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
    ...mutationOf({ scopes: ['write'], parse: parseTarget }, async ({ id: target, expectedVersion }, context) => {
      const id = requireEmbedId(target);
      await context.embeds.delete(context.identity.accountId, id, expectedVersion);
      recordChange(context, { event: 'embed.deleted', embedId: id });
      return { id };
    }),
  },
  {
    description: 'The confirmation of the deletion.',
    outputFields: (t) => ({
      deletedEmbedId: t.exposeID('id', { description: "The id of the deleted embed (Relay's `@deleteEdge`)." }),
      message: t.string({
        description: 'A sentence that confirms the deletion.',
        resolve: ({ id }) => `The embed ${id} was deleted successfully.`,
      }),
    }),
  },
);
