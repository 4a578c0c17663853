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
  description: 'The kind of a change.',
  values: Object.fromEntries(
    EMBED_CHANGE_KINDS.map((kind) => [kind, { description: KIND_DESCRIPTIONS[kind] }]),
  ) as Record<EmbedChange['kind'], { description: string }>,
});

const EmbedChangedType = builder.objectRef<EmbedChange>('EmbedChanged').implement({
  description: 'A change of an embed.',
  fields: (t) => ({
    kind: t.expose('kind', { type: EmbedChangeKindType, description: 'The kind of the change.' }),
    embedId: t.exposeID('embedId', { description: 'The id of the changed embed.' }),
    embed: t.field({
      type: EmbedType,
      nullable: true,
      description:
        'The embed at the time of sending, so it can already include later changes. Null if it no longer exists.',
      resolve: ({ kind, accountId, embedId }, _args, context) =>
        kind === 'DELETED' ? null : context.embeds.find(accountId, embedId),
    }),
  }),
});

builder.subscriptionField('embedChanged', (t) =>
  t.field({
    type: EmbedChangedType,
    description:
      "All changes of the account's embeds, by any client, from the start of the stream, or after the change whose event id the header `Last-Event-ID` contains. Subscribe first and then read, so that no change is missed. A stream ends with an error if changes may have been lost (`SERVICE_UNAVAILABLE`), or if the token has expired or was revoked (`UNAUTHENTICATED`).",
    subscribe: (_root, _args, { identity, changes, lastEventId }) =>
      changes.follow(requireScope(identity, 'read'), lastEventId),
    resolve: (change) => change,
  }),
);
