import type { PageInfoShape } from '@pothos/plugin-relay';
import { type DocumentNode, type GraphQLResolveInfo, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { Listing } from '../../domain/embed/listing.ts';
import type { EmbedPage, IdRange } from '../../store/embeds/filtered-list.ts';
import type { Context } from '../execution/context.ts';

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
  const isAsked = (flag: string) => namesIn(asked.info).has(flag);
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

const names = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/** Every field name that an operation mentions, itself or in a fragment. */
function namesIn({ operation, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const known = names.get(operation);
  if (known) return known;
  const found = new Set<string>();
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] };
  visit(document, { Field: ({ name }) => void found.add(name.value) });
  names.set(operation, found);
  return found;
}
