import { type Cache, cacheExchange, type UpdatesConfig } from '@urql/exchange-graphcache';
import {
  type CreateEmbedInput,
  type CreateEmbedMutation,
  type DeleteEmbedInput,
  type EmbedChangedSubscription,
  EmbedsDocument,
  type EmbedsQuery,
  type EmbedsQueryVariables,
  type ListedEmbedFragment,
  ListedEmbedFragmentDoc,
  type UpdateEmbedInput,
} from '../../generated/console-operations.ts';
import { type Draft, draftOf, EMPTY_DRAFT, withForcedValues } from '../list/embed-view-model.ts';

/** How many embeds a page of the list has. */
const PAGE_SIZE = 24;

/** The variables for a page of the list, or of the embeds that a search finds. */
export function pageOf(search: string, after: string | null = null): EmbedsQueryVariables {
  return { first: PAGE_SIZE, ...(after !== null && { after }), ...(search !== '' && { filter: { search } }) };
}

type Edges = EmbedsQuery['embeds']['edges'];

const EMBEDDED = () => null;

/**
 * The normalised cache. Each page of the list is a query of its own; what is made or deleted changes all pages at once,
 * before the API has answered, and back again when it refuses.
 */
export function createCache() {
  return cacheExchange({
    keys: {
      EmbedConnection: EMBEDDED,
      EmbedEdge: EMBEDDED,
      PageInfo: EMBEDDED,
      CreateEmbedPayload: EMBEDDED,
      UpdateEmbedPayload: EMBEDDED,
      DeleteEmbedPayload: EMBEDDED,
      EmbedChanged: EMBEDDED,
    },
    resolvers: { Query: { embed: (_parent, { id }) => ({ __typename: 'Embed', id: String(id) }) } },
    updates: UPDATES,
    optimistic: {
      createEmbed: ({ input }) => ({ __typename: 'CreateEmbedPayload', embed: expectedOf(input as CreateEmbedInput) }),
      updateEmbed: ({ input }, cache) => ({
        __typename: 'UpdateEmbedPayload',
        embed: changedOf(input as UpdateEmbedInput, cache),
      }),
      deleteEmbed: ({ input }) => ({
        __typename: 'DeleteEmbedPayload',
        deletedEmbedId: (input as DeleteEmbedInput).id,
      }),
    },
  });
}

const UPDATES: UpdatesConfig = {
  Subscription: {
    embedChanged(result, _args, cache) {
      const { kind, embedId, embed } = (result as EmbedChangedSubscription).embedChanged;
      if (kind === 'DELETED') removeEmbed(embedId, cache);
      else if (kind === 'CREATED' && embed) addEmbed(embed, cache);
    },
  },
  Mutation: {
    createEmbed: (result, _args, cache) => addEmbed((result as CreateEmbedMutation).createEmbed.embed, cache),
    deleteEmbed: (_result, { input }, cache) => removeEmbed(String((input as DeleteEmbedInput).id), cache),
  },
};

/** Puts an embed on top of the list, once. What is found by words may not be what it is. */
function addEmbed(node: ListedEmbedFragment, cache: Cache): void {
  const edge = { __typename: 'EmbedEdge', cursor: node.id, node } as Edges[number];
  changePages(cache, (edges, { after, filter }) => {
    const isThere = edges.some((other) => other.node.id === node.id);
    return after || filter || isThere ? edges : [edge, ...edges];
  });
}

function removeEmbed(id: string, cache: Cache): void {
  changePages(cache, (edges) => edges.filter(({ node }) => node.id !== id));
}

/** The total of a list is the one of its first page, which is the one that is shown. */
function changePages(cache: Cache, change: (edges: Edges, page: EmbedsQueryVariables) => Edges): void {
  const growth = new Map<string, number>();
  const pages = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'embeds');
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const before = read(cache, variables)?.edges ?? [];
    const edges = change(before, variables);
    if (edges.length === before.length) continue;
    const list = JSON.stringify(variables.filter);
    growth.set(list, (growth.get(list) ?? 0) + edges.length - before.length);
    write(cache, variables, { edges });
  }
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const grown = growth.get(JSON.stringify(variables.filter));
    const page = grown && !variables.after ? read(cache, variables) : undefined;
    if (!page || !grown) continue;
    // the API counts and lists at two moments: where the page is all that there is, it is what counts
    write(cache, variables, { totalCount: page.pageInfo.hasNextPage ? page.totalCount + grown : page.edges.length });
  }
}

function read(cache: Cache, variables: EmbedsQueryVariables): EmbedsQuery['embeds'] | undefined {
  return cache.readQuery({ query: EmbedsDocument, variables })?.embeds;
}

function write(cache: Cache, variables: EmbedsQueryVariables, part: Partial<EmbedsQuery['embeds']>): void {
  cache.updateQuery({ query: EmbedsDocument, variables }, (data) => data && { embeds: { ...data.embeds, ...part } });
}

/** Predicts a new embed. It has no URL yet. */
function expectedOf(input: CreateEmbedInput) {
  const createdAt = new Date().toISOString();
  const content = withForcedValues({ ...EMPTY_DRAFT, ...input });
  return { __typename: 'Embed', id: `new-${createdAt}`, createdAt, embedUrl: '', html: '', ...content };
}

/** Predicts an updated embed. */
function changedOf({ id, ...input }: UpdateEmbedInput, cache: Cache) {
  const known = cache.readFragment(ListedEmbedFragmentDoc, { __typename: 'Embed', id: String(id) } as never);
  const embed = known as ListedEmbedFragment;
  const content = withForcedValues({ ...draftOf(embed), ...(input as Partial<Draft>) });
  return { ...embed, ...content, __typename: 'Embed' };
}
