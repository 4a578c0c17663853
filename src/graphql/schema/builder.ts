import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Context } from '../execution/context.ts';

/** Validates the arguments of a field, of any types, and throws a refusal with all faults. */
export type ArgumentsRule = (args: Readonly<Record<string, unknown>>, pagePolicy: PagePolicy) => void;

interface Scalar<T> {
  Input: T;
  Output: T;
}

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: { DateTime: { Input: string; Output: Date }; URL: Scalar<string>; UUID: Scalar<string>; ID: Scalar<string> };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
}>({
  defaultFieldNullability: false,
  plugins: [RelayPlugin],
  relay: {
    // embeds are the only nodes, so the global id is the id of the embed
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: 'Embed', id }),
    cursorType: 'String',
    edgesFieldOptions: { nullable: { list: false, items: false }, description: 'The embeds with their cursors.' },
    nodeFieldOptions: { nullable: false, description: 'The embed itself.' },
    cursorFieldOptions: {
      description: 'The position of the embed in the list: its id. It stays valid after the embed is deleted.',
    },
    nodesOnConnection: { description: 'The embeds without their cursors.' },
    pageInfoFieldOptions: { description: 'The position of this page in the list.' },
    idFieldOptions: { description: 'The id of the object, the same in GraphQL and REST.' },
    nodeTypeOptions: { description: 'An object that can be fetched by its id (Relay).' },
    pageInfoTypeOptions: {
      description:
        'The position of a page in a list (Relay cursor connections). Both flags are exact, unless the search for the page stopped early: then a flag can be true although there are no more embeds.',
    },
    hasNextPageFieldOptions: {
      description: 'Whether there are embeds after this page: older ones, or newer ones if the oldest come first.',
    },
    hasPreviousPageFieldOptions: { description: 'Whether there are embeds before this page.' },
    startCursorFieldOptions: {
      description:
        'The cursor of the first embed of the page, or the position at which a search from the end stopped early. Null if the page is empty.',
    },
    endCursorFieldOptions: {
      description:
        'The cursor of the last embed of the page, or the position at which the search stopped early. Null if the page is empty.',
    },
    firstArgOptions: { description: 'The number of embeds from the beginning of the range: 1 to 100, 10 if omitted.' },
    lastArgOptions: {
      description: 'The number of embeds from the end of the range: 1 to 100. Not together with `first`.',
    },
    afterArgOptions: {
      description: 'Only embeds after this cursor: older ones, or newer ones if the oldest come first.',
    },
    beforeArgOptions: {
      description: 'Only embeds before this cursor: newer ones, or older ones if the oldest come first.',
    },
    // defined in embed.ts: the plugin's queries cache by id without counting against the request's budget
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    mutationInputArgOptions: { description: 'The parameters of the mutation.' },
    clientMutationId: 'omit',
  },
});

builder.queryType({ description: 'Queries need a token with the scope `read`.' });
builder.mutationType({
  description: 'Mutations need a token with the scope `write`.',
});
builder.subscriptionType({
  description: 'Subscriptions are sent as server-sent events, and need a token with the scope `read`.',
});
