import { appendFileSync } from 'node:fs';
import type { Durability } from '../config.ts';
import type { Token } from '../domain/identity/token.ts';
import type { Log } from '../log.ts';

/** Who did it: `token:<id>`, `cli:<user>` or `start`; and in which request, where there was one. */
interface Deed {
  readonly by: string;
  readonly requestId?: string;
}

/** What is worth knowing after it cannot be seen any more. Never a token, only its id. */
export type AuditEvent =
  | ({ readonly event: 'token.created' } & Deed & Pick<Token, 'accountId' | 'name' | 'scopes' | 'expiresAt'> & TokenId)
  | ({ readonly event: 'token.revoked' } & Deed & Pick<Token, 'accountId'> & TokenId)
  | ({ readonly event: 'embed.deleted'; readonly accountId: string; readonly embedId: string } & Deed);

interface TokenId {
  readonly tokenId: string;
}

/** Lines that are only ever added to. */
export interface Audit {
  /** Adds a line. Never fails: the deed is done, so a line that cannot be written goes to the log. */
  record(event: AuditEvent): void;
}

/** Only its owner may read who did what. */
const MODE = 0o600;

/**
 * The audit of a SQLite file: a file beside it, so that neither a restore nor a deleted row takes lines back. The service and
 * the command line write it side by side. It is opened for each line, so that it may be moved away at any time.
 */
export function openAudit(databaseFile: string, durability: Durability, log: Log): Audit {
  const file = `${databaseFile}.audit.jsonl`;
  return {
    record(event) {
      const line = `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`;
      try {
        appendFileSync(file, line, { mode: MODE, flush: durability === 'full' });
      } catch (error) {
        log.error({ ...event, file, reason: (error as Error).message }, 'an audit line could not be written');
      }
    },
  };
}

/** The audit of a server: the logs of those who use it, which do not stand on its disk. */
export function openLogAudit(log: Pick<Log, 'info'>): Audit {
  return { record: (event) => log.info(event, 'audit') };
}
