import { Prisma } from '../../../generated/prisma/client.ts';
import { COLUMNS, EMBED_COLUMNS, type EmbedSql, FIELDS } from '../../embeds/sql.ts';
import { boundsOf, columnTypeOf, POSTGRESQL, selectRange, serializeTerms } from '../sql.ts';

/** Each statement names the accounts whose shards it needs. */
export const CITUS: EmbedSql = {
  ...POSTGRESQL,
  isSharded: true,

  read(keys) {
    const accountIds = [...new Set(keys.map(({ accountId }) => accountId))];
    const ids = keys.map(({ id }) => id);
    return Prisma.sql`
      SELECT ${EMBED_COLUMNS} FROM "Embed" AS e
      WHERE e."accountId" = ANY(${accountIds}::text[]) AND e."id" = ANY(${ids}::text[])`;
  },

  // a LATERAL with LIMIT over several accounts would need several shards at once
  readRanges: (ranges, common) => Prisma.sql`
    SELECT range.number - 1 AS "range", ${EMBED_COLUMNS}
    FROM unnest(${boundsOf(ranges)}) WITH ORDINALITY AS range(older, newer, highest, lowest, number)
    CROSS JOIN LATERAL (${selectRange(Prisma.sql`${common.accountId}`, common)}) AS e`,

  // INSERT … SELECT would go through the coordinator, which replaces the code of each failure
  insert(embeds) {
    const rows = embeds.map((embed) => {
      const values = FIELDS.map((name) => {
        const value = embed[name];
        return Prisma.sql`${value instanceof Date ? value.toISOString() : value}::${Prisma.raw(columnTypeOf(name))}`;
      });
      return Prisma.sql`(${Prisma.join([...values, serializeTerms(embed)])})`;
    });
    return Prisma.sql`INSERT INTO "Embed" (${COLUMNS}, "terms") VALUES ${Prisma.join(rows)}`;
  },
};
