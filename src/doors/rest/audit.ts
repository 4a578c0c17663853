import { ALL_FIELDS } from '../../domain/embed/fields.ts';
import { spellValue } from '../../domain/input/parameters.ts';
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
    changes: event.changes?.map(changeToRest) ?? null,
  };
}

/** Writes the name of the field, and values of enums, as REST spells them. */
function changeToRest({ field, before, after }: NonNullable<AuditEventPartsFragment['changes']>[number]) {
  const isEnum = ALL_FIELDS.some(({ name, values }) => name === field && values);
  const spell = (value: string | null) => (isEnum && value !== null ? spellValue(value, 'rest') : value);
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { field: name, before: spell(before), after: spell(after) };
}
