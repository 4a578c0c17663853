import type { Embed } from '../domain/embed/embed.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { retry } from '../retry.ts';
import { importEvent } from './audit/audit-events.ts';
import { openEngine } from './database.ts';
import { continueLater, DatabaseError, DatabaseUnavailable } from './database-errors.ts';
import { insertEmbeds } from './embeds.ts';
import type { OpenOptions } from './open-options.ts';
import { mapDatabaseErrors } from './prisma/errors.ts';
import { openTokens } from './tokens.ts';

export interface ImportKey {
  readonly accountId: string;
  readonly content: string;
}

export interface ImportCheckpoint {
  /** Number of processed rows: written or rejected. */
  readonly rows: number;
  readonly embeds: number;
  readonly finishedAt: Date | null;
}

export interface ImportStore {
  /** The clock of all gateways. */
  readonly now: () => Date;
  /** Creates the account if it does not exist. `again` restarts a finished import. */
  begin(
    key: ImportKey,
    again: boolean,
  ): Promise<{ readonly checkpoint: ImportCheckpoint; readonly isNewAccount: boolean }>;
  /** Writes both or neither. Does nothing if the checkpoint is already there, after an earlier try or by another command. */
  advance(key: ImportKey, from: ImportCheckpoint, to: ImportCheckpoint, embeds: readonly Embed[]): Promise<void>;
  close(): Promise<void>;
}

const RETRY_FOR_MS = 30_000;
const BUSY_RETRY_MS = 50;
/** Failures with a longer `Retry-After`, such as a full disk, need the operator. */
const MAX_RETRY_S = 5;
const TRANSACTION_TIMEOUT_MS = 60_000;

/** A connection of its own, because the import uses transactions: on a shared one, a rollback would undo the writes of others. */
export async function openImports(url: string, opening: OpenOptions): Promise<ImportStore> {
  const engine = await openEngine(url, opening);
  const { client, sql, now, close } = engine;
  const tokens = openTokens(engine);

  function tryAdvance(
    key: ImportKey,
    from: ImportCheckpoint,
    to: ImportCheckpoint,
    embeds: readonly Embed[],
  ): Promise<boolean> {
    const where = { ...key, rows: from.rows, finishedAt: null };
    const statements = async (transaction: Prisma.TransactionClient) => {
      const { count } = await transaction.import.updateMany({ where, data: to });
      if (count === 1 && embeds.length > 0)
        await insertEmbeds((statement) => transaction.$executeRaw(statement), sql, embeds);
      if (count === 1 && to.finishedAt) {
        await transaction.auditEvent.create({ data: importEvent(key.accountId, to.embeds, to.finishedAt) });
      }
      return count === 1;
    };
    return mapDatabaseErrors(() => client.$transaction(statements, { timeout: TRANSACTION_TIMEOUT_MS }));
  }

  return {
    now,

    async begin(key, again) {
      let isNewAccount = false;
      const checkpoint = await retryWhileUnavailable(async () => {
        if (await tokens.ensureAccount(key.accountId, now())) isNewAccount = true;
        const start = { rows: 0, embeds: 0, finishedAt: null };
        if (again) await client.import.updateMany({ where: { ...key, finishedAt: { not: null } }, data: start });
        const { content } = key;
        // without an update, Prisma would run a transaction
        return client.import.upsert({
          where: { accountId_content: key },
          create: { ...key, ...start },
          update: { content },
        });
      });
      return { checkpoint, isNewAccount };
    },

    advance: (key, from, to, embeds) =>
      retryWhileUnavailable(async () => {
        if (await tryAdvance(key, from, to, embeds)) return;
        const checkpoint = await client.import.findUnique({ where: { accountId_content: key } });
        if (!checkpoint)
          throw new DatabaseError('The checkpoint of this import was removed while the import was running.');
        if (checkpoint.rows < to.rows) throw new DatabaseError('Another command has restarted this import.');
      }),

    close,
  };
}

function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, pauseMsAfter, { forMs: RETRY_FOR_MS }).catch(continueLater);
}

function pauseMsAfter(error: unknown): number | null {
  if (!(error instanceof DatabaseUnavailable)) return null;
  const retryAfterS = error.retryAfterS ?? 0;
  return retryAfterS > MAX_RETRY_S ? null : retryAfterS * 1_000 || BUSY_RETRY_MS;
}
