import { type Cache, cacheExchange, type UpdatesConfig } from '@urql/exchange-graphcache';
import {
  type CreateEmbedInput,
  type CreateEmbedMutation,
  type DeleteEmbedInput,
  EmbedsDocument,
  type EmbedsQuery,
  type EmbedsQueryVariables,
  type ListedEmbedFragment,
  ListedEmbedFragmentDoc,
  type UpdateEmbedInput,
} from '../../generated/console-operations.ts';

/** How many embeds a page of the list has. */
export const PAGE_SIZE = 24;

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
  Mutation: {
    createEmbed: (result, _args, cache) => addEmbed((result as CreateEmbedMutation).createEmbed.embed, cache),
    deleteEmbed: (_result, { input }, cache) => removeEmbed(String((input as DeleteEmbedInput).id), cache),
  },
};

/** Puts an embed on top of the list, once. */
export function addEmbed(node: ListedEmbedFragment, cache: Cache): void {
  changePages(cache, (edges, isFirst) => {
    const isThere = edges.some((edge) => edge.node.id === node.id);
    return isFirst && !isThere
      ? [{ __typename: 'EmbedEdge', cursor: node.id, node } as Edges[number], ...edges]
      : edges;
  });
}

export function removeEmbed(id: string, cache: Cache): void {
  changePages(cache, (edges) => edges.filter(({ node }) => node.id !== id));
}

/** The total is the one of the first page, which is the one that is shown. */
function changePages(cache: Cache, change: (edges: Edges, isFirst: boolean) => Edges): void {
  const pages = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'embeds');
  const read = (variables: EmbedsQueryVariables) => cache.readQuery({ query: EmbedsDocument, variables })?.embeds;
  let grown = 0;
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const page = read(variables);
    if (!page) continue;
    const edges = change(page.edges, variables.after == null);
    grown += edges.length - page.edges.length;
    if (edges !== page.edges) write(cache, variables, { ...page, edges });
  }
  for (const { arguments: args } of pages) {
    const variables = args as EmbedsQueryVariables;
    const page = variables.after == null ? read(variables) : null;
    if (page && grown !== 0) write(cache, variables, { ...page, totalCount: page.totalCount + grown });
  }
}

function write(cache: Cache, variables: EmbedsQueryVariables, embeds: EmbedsQuery['embeds']): void {
  cache.updateQuery({ query: EmbedsDocument, variables }, () => ({ embeds }));
}

/** An embed that is being made: it has no address yet. */
function expectedOf({ pageUrl, mode = 'LIGHT', font = 'default', ...input }: CreateEmbedInput) {
  const createdAt = new Date().toISOString();
  const showTopBar = input.showTopBar !== false || mode === 'USER_DEFINED';
  return {
    __typename: 'Embed',
    id: `new-${createdAt}`,
    createdAt,
    embedUrl: '',
    html: '',
    pageUrl,
    mode,
    font,
    showTopBar,
  };
}

function changedOf({ id, pageUrl, font, ...input }: UpdateEmbedInput, cache: Cache) {
  const known = cache.readFragment(ListedEmbedFragmentDoc, { __typename: 'Embed', id: String(id) } as never);
  const embed = known as ListedEmbedFragment;
  const mode = input.mode ?? embed.mode;
  const showTopBar = (input.showTopBar ?? embed.showTopBar) || mode === 'USER_DEFINED';
  const changed = { ...embed, mode, showTopBar, ...(pageUrl && { pageUrl }), ...(font && { font }) };
  return { __typename: 'Embed', ...changed };
}
