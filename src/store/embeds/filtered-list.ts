import type { Embed } from '../../domain/embed/embed.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';
import {
  type IdQuery,
  type IdRange,
  type IdSpan,
  type IndexSql,
  type PostingList,
  type PrefixWords,
  postingListsOf,
  predicatesOf,
} from './posting-lists.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, EMBED_COLUMNS, justAbove, spanOf } from './sql.ts';

export interface EmbedPage {
  readonly embeds: readonly Embed[];
  /** More embeds follow in the direction of the page. */
  readonly isCut: boolean;
  /** The id at which the scan reached its limit before the page was full; the next page continues there. */
  readonly stoppedAt?: string | undefined;
}

export interface EmbedCount {
  /** A lower bound unless it is exact. */
  readonly count: number;
  readonly isExact: boolean;
}

/** Lists of the embeds that match a filter. The cost of a call does not grow with the account. */
export interface FilteredLists {
  findMatching(accountId: string, filter: Filter, paging: Paging): Promise<EmbedPage>;
  /** Returns true also if it is unknown, after {@link Bounds.maxCounted} embeds. */
  existsMatching(accountId: string, filter: Filter, range: IdRange): Promise<boolean>;
  /** Counts up to {@link Bounds.maxCounted}. */
  countMatching(accountId: string, filter: Filter): Promise<EmbedCount>;
}

interface Bounds {
  /** Maximum total, and maximum number of ids that are scanned for it. */
  readonly maxCounted: number;
  /** Maximum number of ids that are scanned for a page, in a few milliseconds. */
  readonly maxScanned: number;
}

const BOUNDS: Bounds = { maxCounted: 1_000, maxScanned: 2_000 };

/** Ids that are scanned first. If they do not fill a page, the scan is repeated with the maximum. */
const FIRST_SCAN = 500;

/**
 * Maximum number of words of a prefix whose lists are merged, in a few milliseconds. The embeds of a prefix with more words
 * are scanned instead.
 */
export const MAX_MERGED_WORDS = 32;

interface ScanPlan extends Omit<IdQuery, 'fromEnd' | 'limit' | 'offset'> {
  /** The id at which the scan reaches its limit; null if it covers the whole span. */
  readonly stoppedAt: string | null;
}

interface ScanRequest {
  readonly span: IdSpan;
  readonly fromEnd: boolean;
  readonly maxIds: number;
}

interface Conditions {
  readonly filter: Filter;
  readonly prefixWords: PrefixWords;
}

