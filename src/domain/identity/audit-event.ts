import type { FieldChange } from '../embed/field-changes.ts';
import { isEmbedId } from '../embed/id.ts';
import { textCheck } from '../input/parameters.ts';
import { cursorParameters } from './cursor-paging.ts';

/** The actions of audit events, with descriptions. */
export const AUDIT_ACTIONS = {
  EMBEDS_CREATED:
    'A token created embeds: `count` in one minute, the first of which is the subject. The minute begins with the event.',
  EMBEDS_IMPORTED: 'The command line imported `count` embeds.',
  EMBED_UPDATED: 'The settings or the source page of an embed changed. The name is its title after the update.',
  EMBED_DELETED: 'An embed was deleted.',
  EMBEDS_UPDATED:
    'A token changed `count` embeds by `updateEmbeds`. Calls with the same values and filter, each within a minute of the one before, are one event. So are calls with `undo`, whose values are all in `changes`. The name is the filter in JSON; null if the embeds were named by their ids.',
  EMBEDS_DELETED: 'A token deleted `count` embeds by `deleteEmbeds`, with the same rules as for `EMBEDS_UPDATED`.',
  ACCOUNT_UPDATED: 'The settings of the account changed.',
  TOKEN_CREATED: 'A token was created.',
  TOKEN_REVOKED: 'A token was revoked.',
  WEBHOOK_CREATED: 'A webhook was created. The name is the host of its URL.',
  WEBHOOK_UPDATED:
    'The URL or the events of a webhook changed, or it was enabled or disabled by a client. Of URLs, `changes` has the hosts.',
  WEBHOOK_DELETED: 'A webhook was deleted.',
  WEBHOOK_SECRET_ROTATED: 'A webhook got a new secret.',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, text);
}

/** A change in an account. */
export interface AuditEvent {
  /** A ULID, ordered by time. */
  readonly id: string;
  readonly action: AuditAction;
  /** `token:<id>`, `person:<name>`, `cli`, `cli:<user>`, or `start` for the token of the first start. */
  readonly actor: string;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** Number of embeds; 1 unless the action is about several. */
  readonly count: number;
  /** The changed fields of updates; null for other events, and those of earlier releases. */
  readonly changes: readonly FieldChange[] | null;
}

const TOKEN_ACTOR = /^token:(.+)$/;
const PERSON_ACTOR = /^person:(.+)$/;

/** Returns the id of the token that acted; null for a person, the command line and the first start. */
export function actorTokenIdOf({ actor }: AuditEvent): string | null {
  return TOKEN_ACTOR.exec(actor)?.[1] ?? null;
}

/** @param name of the token that acted; null for `ACCESS_TOKEN`, which has none */
export function describeActor(event: AuditEvent, name: string | null): string {
  const tokenId = actorTokenIdOf(event);
  if (tokenId !== null) return name ?? tokenId;
  const person = PERSON_ACTOR.exec(event.actor)?.[1];
  if (person !== undefined) return person;
  return event.actor === 'start' ? 'first start' : 'command line';
}

/** The cursor stays valid when its event is removed. */
export const AUDIT_LIST_PARAMETERS = cursorParameters(textCheck(isEmbedId, 'must be the id of an audit event'));
