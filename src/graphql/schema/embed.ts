import { EMBED_MODES, type Embed } from '../../domain/embed/embed.ts';
import { isEmbedId } from '../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../domain/embed/paging.ts';
import { embedUrlOf } from '../../domain/embed/url.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { refuseFaults } from '../../errors.ts';
import type { Context } from '../execution/context.ts';
import { countEmbeds } from '../execution/limits.ts';
import { builder } from './builder.ts';

const MODE_DESCRIPTIONS: Record<(typeof EMBED_MODES)[number], string> = {
  LIGHT: 'Always light.',
  DARK: 'Always dark.',
  AUTO: "Follows the setting of the user's system.",
  USER_DEFINED: 'The user chooses in the top bar, which is then always shown.',
};

export const EmbedModeType = builder.enumType('EmbedMode', {
  description: 'The colour mode of an embed.',
  values: Object.fromEntries(EMBED_MODES.map((mode) => [mode, { description: MODE_DESCRIPTIONS[mode] }])) as Record<
    (typeof EMBED_MODES)[number],
    { description: string }
  >,
});

export const EmbedType = builder.node(builder.objectRef<Embed>('Embed'), {
  name: 'Embed',
  description: 'A hosted, iframe-ready view of a public page.',
  id: {
    description: 'The id: a ULID in lower case. Cursor, REST id and subdomain of `embedUrl` are the same string.',
    resolve: (embed) => embed.id,
  },
  isTypeOf: () => true,
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the embed was created.' }),
    embedUrl: t.field({
      type: 'URL',
      description: 'The URL to place in an iframe: `<scheme>://<id>.<embed host>/<page slug>-<page id>`.',
      resolve: (embed, _args, context) => embedUrlOf(embed, context),
    }),
    html: t.string({
      description: 'The HTML to paste into a site: an iframe of the embed, and the script that fits it to its content.',
      resolve: (embed, _args, context) => context.snippetOf(embed),
    }),
    pageId: t.expose('pageId', {
      type: 'UUID',
      description: 'The id of the source page: the one that its URL carries, else a UUIDv5 of the URL.',
    }),
    pageUrl: t.expose('pageUrl', { type: 'URL', description: 'The public URL of the source page.' }),
    mode: t.expose('mode', { type: EmbedModeType, description: 'The colour mode.' }),
    font: t.exposeString('font', { description: '`default`, or the name of a web font family.' }),
    showTopBar: t.exposeBoolean('showTopBar', {
      description: 'Whether the top bar is shown. Always true in the mode `USER_DEFINED`.',
    }),
  }),
});

/** The account's embeds with these ids, in their order, null for each that there is none of. */
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
    description: 'The object with this id; null when there is none or it belongs to another account.',
    args: { id: t.arg.id({ required: true, description: 'The id of an embed.' }) },
    resolve: async (_root, { id }, context) => {
      const accountId = requireScope(context.identity, 'read');
      countEmbeds(context, 'id', 1);
      return (await findEmbeds(accountId, [id], context))[0] ?? null;
    },
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: 'The objects with these ids, in their order, with null for each that there is none of. At most 100.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of embeds, at most 100.' }) },
    resolve: (_root, { ids }, context) => {
      const accountId = requireScope(context.identity, 'read');
      if (ids.length > MAX_PAGE_SIZE) {
        throw refuseFaults([{ path: 'ids', message: `must be at most ${MAX_PAGE_SIZE} ids` }]);
      }
      countEmbeds(context, 'ids', ids.length);
      return findEmbeds(accountId, ids, context);
    },
  }),
);

builder.queryField('embed', (t) =>
  t.field({
    type: EmbedType,
    nullable: true,
    description: 'The embed with this id; null when there is none or it belongs to another account.',
    args: { id: t.arg.id({ required: true, description: 'The id of the embed.' }) },
    resolve: async (_root, { id }, context) => {
      const accountId = requireScope(context.identity, 'read');
      countEmbeds(context, 'id', 1);
      const embed = isEmbedId(id) ? await context.embeds.find(accountId, id) : null;
      if (embed) context.readVersions?.set(embed.id, embed.version);
      return embed;
    },
  }),
);

export const EmbedEdgeType = builder.edgeObject({
  type: EmbedType,
  name: 'EmbedEdge',
  description: 'An embed and its position in the list.',
});
