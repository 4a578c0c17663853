import type { Embed } from '../../domain/embed/embed.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { IdRange, IdSpan, IndexSql } from './posting-lists.ts';

/** Except for inserts on a cluster, the text of a statement does not depend on the size of the batch, so it is prepared once. */
export interface EmbedSql {
  readonly insert: (embeds: readonly Embed[]) => Prisma.Sql;
  /** Makes room for some embeds before the next id, if an insert found the key taken; null on a database without positions. */
  readonly makeRoom: ((id: string, rows: number) => Prisma.Sql) | null;
  /** Converts the terms of an embed to the content of its column. */
  readonly serializeTerms: (embed: Pick<Embed, 'title' | 'pageUrl'>) => string;
  readonly index: IndexSql;
}

/** The column's default, for rows that an older version has written. */
export const NO_TERMS_YET = '[""]';

/** All columns except those that only the database reads. */
export const STORED_FIELDS = Object.keys(Prisma.EmbedScalarFieldEnum).filter(
  (name) => name !== 'terms' && name !== 'position',
) as (keyof Embed)[];
export const COLUMNS = Prisma.raw(STORED_FIELDS.map((field) => `"${field}"`).join(', '));
export const EMBED_COLUMNS = Prisma.raw(STORED_FIELDS.map((field) => `e."${field}"`).join(', '));

export const BELOW_ALL_IDS = '';
export const ABOVE_ALL_IDS = '~';
export const justAbove = (id: string) => `${id}!`;

export function spanOf(range: IdRange): IdSpan {
  return 'from' in range
    ? { from: range.from, below: ABOVE_ALL_IDS }
    : { from: BELOW_ALL_IDS, below: justAbove(range.to) };
}

export function selectByExternalId(accountId: string, externalId: string): Prisma.Sql {
  return Prisma.sql`
    SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE e."accountId" = ${accountId} AND e."externalId" = ${externalId}`;
}
