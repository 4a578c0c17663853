import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { EmbedDriver } from './driver.ts';
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
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, justAbove, selectByExternalId, spanOf } from './sql.ts';

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

/** The embeds of an account, or those of them that match a filter. The cost of a call does not grow with the account. */
export interface EmbedList {
  findPage(paging: Paging): Promise<EmbedPage>;
  /** With a filter, returns true also if it is unknown, after {@link Bounds.maxCounted} embeds. */
  exists(range: IdRange): Promise<boolean>;
  /** With a filter, counts up to {@link Bounds.maxCounted}. */
  count(): Promise<EmbedCount>;
}

/** Creates a list for one request; of all embeds of the account if the filter is null. Its methods read the words of the filter once. */
export type CreateList = (accountId: string, filter: Filter | null) => EmbedList;

/** Selects all embeds of an account. */
export const NO_FILTER: Filter = { settings: {}, pageIds: [], words: [], prefixes: [] };

interface Bounds {
  /** Maximum total, and maximum number of ids that are scanned for it. */
  readonly maxCounted: number;
  /** Maximum number of ids that are scanned for a page, in a few milliseconds. */
  readonly maxScanned: number;
}

export const BOUNDS: Bounds = { maxCounted: 1_000, maxScanned: 2_000 };

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
  readonly accountId: string;
  readonly filter: Filter;
  readonly prefixWords: PrefixWords;
}

