import type { Embed } from '../../domain/embed/embed.ts';
import { FIELDS } from '../../domain/embed/fields.ts';
import { isEmbedId } from '../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../domain/embed/paging.ts';
import { embedUrlOf } from '../../domain/embed/url.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { refuseFaults } from '../../errors.ts';
import type { Context } from '../execution/context.ts';
import { builder } from './builder.ts';
import { outputFields } from './fields.ts';
import { PageType } from './page.ts';

export const EmbedType = builder.node(builder.objectRef<Embed>('Embed'), {
  name: 'Embed',
  description: 'A hosted, iframe-ready view of a public page.',
  id: { description: FIELDS.id.description, resolve: (embed) => embed.id },
  isTypeOf: () => true,
  fields: (t) => ({
    ...outputFields(t, {
      embedUrl: embedUrlOf,
      html: (embed, context) => context.snippetOf(embed),
    }),
    page: t.field({
      type: PageType,
      description: 'What is known about the source page. Reading it fetches nothing: `refreshPage` does.',
      resolve: ({ pageUrl }, _args, context) => context.pages.findOutline(pageUrl),
    }),
  }),
});

/** Finds the account's embeds with these ids, in the same order; null for unknown ids. */
async function findEmbeds(accountId: string, ids: readonly string[], context: Context): Promise<(Embed | null)[]> {
  const possible = [...new Set(ids.filter(isEmbedId))];
  const embeds = possible.length > 0 ? await context.embeds.findMany(accountId, possible) : [];
  const byId = new Map(embeds.map((embed) => [embed.id, embed]));
  return ids.map((id) => byId.get(id) ?? null);
}

builder.queryField('node', (t) =>
  t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: 'The object with this id; null if it does not exist or belongs to another account.',
    args: { id: t.arg.id({ required: true, description: 'The id of an embed.' }) },
    resolve: async (_root, { id }, context) => {
      const accountId = requireScope(context.identity, 'read');
      context.budget.spendEmbeds('id', 1);
      return (await findEmbeds(accountId, [id], context))[0] ?? null;
    },
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: 'The objects with these ids, in the same order, with null for unknown ids. At most 100 ids.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of embeds, at most 100.' }) },
    resolve: (_root, { ids }, context) => {
      const accountId = requireScope(context.identity, 'read');
      if (ids.length > MAX_PAGE_SIZE) {
        throw refuseFaults([{ path: 'ids', message: `must be at most ${MAX_PAGE_SIZE} ids` }]);
      }
      context.budget.spendEmbeds('ids', ids.length);
      return findEmbeds(accountId, ids, context);
    },
  }),
);

builder.queryField('embed', (t) =>
  t.field({
    type: EmbedType,
    nullable: true,
    description: 'The embed with this id; null if it does not exist or belongs to another account.',
    args: { id: t.arg.id({ required: true, description: 'The id of the embed.' }) },
    resolve: async (_root, { id }, context) => {
      const accountId = requireScope(context.identity, 'read');
      context.budget.spendEmbeds('id', 1);
      return isEmbedId(id) ? context.embeds.find(accountId, id) : null;
    },
  }),
);

export const EmbedEdgeType = builder.edgeObject({
  type: EmbedType,
  name: 'EmbedEdge',
  description: 'An embed and its position in the list.',
});
