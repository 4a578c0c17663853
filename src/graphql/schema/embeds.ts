import { loadOnce } from '../../awaitable.ts';
import { LIST_DESCRIPTIONS } from '../../domain/descriptions.ts';
import { DIRECTIONS, ORDER_FIELDS, parseListing } from '../../domain/embed/listing.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedEdgeType, EmbedType } from './embed.ts';
import { defineEnum, inputFields } from './fields.ts';
import { countLists, findPageInfo } from './page-info.ts';
import { PageStateType } from './pages/page.ts';

export const EmbedFilterType = builder.inputType('EmbedFilter', {
  description: 'Filters for the list. All given filters must match; omitted ones are ignored, and null is an error.',
  fields: (t) => ({
    ...inputFields(t, 'filter'),
    createdAfter: t.field({ type: 'DateTime', description: LIST_DESCRIPTIONS.createdAfter }),
    createdBefore: t.field({ type: 'DateTime', description: LIST_DESCRIPTIONS.createdBefore }),
    updatedAfter: t.field({ type: 'DateTime', description: LIST_DESCRIPTIONS.updatedAfter }),
    pageState: t.field({ type: [PageStateType], description: LIST_DESCRIPTIONS.pageState }),
    needsAttention: t.boolean({ description: LIST_DESCRIPTIONS.needsAttention }),
    search: t.string({
      description: LIST_DESCRIPTIONS.search,
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
    field: t.field({ type: EmbedOrderFieldType, required: true, description: LIST_DESCRIPTIONS.field }),
    direction: t.field({ type: OrderDirectionType, required: true, description: LIST_DESCRIPTIONS.direction }),
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
        context.budget.spend('nodes', 'first', paging.size * countLists(info));
        if (filter) context.budget.spend('filteredLists', 'filter', 1);
        const list = context.createList(accountId, filter);
        const page = await list.findPage(paging);
        const embeds = isOldestFirst ? page.embeds.toReversed() : page.embeds;
        const edges = embeds.map((node) => ({ cursor: node.id, node }));
        const pageInfo = await findPageInfo(page, listing, { list, info });
        const isWhole = !page.isCut && paging.after === undefined && paging.before === undefined;
        // counts at most once, only if the client selects the total and the page is not the whole list
        const total = loadOnce(async () => (isWhole ? { count: embeds.length, isExact: true } : list.count()));
        return { edges, pageInfo, total };
      },
    },
    {
      name: 'EmbedConnection',
      description: 'A page of embeds.',
      fields: (connection) => ({
        totalCount: connection.int({
          description: LIST_DESCRIPTIONS.totalCount,
          resolve: async ({ total }) => (await total()).count,
        }),
        totalCountIsExact: connection.boolean({
          description: LIST_DESCRIPTIONS.totalCountIsExact,
          resolve: async ({ total }) => (await total()).isExact,
        }),
      }),
    },
    EmbedEdgeType,
  ),
);
