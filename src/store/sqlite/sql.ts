import type { Embed } from '../../domain/embed/embed.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLUMNS, EMBED_COLUMNS, type EmbedSql, FIELDS, NO_TERMS_YET, serializeTerms } from '../embeds/sql.ts';

const VALUES = Prisma.raw([...FIELDS, 'terms'].map((_, i) => `value->>${i}`).join(', '));

/** The asks travel as one JSON text: SQLite has no arrays. */
export const SQLITE: EmbedSql = {
  read: (ids) => Prisma.sql`
    SELECT ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS ask
    CROSS JOIN "Embed" AS e ON e."id" = ask.value`,

  // neither the size nor the direction can come from a row
  readRanges(stretches, { size, fromEnd }) {
    const asks = stretches.map(({ accountId, olderThan, newerThan }) => [accountId, olderThan, newerThan]);
    return Prisma.sql`
      SELECT ask.key AS "ask", ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(asks)}) AS ask
      CROSS JOIN "Embed" AS e ON e.rowid IN (
        SELECT rowid FROM "Embed"
        WHERE "accountId" = ask.value->>0 AND "id" < ask.value->>1 AND "id" > ask.value->>2
        ORDER BY "id" ${Prisma.raw(fromEnd ? 'ASC' : 'DESC')} LIMIT ${size}
      )`;
  },

  readCounts: (accountIds) => Prisma.sql`
    SELECT "id", "embedCount" FROM "Account" WHERE "id" IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`,

  insert(embeds) {
    const rows = embeds.map((embed) => [...FIELDS.map((field) => stored(embed[field])), serializeTerms(embed)]);
    return Prisma.sql`
      INSERT INTO "Embed" (${COLUMNS}, "terms") SELECT ${VALUES} FROM json_each(${JSON.stringify(rows)})`;
  },

  backfillTerms(embeds) {
    const rows = embeds.map((embed) => [embed.id, serializeTerms(embed)]);
    return Prisma.sql`
      UPDATE "Embed" AS e SET "terms" = ask.value->>1 FROM json_each(${JSON.stringify(rows)}) AS ask
      WHERE e."id" = ask.value->>0 AND e."terms" = ${NO_TERMS_YET}`;
  },
};

/** A value as Prisma's adapter writes it. */
function stored(value: Embed[keyof Embed]): string | number | boolean {
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value;
}
