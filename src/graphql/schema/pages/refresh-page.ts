import { embedNotFound, requireEmbedId } from '../../../domain/embed/embed.ts';
import { parseRefresh } from '../../../domain/embed/input.ts';
import { builder, mutationOf } from '../builder.ts';
import { EmbedType } from '../embed.ts';
import { payloadOf } from '../fields.ts';

/** One request waits this long for pages, in all its refreshes together. */
const REFRESHES_TIMEOUT_MS = 5_000;

builder.relayMutationField(
  'refreshPage',
  {
    description: 'The embed whose page to fetch.',
    inputFields: (t) => ({ embedId: t.id({ required: true, description: 'The id of the embed.' }) }),
  },
  {
    description:
      'Fetches the source page of an embed now, and waits up to 5 s for the result; after that, `page` has what is known. Fails with `NOT_FOUND`, or with `RATE_LIMITED` within 10 s of the previous refresh of the embed: `extensions.retry_after` then has the seconds to wait.',
    ...mutationOf({ scopes: ['write'], parse: parseRefresh }, async (target, context) => {
      const embed = await context.embeds.find(context.identity.accountId, requireEmbedId(target));
      if (!embed) throw embedNotFound();
      const remainingMs = context.startedAt + REFRESHES_TIMEOUT_MS - performance.now();
      await context.pages.refresh(embed, Math.max(0, remainingMs));
      return embed;
    }),
  },
  payloadOf(
    'embed',
    EmbedType,
    'The embed with its refreshed page.',
    'The embed. It has not changed, except for its `page`.',
  ),
);
