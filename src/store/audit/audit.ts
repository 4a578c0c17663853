import { appendFileSync } from 'node:fs';
import type { Durability } from '../../config.ts';
import type { FieldChange } from '../../domain/embed/field-changes.ts';
import type { Token } from '../../domain/identity/token.ts';
import type { auditFactsOf } from '../../domain/webhook.ts';
import type { Log } from '../../log.ts';
import type { AuditEventStore } from './audit-events.ts';

interface Actor {
  /** `token:<id>`, `cli:<user>` or `start`. */
  readonly by: string;
  readonly requestId?: string;
}

/** A change, as the code that made it reports it. Records contain ids of tokens, never the tokens. */
export type AuditRecord =
  | ({ readonly event: 'token.created' } & Actor & Pick<Token, 'accountId' | 'name' | 'scopes' | 'expiresAt'> & TokenId)
  | ({ readonly event: 'token.revoked' } & Actor & Pick<Token, 'accountId' | 'name'> & TokenId)
  | ({ readonly event: 'embed.deleted' } & Actor & EmbedId)
  | ({ readonly event: 'embed.updated'; readonly title: string; readonly changes: readonly FieldChange[] } & Actor &
      EmbedId)
  | ({ readonly event: 'embeds.updated'; readonly changes: readonly FieldChange[]; readonly isUndo: boolean } & Actor &
      SeveralEmbeds)
  | ({ readonly event: 'embeds.deleted' } & Actor & SeveralEmbeds)
  | ({ readonly event: 'embed.created' } & Actor & EmbedId)
  | ({
      readonly event: 'account.updated';
      readonly accountId: string;
      readonly changes: readonly FieldChange[];
    } & Actor)
  | ({ readonly event: WebhookAuditEvent } & Actor & ReturnType<typeof auditFactsOf>);

const WEBHOOK_ACTIONS = {
  'webhook.created': 'WEBHOOK_CREATED',
  'webhook.updated': 'WEBHOOK_UPDATED',
  'webhook.deleted': 'WEBHOOK_DELETED',
  'webhook.secret_rotated': 'WEBHOOK_SECRET_ROTATED',
} as const;

export type WebhookAuditEvent = keyof typeof WEBHOOK_ACTIONS;

interface TokenId {
  readonly tokenId: string;
}

interface EmbedId {
  readonly accountId: string;
  readonly embedId: string;
}

interface SeveralEmbeds {
  readonly accountId: string;
  readonly embedIds: readonly string[];
  /** In JSON; null if the client named the embeds by their ids. */
  readonly filter: string | null;
}

export interface Audit {
  /** Appends a line. Never throws, because the change is already committed: a failed write goes to the log. */
  record(event: AuditRecord): void;
}

/**
 * Also adds each event to the table that the APIs read. Creates and updates of embeds are only there: a line for each
 * would sync the disk once more.
 */
export function withAuditEvents(audit: Audit, events: Omit<AuditEventStore, 'findPage' | 'count' | 'close'>): Audit {
  return {
    record(event) {
      const { accountId, by: actor } = event;
      switch (event.event) {
        case 'embed.created':
          return events.addCreated(accountId, actor, event.embedId);
        case 'embed.updated':
          return events.add({
            accountId,
            actor,
            action: 'EMBED_UPDATED',
            subjectId: event.embedId,
            subjectName: event.title,
            changes: event.changes,
          });
        case 'embeds.updated': {
          const { filter: subjectName, embedIds, changes, isUndo } = event;
          const updated = {
            accountId,
            actor,
            action: 'EMBEDS_UPDATED',
            subjectId: null,
            subjectName,
            changes,
          } as const;
          return events.addCounted(updated, embedIds.length, isUndo);
        }
        case 'embeds.deleted': {
          const { filter: subjectName, embedIds } = event;
          const deleted = {
            accountId,
            actor,
            action: 'EMBEDS_DELETED',
            subjectId: null,
            subjectName,
            changes: null,
          } as const;
          events.addCounted(deleted, embedIds.length, false);
          break;
        }
        case 'embed.deleted':
          events.add({
            accountId,
            actor,
            action: 'EMBED_DELETED',
            subjectId: event.embedId,
            subjectName: null,
            changes: null,
          });
          break;
        case 'account.updated':
          events.add({
            accountId,
            actor,
            action: 'ACCOUNT_UPDATED',
            subjectId: null,
            subjectName: null,
            changes: event.changes,
          });
          break;
        case 'webhook.created':
        case 'webhook.updated':
        case 'webhook.deleted':
        case 'webhook.secret_rotated': {
          const action = WEBHOOK_ACTIONS[event.event];
          const { webhookId: subjectId, name: subjectName, changes = null } = event;
          events.add({ accountId, actor, action, subjectId, subjectName, changes });
          break;
        }
        default: {
          const action = event.event === 'token.created' ? 'TOKEN_CREATED' : 'TOKEN_REVOKED';
          events.add({ accountId, actor, action, subjectId: event.tokenId, subjectName: event.name, changes: null });
        }
      }
      audit.record(event);
    },
  };
}

const OWNER_ONLY = 0o600;

/** A file beside the database, so that neither a restore nor a deleted row removes lines. Each line opens it, so it can be rotated. */
export function openAudit(databaseFile: string, durability: Durability, log: Log): Audit {
  const file = `${databaseFile}.audit.jsonl`;
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
