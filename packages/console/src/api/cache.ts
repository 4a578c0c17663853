import { type Cache, cacheExchange, type FieldArgs, type UpdatesConfig } from '@urql/exchange-graphcache';
import { EMPTY_FIELDS } from '../editor/draft.ts';
import {
  type CreateEmbedInput,
  type CreateEmbedMutation,
  type DeleteEmbedInput,
  type DeleteEmbedsMutation,
  type DeleteWebhookInput,
  type EmbedChangedSubscription,
  EmbedsDocument,
  type EmbedsQuery,
  type EmbedsQueryVariables,
  type ListedEmbedFragment,
  ListedEmbedFragmentDoc,
  type UpdateEmbedInput,
} from '../generated/operations.ts';
import { withForcedValues } from '../list/embed-view-model.ts';
import { NO_LOOK } from '../settings/own-settings.ts';

const PAGE_SIZE = 50;

/** The first page grows with each new embed. Above this length it is cut to its first {@link PAGE_SIZE} embeds. */
const MAX_FIRST_PAGE = 200;

/** The filters and the order of a list. Without any, the list has all embeds, newest first. */
export type ListArguments = Pick<EmbedsQueryVariables, 'filter' | 'orderBy'>;

/** Returns the query variables of one page. */
export function pageVariables(list: ListArguments, after: string | null = null): EmbedsQueryVariables {
  return { first: PAGE_SIZE, ...(after !== null && { after }), ...list };
}

type Connection = EmbedsQuery['embeds'];
type Edges = Connection['edges'];

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
      DeleteEmbedsPayload: NOT_NORMALISED,
      AuditChange: NOT_NORMALISED,
      RefreshPagePayload: NOT_NORMALISED,
      EmbedChanged: NOT_NORMALISED,
      Page: NOT_NORMALISED,
      Look: NOT_NORMALISED,
      PageVersionConnection: NOT_NORMALISED,
      PageVersion: NOT_NORMALISED,
      TextChange: NOT_NORMALISED,
      Viewer: NOT_NORMALISED,
      Account: NOT_NORMALISED,
      ViewGroup: NOT_NORMALISED,
      ViewStatistics: NOT_NORMALISED,
      TokenConnection: NOT_NORMALISED,
      AuditEventConnection: NOT_NORMALISED,
      CreateTokenPayload: NOT_NORMALISED,
      RevokeTokenPayload: NOT_NORMALISED,
      WebhookConnection: NOT_NORMALISED,
      CreateWebhookPayload: NOT_NORMALISED,
      UpdateWebhookPayload: NOT_NORMALISED,
      DeleteWebhookPayload: NOT_NORMALISED,
      RotateWebhookSecretPayload: NOT_NORMALISED,
      DeliveryConnection: NOT_NORMALISED,
      TestWebhookPayload: NOT_NORMALISED,
      RedeliverPayload: NOT_NORMALISED,
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
    deleteEmbeds(result, _args, cache) {
      for (const id of (result as DeleteEmbedsMutation).deleteEmbeds.deletedEmbedIds) removeEmbed(id, cache);
    },
    deleteEmbed: (_result, { input }, cache) => removeEmbed(String((input as DeleteEmbedInput).id), cache),
    createToken: (_result, _args, cache) => forgetPages('tokens', cache),
    createWebhook: (_result, _args, cache) => forgetPages('webhooks', cache),
    deleteWebhook: (_result, { input }, cache) => {
      cache.invalidate({ __typename: 'Webhook', id: String((input as DeleteWebhookInput).id) });
      forgetPages('webhooks', cache);
    },
  },
};

/**
 * Adds an embed to the top of the list, or to its end if the oldest come first, unless it is there. Filtered lists are
 * skipped: only the API knows if it matches.
 */
function addEmbed(node: ListedEmbedFragment, cache: Cache): void {
  const edge = { __typename: 'EmbedEdge', cursor: node.id, node } as Edges[number];
  for (const variables of findPages(cache)) {
    const page = variables.filter ? undefined : readPage(cache, variables);
    if (!page || page.edges.some((other) => other.node.id === node.id)) continue;
    if (variables.orderBy) {
      if (!page.pageInfo.hasNextPage) writePage(cache, variables, { edges: [...page.edges, edge] });
    } else if (!variables.after) writePage(cache, variables, cutPage([edge, ...page.edges], page.pageInfo));
    if (!variables.after) changeTotal(cache, variables, 1);
  }
}

