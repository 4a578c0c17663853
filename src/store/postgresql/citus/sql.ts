import { Prisma } from '../../../generated/prisma/client.ts';
import { COLUMNS, type EmbedSql, FIELDS } from '../../embeds/sql.ts';
import { columnTypeOf, inOneOrder, POSTGRESQL, serializeTerms } from '../sql.ts';

export const CITUS: EmbedSql = {
  ...POSTGRESQL,
  // INSERT … SELECT would go through the coordinator, which replaces the code of each failure
  insert(embeds) {
    const rows = inOneOrder(embeds).map((embed) => {
      const values = FIELDS.map((name) => {
        const value = embed[name];
        return Prisma.sql`${value instanceof Date ? value.toISOString() : value}::${Prisma.raw(columnTypeOf(name))}`;
      });
      return Prisma.sql`(${Prisma.join([...values, serializeTerms(embed)])})`;
    });
    return Prisma.sql`INSERT INTO "Embed" (${COLUMNS}, "terms") VALUES ${Prisma.join(rows)}`;
  },
};
