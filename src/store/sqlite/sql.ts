import type { Embed } from '../../domain/embed/embed.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLUMNS, EMBED_COLUMNS, type EmbedSql, FIELDS, NO_TERMS_YET, serializeTerms } from '../embeds/sql.ts';

const VALUES = Prisma.raw([...FIELDS, 'terms'].map((_, i) => `value->>${i}`).join(', '));

/** Lists are passed as JSON, because SQLite has no arrays. */
export const SQLITE: EmbedSql = {
  isSharded: false,

  read: (keys) => Prisma.sql`
    SELECT ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(keys.map(({ id }) => id))}) AS wanted
    CROSS JOIN "Embed" AS e ON e."id" = wanted.value`,

  readRanges(ranges, { size, fromEnd }) {
    const rows = ranges.map(({ accountId, olderThan, newerThan }) => [accountId, olderThan, newerThan]);
    return Prisma.sql`
      SELECT range.key AS "range", ${EMBED_COLUMNS} FROM json_each(${JSON.stringify(rows)}) AS range
      CROSS JOIN "Embed" AS e ON e.rowid IN (
        SELECT rowid FROM "Embed"
        WHERE "accountId" = range.value->>0 AND "id" < range.value->>1 AND "id" > range.value->>2
        ORDER BY "id" ${Prisma.raw(fromEnd ? 'ASC' : 'DESC')} LIMIT ${size}
      )`;
  },

  readCounts: (accountIds) => Prisma.sql`
    SELECT "id", "embedCount" FROM "Account" WHERE "id" IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`,

  insert(embeds) {
    const rows = embeds.map((embed) => [...FIELDS.map((field) => toColumnValue(embed[field])), serializeTerms(embed)]);
    return Prisma.sql`
      INSERT INTO "Embed" (${COLUMNS}, "terms") SELECT ${VALUES} FROM json_each(${JSON.stringify(rows)})`;
  },

  backfillTerms(embeds) {
    const rows = embeds.map((embed) => [embed.id, serializeTerms(embed)]);
    return Prisma.sql`
      UPDATE "Embed" AS e SET "terms" = row.value->>1 FROM json_each(${JSON.stringify(rows)}) AS row
      WHERE e."id" = row.value->>0 AND e."terms" = ${NO_TERMS_YET}`;
  },
};

/** Converts a value like Prisma's adapter does. */
function toColumnValue(value: Embed[keyof Embed]): string | number | boolean {
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value;
}
