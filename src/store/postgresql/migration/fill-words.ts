import type pg from 'pg';
import type { Embed } from '../../../domain/embed/embed.ts';
import { NO_TERMS_YET } from '../../embeds/sql.ts';
import { POSTGRESQL } from '../sql.ts';
import { inTransaction } from './transaction.ts';

const BATCH_ROWS = 250;
const WRITE_TERMS = `
  UPDATE "Embed" AS e SET "terms" = row."terms"
  FROM json_to_recordset($1::json) AS row("id" text, "accountId" text, "terms" text)
  WHERE e."accountId" = row."accountId" AND e."id" = row."id" AND e."terms" = $2`;

/** Writes the words of embeds that a version without filters has written. SQL cannot fold the case of all scripts. */
export async function fillWords(connection: pg.Client): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await connection.query<Pick<Embed, 'id' | 'accountId' | 'title' | 'pageUrl'>>(
      `SELECT "id", "accountId", "title", "pageUrl" FROM "Embed" WHERE "terms" = $1 AND "id" > $2 ORDER BY "id" LIMIT $3`,
      [NO_TERMS_YET, last, BATCH_ROWS],
    );
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    const filled = rows.map((row) => ({ ...row, terms: POSTGRESQL.serializeTerms(row) }));
    await inTransaction(connection, async () => {
      // no change for those who follow the account
      await connection.query(`SET LOCAL embed_gateway.is_filling = 'on'`);
      await connection.query(WRITE_TERMS, [JSON.stringify(filled), NO_TERMS_YET]);
    });
    last = lastRow.id;
  }
}