/** @param requireIndexed throws while filtered lists are unavailable */
export function openLists(
  driver: EmbedDriver,
  sql: IndexSql,
  requireIndexed: () => void,
  { maxCounted, maxScanned } = BOUNDS,
): CreateList {
  async function readConditions(accountId: string, filter: Filter): Promise<Conditions> {
    if (filter !== NO_FILTER) requireIndexed();
    const prefixWords = new Map<string, readonly string[] | null>();
    for (const prefix of filter.prefixes) {
      const select = sql.selectWords(accountId, prefix, MAX_MERGED_WORDS + 1);
      const words = (await driver.all<{ readonly word: string }>(select, accountId)).map(({ word }) => word);
      // a list needs a word, also if no embed has one
      if (words.length === 0) words.push(prefix);
      prefixWords.set(prefix, words.length > MAX_MERGED_WORDS ? null : words);
    }
    return { accountId, filter: await narrow(accountId, filter), prefixWords };
  }

  /** Restricts the ids to that of the embed with the external id, if the filter has one. */
  async function narrow(accountId: string, filter: Filter): Promise<Filter> {
    const { externalId } = filter;
    if (externalId === undefined) return filter;
    const [found] = await driver.all<Embed>(selectByExternalId(accountId, externalId), accountId);
    const span = found ? { from: found.id, below: justAbove(found.id) } : NO_IDS;
    return { ...filter, ...intersect(span, filter) };
  }

  /** Chooses a list that ends within `maxIds`, or else the one whose id number `maxIds` is furthest away. */
  async function planScan({ accountId, filter, prefixWords }: Conditions, request: ScanRequest): Promise<ScanPlan> {
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
    const select = Prisma.sql`SELECT ${Prisma.join(columns)}`;
    const [row = {}] = await driver.all<Record<string, string | null>>(select, accountId);
    const candidates = lists.map((list, i) => planOf(list, row[i] ?? null));
    const best = candidates.reduce((chosen, each) => (isSparser(each, chosen, fromEnd) ? each : chosen));
    const { stoppedAt } = best;
    if (stoppedAt === null) return best;
    return { ...best, span: fromEnd ? { ...span, below: justAbove(stoppedAt) } : { ...span, from: stoppedAt } };
  }

  function run<Row extends object>(plan: ScanPlan, statement: Prisma.Sql): Awaitable<readonly Row[]> {
    // reads as many ids as it returns
    const isShort = plan.list.of === 'account' && plan.predicates.length === 0;
    return isShort ? driver.allShared(statement, plan.accountId) : driver.all(statement, plan.accountId);
  }

  function read(plan: ScanPlan, fromEnd: boolean, size: number): Awaitable<readonly Embed[]> {
    // one more row than requested shows whether the page is cut
    return run(plan, sql.selectEmbeds({ ...plan, fromEnd, limit: size + 1 }));
  }

  async function countUpTo(limit: number, plan: ScanPlan, fromEnd: boolean): Promise<number> {
    const ids = sql.selectIds({ ...plan, fromEnd, limit });
    const count = Prisma.sql`SELECT COUNT(*) AS "count" FROM (${ids}) AS found`;
    const [row] = await run<{ readonly count: number }>(plan, count);
    return row?.count ?? 0;
  }

  function readTotal(accountId: string): Awaitable<EmbedCount> {
    const select = Prisma.sql`SELECT "embedCount" FROM "Account" WHERE "id" = ${accountId}`;
    const rows = driver.allShared<{ readonly embedCount: number }>(select, accountId);
    return andThen(rows, ([row]) => ({ count: row?.embedCount ?? 0, isExact: true }));
  }

  return (accountId, filter) => {
    let conditions: Promise<Conditions> | undefined;
    const plan = async (request: ScanRequest) => {
      conditions ??= readConditions(accountId, filter ?? NO_FILTER);
      return planScan(await conditions, request);
    };
    return {
      async findPage({ size, fromEnd, after, before }) {
        const span = {
          from: before === undefined ? BELOW_ALL_IDS : justAbove(before),
          below: after ?? ABOVE_ALL_IDS,
        };
        const maxIds = Math.min(FIRST_SCAN, maxScanned);
        let scan = await plan({ span, fromEnd, maxIds });
        let rows = await read(scan, fromEnd, size);
        if (rows.length <= size && scan.stoppedAt !== null && maxIds < maxScanned) {
          scan = await plan({ span, fromEnd, maxIds: maxScanned });
          rows = await read(scan, fromEnd, size);
        }
        const newestFirst = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
        if (rows.length > size) {
          return { embeds: fromEnd ? newestFirst.slice(-size) : newestFirst.slice(0, size), isCut: true };
        }
        return { embeds: newestFirst, isCut: scan.stoppedAt !== null, stoppedAt: scan.stoppedAt ?? undefined };
      },

      async exists(range) {
        const fromEnd = 'from' in range;
        const scan = await plan({ span: spanOf(range), fromEnd, maxIds: maxCounted });
        return (await countUpTo(1, scan, fromEnd)) > 0 || scan.stoppedAt !== null;
      },

      async count() {
        if (!filter) return readTotal(accountId);
        const span = { from: BELOW_ALL_IDS, below: ABOVE_ALL_IDS };
        const scan = await plan({ span, fromEnd: false, maxIds: maxCounted + 1 });
        // both directions count the same, but a full-text index is read faster from its beginning
        const found = await countUpTo(maxCounted + 1, scan, true);
        return { count: Math.min(found, maxCounted), isExact: found <= maxCounted && scan.stoppedAt === null };
      },
    };
  };
}

const NO_IDS: IdSpan = { from: ABOVE_ALL_IDS, below: BELOW_ALL_IDS };

function intersect(span: IdSpan, { from = BELOW_ALL_IDS, below = ABOVE_ALL_IDS }: Filter): IdSpan {
  return { from: span.from > from ? span.from : from, below: span.below < below ? span.below : below };
}

type Candidate = Pick<ScanPlan, 'stoppedAt'>;

function isSparser({ stoppedAt }: Candidate, best: Candidate, fromEnd: boolean): boolean {
  if (stoppedAt === null || best.stoppedAt === null) return stoppedAt === null && best.stoppedAt !== null;
  return fromEnd ? stoppedAt > best.stoppedAt : stoppedAt < best.stoppedAt;
}
