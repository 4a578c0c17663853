import type { Embed } from '../../domain/embed/embed.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';
import {
  type IdSpan,
  isInPostingList,
  type PostingList,
  type Predicate,
  postingListsOf,
  predicatesOf,
  selectIds,
} from './posting-lists.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, EMBED_COLUMNS, type EmbedSql } from './sql.ts';

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

/** The ids from one on, or up to one, inclusive. */
export type IdRange = { readonly from: string } | { readonly to: string };

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

const justAbove = (id: string) => `${id}!`;

interface ScanPlan {
  readonly list: PostingList;
  readonly predicates: readonly Predicate[];
  readonly span: IdSpan;
  /** The id at which the scan reaches its limit; null if it covers the whole span. */
  readonly stoppedAt: string | null;
}

interface ScanRequest {
  readonly span: IdSpan;
  readonly fromEnd: boolean;
  readonly maxIds: number;
}

export function openFilteredLists(
  client: PrismaClient,
  { isSharded }: Pick<EmbedSql, 'isSharded'>,
  { maxCounted, maxScanned } = BOUNDS,
): FilteredLists {
  /** Without shards it would let PostgreSQL choose an index of other columns: see {@link selectIds}. */
  const placementOf = (accountId: string): readonly Predicate[] =>
    isSharded ? [() => Prisma.sql`d."accountId" = ${accountId}`] : [];

  /** Chooses a list that ends within `maxIds`, or else the one whose id number `maxIds` is furthest away. */
  async function planScan(accountId: string, filter: Filter, request: ScanRequest): Promise<ScanPlan> {
    const { fromEnd, maxIds } = request;
    const lists = postingListsOf(accountId, filter);
    const unindexed = predicatesOf(accountId, filter);
    const placement = placementOf(accountId);
    const span = intersect(request.span, filter);
    const [only] = lists;
    if (only && lists.length + unindexed.length === 1) {
      return { list: only, predicates: [...placement, ...unindexed], span, stoppedAt: null };
    }
    const columns = lists.map((list, i) => {
      const last = selectIds({ list, predicates: placement, span, fromEnd, limit: 1, offset: maxIds - 1 });
      return Prisma.sql`(${last}) AS ${Prisma.raw(`"${i}"`)}`;
    });
    const [row = {}] = await mapDatabaseErrors(() =>
      client.$queryRaw<Record<string, string | null>[]>(Prisma.sql`SELECT ${Prisma.join(columns)}`),
    );
    const candidates = lists.map((list, i) => ({ list, stoppedAt: row[i] ?? null }));
    const { list, stoppedAt } = candidates.reduce((best, each) => (isSparser(each, best, fromEnd) ? each : best));
    const predicates = [...placement, ...lists.filter((other) => other !== list).map(isInPostingList), ...unindexed];
    if (stoppedAt === null) return { list, predicates, span, stoppedAt };
    return {
      list,
      predicates,
      stoppedAt,
      span: fromEnd ? { ...span, below: justAbove(stoppedAt) } : { ...span, from: stoppedAt },
    };
  }

  async function read(accountId: string, plan: ScanPlan, fromEnd: boolean, size: number): Promise<Embed[]> {
    // one more row than requested shows whether the page is cut
    const ids = selectIds({ ...plan, fromEnd, limit: size + 1 });
    return mapDatabaseErrors(() =>
      client.$queryRaw<Embed[]>(
        Prisma.sql`SELECT ${EMBED_COLUMNS} FROM (${ids}) AS found CROSS JOIN "Embed" AS e
          WHERE e."accountId" = ${accountId} AND e."id" = found."id"`,
      ),
    );
  }

  async function count(plan: ScanPlan, limit: number): Promise<number> {
    const ids = selectIds({ ...plan, fromEnd: false, limit });
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
      let plan = await planScan(accountId, filter, { span, fromEnd, maxIds });
      let rows = await read(accountId, plan, fromEnd, size);
      if (rows.length <= size && plan.stoppedAt !== null && maxIds < maxScanned) {
        plan = await planScan(accountId, filter, { span, fromEnd, maxIds: maxScanned });
        rows = await read(accountId, plan, fromEnd, size);
      }
      const newestFirst = rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      if (rows.length > size) {
        return { embeds: fromEnd ? newestFirst.slice(-size) : newestFirst.slice(0, size), isCut: true };
      }
      return { embeds: newestFirst, isCut: plan.stoppedAt !== null, stoppedAt: plan.stoppedAt ?? undefined };
    },

    async existsMatching(accountId, filter, range) {
      const fromEnd = 'from' in range;
      const span = fromEnd
        ? { from: range.from, below: ABOVE_ALL_IDS }
        : { from: BELOW_ALL_IDS, below: justAbove(range.to) };
      const plan = await planScan(accountId, filter, { span, fromEnd, maxIds: maxCounted });
      return (await count(plan, 1)) > 0 || plan.stoppedAt !== null;
    },

    async countMatching(accountId, filter) {
      const span = { from: BELOW_ALL_IDS, below: ABOVE_ALL_IDS };
      const plan = await planScan(accountId, filter, { span, fromEnd: false, maxIds: maxCounted + 1 });
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
