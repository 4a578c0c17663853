import type { PageInfoShape } from '@pothos/plugin-relay';
import { type DocumentNode, type GraphQLResolveInfo, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { Paging } from '../domain/paging.ts';
import type { EmbedPage } from '../store/embeds.ts';
import type { Context } from './context.ts';

/**
 * The page info of a newest-first page. Whether the page was cut where it was counted to is known. Beyond the cursor
 * that bounds its other end there is more exactly when an embed stands at that cursor or past it: one more query, made
 * only when the flag is asked for.
 */
export async function pageInfoOf(
  page: EmbedPage,
  paging: Paging,
  asked: { readonly accountId: string; readonly context: Context; readonly info: GraphQLResolveInfo },
): Promise<PageInfoShape> {
  const { after, before, fromEnd } = paging;
  const { embeds } = asked.context;
  const isAsked = (flag: string) => namesIn(asked.info).has(flag);
  const hasNewer = async () =>
    after !== undefined && isAsked('hasPreviousPage') && embeds.exists(asked.accountId, { from: after });
  const hasOlder = async () =>
    before !== undefined && isAsked('hasNextPage') && embeds.exists(asked.accountId, { to: before });
  return {
    startCursor: page.embeds.at(0)?.id ?? null,
    endCursor: page.embeds.at(-1)?.id ?? null,
    hasPreviousPage: (fromEnd && page.isCut) || (await hasNewer()),
    hasNextPage: (!fromEnd && page.isCut) || (await hasOlder()),
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
