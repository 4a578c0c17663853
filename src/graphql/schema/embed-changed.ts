import { EMBED_CHANGE_KINDS, type EmbedChange } from '../../domain/embed/embed.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { builder } from './builder.ts';
import { EmbedType } from './embed.ts';

const KIND_DESCRIPTIONS: Record<EmbedChange['kind'], string> = {
  CREATED: 'The embed was created.',
  UPDATED: 'The embed was updated.',
  DELETED: 'The embed was deleted.',
};

const EmbedChangeKindType = builder.enumType('EmbedChangeKind', {
  description: 'What can happen to an embed.',
  values: Object.fromEntries(
    EMBED_CHANGE_KINDS.map((kind) => [kind, { description: KIND_DESCRIPTIONS[kind] }]),
  ) as Record<EmbedChange['kind'], { description: string }>,
});

const EmbedChangedType = builder.objectRef<EmbedChange>('EmbedChanged').implement({
  description: 'Something that happened to an embed.',
  fields: (t) => ({
    kind: t.expose('kind', { type: EmbedChangeKindType, description: 'What happened.' }),
    embedId: t.exposeID('embedId', { description: 'The id of the embed that it happened to.' }),
    embed: t.field({
      type: EmbedType,
      nullable: true,
      description:
        'The embed as it is when this is sent, so it may already bear later changes; null when it is deleted by then.',
      resolve: ({ kind, accountId, embedId }, _args, context) =>
        kind === 'DELETED' ? null : context.embeds.find(accountId, embedId),
    }),
  }),
});

builder.subscriptionField('embedChanged', (t) =>
  t.field({
    type: EmbedChangedType,
    description:
      "Each change of the account's embeds, whoever makes it, from when the stream begins on. Subscribe first and then read, so that nothing comes in between. A stream ends with an error when changes may have been missed (`SERVICE_UNAVAILABLE`) or the token is no longer good (`UNAUTHENTICATED`).",
    subscribe: (_root, _args, { identity, changes }) => changes.follow(requireScope(identity, 'read')),
    resolve: (change) => change,
  }),
);
