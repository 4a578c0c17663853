import { ID_DIGITS } from '../../domain/embed/id.ts';
import { termOfPageUrl } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  ABOVE_ALL_CHARACTERS,
  type IdQuery,
  type IdSpan,
  type IndexSql,
  type PostingList,
  type Predicate,
} from '../embeds/posting-lists.ts';
import { ABOVE_ALL_IDS, EMBED_COLUMNS } from '../embeds/sql.ts';

/** The rows of one index. Its key is the rank after a hash of these columns. */
interface IndexRange {
  readonly table: 'Embed' | 'EmbedTerm';
  /** The first one is the account. */
  readonly columns: readonly (readonly [Column, string | Prisma.Sql])[];
}

type Column = 'accountId' | 'pageId' | 'mode' | 'font' | 'term';

/** Characters of an id that its rank encodes, with 6 bits for each. */
const RANK_LENGTH = 11;
const MAX_RANK = 2n ** 63n - 1n;

export const POSTGRESQL_INDEX: IndexSql = {
  selectIds(query) {
    const { accountId, list, fromEnd, limit, offset = 0 } = query;
    const ranges = rangesOf(accountId, list);
    const [first, ...more] = ranges;
    if (first && more.length === 0) return selectRange(first, query);
    const { offset: _, ...part } = { ...query, limit: limit + offset };
    const selects = ranges.map((range) => Prisma.sql`SELECT "id" FROM (${selectRange(range, part)}) AS part`);
    // the ranges of modes are disjoint, those of words and pages are not
    return Prisma.sql`
      SELECT "id" FROM (${Prisma.join(selects, list.of === 'appearance' ? ' UNION ALL ' : ' UNION ')}) AS merged
      ORDER BY "id" ${Prisma.raw(`${fromEnd ? 'ASC' : 'DESC'} LIMIT ${limit} OFFSET ${offset}`)}`;
  },

  selectEmbeds(query) {
    const [first, ...more] = rangesOf(query.accountId, query.list);
    // the rows of the index are those of the embeds
    if (first?.table === 'Embed' && more.length === 0) {
      return selectRange(first, query, EMBED_COLUMNS);
    }
    return Prisma.sql`
      SELECT ${EMBED_COLUMNS} FROM (${POSTGRESQL_INDEX.selectIds(query)}) AS found CROSS JOIN "Embed" AS e
      WHERE e."accountId" = ${query.accountId} AND e."id" = found."id"`;
  },

  hasPage(accountId, pageId, isOf) {
    const ofPage = rangesOf(accountId, { of: 'page', pageId }).map((range) => isInIndex(range, 'e'));
    return Prisma.sql`(SELECT 1 FROM "Embed" AS e WHERE ${Prisma.join(ofPage, ' AND ')} AND ${isOf} LIMIT 1) = 1`;
  },

  selectWords(accountId, prefix, limit) {
    const above = prefix + ABOVE_ALL_CHARACTERS;
    return Prisma.sql`
      WITH RECURSIVE w("term") AS (
        (SELECT "term" FROM "EmbedTerm" WHERE "accountId" = ${accountId} AND "term" >= ${prefix} ORDER BY "term" LIMIT 1)
        UNION ALL
        SELECT (
          SELECT "term" FROM "EmbedTerm" WHERE "accountId" = ${accountId} AND "term" > w."term" ORDER BY "term" LIMIT 1
        )
        FROM w WHERE w."term" < ${above}
      )
      SELECT "term" AS "word" FROM w WHERE "term" < ${above} LIMIT ${Prisma.raw(String(limit))}`;
  },
};

/** Returns the lowest rank of the ids from a bound on. The ids below the bound have no higher one. */
export function rankOf(bound: string): string {
  if (bound === ABOVE_ALL_IDS) return String(MAX_RANK);
  let rank = 0n;
  for (const digit of bound.slice(0, RANK_LENGTH).padEnd(RANK_LENGTH, '0')) {
    rank = rank * 64n + BigInt(ID_DIGITS.indexOf(digit));
  }
  return String(rank);
}

function rangesOf(accountId: string | Prisma.Sql, list: PostingList): readonly IndexRange[] {
  const rangeOf = (table: IndexRange['table'], ...columns: IndexRange['columns']): IndexRange => ({
    table,
    columns: [['accountId', accountId], ...columns],
  });
  switch (list.of) {
    case 'account':
      return [rangeOf('Embed')];
    case 'page':
      return [rangeOf('Embed', ['pageId', list.pageId])];
    case 'appearance': {
      const { modes, font } = list;
      const withFont = font === undefined ? [] : [['font', font] as const];
      return modes.map((mode) => rangeOf('Embed', ['mode', mode], ...withFont));
    }
    case 'word':
      return [rangeOf('EmbedTerm', ['term', list.word])];
    case 'prefix':
      return list.words.map((word) => rangeOf('EmbedTerm', ['term', word]));
    case 'any':
      return list.lists.flatMap((each) => rangesOf(accountId, each));
  }
}

const idOf = ({ table }: IndexRange) => Prisma.raw(table === 'Embed' ? '"id"' : '"embedId"');
const tableOf = ({ table }: IndexRange) => Prisma.raw(`"${table}"`);

/**
 * Compares hashes of 64 bits. Also compares the account: a crafted value cannot match embeds of another one, and a cluster needs
 * the account to choose the shard.
 */
