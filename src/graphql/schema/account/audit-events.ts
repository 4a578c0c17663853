import { AUDIT_EVENT_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { FieldChange } from '../../../domain/embed/field-changes.ts';
import { timeOfId } from '../../../domain/embed/id.ts';
import {
  AUDIT_ACTIONS,
  AUDIT_LIST_PARAMETERS,
  type AuditEvent,
  actorTokenIdOf,
  describeActor,
} from '../../../domain/identity/audit-event.ts';
import { builder } from '../builder.ts';
import { addAdminList } from '../cursor-lists.ts';
import { defineEnum, shownFields } from '../fields.ts';

/** An event, and the name of the token that acted; null for the operator's, which has none. */
interface NamedEvent extends AuditEvent {
  readonly actorName: string | null;
}

const AuditActionType = defineEnum('AuditAction', 'The kind of a change in the account.', AUDIT_ACTIONS);

const AuditChangeType = builder.objectRef<FieldChange>('AuditChange').implement({
  description: AUDIT_EVENT_DESCRIPTIONS.change,
  fields: (t) => shownFields(t, AUDIT_EVENT_DESCRIPTIONS, { field: 'String', before: 'String?', after: 'String?' }),
});

const AuditEventType = builder.objectRef<NamedEvent>('AuditEvent').implement({
  description: AUDIT_EVENT_DESCRIPTIONS.object,
  fields: (t) => ({
    id: t.exposeID('id', { description: AUDIT_EVENT_DESCRIPTIONS.id }),
    at: t.field({ type: 'DateTime', description: AUDIT_EVENT_DESCRIPTIONS.at, resolve: ({ id }) => timeOfId(id) }),
    action: t.expose('action', { type: AuditActionType, description: 'What happened.' }),
    actor: t.string({
      description: AUDIT_EVENT_DESCRIPTIONS.actor,
      resolve: (event) => describeActor(event, event.actorName),
    }),
    actorTokenId: t.id({
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.actorTokenId,
      resolve: actorTokenIdOf,
    }),
    ...shownFields(t, AUDIT_EVENT_DESCRIPTIONS, { subjectId: 'ID?', subjectName: 'String?', count: 'Int' }),
    changes: t.expose('changes', {
      type: [AuditChangeType],
      nullable: true,
      description: AUDIT_EVENT_DESCRIPTIONS.changes,
    }),
  }),
});

addAdminList('auditEvents', {
  type: AuditEventType,
  noun: 'an audit event',
  description:
    'The changes in the account, newest first: those of the last 90 days, and about 10,000 at most. After a crash, those of its last second can be missing.',
  totalDescription: AUDIT_EVENT_DESCRIPTIONS.totalCount,
  parameters: AUDIT_LIST_PARAMETERS,
  count: ({ auditEvents }, accountId) => auditEvents.count(accountId),
  async findPage({ auditEvents, tokens }, accountId, paging) {
    const { rows, ...page } = await auditEvents.findPage(accountId, paging);
    const named = rows.map(async (event) => {
      const tokenId = actorTokenIdOf(event);
      const token = tokenId === null ? null : await tokens.find(accountId, tokenId);
      return { ...event, actorName: token?.name ?? null };
    });
    return { ...page, rows: await Promise.all(named) };
  },
});
