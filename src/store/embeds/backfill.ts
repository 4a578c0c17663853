import { setTimeout as sleep } from 'node:timers/promises';
import type { Embed } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import { DatabaseError } from '../database-errors.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';
import type { EmbedSql } from './sql.ts';

const BATCH_ROWS = 500;
const LOG_EVERY_ROWS = 100_000;
/** Another process may be indexing the same rows. */
const MAX_TRIES = 20;
const RETRY_AFTER_MS = 200;

/** Runs before the service accepts requests, so searches miss no embed. An interrupted run continues at the next start. */
export async function backfillTerms(client: PrismaClient, sql: EmbedSql, log: Log): Promise<void> {
  for (let indexed = 0, tries = 0; ; ) {
    try {
      // embeds without terms have the empty term in the table of terms
      const rows = await mapDatabaseErrors(
        () => client.$queryRaw<Pick<Embed, 'id' | 'accountId' | 'title' | 'pageUrl'>[]>`
          SELECT e."id", e."accountId", e."title", e."pageUrl" FROM "Account" AS a
          CROSS JOIN "EmbedTerm" AS t CROSS JOIN "Embed" AS e
          WHERE t."accountId" = a."id" AND t."term" = '' AND e."accountId" = a."id" AND e."id" = t."embedId"
          LIMIT ${BATCH_ROWS}`,
      );
      if (rows.length === 0) return;
      if (indexed % LOG_EVERY_ROWS === 0) log.info({ indexed }, 'indexing the words of embeds for the search');
      await mapDatabaseErrors(() => client.$executeRaw(sql.backfillTerms(rows)));
      indexed += rows.length;
      tries = 0;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (++tries >= MAX_TRIES)
        throw new DatabaseError('The search terms of embeds cannot be written; try again later.', { cause: error });
      await sleep(RETRY_AFTER_MS);
    }
  }
}
