import { ALL_FIELDS } from '../../domain/embed/fields.ts';
import { FILTER } from '../../domain/embed/listing.ts';
import { EMBED_SETTINGS, LOOK } from '../../domain/embed/settings.ts';
import { AUDIT_LIST_PARAMETERS } from '../../domain/identity/audit-event.ts';
import { namedEntries, spellName, spellValue, withRestNames } from '../../domain/input/parameters.ts';
import { type AuditEventPartsFragment, ListAuditEventsDocument } from '../../generated/operations.ts';
import { connectionReply } from './replies.ts';
import type { ResourceSpecs } from './resource.ts';

export const AUDIT_RESOURCES: ResourceSpecs = {
  '/v1/audit': {
    GET: {
      parameters: AUDIT_LIST_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'A page of audit events.', body: 'AuditEventList' },
      id: 'listAuditEvents',
      summary: 'List audit events',
      description:
        'The changes in the account, newest first: who did what, and when. Lists those of the last 90 days, and about 10,000 at most. After a crash, those of its last second can be missing. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
      handle: async ({ run, variables, url }) =>
        connectionReply(url, 'events', (await run(ListAuditEventsDocument, variables)).auditEvents, eventToRest),
    },
  },
};

/** The fields and settings of embeds, and filters, whose values are of an enum. */
const ENUMS = new Set(
  [...ALL_FIELDS, ...FILTER, ...EMBED_SETTINGS, ...namedEntries(LOOK)].flatMap(({ name, values }) =>
    values ? [name as string] : [],
  ),
);

/** Names and values in JSON. The value is matched only if it can be of an enum. Texts contain no quotation mark that is not escaped. */
const MEMBERS = /(?<=[{,])"(\w+)":("[A-Z_]+"|\[[^\]]*\])?/g;

function eventToRest(event: AuditEventPartsFragment) {
  const changes = event.changes?.map(changeToRest) ?? null;
  const hasFilter = event.action === 'EMBEDS_UPDATED' || event.action === 'EMBEDS_DELETED';
  const subjectName = hasFilter ? spellJson(event.subjectName) : event.subjectName;
  return withRestNames({ ...event, action: spellValue(event.action), subjectName, changes });
}

/** Writes the names of fields, and values of enums, as REST spells them. */
function changeToRest({ field, before, after }: NonNullable<AuditEventPartsFragment['changes']>[number]) {
  const spell = (value: string | null) => (field === 'look' ? spellJson(value) : spellIfEnum(field, value));
  return { field: spellName(field), before: spell(before), after: spell(after) };
}

/** @param text can be cut, so it is not parsed */
function spellJson(text: string | null): string | null {
  const spell = (_: string, name: string, value = '') => `"${spellName(name)}":${spellIfEnum(name, value)}`;
  return text?.replace(MEMBERS, spell) ?? null;
}

function spellIfEnum<Value extends string | null>(name: string, value: Value) {
  return value !== null && ENUMS.has(name) ? spellValue(value) : value;
}
