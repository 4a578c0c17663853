import { setTimeout as pause } from 'node:timers/promises';
import type { Embed } from '../domain/embed/embed.ts';
import { Refusal } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { openEngine } from './database.ts';
import { isDuplicate, mapDatabaseErrors } from './database-errors.ts';
import { openEmbedQueries } from './embeds/queries.ts';
import { DatabaseError, type OpenOptions } from './open-options.ts';
import { openTokens } from './tokens.ts';

/** What is imported where to: the same content goes into an account once. */
export interface ImportKey {
  readonly accountId: string;
  /** SHA-256 in hex. */
  readonly content: string;
}

/** How far an import has come. */
export interface ImportCheckpoint {
  /** How many rows are done: written, or refused. */
  readonly rows: number;
  /** How many of those were written. */
  readonly embeds: number;
  readonly finishedAt: Date | null;
}

export interface ImportStore {
  /**
   * The mark of an import, which begins with this unless it did before. The account is made when there is none.
   * @param again begins anew what is finished
   */
  begin(key: ImportKey, again: boolean): Promise<{ readonly mark: ImportCheckpoint; readonly isNewAccount: boolean }>;
  /**
   * Writes embeds and moves the mark, both or neither: whatever ends the process, no row is lost or written twice. Writes
   * nothing where the mark has gone as far already, by a try of which the answer was lost, or another command.
   */
  advance(key: ImportKey, from: ImportCheckpoint, to: ImportCheckpoint, embeds: readonly Embed[]): Promise<void>;
  close(): Promise<void>;
}

/** How long a database that is busy or away is tried again. */
const PATIENCE_MS = 30_000;
const BUSY_RETRY_MS = 50;
/** What lasts longer, such as a full disk, is the operator's to mend. */
const MAX_RETRY_S = 5;
/** A part takes milliseconds; this is for a disk or a server that hardly moves. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Opens a database for an import, with a connection of its own: this is the only place with a transaction, and on a
 * connection that others write through it would take their writes with it when it rolls back.
 * @throws {DatabaseError}
 */
export async function openImports(url: string, opening: OpenOptions): Promise<ImportStore> {
  const { client, sql, close } = await openEngine(url, opening);

  async function requireMark(key: ImportKey): Promise<ImportCheckpoint> {
    const where = { accountId_content: key };
    const mark = await mapDatabaseErrors(() => client.import.findUnique({ where }));
    if (mark) return mark;
    throw new DatabaseError('The mark of this import was removed while it was at work.');
  }

  async function create(key: ImportKey): Promise<void> {
    try {
      await mapDatabaseErrors(() => client.import.create({ data: { ...key, rows: 0, embeds: 0 } }));
    } catch (error) {
      // another command began the same import at the same moment
      if (!isDuplicate(error)) throw error;
    }
  }

  function move(
    key: ImportKey,
    from: ImportCheckpoint,
    to: ImportCheckpoint,
    embeds: readonly Embed[],
  ): Promise<boolean> {
    const where = { ...key, rows: from.rows, finishedAt: null };
    const statements = async (transaction: Prisma.TransactionClient) => {
      const { count } = await transaction.import.updateMany({ where, data: to });
      if (count === 1 && embeds.length > 0) await openEmbedQueries(transaction, sql).insert(embeds);
      return count === 1;
    };
    return mapDatabaseErrors(() => client.$transaction(statements, { timeout: TRANSACTION_TIMEOUT_MS }));
  }

  return {
    async begin(key, again) {
      let isNewAccount = false;
      const mark = await retryWhileUnavailable(async () => {
        if (await openTokens(client).ensureAccount(key.accountId, new Date())) isNewAccount = true;
        // no upsert: Prisma makes a transaction of it
        const exists = await mapDatabaseErrors(() => client.import.count({ where: key }));
        if (exists === 0) await create(key);
        else if (again) {
          const where = { ...key, finishedAt: { not: null } };
          const data = { rows: 0, embeds: 0, finishedAt: null };
          await mapDatabaseErrors(() => client.import.updateMany({ where, data }));
        }
        return requireMark(key);
      });
      return { mark, isNewAccount };
    },

    advance: (key, from, to, embeds) =>
      retryWhileUnavailable(async () => {
        if (await move(key, from, to, embeds)) return;
        const mark = await requireMark(key);
        if (mark.rows < to.rows) throw new DatabaseError('Another command began this import anew.');
      }),

    close,
  };
}

/** Tries again what the database cannot do at this moment. */
async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error;
      const retryAfterS = error.retryAfterS ?? 0;
      if (retryAfterS > MAX_RETRY_S || performance.now() >= giveUpAt) {
        throw new DatabaseError(`${error.message} The same command goes on where it was.`, { cause: error });
      }
      await pause(retryAfterS * 1_000 || BUSY_RETRY_MS);
    }
  }
}
