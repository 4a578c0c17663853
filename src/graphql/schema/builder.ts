import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { PagePolicy } from '#reader/page-url';
import { requireScope } from '../../domain/identity/account.ts';
import type { Scope } from '../../domain/identity/token.ts';
import type { Context } from '../execution/context.ts';

/** Validates the arguments of a field, of any types, and throws a refusal with all faults. */
export type ArgumentsRule = (args: Readonly<Record<string, unknown>>, pagePolicy: PagePolicy, now: Date) => void;

/** Throws the refusals of a mutation, except those that depend on what is stored. */
export type MutationCheck = (args: { readonly input?: unknown }, context: Context) => void;

interface MutationRules<Values> {
  /** The scopes that the caller needs. */
  readonly scopes: readonly Scope[];
  /** @param now by the clock of the database, as all times that are stored */
  readonly parse: (input: unknown, pagePolicy: PagePolicy, now: Date) => Values;
  /** Throws further refusals that do not depend on what is stored. */
  readonly check?: (values: Values, context: Context) => void;
}

/** Returns the resolver of a mutation, which applies the rules before the work, and the rules for checks without the work. */
export function mutationOf<Values, Result>(
  { scopes, parse, check }: MutationRules<Values>,
  work: (values: Values, context: Context, info: GraphQLResolveInfo) => Promise<Result>,
) {
  function apply({ input }: { readonly input?: unknown }, context: Context): Values {
    for (const scope of scopes) requireScope(context.identity, scope);
    const values = parse(input, context.pagePolicy, context.now());
    check?.(values, context);
    return values;
  }
  const rule: ArgumentsRule = ({ input }, pagePolicy, now) => void parse(input, pagePolicy, now);
  return {
    extensions: { scopes, rule, check: apply satisfies MutationCheck },
    resolve: (_root: unknown, args: { readonly input: unknown }, context: Context, info: GraphQLResolveInfo) =>
      work(apply(args, context), context, info),
  };
}

interface Scalar<T> {
  Input: T;
  Output: T;
}

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    Date: Scalar<string>;
    DateTime: { Input: string; Output: Date | string };
    URL: Scalar<string>;
    UUID: Scalar<string>;
    ID: Scalar<string>;
    LookWidth: Scalar<number | string>;
  };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
}>({
  defaultFieldNullability: false,
  plugins: [RelayPlugin],
  relay: {
    cursorType: 'String',
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The objects of the page with their cursors.',
    },
    nodeFieldOptions: { nullable: false, description: 'The object itself.' },
    cursorFieldOptions: {
      description: 'The position of the object in the list: its id. It stays valid after the object is deleted.',
    },
    nodesOnConnection: { description: 'The objects of the page without their cursors.' },
    pageInfoFieldOptions: { description: 'The position of this page in the list.' },
    idFieldOptions: { description: 'The id of the object, the same in GraphQL and REST.' },
    nodeTypeOptions: { description: 'An object that can be fetched by its id (Relay).' },
    pageInfoTypeOptions: {
      description:
        'The position of a page in a list (Relay cursor connections). Both flags are exact, unless the search for the page stopped early: then a flag can be true although there are no more objects.',
    },
    hasNextPageFieldOptions: {
      description: 'Whether there are objects after this page: older ones, or newer ones if the oldest come first.',
    },
    hasPreviousPageFieldOptions: { description: 'Whether there are objects before this page.' },
    startCursorFieldOptions: {
      description:
        'The cursor of the first object of the page, or the position at which a search from the end stopped early. Null if the page is empty.',
    },
    endCursorFieldOptions: {
      description:
        'The cursor of the last object of the page, or the position at which the search stopped early. Null if the page is empty.',
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

builder.queryType({
  description:
    'Queries need a token with the scope `read`; those about tokens, webhooks and audit events need the scope `admin`, `checkEmbeds` needs the scope `write`, and `viewer` needs none.',
});
builder.mutationType({
  description:
    'Mutations need a token with the scope `write`; `updateEmbeds` and `deleteEmbeds` also need the scope `read`. Those about the account, tokens and webhooks need the scope `admin`.',
});
builder.subscriptionType({
  description: 'Subscriptions are sent as server-sent events, and need a token with the scope `read`.',
});
