import { setTimeout as sleep } from 'node:timers/promises';
import type { Embed } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../database-errors.ts';
import { DatabaseError, type OperatorLog } from '../open-options.ts';
import type { EmbedSql } from './sql.ts';

/** In one statement: what a start that is interrupted has to do again at most. */
const BATCH_ROWS = 500;
const TELL_EVERY_ROWS = 100_000;
/** Another start may be at the same rows. */
const MAX_TRIES = 20;
const RETRY_AFTER_MS = 200;

/**
 * Finds out the terms of embeds that were written before there were any, or by an older version since. It is done when
 * a database is opened, before anybody can ask for embeds by their terms: none is missing then. An interrupted one goes
 * on at the next start.
 * @throws {DatabaseError} when the database cannot take it
 */
export async function backfillTerms(client: PrismaClient, sql: EmbedSql, log: OperatorLog): Promise<void> {
  for (let filled = 0, tries = 0; ; ) {
    try {
      // they have the empty term
      const rows = await mapDatabaseErrors(
        () => client.$queryRaw<Pick<Embed, 'id' | 'title' | 'pageUrl'>[]>`
          SELECT e."id", e."title", e."pageUrl" FROM "Account" AS a
          CROSS JOIN "EmbedTerm" AS t CROSS JOIN "Embed" AS e
          WHERE t."accountId" = a."id" AND t."term" = '' AND e."id" = t."embedId" LIMIT ${BATCH_ROWS}`,
      );
      if (rows.length === 0) return;
      if (filled % TELL_EVERY_ROWS === 0) log.info({ filled }, 'finding out the words of embeds');
      await mapDatabaseErrors(() => client.$executeRaw(sql.backfillTerms(rows)));
      filled += rows.length;
      tries = 0;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (++tries >= MAX_TRIES) throw new DatabaseError('The words of embeds cannot be written.', { cause: error });
      await sleep(RETRY_AFTER_MS);
    }
  }
}
