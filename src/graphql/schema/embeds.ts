import { DIRECTIONS, ORDER_FIELDS, parseListing } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { requireScope } from '../../domain/identity/account.ts';
import type { EmbedCount, EmbedList, EmbedPage } from '../../store/embeds/lists.ts';
import { countLists } from '../execution/request-budget.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedEdgeType, EmbedType } from './embed.ts';
import { defineEnum, inputFields } from './fields.ts';
import { findPageInfo } from './page-info.ts';

const EmbedFilterType = builder.inputType('EmbedFilter', {
  description: 'Filters for the list. All given filters must match; omitted ones are ignored, and null is an error.',
  fields: (t) => ({
    ...inputFields(t, 'filter'),
    createdAfter: t.field({ type: 'DateTime', description: 'Only embeds created after this time.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Only embeds created before this time.' }),
    search: t.string({
      description:
        "Either words or one URL. Words: at most 5 words in at most 200 characters, in any case and order. The page's title or URL must have a word that begins with each of them: handb finds handbook. Only the first 16 words of an embed and the first 40 characters of a word are indexed; the page's id is not a word. URL: at most 2,048 characters; finds the embeds of that page, in any spelling of the URL. A URL with a page id finds all embeds with that id. Any other URL also finds the embeds that have all words of the URL, or its 5 longest if it has more.",
    }),
  }),
});

const EmbedOrderFieldType = defineEnum(
  'EmbedOrderField',
  'The value that a list of embeds is ordered by.',
  ORDER_FIELDS,
);
const OrderDirectionType = defineEnum('OrderDirection', 'The direction of a list.', DIRECTIONS);

const EmbedOrderType = builder.inputType('EmbedOrder', {
  description: 'The order of a list of embeds.',
  fields: (t) => ({
    field: t.field({ type: EmbedOrderFieldType, required: true, description: 'The value to order by.' }),
    direction: t.field({ type: OrderDirectionType, required: true, description: 'The direction.' }),
  }),
});

const listRule: ArgumentsRule = (args, pagePolicy) => void parseListing(args, pagePolicy);

builder.queryField('embeds', (t) =>
  t.connection(
    {
      type: EmbedType,
      description:
        'The embeds of the account, newest first. With several filters, a page can be shorter than requested, or empty, although there are more matches: the search for a page stops after 2,000 embeds. Continue with `endCursor` while `hasNextPage` is true.',
      args: {
        filter: t.arg({ type: EmbedFilterType, description: 'The filters; all embeds if omitted.' }),
        orderBy: t.arg({ type: EmbedOrderType, description: 'The order; newest first if omitted.' }),
      },
      extensions: { rule: listRule },
      resolve: async (_root, args, context, info) => {
        const accountId = requireScope(context.identity, 'read');
        const listing = parseListing({ ...args }, context.pagePolicy);
        const { paging, filter, isOldestFirst } = listing;
        context.budget.spendNodes('first', paging.size * countLists(info));
        if (filter) context.budget.spendFilteredList();
        const list = context.createList(accountId, filter);
        const page = await list.findPage(paging);
        const embeds = isOldestFirst ? page.embeds.toReversed() : page.embeds;
        const edges = embeds.map((node) => ({ cursor: node.id, node }));
        const pageInfo = await findPageInfo(page, listing, { list, info });
        return { edges, pageInfo, total: createCounter(list, page, paging) };
      },
    },
    {
      name: 'EmbedConnection',
      description: 'A page of embeds.',
      fields: (connection) => ({
        totalCount: connection.int({
          description:
            'The number of embeds of the account. For a filtered list, the number of matches, exact up to 1,000: if `totalCountIsExact` is false, treat it as a lower bound.',
          resolve: async ({ total }) => (await total()).count,
        }),
        totalCountIsExact: connection.boolean({
          description:
            'Whether `totalCount` is exact. It is without a filter, with one filter up to 1,000 matches, and with several filters if one of them alone has at most 1,000 matches.',
          resolve: async ({ total }) => (await total()).isExact,
        }),
      }),
    },
    EmbedEdgeType,
  ),
);

/** Creates a function that counts at most once, only if the client selects the total and the page is not the whole list. */
function createCounter(
  list: EmbedList,
  { embeds, isCut }: EmbedPage,
  { after, before }: Paging,
): () => Promise<EmbedCount> {
  const isWhole = !isCut && after === undefined && before === undefined;
  let counted = isWhole ? Promise.resolve({ count: embeds.length, isExact: true }) : undefined;
  return () => {
    counted ??= list.count();
    return counted;
  };
}
