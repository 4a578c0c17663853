import type { Embed } from '../../domain/embed/embed.ts';
import { ALL_FIELDS, type ValueType } from '../../domain/embed/fields.ts';
import { termsOf } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLUMNS, EMBED_COLUMNS, type EmbedSql, FIELDS, NO_TERMS_YET, type RangeQuery } from '../embeds/sql.ts';
import { isInAccount, POSTGRESQL_INDEX, rankAt } from './posting-lists.ts';

/** The types of columns that are not text. Timestamps are in UTC, whatever the time zone of the session. */
const COLUMN_TYPES: Partial<Record<ValueType, string>> = {
  instant: 'timestamp(3)',
  boolean: 'boolean',
  integer: 'integer',
};
const TYPED_COLUMNS = Prisma.raw(FIELDS.map((name) => `"${name}" ${columnTypeOf(name)}`).join(', '));

export function columnTypeOf(name: string): string {
  const field = ALL_FIELDS.find((candidate) => candidate.name === name);
  if (field?.enumName) return `"${field.enumName}"`;
  return (field && COLUMN_TYPES[field.type]) ?? 'text';
}

export const POSTGRESQL: EmbedSql = {
  isSharded: false,

  read: (keys) => Prisma.sql`
    SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE e."id" = ANY(${keys.map(({ id }) => id)}::text[])`,

  readRanges(ranges, common) {
    const accounts = ranges.map(({ accountId }) => accountId);
    return Prisma.sql`
      SELECT range.number - 1 AS "range", ${EMBED_COLUMNS}
      FROM unnest(${accounts}::text[], ${boundsOf(ranges)})
        WITH ORDINALITY AS range(account, older, newer, highest, lowest, number)
      CROSS JOIN LATERAL (${selectRange(Prisma.raw('range.account'), common)}) AS e`;
  },

  readCounts: (accountIds) => Prisma.sql`
    SELECT "id", "embedCount" FROM "Account" WHERE "id" = ANY(${[...accountIds]}::text[])`,

  readAny: (accountId, { from, below }) => Prisma.sql`
    SELECT 1 FROM "Embed" WHERE ${isInAccount(Prisma.sql`${accountId}`, {
      from: Prisma.sql`${rankAt(from)}::bigint`,
      below: Prisma.sql`${rankAt(below)}::bigint`,
    })} AND "id" >= ${from} AND "id" < ${below} LIMIT 1`,

  insert(embeds) {
    // triggers lock the totals of accounts row by row: one order for all statements prevents deadlocks
    const sorted = embeds.toSorted((a, b) => Number(a.accountId > b.accountId) - Number(a.accountId < b.accountId));
    const rows = sorted.map((embed) => ({ ...embed, terms: serializeTerms(embed) }));
    return Prisma.sql`
      INSERT INTO "Embed" (${COLUMNS}, "terms")
      SELECT ${COLUMNS}, "terms"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(${TYPED_COLUMNS}, "terms" text)`;
  },

  makeRoom: null,

  serializeTerms,

  index: POSTGRESQL_INDEX,
};

/** Writes the terms of embeds that have none. */
export function writeTerms(embeds: readonly Pick<Embed, 'id' | 'accountId' | 'title' | 'pageUrl'>[]): Prisma.Sql {
  const rows = embeds.map((embed) => ({ id: embed.id, accountId: embed.accountId, terms: serializeTerms(embed) }));
  return Prisma.sql`
    UPDATE "Embed" AS e SET "terms" = row."terms"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row("id" text, "accountId" text, "terms" text)
    WHERE e."accountId" = row."accountId" AND e."id" = row."id" AND e."terms" = ${NO_TERMS_YET}`;
}

/** Arrays of the bounds of ids, and of ranks: older, newer, highest, lowest. */
export function boundsOf(ranges: readonly RangeQuery[]): Prisma.Sql {
  const [older, newer] = (['olderThan', 'newerThan'] as const).map((name) => ranges.map((range) => range[name]));
  const [highest, lowest] = [older, newer].map((ids = []) => ids.map(rankAt));
  return Prisma.sql`${older}::text[], ${newer}::text[], ${highest}::bigint[], ${lowest}::bigint[]`;
}

/** Selects the embeds of a row `range`, and those that share the last rank. */
export function selectRange(
  accountId: Prisma.Sql,
  { size, fromEnd }: Pick<RangeQuery, 'size' | 'fromEnd'>,
): Prisma.Sql {
  const ranks = { from: Prisma.raw('range.lowest'), below: Prisma.raw('range.highest') };
  return Prisma.sql`
    SELECT * FROM "Embed"
    WHERE ${isInAccount(accountId, ranks)} AND "id" < range.older AND "id" > range.newer
    ORDER BY "rank" ${Prisma.raw(fromEnd ? 'ASC' : 'DESC')} FETCH FIRST (${size}::int) ROWS WITH TIES`;
}

export function serializeTerms(embed: Pick<Embed, 'title' | 'pageUrl'>): string {
  return JSON.stringify(termsOf(embed));
}
