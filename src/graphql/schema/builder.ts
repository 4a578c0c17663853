import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Context } from '../execution/context.ts';

/** The rule of a field's arguments: refuses them, whatever their types, with every fault at once. */
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
    // one id everywhere: the global id of an embed is its id, and embeds are all the nodes that there are
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: 'Embed', id }),
    cursorType: 'String',
    edgesFieldOptions: { nullable: { list: false, items: false }, description: 'The embeds with their cursors.' },
    nodeFieldOptions: { nullable: false, description: 'The embed itself.' },
    cursorFieldOptions: {
      description: 'The position of this embed in the list: its id. It stays good when the embed is deleted.',
    },
    nodesOnConnection: { description: 'The embeds without their cursors.' },
    pageInfoFieldOptions: { description: 'Where this page stands in the list.' },
    idFieldOptions: { description: 'The id of the object, the same in every part of the API.' },
    nodeTypeOptions: { description: 'Something that can be fetched again by its id alone (Relay).' },
    pageInfoTypeOptions: {
      description:
        'Where a page stands in a list (Relay cursor connections). Both flags are exact in both directions, but where a search was given up: there may be more then.',
    },
    hasNextPageFieldOptions: {
      description:
        'Whether the list goes on after this page: with older embeds, or newer ones when the oldest come first.',
    },
    hasPreviousPageFieldOptions: { description: 'Whether there are embeds before this page.' },
    startCursorFieldOptions: {
      description:
        'The cursor of the first embed of the page, or where a search from the end was given up; null when it is empty.',
    },
    endCursorFieldOptions: {
      description: 'The cursor of the last embed of the page, or where a search was given up; null when it is empty.',
    },
    firstArgOptions: { description: 'How many embeds from the beginning of the range: 1 to 100, 10 when omitted.' },
    lastArgOptions: { description: 'How many embeds from the end of the range: 1 to 100. Not together with `first`.' },
    afterArgOptions: {
      description: 'Only embeds that come after this cursor: older ones, or newer ones when the oldest come first.',
    },
    beforeArgOptions: {
      description: 'Only embeds that come before this cursor: newer ones, or older ones when the oldest come first.',
    },
    // ours, in embed.ts: the plugin's remember what they found by id, past what a request may ask for
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    mutationInputArgOptions: { description: 'The parameters of the mutation.' },
    clientMutationId: 'omit',
  },
});

builder.queryType({ description: 'Everything that can be read. All of it needs a token with the scope `read`.' });
builder.mutationType({
  description: 'Everything that can be changed. All of it needs a token with the scope `write`.',
});
builder.subscriptionType({
  description: 'What can be followed while it happens, as server-sent events. It needs a token with the scope `read`.',
});
