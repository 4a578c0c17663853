import type { Embed } from '../../domain/embed/embed.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Paging } from '../../domain/embed/paging.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { EMBED_COLUMNS } from './sql.ts';
import { attempt } from '../database-errors.ts';
import { type IdSpan, idsOf, isIn, type Stream, streamsOf, type Test, testsOf } from './posting-lists.ts';

/** A page of an account's embeds, newest first. */
export interface EmbedPage {
  readonly embeds: readonly Embed[];
  /** Whether the page was cut where it was counted to: at its end, or at its beginning when counted from the end. */
  readonly isCut: boolean;
  /** The id at which the search was given up before the page was full: the next page goes on from there. */
  readonly reached?: string | undefined;
}

/** How many embeds there are; at least so many where it is not exact. */
export interface EmbedCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** All that is as new as an id or newer, or as old or older. */
export type IdRange = { readonly from: string } | { readonly to: string };

/** The embeds of an account that a filter is for. What each of them costs does not grow with the account. */
export interface FoundEmbeds {
  findMatching(accountId: string, filter: Filter, paging: Paging): Promise<EmbedPage>;
  /** Whether there is one in the range, or may be one: past {@link Bounds.mostCounted} it is not known. */
  existsMatching(accountId: string, filter: Filter, range: IdRange): Promise<boolean>;
  /** How many there are: exact up to {@link Bounds.mostCounted}. */
  countMatching(accountId: string, filter: Filter): Promise<EmbedCount>;
}

/** What a request costs at most. */
interface Bounds {
  /** How many embeds are counted; of several conditions, how many are held against them for that. */
  readonly mostCounted: number;
  /** Of several conditions, the ids that meet one are held against the others: so many for a page, in some milliseconds. */
  readonly mostLookedAt: number;
}

const BOUNDS: Bounds = { mostCounted: 1_000, mostLookedAt: 2_000 };

/** Where conditions are often met together, a page is full after so many; else it is begun again with as many as may be. */
const LOOKED_AT_FIRST = 500;

/** Ids of embeds lie between these two. */
const BELOW_ALL_IDS = '';
const ABOVE_ALL_IDS = '~';

/** Above the id itself, below the next one. */
const justAbove = (id: string) => `${id}!`;

/** How the ids of a filter are gone through: those of one stream, as far as `span` goes. */
interface Walk {
  readonly stream: Stream;
  readonly tests: readonly Test[];
  readonly span: IdSpan;
  /** Where the walk ends before all is looked at; null when it does not. */
  readonly reached: string | null;
}

export function openFoundEmbeds(client: PrismaClient, { mostCounted, mostLookedAt } = BOUNDS): FoundEmbeds {
  /**
   * Plans the shortest walk past so many ids. In each stream, the last one of them is looked up: a stream with fewer is
   * gone through whole, else the one whose ids lie widest apart.
   */
  async function plan(
    accountId: string,
    filter: Filter,
    { wanted, fromEnd, most }: { wanted: IdSpan; fromEnd: boolean; most: number },
  ): Promise<Walk> {
    const streams = streamsOf(accountId, filter);
    const more = testsOf(accountId, filter);
    const span = overlap(wanted, filter);
    const [only] = streams;
    if (only && streams.length + more.length === 1) return { stream: only, tests: more, span, reached: null };
    const ends = streams.map(
      (stream) => Prisma.sql`(${idsOf({ stream, tests: [], span, fromEnd, most: 1, skipped: most - 1 })})`,
    );
    const columns = ends.map((end, i) => Prisma.sql`${end} AS ${Prisma.raw(`"${i}"`)}`);
    const [row = {}] = await attempt(() =>
      client.$queryRaw<Record<string, string | null>[]>(Prisma.sql`SELECT ${Prisma.join(columns)}`),
    );
    const found = streams.map((stream, i) => ({ stream, reached: row[i] ?? null }));
    const { stream, reached } = found.reduce((best, each) => (isWider(each, best, fromEnd) ? each : best));
    const tests = [...streams.filter((other) => other !== stream).map(isIn), ...more];
    if (reached === null) return { stream, tests, span, reached };
    return {
      stream,
      tests,
      reached,
      span: fromEnd ? { ...span, below: justAbove(reached) } : { ...span, from: reached },
    };
  }

  async function read(walk: Walk, fromEnd: boolean, size: number): Promise<Embed[]> {
    // one more than asked for tells whether the page is cut
    const ids = idsOf({ ...walk, fromEnd, most: size + 1 });
    return attempt(() =>
      client.$queryRaw<Embed[]>(
        Prisma.sql`SELECT ${EMBED_COLUMNS} FROM (${ids}) AS found CROSS JOIN "Embed" AS e WHERE e."id" = found."id"`,
      ),
    );
  }

  async function count(walk: Walk, most: number): Promise<number> {
    const ids = idsOf({ ...walk, fromEnd: false, most });
    const [row] = await attempt(() =>
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
      const most = Math.min(LOOKED_AT_FIRST, mostLookedAt);
      let walk = await plan(accountId, filter, { wanted, fromEnd, most });
      let rows = await read(walk, fromEnd, size);
      if (rows.length <= size && walk.reached !== null && most < mostLookedAt) {
        walk = await plan(accountId, filter, { wanted, fromEnd, most: mostLookedAt });
        rows = await read(walk, fromEnd, size);
      }
      const newestFirst = rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      if (rows.length > size) {
        return { embeds: fromEnd ? newestFirst.slice(-size) : newestFirst.slice(0, size), isCut: true };
      }
      return { embeds: newestFirst, isCut: walk.reached !== null, reached: walk.reached ?? undefined };
    },

    async existsMatching(accountId, filter, range) {
      const fromEnd = 'from' in range;
      const wanted = fromEnd
        ? { from: range.from, below: ABOVE_ALL_IDS }
        : { from: BELOW_ALL_IDS, below: justAbove(range.to) };
      const walk = await plan(accountId, filter, { wanted, fromEnd, most: mostCounted });
      return (await count(walk, 1)) > 0 || walk.reached !== null;
    },

    async countMatching(accountId, filter) {
      const all = { from: BELOW_ALL_IDS, below: ABOVE_ALL_IDS };
      const walk = await plan(accountId, filter, { wanted: all, fromEnd: false, most: mostCounted + 1 });
      const found = await count(walk, mostCounted + 1);
      return { count: Math.min(found, mostCounted), isExact: found <= mostCounted && walk.reached === null };
    },
  };
}

function overlap(span: IdSpan, { from = BELOW_ALL_IDS, below = ABOVE_ALL_IDS }: Filter): IdSpan {
  return { from: span.from > from ? span.from : from, below: span.below < below ? span.below : below };
}

interface Reach {
  readonly reached: string | null;
}

/** Whether a stream gets further with as many ids. */
function isWider({ reached }: Reach, best: Reach, fromEnd: boolean): boolean {
  if (reached === null || best.reached === null) return reached === null && best.reached !== null;
  return fromEnd ? reached > best.reached : reached < best.reached;
}
