import { ALL_FIELDS } from '../../domain/embed/fields.ts';
import { spellName, spellValue, withRestNames } from '../../domain/input/parameters.ts';
import { type AuditEventPartsFragment, ListAuditEventsDocument } from '../../generated/operations.ts';
import { prepareOperation } from '../../graphql/execution/run-operation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, connectionReply } from './embeds.ts';

const LIST_AUDIT_EVENTS = prepareOperation(ListAuditEventsDocument);

/** `GET /v1/audit` */
export async function listAuditEvents({ run, variables, url }: Call): Promise<Reply> {
  return connectionReply(url, 'events', (await run(LIST_AUDIT_EVENTS, variables)).auditEvents, eventToRest);
}

function eventToRest(event: AuditEventPartsFragment) {
  const changes = event.changes?.map(changeToRest) ?? null;
  return withRestNames({ ...event, action: spellValue(event.action, 'rest'), changes });
}

/** Writes the name of the field, and values of enums, as REST spells them. */
function changeToRest({ field, before, after }: NonNullable<AuditEventPartsFragment['changes']>[number]) {
  const isEnum = ALL_FIELDS.some(({ name, values }) => name === field && values);
  const spell = (value: string | null) => (isEnum && value !== null ? spellValue(value, 'rest') : value);
  return { field: spellName(field), before: spell(before), after: spell(after) };
}
