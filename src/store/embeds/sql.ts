import type { Embed } from '../../domain/embed/embed.ts';
import { termsOf } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Part of an account's embeds: those between two ids, neither included, up to so many from one end. */
export interface RangeQuery {
  readonly accountId: string;
  readonly olderThan: string;
  readonly newerThan: string;
  readonly size: number;
  /** Whether they are counted from the oldest one, not from the newest. */
  readonly fromEnd: boolean;
}

/**
 * What many ask for at once, in one statement each, as one kind of database says it. A statement reads the same however
 * many asks there are, and is prepared once.
 */
export interface EmbedSql {
  /** The embeds with these ids, in no order. */
  readonly read: (ids: readonly string[]) => Prisma.Sql;
  /** The embeds of stretches of one size and one direction, in no order; `ask` is the index of the stretch. */
  readonly readRanges: (stretches: readonly RangeQuery[], alike: Pick<RangeQuery, 'size' | 'fromEnd'>) => Prisma.Sql;
  /** `id` and `embedCount` of accounts. */
  readonly readCounts: (accountIds: readonly string[]) => Prisma.Sql;
  readonly insert: (embeds: readonly Embed[]) => Prisma.Sql;
  /** Writes the terms of embeds that have none yet. */
  readonly backfillTerms: (embeds: readonly Pick<Embed, 'id' | 'title' | 'pageUrl'>[]) => Prisma.Sql;
}

/** The terms of an embed as its row has them: as JSON, which triggers read. */
export function serializeTerms(embed: Pick<Embed, 'title' | 'pageUrl'>): string {
  return JSON.stringify(termsOf(embed));
}

/** What a row has for terms that are still to be found out. */
export const NO_TERMS_YET = '[""]';

/** What is read of an embed: all but its terms, which only the database looks at. */
export const FIELDS = Object.keys(Prisma.EmbedScalarFieldEnum).filter((name) => name !== 'terms') as (keyof Embed)[];
export const COLUMNS = Prisma.raw(FIELDS.map((field) => `"${field}"`).join(', '));
export const EMBED_COLUMNS = Prisma.raw(FIELDS.map((field) => `e."${field}"`).join(', '));