export function openFilteredLists(
  client: PrismaClient,
  sql: IndexSql,
  requireIndexed: () => void,
  { maxCounted, maxScanned } = BOUNDS,
): FilteredLists {
  async function readConditions(accountId: string, filter: Filter): Promise<Conditions> {
    requireIndexed();
    const prefixWords = new Map<string, readonly string[] | null>();
    for (const prefix of filter.prefixes) {
      const rows = await mapDatabaseErrors(() =>
        client.$queryRaw<{ readonly word: string }[]>(sql.selectWords(accountId, prefix, MAX_MERGED_WORDS + 1)),
      );
      const words = rows.map(({ word }) => word);
      // a list needs a word, also if no embed has one
      if (words.length === 0) words.push(prefix);
      prefixWords.set(prefix, words.length > MAX_MERGED_WORDS ? null : words);
    }
    return { filter, prefixWords };
  }

  /** Chooses a list that ends within `maxIds`, or else the one whose id number `maxIds` is furthest away. */
  async function planScan(
    accountId: string,
    { filter, prefixWords }: Conditions,
    request: ScanRequest,
  ): Promise<ScanPlan> {
    const { fromEnd, maxIds } = request;
    const lists = postingListsOf(filter, prefixWords);
    const predicates = predicatesOf(filter, prefixWords);
    const span = intersect(request.span, filter);
    const planOf = (list: PostingList, stoppedAt: string | null): ScanPlan => ({
      accountId,
      list,
      others: lists.filter((other) => other !== list),
      predicates,
      span,
      stoppedAt,
    });
    const [only] = lists;
    if (only && lists.length + predicates.length === 1) return planOf(only, null);
    const columns = lists.map((list, i) => {
      const scan = { accountId, list, others: [], predicates: [], span, fromEnd, limit: 1, offset: maxIds - 1 };
      return Prisma.sql`(${sql.selectIds(scan)}) AS ${Prisma.raw(`"${i}"`)}`;
    });
    const [row = {}] = await mapDatabaseErrors(() =>
      client.$queryRaw<Record<string, string | null>[]>(Prisma.sql`SELECT ${Prisma.join(columns)}`),
    );
    const candidates = lists.map((list, i) => planOf(list, row[i] ?? null));
    const best = candidates.reduce((chosen, each) => (isSparser(each, chosen, fromEnd) ? each : chosen));
    const { stoppedAt } = best;
    if (stoppedAt === null) return best;
    return { ...best, span: fromEnd ? { ...span, below: justAbove(stoppedAt) } : { ...span, from: stoppedAt } };
  }

  async function read(plan: ScanPlan, fromEnd: boolean, size: number): Promise<Embed[]> {
    // one more row than requested shows whether the page is cut
    const ids = sql.selectIds({ ...plan, fromEnd, limit: size + 1 });
    return mapDatabaseErrors(() =>
      client.$queryRaw<Embed[]>(
        Prisma.sql`SELECT ${EMBED_COLUMNS} FROM (${ids}) AS found CROSS JOIN "Embed" AS e
          WHERE e."accountId" = ${plan.accountId} AND e."id" = found."id"`,
      ),
    );
  }

  async function count(plan: ScanPlan, limit: number): Promise<number> {
    const ids = sql.selectIds({ ...plan, fromEnd: false, limit });
    const [row] = await mapDatabaseErrors(() =>
      client.$queryRaw<{ count: bigint }[]>(Prisma.sql`SELECT COUNT(*) AS "count" FROM (${ids}) AS found`),
    );
    return Number(row?.count ?? 0);
  }

  return {
    async findMatching(accountId, filter, { size, fromEnd, after, before }) {
      const span = {
        from: before === undefined ? BELOW_ALL_IDS : justAbove(before),
        below: after ?? ABOVE_ALL_IDS,
      };
      const maxIds = Math.min(FIRST_SCAN, maxScanned);
      const conditions = await readConditions(accountId, filter);
      let plan = await planScan(accountId, conditions, { span, fromEnd, maxIds });
      let rows = await read(plan, fromEnd, size);
      if (rows.length <= size && plan.stoppedAt !== null && maxIds < maxScanned) {
        plan = await planScan(accountId, conditions, { span, fromEnd, maxIds: maxScanned });
        rows = await read(plan, fromEnd, size);
      }
      const newestFirst = rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      if (rows.length > size) {
        return { embeds: fromEnd ? newestFirst.slice(-size) : newestFirst.slice(0, size), isCut: true };
      }
      return { embeds: newestFirst, isCut: plan.stoppedAt !== null, stoppedAt: plan.stoppedAt ?? undefined };
    },

    async existsMatching(accountId, filter, range) {
      const conditions = await readConditions(accountId, filter);
      const request = { span: spanOf(range), fromEnd: 'from' in range, maxIds: maxCounted };
      const plan = await planScan(accountId, conditions, request);
      return (await count(plan, 1)) > 0 || plan.stoppedAt !== null;
    },

    async countMatching(accountId, filter) {
      const span = { from: BELOW_ALL_IDS, below: ABOVE_ALL_IDS };
      const conditions = await readConditions(accountId, filter);
      const plan = await planScan(accountId, conditions, { span, fromEnd: false, maxIds: maxCounted + 1 });
      const found = await count(plan, maxCounted + 1);
      return { count: Math.min(found, maxCounted), isExact: found <= maxCounted && plan.stoppedAt === null };
    },
  };
}

function intersect(span: IdSpan, { from = BELOW_ALL_IDS, below = ABOVE_ALL_IDS }: Filter): IdSpan {
  return { from: span.from > from ? span.from : from, below: span.below < below ? span.below : below };
}

type Candidate = Pick<ScanPlan, 'stoppedAt'>;

function isSparser({ stoppedAt }: Candidate, best: Candidate, fromEnd: boolean): boolean {
  if (stoppedAt === null || best.stoppedAt === null) return stoppedAt === null && best.stoppedAt !== null;
  return fromEnd ? stoppedAt > best.stoppedAt : stoppedAt < best.stoppedAt;
}
