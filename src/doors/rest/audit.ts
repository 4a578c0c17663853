import { spellValue } from '../../domain/embed/input-reader.ts';
import { type AuditEventPartsFragment, ListAuditEventsDocument } from '../../generated/operations.ts';
import { prepareOperation } from '../../graphql/execution/run-operation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, listReply } from './embeds.ts';

const LIST_AUDIT_EVENTS = prepareOperation(ListAuditEventsDocument);

/** `GET /v1/audit` */
export async function listAuditEvents({ run, variables, url }: Call): Promise<Reply> {
  const { auditEvents } = await run(LIST_AUDIT_EVENTS, variables);
  const { nodes, pageInfo, totalCount } = auditEvents;
  const page = { pageInfo, total: { total_count: totalCount } };
  return listReply(url, { events: nodes.map(eventToRest) }, page, { 'cache-control': 'no-store' });
}

function eventToRest(event: AuditEventPartsFragment) {
  return {
    id: event.id,
    at: event.at,
    action: spellValue(event.action, 'rest'),
    actor: event.actor,
    actor_token_id: event.actorTokenId,
    subject_id: event.subjectId,
    subject_name: event.subjectName,
    count: event.count,
  };
}