function cutPage(edges: Edges, pageInfo: Connection['pageInfo']): Pick<Connection, 'edges' | 'pageInfo'> {
  if (edges.length <= MAX_FIRST_PAGE) return { edges, pageInfo };
  const kept = edges.slice(0, PAGE_SIZE);
  return { edges: kept, pageInfo: { ...pageInfo, endCursor: kept.at(-1)?.cursor ?? null, hasNextPage: true } };
}

/** Forgets all pages of a list, so that those on the screen are read again. */
function forgetPages(list: string, cache: Cache): void {
  for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
    if (fieldName === list) cache.invalidate('Query', fieldName, args);
  }
}

/** Removes an embed from all pages. Reads only the keys of their edges, because there may be hundreds of pages. */
function removeEmbed(id: string, cache: Cache): void {
  const key = cache.keyOfEntity({ __typename: 'Embed', id });
  if (cache.resolve(key, 'id') === undefined) return;
  const changed = new Map<string, EmbedsQueryVariables>();
  for (const variables of findPages(cache)) {
    const connection = cache.resolve('Query', 'embeds', { ...variables } as FieldArgs) as string;
    const edges = cache.resolve(connection, 'edges') as string[];
    const kept = edges.filter((edge) => cache.resolve(edge, 'node') !== key);
    if (kept.length === edges.length) continue;
    cache.link(connection, 'edges', kept);
    const { first, after, ...list } = variables;
    changed.set(JSON.stringify(list), { first, ...list });
  }
  for (const firstPage of changed.values()) changeTotal(cache, firstPage, -1);
  cache.invalidate(key);
}

/** Changes the total of a list, which is stored with its first page. */
function changeTotal(cache: Cache, firstPage: EmbedsQueryVariables, growth: number): void {
  const page = readPage(cache, firstPage);
  if (!page) return;
  // the API counts and lists at different times, so the length of a list's only page is more accurate than its total
  const totalCount = page.pageInfo.hasNextPage ? page.totalCount + growth : page.edges.length;
  writePage(cache, firstPage, { totalCount });
}

function findPages(cache: Cache): readonly EmbedsQueryVariables[] {
  const fields = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'embeds');
  return fields.map(({ arguments: args }) => args as EmbedsQueryVariables);
}

function readPage(cache: Cache, variables: EmbedsQueryVariables): Connection | undefined {
  return cache.readQuery({ query: EmbedsDocument, variables })?.embeds;
}

function writePage(cache: Cache, variables: EmbedsQueryVariables, change: Partial<Connection>): void {
  cache.updateQuery({ query: EmbedsDocument, variables }, (data) => data && { embeds: { ...data.embeds, ...change } });
}

const PENDING = { __typename: 'Page', state: 'PENDING', reason: null, movedTo: null };

/** Predicts the created embed. Its URL and its title are not known yet. */
function predictCreated(input: CreateEmbedInput) {
  const createdAt = new Date().toISOString();
  const content = withForcedValues({ ...EMPTY_FIELDS, ...input, look: predictLook(null, input.look) });
  const unknown = { embedUrl: '', html: '', title: '', pageId: '', externalId: null, updatedAt: createdAt };
  return { __typename: 'Embed', id: `new-${createdAt}`, version: 1, createdAt, ...unknown, page: PENDING, ...content };
}

/** Predicts the updated embed. Its version stays, so that edits on top of a failed update cannot pass the version check. */
function predictUpdated({ id, expectedVersion, ...input }: UpdateEmbedInput, cache: Cache) {
  const cached = cache.readFragment(ListedEmbedFragmentDoc, { __typename: 'Embed', id: String(id) } as never);
  const embed = cached as ListedEmbedFragment;
  const changes = { ...(input as Partial<ListedEmbedFragment>), look: predictLook(embed.look, input.look) };
  const content = withForcedValues({ ...embed, ...changes });
  const isSamePage = content.pageUrl === embed.pageUrl;
  const page = isSamePage ? { ...embed.page, __typename: 'Page' } : PENDING;
  return { ...content, title: isSamePage ? embed.title : '', page, __typename: 'Embed' };
}

/** Predicts a look after a change. Null removes all of it. */
function predictLook(current: ListedEmbedFragment['look'], change: UpdateEmbedInput['look']) {
  return change === null ? null : { ...NO_LOOK, ...current, ...change, __typename: 'Look' };
}
