import type { Embed } from '../../domain/embed/embed.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../database-errors.ts';
import {
  type IdSpan,
  isInPostingList,
  type PostingList,
  type Predicate,
  postingListsOf,
  predicatesOf,
  selectIds,
} from './posting-lists.ts';
import { EMBED_COLUMNS } from './sql.ts';

/** A page of an account's embeds, newest first. */
export interface EmbedPage {
  readonly embeds: readonly Embed[];
  /** Whether the page was cut where it was counted to: at its end, or at its beginning when counted from the end. */
  readonly isCut: boolean;
  /** The id at which the search was given up before the page was full: the next page goes on from there. */
  readonly stoppedAt?: string | undefined;
}

/** How many embeds there are; at least so many where it is not exact. */
export interface EmbedCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** All that is as new as an id or newer, or as old or older. */
export type IdRange = { readonly from: string } | { readonly to: string };

/** The embeds of an account that a filter is for. What each of them costs does not grow with the account. */
export interface FilteredLists {
  findMatching(accountId: string, filter: Filter, paging: Paging): Promise<EmbedPage>;
  /** Whether there is one in the range, or may be one: past {@link Bounds.maxCounted} it is not known. */
  existsMatching(accountId: string, filter: Filter, range: IdRange): Promise<boolean>;
  /** How many there are: exact up to {@link Bounds.maxCounted}. */
  countMatching(accountId: string, filter: Filter): Promise<EmbedCount>;
}

/** What a request costs at most. */
interface Bounds {
  /** How many embeds are counted; of several conditions, how many are held against them for that. */
  readonly maxCounted: number;
  /** Of several conditions, the ids that meet one are held against the others: so many for a page, in some milliseconds. */
  readonly maxScanned: number;
}

const BOUNDS: Bounds = { maxCounted: 1_000, maxScanned: 2_000 };

/** Where conditions are often met together, a page is full after so many; else it is begun again with as many as may be. */
const LOOKED_AT_FIRST = 500;

/** Ids of embeds lie between these two. */
const BELOW_ALL_IDS = '';
const ABOVE_ALL_IDS = '~';

/** Above the id itself, below the next one. */
const justAbove = (id: string) => `${id}!`;

/** How the ids of a filter are gone through: those of one stream, as far as `span` goes. */
interface ScanPlan {
  readonly stream: PostingList;
  readonly tests: readonly Predicate[];
  readonly span: IdSpan;
  /** Where the walk ends before all is looked at; null when it does not. */
  readonly stoppedAt: string | null;
}

