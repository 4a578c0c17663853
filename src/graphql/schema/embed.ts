import { VIEW_DESCRIPTIONS } from '../../domain/descriptions.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { FIELDS } from '../../domain/embed/fields.ts';
import { isEmbedId } from '../../domain/embed/id.ts';
import { EMBED_SETTINGS, readSettings } from '../../domain/embed/settings.ts';
import { embedUrlOf } from '../../domain/embed/url.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { settingFields } from './account/settings.ts';
import { builder } from './builder.ts';
import { outputFields } from './fields.ts';
import { PageType } from './pages/page.ts';
import { findViews, ViewStatisticsType, viewArguments, viewRule } from './views/view-statistics.ts';

export const EmbedType = builder.objectRef<Embed>('Embed').implement({
  description: 'A hosted, iframe-ready view of a public page.',
  interfaces: [builder.nodeInterfaceRef()],
  isTypeOf: (node) => 'pageUrl' in (node as object),
  fields: (t) => ({
    id: t.exposeID('id', { description: FIELDS.id.description }),
    ...outputFields(t, {
      embedUrl: embedUrlOf,
      html: (embed, context) => context.snippetOf(embed),
      updatedAt: ({ createdAt, updatedAt }) => updatedAt ?? createdAt,
    }),
    ...settingFields(t, EMBED_SETTINGS, ({ settings }) => readSettings(settings)),
    views: t.field({
      type: ViewStatisticsType,
      description: VIEW_DESCRIPTIONS.ofEmbed,
      args: viewArguments(t),
      extensions: { rule: viewRule },
      resolve: ({ id }, args, context) => findViews(id, args, context),
    }),
    page: t.field({
      type: PageType,
      description: 'What is known about the source page. Reading it fetches nothing: `refreshPage` does.',
      async resolve({ pageUrl, settings }, _args, context) {
        const outline = await context.pages.findOutline(pageUrl);
        const isWatched = readSettings(settings).watch !== 'OFF';
        return { ...outline, reason: outline.reason ?? (isWatched ? outline.watchRefusal : null) };
      },
    }),
  }),
});

builder.queryField('embed', (t) =>
  t.field({
    type: EmbedType,
    nullable: true,
    description: 'The embed with this id; null if it does not exist or belongs to another account.',
    args: { id: t.arg.id({ required: true, description: 'The id of the embed.' }) },
    resolve: (_root, { id }, context) => {
      const accountId = requireScope(context.identity, 'read');
      context.budget.spend('nodes', 'id', 1);
      return isEmbedId(id) ? context.embeds.find(accountId, id) : null;
    },
  }),
);

export const EmbedEdgeType = builder.edgeObject({
  type: EmbedType,
  name: 'EmbedEdge',
  description: 'An embed and its position in the list.',
});
