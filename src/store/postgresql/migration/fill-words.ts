import type pg from 'pg';
import type { Embed } from '../../../domain/embed/embed.ts';
import { NO_TERMS_YET } from '../../embeds/sql.ts';
import { writeTerms } from '../sql.ts';
import { inTransaction } from './transaction.ts';

const BATCH_ROWS = 250;

/** Writes the words of embeds that a version without filters has written. SQL cannot fold the case of all scripts. */
export async function fillWords(connection: pg.Client): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await connection.query<Pick<Embed, 'id' | 'accountId' | 'title' | 'pageUrl'>>(
      `SELECT "id", "accountId", "title", "pageUrl" FROM "Embed" WHERE "terms" = $1 AND "id" > $2 ORDER BY "id" LIMIT $3`,
      [NO_TERMS_YET, last, BATCH_ROWS],
    );
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    const { text, values } = writeTerms(rows);
    await inTransaction(connection, async () => {
      // no change for those who follow the account
      await connection.query(`SET LOCAL embed_gateway.is_filling = 'on'`);
      await connection.query(text, [...values]);
    });
    last = lastRow.id;
  }
}
