import { AUDIT_EVENT_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { FieldChange } from '../../../domain/embed/field-changes.ts';
import { timeOfId } from '../../../domain/embed/id.ts';
import { requireScope } from '../../../domain/identity/account.ts';
import {
  AUDIT_ACTIONS,
  type AuditEvent,
  actorTokenIdOf,
  describeActor,
  parseAuditPaging,
} from '../../../domain/identity/audit-event.ts';
import { countLists } from '../../execution/request-budget.ts';
import { type ArgumentsRule, builder } from '../builder.ts';
import { defineEnum } from '../fields.ts';
import { cursorConnectionOf } from '../page-info.ts';

/** An event, and the name of the token that acted; null for the operator's, which has none. */
interface NamedEvent extends AuditEvent {
  readonly actorName: string | null;
}

const listRule: ArgumentsRule = (args, pagePolicy) => void parseAuditPaging(args, pagePolicy);

const AuditActionType = defineEnum('AuditAction', 'The kind of a change in the account.', AUDIT_ACTIONS);

const AuditChangeType = builder.objectRef<FieldChange>('AuditChange').implement({
  description: AUDIT_EVENT_DESCRIPTIONS.change,
  fields: (t) => ({
    field: t.exposeString('field', { description: AUDIT_EVENT_DESCRIPTIONS.field }),
    before: t.exposeString('before', { nullable: true, description: AUDIT_EVENT_DESCRIPTIONS.before }),
    after: t.exposeString('after', { nullable: true, description: AUDIT_EVENT_DESCRIPTIONS.after }),
  }),
});

const AuditEventType = builder.objectRef<NamedEvent>('AuditEvent').implement({
  description: AUDIT_EVENT_DESCRIPTIONS.object,
  fields: (t) => ({
    id: t.id({
      description: AUDIT_EVENT_DESCRIPTIONS.id,
      resolve: ({ id }) => id,
    }),
    at: t.field({ type: 'DateTime', description: AUDIT_EVENT_DESCRIPTIONS.at, resolve: ({ id }) => timeOfId(id) }),
    action: t.field({ type: AuditActionType, description: 'What happened.', resolve: ({ action }) => action }),
    actor: t.string({
      description: AUDIT_EVENT_DESCRIPTIONS.actor,
      resolve: (event) => describeActor(event, event.actorName),
    }),
    actorTokenId: t.id({
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.actorTokenId,
      resolve: actorTokenIdOf,
    }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.subjectId,
    }),
    subjectName: t.exposeString('subjectName', {
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.subjectName,
    }),
    count: t.exposeInt('count', { description: AUDIT_EVENT_DESCRIPTIONS.count }),
    changes: t.field({
      type: [AuditChangeType],
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.changes,
      resolve: ({ changes }) => changes,
    }),
  }),
});

const AuditEventConnectionType = builder.connectionObject(
  {
    type: AuditEventType,
    name: 'AuditEventConnection',
    description: 'A page of audit events.',
    fields: (t) => ({
      totalCount: t.int({
        description: AUDIT_EVENT_DESCRIPTIONS.totalCount,
        resolve: (_connection, _args, { auditEvents, identity }) => auditEvents.count(identity.accountId),
      }),
    }),
  },
  { name: 'AuditEventEdge', description: 'An audit event and its position in the list.' },
);

builder.queryField('auditEvents', (t) =>
  t.field({
    type: AuditEventConnectionType,
    description:
      'The changes in the account, newest first: those of the last 90 days, and about 10,000 at most. After a crash, those of its last second can be missing. Needs the scope `admin`.',
    args: {
      first: t.arg.int({ description: 'The number of events: 1 to 100, 10 if omitted.' }),
      after: t.arg.string({ description: 'Only events after this cursor: older ones.' }),
    },
    extensions: { rule: listRule, scope: 'admin' },
    resolve: async (_root, args, context, info) => {
      const accountId = requireScope(context.identity, 'admin');
      const paging = parseAuditPaging(args, context.pagePolicy);
      context.budget.spend('nodes', 'first', paging.size * countLists(info));
      const { events, isCut, hasNewer } = await context.auditEvents.findPage(accountId, paging);
      const tokenIds = new Set(events.map(actorTokenIdOf).filter((id) => id !== null));
      const tokens = await context.tokens.findMany(accountId, [...tokenIds]);
      const names = new Map(tokens.map(({ id, name }) => [id, name]));
      const named = events.map((event) => ({ ...event, actorName: names.get(actorTokenIdOf(event) ?? '') ?? null }));
      return cursorConnectionOf(named, { isCut, hasNewer });
    },
  }),
);
