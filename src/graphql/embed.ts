import { requireScope } from '../domain/account.ts';
import {
  applyPatch,
  createEmbed,
  DEFAULT_FONT,
  DEFAULT_MODE,
  DEFAULT_SHOW_TOP_BAR,
  EMBED_MODES,
  type Embed,
  embedUrlOf,
  type Patch,
  parseDraft,
  parsePatch,
  parseTarget,
  requireEmbedId,
} from '../domain/embed.ts';
import { isEmbedId } from '../domain/embed-id.ts';
import { fingerprintOf, parseIdempotencyKey } from '../domain/idempotency.ts';
import { MAX_PAGE_SIZE } from '../domain/paging.ts';
import { refuseFaults } from '../errors.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import type { Context } from './context.ts';
import { countEmbeds } from './limits.ts';
import { findTitle } from './titles.ts';

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

const createRule: ArgumentsRule = ({ input }, pagePolicy) => void parseDraft(input, pagePolicy);

builder.relayMutationField(
  'createEmbed',
  {
    description: 'The source page and the settings of a new embed.',
    inputFields: (t) => ({
      pageUrl: t.field({
        type: 'URL',
        required: true,
        description: 'The URL of the page: absolute, http or https, at most 2,048 characters, on a public host.',
      }),
      mode: t.field({
        type: EmbedModeType,
        required: true,
        defaultValue: DEFAULT_MODE,
        description: 'The colour mode.',
      }),
      font: t.string({
        required: true,
        defaultValue: DEFAULT_FONT,
        description: '`default` or a font family: 1 to 64 letters, digits, spaces and hyphens.',
      }),
      showTopBar: t.boolean({
        required: true,
        defaultValue: DEFAULT_SHOW_TOP_BAR,
        description: 'Whether the top bar is shown. Always on in the mode `USER_DEFINED`.',
      }),
    }),
  },
  {
    description: 'Creates an embed of a public page. Fails with `BAD_USER_INPUT`, with all faults at once.',
    extensions: { rule: createRule },
    resolve: async (_root, { input }, context, info) => {
      const accountId = requireScope(context.identity, 'write');
      const draft = parseDraft(input, context.pagePolicy);
      const key = parseIdempotencyKey(context.idempotencyKey);
      const embed = createEmbed(context.newEmbedIdentity(), accountId, draft);
      const complete = draft.title === null ? (made: Embed) => withPageTitle(made, context) : null;
      if (key === null) return context.embeds.insert((await complete?.(embed)) ?? embed);
      // creates of one request are told apart by their alias
      const once = { key: `${info.path.key}:${key}`, fingerprint: fingerprintOf(draft), complete };
      return context.embeds.insert(embed, once);
    },
  },
  {
    description: 'The new embed.',
    outputFields: (t) => ({
      embed: t.field({ type: EmbedType, description: 'The new embed.', resolve: (embed) => embed }),
      embedEdge: t.field({
        type: EmbedEdgeType,
        description: "The new embed as an edge, for the head of the list (Relay's `@prependEdge`).",
        resolve: (embed) => ({ cursor: embed.id, node: embed }),
      }),
    }),
  },
);

const updateRule: ArgumentsRule = ({ input }, pagePolicy) => void parsePatch(input, pagePolicy);

builder.relayMutationField(
  'updateEmbed',
  {
    description: 'What to change of an embed. What is omitted keeps its value; null is an error.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The id of the embed.' }),
      pageUrl: t.field({
        type: 'URL',
        required: false,
        description: 'The URL of a new source page; `pageId` and `embedUrl` follow it.',
      }),
      pageId: t.field({
        type: 'UUID',
        required: false,
        description: "The id of a new source page: replaces the id in the page's URL, where it carries one.",
      }),
      mode: t.field({ type: EmbedModeType, required: false, description: 'The colour mode.' }),
      font: t.string({
        required: false,
        description: '`default` or a font family: 1 to 64 letters, digits, spaces and hyphens.',
      }),
      showTopBar: t.boolean({
        required: false,
        description: 'Whether the top bar is shown. Always on in the mode `USER_DEFINED`.',
      }),
    }),
  },
  {
    description: 'Changes an embed. Fails with `NOT_FOUND`, or with `BAD_USER_INPUT` and all faults at once.',
    extensions: { rule: updateRule },
    resolve: async (_root, { input }, context) => {
      const accountId = requireScope(context.identity, 'write');
      const patch = await withTitle(parsePatch(input, context.pagePolicy), context);
      const id = requireEmbedId(input.id);
      return context.embeds.update(accountId, id, (embed) => applyPatch(embed, patch), expectedVersion(context, id));
    },
  },
  {
    description: 'The embed as it is now.',
    outputFields: (t) => ({
      embed: t.field({ type: EmbedType, description: 'The embed as it is now.', resolve: (embed) => embed }),
    }),
  },
);

const deleteRule: ArgumentsRule = ({ input }) => void parseTarget(input);

builder.relayMutationField(
  'deleteEmbed',
  {
    description: 'Which embed to delete.',
    inputFields: (t) => ({ id: t.id({ required: true, description: 'The id of the embed.' }) }),
  },
  {
    description: 'Deletes an embed for ever. Fails with `NOT_FOUND`.',
    extensions: { rule: deleteRule },
    resolve: async (_root, { input }, context) => {
      const accountId = requireScope(context.identity, 'write');
      const id = requireEmbedId(parseTarget(input));
      await context.embeds.delete(accountId, id, expectedVersion(context, id));
      const { audit, identity, requestId } = context;
      audit.record({ event: 'embed.deleted', accountId, embedId: id, by: `token:${identity.tokenId}`, requestId });
      return { id };
    },
  },
  {
    description: 'The confirmation that the embed is gone.',
    outputFields: (t) => ({
      deletedEmbedId: t.id({
        description: "The id of the embed that was deleted (Relay's `@deleteEdge`).",
        resolve: ({ id }) => id,
      }),
      message: t.string({
        description: 'A sentence that says so.',
        resolve: ({ id }) => `The embed ${id} was deleted successfully.`,
      }),
    }),
  },
);

/** The embed with the title that its page gives itself, where it can be had. */
async function withPageTitle(embed: Embed, context: Context): Promise<Embed> {
  const title = await findTitle(context, embed.pageUrl);
  return title === null ? embed : { ...embed, title };
}

/** The patch with the title of its new page, where the URL carries none. */
async function withTitle(patch: Patch, context: Context): Promise<Patch> {
  const { source } = patch;
  if (!source || source.title !== null) return patch;
  return { ...patch, source: { ...source, title: await findTitle(context, source.pageUrl) } };
}

/** The version over which a write must be, when the request asked for that; see `readVersions`. */
function expectedVersion(context: Context, id: string): number | undefined {
  return context.readVersions?.get(id);
}
