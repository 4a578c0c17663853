import { DIRECTIONS, ORDER_FIELDS, parseListing } from '../../domain/embed/listing.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { countLists } from '../execution/request-budget.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedEdgeType, EmbedModeType, EmbedType } from './embed.ts';
import { pageInfoOf } from './page-info.ts';
import { totalOf } from './total-count.ts';

const EmbedFilterType = builder.inputType('EmbedFilter', {
  description:
    'Which embeds a list is of: those for which all of it holds. What is omitted does not count; null is an error.',
  fields: (t) => ({
    pageId: t.field({ type: 'UUID', description: 'The id of the source page.' }),
    pageUrl: t.field({
      type: 'URL',
      description:
        'The URL of the source page, in any spelling: case of the host, default port, dot segments, percent-encoding and fragment do not matter.',
    }),
    mode: t.field({ type: EmbedModeType, description: 'The colour mode.' }),
    font: t.string({ description: 'The font, exactly as it was sent.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Only embeds that were created after this instant.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Only embeds that were created before this instant.' }),
    search: t.string({
      description:
        "Either words or one URL. Words: at most 5 whole words in at most 200 characters, in any case and order, that must all occur in the page's title or URL. Only the first 16 words of an embed and the first 40 characters of a word are indexed; the page's id is not a word. URL: at most 2,048 characters; finds the embeds of that page, in any spelling of the URL. A URL with a page id finds all embeds with that id. Any other URL also finds the embeds that have all words of the URL, or its 5 longest if it has more.",
    }),
  }),
});

const EmbedOrderFieldType = builder.enumType('EmbedOrderField', {
  description: 'By what a list of embeds is put in order.',
  values: { [ORDER_FIELDS[0]]: { description: 'When the embeds were created.' } },
});

const OrderDirectionType = builder.enumType('OrderDirection', {
  description: 'Which end of a list comes first.',
  values: {
    [DIRECTIONS[0]]: { description: 'The lowest, or oldest, first.' },
    [DIRECTIONS[1]]: { description: 'The highest, or newest, first.' },
  },
});

const EmbedOrderType = builder.inputType('EmbedOrder', {
  description: 'The order of a list of embeds.',
  fields: (t) => ({
    field: t.field({ type: EmbedOrderFieldType, required: true, description: 'By what the list is put in order.' }),
    direction: t.field({ type: OrderDirectionType, required: true, description: 'Which end comes first.' }),
  }),
});

const listRule: ArgumentsRule = (args, pagePolicy) => void parseListing(args, pagePolicy);

builder.queryField('embeds', (t) =>
  t.connection(
    {
      type: EmbedType,
      description:
        "The account's embeds, newest first: all of them, or those of a filter. A list that several conditions filter may give a search up after 2,000 embeds: its page is shorter than asked for then, or empty, and `hasNextPage` with `endCursor` goes on.",
      args: {
        filter: t.arg({ type: EmbedFilterType, description: 'Which embeds; all when omitted.' }),
        orderBy: t.arg({ type: EmbedOrderType, description: 'In which order; newest first when omitted.' }),
      },
      extensions: { rule: listRule },
      resolve: async (_root, args, context, info) => {
        const accountId = requireScope(context.identity, 'read');
        const listing = parseListing({ ...args }, context.pagePolicy);
        const { paging, filter, isOldestFirst } = listing;
        context.budget.spendEmbeds('first', paging.size * countLists(info));
        if (filter) context.budget.spendFilteredList();
        const page = await (filter
          ? context.embeds.findMatching(accountId, filter, paging)
          : context.embeds.findPage(accountId, paging));
        const embeds = isOldestFirst ? page.embeds.toReversed() : page.embeds;
        const edges = embeds.map((node) => ({ cursor: node.id, node }));
        const pageInfo = await pageInfoOf(page, listing, { accountId, context, info });
        return { edges, pageInfo, total: totalOf(accountId, filter, context) };
      },
    },
    {
      name: 'EmbedConnection',
      description: 'A page of embeds.',
      fields: (connection) => ({
        totalCount: connection.int({
          description:
            'How many embeds the account has in all; with a filter, how many of them it is for: exact up to 1,000, and at least so many where `totalCountIsExact` is false.',
          resolve: async ({ total }) => (await total()).count,
        }),
        totalCountIsExact: connection.boolean({
          description:
            'Whether `totalCount` is exact. Always so without a filter, and with one of a single condition up to 1,000 embeds; with one of several where one of them alone has no more.',
          resolve: async ({ total }) => (await total()).isExact,
        }),
      }),
    },
    EmbedEdgeType,
  ),
);
