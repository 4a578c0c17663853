import { createEmbed, DEFAULT_FONT, DEFAULT_MODE, DEFAULT_SHOW_TOP_BAR, type Embed } from '../../domain/embed/embed.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/embed/idempotency.ts';
import { parseDraft } from '../../domain/embed/input.ts';
import { requireScope } from '../../domain/identity/account.ts';
import type { Context } from '../execution/context.ts';
import { type ArgumentsRule, builder } from './builder.ts';
import { EmbedEdgeType, EmbedModeType, EmbedType } from './embed.ts';
import { findTitle } from './page-title.ts';

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
      const { onReplay } = context;
      const once = { key: `${info.path.key}:${key}`, fingerprint: fingerprintOf(draft), complete, onReplay };
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

/** The embed with the title that its page gives itself, where it can be had. */
async function withPageTitle(embed: Embed, context: Context): Promise<Embed> {
  const title = await findTitle(context, embed.pageUrl);
  return title === null ? embed : { ...embed, title };
}
