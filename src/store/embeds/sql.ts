import type { Embed } from '../../domain/embed/embed.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { IdRange, IdSpan, IndexSql } from './posting-lists.ts';

export interface RangeQuery {
  readonly accountId: string;
  readonly olderThan: string;
  readonly newerThan: string;
  readonly size: number;
  /** Starts with the oldest embed instead of the newest. */
  readonly fromEnd: boolean;
}

export interface EmbedKey {
  readonly id: string;
  /** Null if it is not known. */
  readonly accountId: string | null;
}

/** The text of a statement does not depend on the size of the batch, so it is prepared once. */
export interface EmbedSql {
  /** True if the data of accounts are on several nodes: then each statement names accounts of one shard. */
  readonly isSharded: boolean;
  /** May select embeds of the ids that belong to other accounts. */
  readonly read: (keys: readonly EmbedKey[]) => Prisma.Sql;
  /**
   * Selects the embeds of ranges with the same size and direction, and of one account if the data are sharded, unordered,
   * with `range`, the index of the range. May select more than `size` embeds of a range.
   */
  readonly readRanges: (
    ranges: readonly RangeQuery[],
    common: Pick<RangeQuery, 'accountId' | 'size' | 'fromEnd'>,
  ) => Prisma.Sql;
  readonly readCounts: (accountIds: readonly string[]) => Prisma.Sql;
  /** Selects at most one row: an embed of the account with `from` <= id < `below`. */
  readonly readAny: (accountId: string, span: IdSpan) => Prisma.Sql;
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
export const FIELDS = Object.keys(Prisma.EmbedScalarFieldEnum).filter(
  (name) => name !== 'terms' && name !== 'position',
) as (keyof Embed)[];
export const COLUMNS = Prisma.raw(FIELDS.map((field) => `"${field}"`).join(', '));
export const EMBED_COLUMNS = Prisma.raw(FIELDS.map((field) => `e."${field}"`).join(', '));
/** The same columns for Prisma. */
export const SELECTED_FIELDS = Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<keyof Embed, true>;

export const BELOW_ALL_IDS = '';
export const ABOVE_ALL_IDS = '~';
export const justAbove = (id: string) => `${id}!`;

export function spanOf(range: IdRange): IdSpan {
  return 'from' in range
    ? { from: range.from, below: ABOVE_ALL_IDS }
    : { from: BELOW_ALL_IDS, below: justAbove(range.to) };
}
