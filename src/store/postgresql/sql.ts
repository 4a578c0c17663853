import type { Embed } from '../../domain/embed/embed.ts';
import { ALL_FIELDS } from '../../domain/embed/fields.ts';
import { termsOf } from '../../domain/embed/search-terms.ts';
import type { ValueType } from '../../domain/input/parameters.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLUMNS, type EmbedSql, STORED_FIELDS } from '../embeds/sql.ts';
import { POSTGRESQL_INDEX } from './posting-lists.ts';

/** The types of columns that are not text. Timestamps are in UTC, whatever the time zone of the session. */
const COLUMN_TYPES: Partial<Record<ValueType, string>> = {
  instant: 'timestamp(3)',
  boolean: 'boolean',
  integer: 'integer',
};
const TYPED_COLUMNS = Prisma.raw(STORED_FIELDS.map((name) => `"${name}" ${columnTypeOf(name)}`).join(', '));

function columnTypeOf(name: string): string {
  const field = ALL_FIELDS.find((candidate) => candidate.name === name);
  if (field?.enumName) return `"${field.enumName}"`;
  return (field && COLUMN_TYPES[field.type]) ?? 'text';
}

export const POSTGRESQL: EmbedSql = {
  insert(embeds) {
    const rows = inOneOrder(embeds).map((embed) => ({ ...embed, terms: serializeTerms(embed) }));
    return Prisma.sql`
      INSERT INTO "Embed" (${COLUMNS}, "terms")
      SELECT ${COLUMNS}, "terms"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(${TYPED_COLUMNS}, "terms" text)`;
  },

  makeRoom: null,

  serializeTerms,

  index: POSTGRESQL_INDEX,
};

export const CITUS: EmbedSql = {
  ...POSTGRESQL,
  // INSERT … SELECT would go through the coordinator, which replaces the code of each failure
  insert(embeds) {
    const rows = inOneOrder(embeds).map((embed) => {
      const values = STORED_FIELDS.map((name) => {
        const value = embed[name];
        return Prisma.sql`${value instanceof Date ? value.toISOString() : value}::${Prisma.raw(columnTypeOf(name))}`;
      });
      return Prisma.sql`(${Prisma.join([...values, serializeTerms(embed)])})`;
    });
    return Prisma.sql`INSERT INTO "Embed" (${COLUMNS}, "terms") VALUES ${Prisma.join(rows)}`;
  },
};

/**
 * A row waits for another transaction that has its external id, and triggers lock the totals of accounts row by row: one order
 * for all statements prevents deadlocks.
 */
function inOneOrder(embeds: readonly Embed[]): readonly Embed[] {
  return embeds.toSorted((a, b) => order(a.accountId, b.accountId) || order(a.externalId ?? '', b.externalId ?? ''));
}

function order(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function serializeTerms(embed: Pick<Embed, 'title' | 'pageUrl'>): string {
  return JSON.stringify(termsOf(embed));
}
