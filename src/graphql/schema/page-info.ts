import type { PageInfoShape } from '@pothos/plugin-relay';
import { type FieldNode, type GraphQLResolveInfo, Kind } from 'graphql';
import type { Listing } from '../../domain/embed/listing.ts';
import type { CursorPage } from '../../domain/identity/cursor-paging.ts';
import type { EmbedList, EmbedPage } from '../../store/embeds/lists.ts';

/** Returns the connection of a list that is read in one direction, newest first. Ids are cursors. */
export function cursorConnectionOf<Node extends { readonly id: string }>({ rows, isCut, hasNewer }: CursorPage<Node>) {
  return {
    edges: rows.map((node) => ({ cursor: node.id, node })),
    pageInfo: {
      startCursor: rows.at(0)?.id ?? null,
      endCursor: rows.at(-1)?.id ?? null,
      hasNextPage: isCut,
      hasPreviousPage: hasNewer,
    },
  };
}

/**
 * Returns the page info of a page, which the store always lists newest first. `isCut` answers for the end to which the
 * page was counted. For the other end, the function queries for embeds at or beyond the cursor, only if the request
 * selects that flag.
 */
export async function findPageInfo(
  page: EmbedPage,
  { paging, isOldestFirst }: Listing,
  { list, info }: { readonly list: EmbedList; readonly info: GraphQLResolveInfo },
): Promise<PageInfoShape> {
  const { after, before, fromEnd } = paging;
  const [newerFlag, olderFlag] = isOldestFirst
    ? ['hasNextPage', 'hasPreviousPage']
    : ['hasPreviousPage', 'hasNextPage'];
  const hasNewer =
    (fromEnd && page.isCut) ||
    (after !== undefined && isPageInfoSelected(info, newerFlag) && (await list.exists({ from: after })));
  const hasOlder =
    (!fromEnd && page.isCut) ||
    (before !== undefined && isPageInfoSelected(info, olderFlag) && (await list.exists({ to: before })));
  const newest = (fromEnd ? page.stoppedAt : undefined) ?? page.embeds.at(0)?.id ?? null;
  const oldest = (fromEnd ? undefined : page.stoppedAt) ?? page.embeds.at(-1)?.id ?? null;
  return isOldestFirst
    ? { startCursor: oldest, endCursor: newest, hasPreviousPage: hasOlder, hasNextPage: hasNewer }
    : { startCursor: newest, endCursor: oldest, hasPreviousPage: hasNewer, hasNextPage: hasOlder };
}

function isPageInfoSelected({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const pageInfo = fieldsIn(fieldNodes, fragments).filter((field) => field.name.value === 'pageInfo');
  return fieldsIn(pageInfo, fragments).some((field) => field.name.value === name);
}

/** Counts the lists that a connection returns: `nodes`, `edges` and each alias of them is one. */
export function countLists({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const lists = fieldsIn(fieldNodes, fragments).filter(({ name }) => name.value === 'nodes' || name.value === 'edges');
  return Math.max(1, new Set(lists.map(({ alias, name }) => (alias ?? name).value)).size);
}

/** Collects the fields that are selected in some fields, also by fragments. Each selection set is visited once. */
export function fieldsIn(fieldNodes: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  const fields: FieldNode[] = [];
  const sets = new Set(fieldNodes.map(({ selectionSet }) => selectionSet));
  for (const set of sets) {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sets.add(selection.selectionSet);
      else sets.add(fragments[selection.name.value]?.selectionSet);
    }
  }
  return fields;
}