export function openFilteredLists(client: PrismaClient, { maxCounted, maxScanned } = BOUNDS): FilteredLists {
  /**
   * Plans the shortest walk past so many ids. In each stream, the last one of them is looked up: a stream with fewer is
   * gone through whole, else the one whose ids lie widest apart.
   */
  async function plan(
    accountId: string,
    filter: Filter,
    { wanted, fromEnd, most }: { wanted: IdSpan; fromEnd: boolean; most: number },
  ): Promise<ScanPlan> {
    const streams = postingListsOf(accountId, filter);
    const more = predicatesOf(accountId, filter);
    const span = overlap(wanted, filter);
    const [only] = streams;
    if (only && streams.length + more.length === 1) return { stream: only, tests: more, span, stoppedAt: null };
    const ends = streams.map(
      (stream) => Prisma.sql`(${selectIds({ stream, tests: [], span, fromEnd, most: 1, skipped: most - 1 })})`,
    );
    const columns = ends.map((end, i) => Prisma.sql`${end} AS ${Prisma.raw(`"${i}"`)}`);
    const [row = {}] = await mapDatabaseErrors(() =>
      client.$queryRaw<Record<string, string | null>[]>(Prisma.sql`SELECT ${Prisma.join(columns)}`),
    );
    const found = streams.map((stream, i) => ({ stream, stoppedAt: row[i] ?? null }));
    const { stream, stoppedAt } = found.reduce((best, each) => (isWider(each, best, fromEnd) ? each : best));
    const tests = [...streams.filter((other) => other !== stream).map(isInPostingList), ...more];
    if (stoppedAt === null) return { stream, tests, span, stoppedAt };
    return {
      stream,
      tests,
      stoppedAt,
      span: fromEnd ? { ...span, below: justAbove(stoppedAt) } : { ...span, from: stoppedAt },
    };
  }

  async function read(walk: ScanPlan, fromEnd: boolean, size: number): Promise<Embed[]> {
    // one more than asked for tells whether the page is cut
    const ids = selectIds({ ...walk, fromEnd, most: size + 1 });
    return mapDatabaseErrors(() =>
      client.$queryRaw<Embed[]>(
        Prisma.sql`SELECT ${EMBED_COLUMNS} FROM (${ids}) AS found CROSS JOIN "Embed" AS e WHERE e."id" = found."id"`,
      ),
    );
  }

  async function count(walk: ScanPlan, most: number): Promise<number> {
    const ids = selectIds({ ...walk, fromEnd: false, most });
    const [row] = await mapDatabaseErrors(() =>
      client.$queryRaw<{ count: bigint }[]>(Prisma.sql`SELECT COUNT(*) AS "count" FROM (${ids}) AS found`),
    );
    return Number(row?.count ?? 0);
  }

  return {
    async findMatching(accountId, filter, { size, fromEnd, after, before }) {
      const wanted = {
        from: before === undefined ? BELOW_ALL_IDS : justAbove(before),
        below: after ?? ABOVE_ALL_IDS,
      };
      const most = Math.min(LOOKED_AT_FIRST, maxScanned);
      let walk = await plan(accountId, filter, { wanted, fromEnd, most });
      let rows = await read(walk, fromEnd, size);
      if (rows.length <= size && walk.stoppedAt !== null && most < maxScanned) {
        walk = await plan(accountId, filter, { wanted, fromEnd, most: maxScanned });
        rows = await read(walk, fromEnd, size);
      }
      const newestFirst = rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      if (rows.length > size) {
        return { embeds: fromEnd ? newestFirst.slice(-size) : newestFirst.slice(0, size), isCut: true };
      }
      return { embeds: newestFirst, isCut: walk.stoppedAt !== null, stoppedAt: walk.stoppedAt ?? undefined };
    },

    async existsMatching(accountId, filter, range) {
      const fromEnd = 'from' in range;
      const wanted = fromEnd
        ? { from: range.from, below: ABOVE_ALL_IDS }
        : { from: BELOW_ALL_IDS, below: justAbove(range.to) };
      const walk = await plan(accountId, filter, { wanted, fromEnd, most: maxCounted });
      return (await count(walk, 1)) > 0 || walk.stoppedAt !== null;
    },

    async countMatching(accountId, filter) {
      const all = { from: BELOW_ALL_IDS, below: ABOVE_ALL_IDS };
      const walk = await plan(accountId, filter, { wanted: all, fromEnd: false, most: maxCounted + 1 });
      const found = await count(walk, maxCounted + 1);
      return { count: Math.min(found, maxCounted), isExact: found <= maxCounted && walk.stoppedAt === null };
    },
  };
}

function overlap(span: IdSpan, { from = BELOW_ALL_IDS, below = ABOVE_ALL_IDS }: Filter): IdSpan {
  return { from: span.from > from ? span.from : from, below: span.below < below ? span.below : below };
}

interface Reach {
  readonly stoppedAt: string | null;
}

/** Whether a stream gets further with as many ids. */
function isWider({ stoppedAt }: Reach, best: Reach, fromEnd: boolean): boolean {
  if (stoppedAt === null || best.stoppedAt === null) return stoppedAt === null && best.stoppedAt !== null;
  return fromEnd ? stoppedAt > best.stoppedAt : stoppedAt < best.stoppedAt;
}
