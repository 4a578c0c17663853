import type { PageInfoShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { Listing } from '../../domain/embed/listing.ts';
import type { EmbedPage, IdRange } from '../../store/embeds/filtered-list.ts';
import type { Context } from '../execution/context.ts';
import { fieldsIn } from '../execution/selections.ts';

/**
 * The page info of a page, which the store has newest first whatever the order of the list. Whether the page was cut where it was counted to is known. Beyond the cursor
 * that bounds its other end there is more exactly when an embed stands at that cursor or past it: one more query, made
 * only when the flag is asked for.
 */
export async function pageInfoOf(
  page: EmbedPage,
  { paging, filter, isOldestFirst }: Listing,
  asked: { readonly accountId: string; readonly context: Context; readonly info: GraphQLResolveInfo },
): Promise<PageInfoShape> {
  const { after, before, fromEnd } = paging;
  const { embeds } = asked.context;
  const exists = (range: IdRange) =>
    filter ? embeds.existsMatching(asked.accountId, filter, range) : embeds.exists(asked.accountId, range);
  const isAsked = (flag: string) => selectsPageInfo(asked.info, flag);
  const hasNewer = async () =>
    (fromEnd && page.isCut) ||
    (after !== undefined && isAsked(isOldestFirst ? 'hasNextPage' : 'hasPreviousPage') && exists({ from: after }));
  const hasOlder = async () =>
    (!fromEnd && page.isCut) ||
    (before !== undefined && isAsked(isOldestFirst ? 'hasPreviousPage' : 'hasNextPage') && exists({ to: before }));
  const newest = (fromEnd ? page.stoppedAt : undefined) ?? page.embeds.at(0)?.id ?? null;
  const oldest = (fromEnd ? undefined : page.stoppedAt) ?? page.embeds.at(-1)?.id ?? null;
  return isOldestFirst
    ? {
        startCursor: oldest,
        endCursor: newest,
        hasPreviousPage: await hasOlder(),
        hasNextPage: await hasNewer(),
      }
    : {
        startCursor: newest,
        endCursor: oldest,
        hasPreviousPage: await hasNewer(),
        hasNextPage: await hasOlder(),
      };
}

/** Whether the request selects a field of `pageInfo`. */
function selectsPageInfo({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const connection = fieldsIn(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    fragments,
  );
  const pageInfo = connection.filter((field) => field.name.value === 'pageInfo');
  const flags = fieldsIn(
    pageInfo.map(({ selectionSet }) => selectionSet),
    fragments,
  );
  return flags.some((field) => field.name.value === name);
}
