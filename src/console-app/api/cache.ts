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
import { type Draft, draftOf, EMPTY_DRAFT } from '../editor/draft.ts';
import { withForcedValues } from '../list/embed-view-model.ts';

const PAGE_SIZE = 24;

/** Returns the query variables of one page. An empty search lists all embeds. */
export function pageVariables(search: string, after: string | null = null): EmbedsQueryVariables {
  return { first: PAGE_SIZE, ...(after !== null && { after }), ...(search !== '' && { filter: { search } }) };
}

type Edges = EmbedsQuery['embeds']['edges'];

/** Marks types without an id: they are stored inside their parent. */
const NOT_NORMALISED = () => null;

/**
 * Creates the normalised cache. Each page of the list is a separate query. Mutations change all pages before the API
 * responds, and are rolled back if the API rejects them.
 */
export function createCache() {
  return cacheExchange({
    keys: {
      EmbedConnection: NOT_NORMALISED,
      EmbedEdge: NOT_NORMALISED,
      PageInfo: NOT_NORMALISED,
      CreateEmbedPayload: NOT_NORMALISED,
      UpdateEmbedPayload: NOT_NORMALISED,
      DeleteEmbedPayload: NOT_NORMALISED,
      RefreshPagePayload: NOT_NORMALISED,
      EmbedChanged: NOT_NORMALISED,
      Page: NOT_NORMALISED,
      TokenConnection: NOT_NORMALISED,
      AuditEventConnection: NOT_NORMALISED,
      CreateTokenPayload: NOT_NORMALISED,
      RevokeTokenPayload: NOT_NORMALISED,
    },
    resolvers: { Query: { embed: (_parent, { id }) => ({ __typename: 'Embed', id: String(id) }) } },
    updates: UPDATES,
    optimistic: {
      createEmbed: ({ input }) => ({
        __typename: 'CreateEmbedPayload',
        embed: predictCreated(input as CreateEmbedInput),
      }),
      updateEmbed: ({ input }, cache) => ({
        __typename: 'UpdateEmbedPayload',
        embed: predictUpdated(input as UpdateEmbedInput, cache),
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
    createToken: (_result, _args, cache) => reloadTokens(cache),
  },
};

/** Adds an embed to the top of the list, unless it is there. Searches are skipped: only the API knows if it matches. */
function addEmbed(node: ListedEmbedFragment, cache: Cache): void {
  const edge = { __typename: 'EmbedEdge', cursor: node.id, node } as Edges[number];
  changePages(cache, (edges, { after, filter }) => {
    const isListed = edges.some((other) => other.node.id === node.id);
    return after || filter || isListed ? edges : [edge, ...edges];
  });
}

/** Forgets all pages of tokens, so that those on the screen are read again. */
function reloadTokens(cache: Cache): void {
  for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
    if (fieldName === 'tokens') cache.invalidate('Query', fieldName, args);
  }
}

function removeEmbed(id: string, cache: Cache): void {
  changePages(cache, (edges) => edges.filter(({ node }) => node.id !== id));
}

/** Changes all pages of all lists. The total of a list is stored with its first page. */
function changePages(cache: Cache, change: (edges: Edges, page: EmbedsQueryVariables) => Edges): void {
  const growthByList = new Map<string, number>();
  const pages = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'embeds');
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const before = readPage(cache, variables)?.edges ?? [];
    const edges = change(before, variables);
    if (edges.length === before.length) continue;
    const listKey = JSON.stringify(variables.filter);
    growthByList.set(listKey, (growthByList.get(listKey) ?? 0) + edges.length - before.length);
    writePage(cache, variables, { edges });
  }
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const growth = growthByList.get(JSON.stringify(variables.filter));
    const page = growth && !variables.after ? readPage(cache, variables) : undefined;
    if (!page || !growth) continue;
    // the API counts and lists at different times, so the length of a list's only page is more accurate than its total
    writePage(cache, variables, {
      totalCount: page.pageInfo.hasNextPage ? page.totalCount + growth : page.edges.length,
    });
  }
}

function readPage(cache: Cache, variables: EmbedsQueryVariables): EmbedsQuery['embeds'] | undefined {
  return cache.readQuery({ query: EmbedsDocument, variables })?.embeds;
}

function writePage(cache: Cache, variables: EmbedsQueryVariables, change: Partial<EmbedsQuery['embeds']>): void {
  cache.updateQuery({ query: EmbedsDocument, variables }, (data) => data && { embeds: { ...data.embeds, ...change } });
}

const PENDING = { __typename: 'Page', state: 'PENDING', reason: null };

/** Predicts the created embed. Its URL is not known yet. */
function predictCreated(input: CreateEmbedInput) {
  const createdAt = new Date().toISOString();
  const content = withForcedValues({ ...EMPTY_DRAFT, ...input });
  const id = `new-${createdAt}`;
  return { __typename: 'Embed', id, version: 1, createdAt, embedUrl: '', html: '', page: PENDING, ...content };
}

/** Predicts the updated embed. Its version stays, so that edits on top of a failed update cannot pass the version check. */
function predictUpdated({ id, expectedVersion, ...input }: UpdateEmbedInput, cache: Cache) {
  const cached = cache.readFragment(ListedEmbedFragmentDoc, { __typename: 'Embed', id: String(id) } as never);
  const embed = cached as ListedEmbedFragment;
  const content = withForcedValues({ ...draftOf(embed), ...(input as Partial<Draft>) });
  const page = content.pageUrl === embed.pageUrl ? { ...embed.page, __typename: 'Page' } : PENDING;
  return { ...embed, ...content, page, __typename: 'Embed' };
}
