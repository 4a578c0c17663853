import { requireEmbedId } from '../../domain/embed/embed.ts';
import { parseTarget } from '../../domain/embed/input.ts';
import { actorOf } from '../../domain/identity/account.ts';
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
      const { audit, embeds, identity, requestId } = context;
      const { accountId } = identity;
      const id = requireEmbedId(target);
      await embeds.delete(accountId, id, expectedVersion);
      audit.record({ event: 'embed.deleted', accountId, embedId: id, by: actorOf(identity), requestId });
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
