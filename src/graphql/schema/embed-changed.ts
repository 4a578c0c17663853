import { CHANGE_KINDS, CHANGE_LIST_PARAMETERS } from '../../domain/embed-change.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { eventIdOf, type FeedChange } from '../../store/changes/feed.ts';
import { builder } from './builder.ts';
import { cursorListOf } from './cursor-lists.ts';
import { EmbedType } from './embed.ts';
import { defineEnum } from './fields.ts';

const EmbedChangeKindType = defineEnum('EmbedChangeKind', 'The kind of a change.', CHANGE_KINDS);

const EmbedChangedType = builder.objectRef<FeedChange>('EmbedChanged').implement({
  description: 'A change of an embed.',
  fields: (t) => ({
    kind: t.expose('kind', { type: EmbedChangeKindType, description: 'The kind of the change.' }),
    embedId: t.exposeID('embedId', { description: 'The id of the changed embed.' }),
    at: t.expose('at', { type: 'DateTime', description: 'The time of the change, by the clock of the database.' }),
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

const ChangeConnectionType = builder.connectionObject(
  { type: EmbedChangedType, name: 'ChangeConnection', description: 'A page of changes.' },
  { name: 'ChangeEdge', description: 'A change and its position in the list.' },
);

const CHANGES = cursorListOf('changes', CHANGE_LIST_PARAMETERS);

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnectionType,
    description:
      "The changes of the account's embeds in the order of their commits, oldest first. `endCursor` is never null: send it as `after` to get the changes that follow, also if the page is empty. Fails with `GONE` if changes after the cursor are not kept any more.",
    args: {
      ...CHANGES.args(t.arg),
      after: t.arg.string({
        description:
          'Only changes after this cursor, or after the event of a stream with this id. Without it, the list begins with the oldest change that is kept.',
      }),
    },
    extensions: { rule: CHANGES.rule },
    resolve: async (_root, args, context, info) => {
      const accountId = requireScope(context.identity, 'read');
      const paging = CHANGES.readPaging(args, context, info);
      const { changes, isCut, hasOlder, end } = await context.changes.readPage(accountId, paging);
      const edges = changes.map((node) => ({ cursor: eventIdOf(node), node }));
      const pageInfo = {
        startCursor: edges[0]?.cursor ?? null,
        endCursor: eventIdOf(end),
        hasNextPage: isCut,
        hasPreviousPage: hasOlder,
      };
      return { edges, pageInfo };
    },
  }),
);

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
