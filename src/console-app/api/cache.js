import { cacheExchange } from '@urql/exchange-graphcache';
import { EmbedsDocument, ListedEmbedFragmentDoc } from '../../generated/console-operations.ts';

/** How many embeds a page of the list has. */
const PAGE_SIZE = 24;
/** What to ask for a page of the list, or of what words or the URL of a page find in it. */
export function pageOf(search, after = null) {
  const filter = isPageUrl(search) ? { pageUrl: search } : { search };
  return { first: PAGE_SIZE, ...(after !== null && { after }), ...(search !== '' && { filter }) };
}
/** Whether a whole URL stands there, and not only the beginning of one that is still typed. */
function isPageUrl(search) {
  return /^https?:\/\/[^/]+\.[^/]/i.test(search) && URL.canParse(search);
}
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
      createEmbed: ({ input }) => ({ __typename: 'CreateEmbedPayload', embed: expectedOf(input) }),
      updateEmbed: ({ input }, cache) => ({
        __typename: 'UpdateEmbedPayload',
        embed: changedOf(input, cache),
      }),
      deleteEmbed: ({ input }) => ({
        __typename: 'DeleteEmbedPayload',
        deletedEmbedId: input.id,
      }),
    },
  });
}
const UPDATES = {
  Subscription: {
    embedChanged(result, _args, cache) {
      const { kind, embedId, embed } = result.embedChanged;
      if (kind === 'DELETED') removeEmbed(embedId, cache);
      else if (kind === 'CREATED' && embed) addEmbed(embed, cache);
    },
  },
  Mutation: {
    createEmbed: (result, _args, cache) => addEmbed(result.createEmbed.embed, cache),
    deleteEmbed: (_result, { input }, cache) => removeEmbed(String(input.id), cache),
  },
};
/** Puts an embed on top of the list, once. What is found by words may not be what it is. */
function addEmbed(node, cache) {
  const edge = { __typename: 'EmbedEdge', cursor: node.id, node };
  changePages(cache, (edges, { after, filter }) => {
    const isThere = edges.some((other) => other.node.id === node.id);
    return after || filter || isThere ? edges : [edge, ...edges];
  });
}
function removeEmbed(id, cache) {
  changePages(cache, (edges) => edges.filter(({ node }) => node.id !== id));
}
/** The total of a list is the one of its first page, which is the one that is shown. */
function changePages(cache, change) {
  const growth = new Map();
  const pages = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'embeds');
  for (const { arguments: args } of pages) {
    const variables = args;
    const before = read(cache, variables)?.edges ?? [];
    const edges = change(before, variables);
    if (edges.length === before.length) continue;
    const list = JSON.stringify(variables.filter);
    growth.set(list, (growth.get(list) ?? 0) + edges.length - before.length);
    write(cache, variables, { edges });
  }
  for (const { arguments: args } of pages) {
    const variables = args;
    const grown = growth.get(JSON.stringify(variables.filter));
    const page = grown && !variables.after ? read(cache, variables) : undefined;
    if (!page || !grown) continue;
    // the API counts and lists at two moments: where the page is all that there is, it is what counts
    write(cache, variables, { totalCount: page.pageInfo.hasNextPage ? page.totalCount + grown : page.edges.length });
  }
}
function read(cache, variables) {
  return cache.readQuery({ query: EmbedsDocument, variables })?.embeds;
}
function write(cache, variables, part) {
  cache.updateQuery({ query: EmbedsDocument, variables }, (data) => data && { embeds: { ...data.embeds, ...part } });
}
/** An embed that is being made: it has no address yet. */
function expectedOf({ pageUrl, mode = 'LIGHT', font = 'default', ...input }) {
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
function changedOf({ id, pageUrl, font, ...input }, cache) {
  const known = cache.readFragment(ListedEmbedFragmentDoc, { __typename: 'Embed', id: String(id) });
  const embed = known;
  const mode = input.mode ?? embed.mode;
  const showTopBar = (input.showTopBar ?? embed.showTopBar) || mode === 'USER_DEFINED';
  const changed = { ...embed, mode, showTopBar, ...(pageUrl && { pageUrl }), ...(font && { font }) };
  return { __typename: 'Embed', ...changed };
}