function isInIndex({ table, columns }: IndexRange, alias: 'e' | 'o'): Prisma.Sql {
  const columnOf = (column: Column | 'termHash') => Prisma.raw(`${alias}."${column}"`);
  const hash = table === 'Embed' ? hashOf(columns, columnOf) : columnOf('termHash');
  return Prisma.sql`${hash} = ${hashOf(columns, (_, value) => Prisma.sql`${value}`)}
    AND ${columnOf('accountId')} = ${columns[0]?.[1]}`;
}

/** Combines the columns as the indexes in the migration `hashed_lists` do. */
function hashOf(
  columns: IndexRange['columns'],
  operandOf: (column: Column, value: string | Prisma.Sql) => Prisma.Sql,
): Prisma.Sql {
  return columns.reduce(
    (seed, [column, value]) =>
      column === 'mode'
        ? Prisma.sql`hashenumextended(${operandOf(column, value)}::"EmbedMode", ${seed})`
        : Prisma.sql`hashtextextended(${operandOf(column, value)}, ${seed})`,
    Prisma.raw('0'),
  );
}

/**
 * Orders by the rank, which leaves the planner only the index of this list: with the id, it scans the embeds of all accounts
 * if it considers the parameters frequent. Includes ids that share the last rank, so that no page ends between them. The
 * limit is a literal if there are conditions, and each condition is a subquery, which no planner turns into a join.
 */
function selectRange(range: IndexRange, query: IdQuery, columns?: Prisma.Sql): Prisma.Sql {
  const { accountId, others, predicates, span, fromEnd, limit, offset } = query;
  const id = Prisma.sql`e.${idOf(range)}`;
  const conditions = [
    ...others.map((other) => isInList(accountId, other, id)),
    ...predicates.map((predicate) => hasProperty(accountId, predicate, id)),
  ];
  const all = [isInIndex(range, 'e'), isInSpan(span, id), ...conditions];
  const first = conditions.length > 0 ? Prisma.raw(String(limit)) : Prisma.sql`(${limit}::int)`;
  const limitClause =
    offset !== undefined
      ? Prisma.raw(`LIMIT ${limit} OFFSET ${offset}`)
      : Prisma.sql`FETCH FIRST ${first} ROWS WITH TIES`;
  return Prisma.sql`SELECT ${columns ?? Prisma.sql`${id} AS "id"`} FROM ${tableOf(range)} AS e
    WHERE ${Prisma.join(all, ' AND ')} ORDER BY e."rank" ${Prisma.raw(fromEnd ? 'ASC' : 'DESC')} ${limitClause}`;
}

/** Compares ranks. Also compares ids with bounds that are longer than what a rank encodes. */
function isInSpan({ from, below }: IdSpan, id: Prisma.Sql): Prisma.Sql {
  const isAbove = Prisma.sql`e."rank" >= ${rankOf(from)}::bigint`;
  const highest = Prisma.sql`${rankOf(below)}::bigint`;
  return Prisma.sql`
    ${from.length > RANK_LENGTH ? Prisma.sql`${isAbove} AND ${id} >= ${from}` : isAbove} AND
    ${below.length > RANK_LENGTH ? Prisma.sql`e."rank" <= ${highest} AND ${id} < ${below}` : Prisma.sql`e."rank" < ${highest}`}`;
}

function isInList(accountId: string, list: PostingList, id: Prisma.Sql): Prisma.Sql {
  // one look-up of the row instead of one for each word
  if (list.of === 'prefix') return hasProperty(accountId, { has: 'prefix', prefix: list.prefix }, id);
  const conditions = rangesOf(accountId, list).map(
    (range) => Prisma.sql`(SELECT 1 FROM ${tableOf(range)} AS o
      WHERE ${isInIndex(range, 'o')} AND o."rank" = e."rank" AND o.${idOf(range)} = ${id}) = 1`,
  );
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;
}

function hasProperty(accountId: string, predicate: Predicate, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT 1 FROM "Embed" AS s
    WHERE s."accountId" = ${accountId} AND s."id" = ${id} AND ${conditionOf(accountId, predicate, id)}) = 1`;
}

/** Returns the condition for the row `s`. */
function conditionOf(accountId: string, predicate: Predicate, id: Prisma.Sql): Prisma.Sql {
  switch (predicate.has) {
    case 'setting':
      return Prisma.sql`s.${Prisma.raw(`"${predicate.name}"`)} = ${predicate.value}`;
    case 'prefix':
      // terms are a JSON array of texts without quotes
      return Prisma.sql`strpos(s."terms", ${`"${predicate.prefix}`}) > 0`;
    case 'updatedFrom': {
      const { time, idBound } = predicate;
      const hasTime = Prisma.sql`s."updatedAt" >= ${time.toISOString()}::timestamptz AT TIME ZONE 'utc'`;
      return Prisma.sql`(${hasTime} OR ${id} >= ${idBound})`;
    }
    case 'pageUrl': {
      const { pageUrl } = predicate;
      const hasEquivalentUrl = isInList(accountId, { of: 'word', word: termOfPageUrl(pageUrl) }, id);
      return Prisma.sql`(s."pageUrl" = ${pageUrl} OR ${hasEquivalentUrl})`;
    }
  }
}
