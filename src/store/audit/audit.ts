import { appendFileSync } from 'node:fs';
import type { Durability } from '../../config.ts';
import type { FieldChange } from '../../domain/embed/field-changes.ts';
import type { Token } from '../../domain/identity/token.ts';
import type { auditFactsOf } from '../../domain/webhook.ts';
import type { Log } from '../../log.ts';
import { type AuditEventStore, NO_SUBJECT } from './audit-events.ts';

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

const ACTIONS = {
  'token.created': 'TOKEN_CREATED',
  'token.revoked': 'TOKEN_REVOKED',
  'webhook.created': 'WEBHOOK_CREATED',
  'webhook.updated': 'WEBHOOK_UPDATED',
  'webhook.deleted': 'WEBHOOK_DELETED',
  'webhook.secret_rotated': 'WEBHOOK_SECRET_ROTATED',
} as const;

export type WebhookAuditEvent = Extract<keyof typeof ACTIONS, `webhook.${string}`>;

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
      if ('changes' in event && event.changes?.length === 0) return;
      const { accountId, by: actor } = event;
      const base = { ...NO_SUBJECT, accountId, actor };
      switch (event.event) {
        case 'embed.created':
          return events.addCreated(accountId, actor, event.embedId);
        case 'embed.updated': {
          const { embedId: subjectId, title: subjectName, changes } = event;
          return events.add({ ...base, action: 'EMBED_UPDATED', subjectId, subjectName, changes });
        }
        case 'embeds.updated': {
          const { filter: subjectName, embedIds, changes, isUndo } = event;
          return events.addCounted(
            { ...base, action: 'EMBEDS_UPDATED', subjectName, changes },
            embedIds.length,
            isUndo,
          );
        }
        case 'embeds.deleted': {
          const { filter: subjectName, embedIds } = event;
          events.addCounted({ ...base, action: 'EMBEDS_DELETED', subjectName }, embedIds.length, false);
          break;
        }
        case 'embed.deleted':
          events.add({ ...base, action: 'EMBED_DELETED', subjectId: event.embedId });
          break;
        case 'account.updated':
          events.add({ ...base, action: 'ACCOUNT_UPDATED', changes: event.changes });
          break;
        case 'token.created':
        case 'token.revoked':
          events.add({ ...base, action: ACTIONS[event.event], subjectId: event.tokenId, subjectName: event.name });
          break;
        default: {
          const { webhookId: subjectId, name: subjectName, changes = null } = event;
          events.add({ ...base, action: ACTIONS[event.event], subjectId, subjectName, changes });
        }
      }
      audit.record(event);
    },
  };
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
