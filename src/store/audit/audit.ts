import { appendFileSync } from 'node:fs';
import type { Durability } from '../../config.ts';
import type { FieldChange } from '../../domain/embed/field-changes.ts';
import type { AuditAction, AuditEvent } from '../../domain/identity/audit-event.ts';
import type { Token } from '../../domain/identity/token.ts';
import type { auditFactsOf } from '../../domain/webhook.ts';
import type { Log } from '../../log.ts';
import type { AuditEventStore } from './audit-events.ts';

interface Actor {
  readonly accountId: string;
  /** `token:<id>`, `cli:<user>` or `start`. */
  readonly by: string;
  readonly requestId?: string;
}

/** A change, as the code that made it reports it. Records contain ids of tokens, never the tokens. */
export type AuditRecord = Actor & AuditFacts;

export type AuditFacts =
  | ({ readonly event: 'token.created'; readonly tokenId: string } & Pick<Token, 'name' | 'scopes' | 'expiresAt'>)
  | { readonly event: 'token.revoked'; readonly tokenId: string; readonly name: string }
  | { readonly event: 'embed.created' | 'embed.deleted'; readonly embedId: string }
  | { readonly event: 'embed.updated'; readonly embedId: string; readonly title: string; readonly changes: Changes }
  | ({ readonly event: 'embeds.updated'; readonly changes: Changes; readonly isUndo: boolean } & SeveralEmbeds)
  | ({ readonly event: 'embeds.deleted' } & SeveralEmbeds)
  | { readonly event: 'account.updated'; readonly changes: Changes }
  | ({ readonly event: WebhookAuditEvent } & ReturnType<typeof auditFactsOf>);

type Changes = readonly FieldChange[];

interface SeveralEmbeds {
  readonly embedIds: readonly string[];
  /** In JSON; null if the client named the embeds by their ids. */
  readonly filter: string | null;
}

export type WebhookAuditEvent = `webhook.${'created' | 'updated' | 'deleted' | 'secret_rotated'}`;

export interface Audit {
  /** Appends a line. Never throws, because the change is already committed: a failed write goes to the log. */
  record(event: AuditRecord): void;
}

/**
 * Also adds each event to the table that the APIs read. Ignores updates that changed nothing. Creates and updates of embeds
 * are only in the table: a line for each would sync the disk once more.
 */
export function withAuditEvents(audit: Audit, events: Omit<AuditEventStore, 'findPage' | 'count' | 'close'>): Audit {
  return {
    record(event) {
      const { accountId, by: actor } = event;
      const changes = 'changes' in event ? (event.changes ?? null) : null;
      if (changes?.length === 0) return;
      if (event.event === 'embed.created') return events.addCreated(accountId, actor, event.embedId);
      const action = event.event.toUpperCase().replace('.', '_') as AuditAction;
      const added = { accountId, actor, action, ...subjectOf(event), changes };
      if ('embedIds' in event) events.addCounted(added, event.embedIds.length, 'isUndo' in event && event.isUndo);
      else events.add(added);
      if (event.event !== 'embed.updated' && event.event !== 'embeds.updated') audit.record(event);
    },
  };
}

function subjectOf(facts: AuditFacts): Pick<AuditEvent, 'subjectId' | 'subjectName'> {
  if ('embedIds' in facts) return { subjectId: null, subjectName: facts.filter };
  if ('embedId' in facts) return { subjectId: facts.embedId, subjectName: 'title' in facts ? facts.title : null };
  if ('tokenId' in facts) return { subjectId: facts.tokenId, subjectName: facts.name };
  if ('webhookId' in facts) return { subjectId: facts.webhookId, subjectName: facts.name };
  return { subjectId: null, subjectName: null };
}

const OWNER_ONLY = 0o600;

export const auditFileOf = (databaseFile: string) => `${databaseFile}.audit.jsonl`;

/** A file beside the database, so that neither a restore nor a deleted row removes lines. Each line opens it, so it can be rotated. */
export function openAudit(databaseFile: string, durability: Durability, log: Log): Audit {
  const file = auditFileOf(databaseFile);
  return {
    record(event) {
      const line = `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`;
      try {
        appendFileSync(file, line, { mode: OWNER_ONLY, flush: durability === 'full' });
      } catch (error) {
        log.error({ ...event, file, reason: (error as Error).message }, 'an audit line could not be written');
      }
    },
  };
}

export function openLogAudit(log: Pick<Log, 'info'>): Audit {
  return { record: (event) => log.info(event, 'audit') };
}
