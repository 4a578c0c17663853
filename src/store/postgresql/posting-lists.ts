import { termOfPageUrl } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  ABOVE_ALL_CHARACTERS,
  type IdQuery,
  type IndexSql,
  type PostingList,
  type Predicate,
} from '../embeds/posting-lists.ts';
import { EMBED_COLUMNS } from '../embeds/sql.ts';

/** The rows of one index: it begins with these columns and ends with the id. */
interface IndexRange {
  readonly table: 'Embed' | 'EmbedTerm';
  readonly columns: readonly (readonly [Column, string])[];
}

type Column = 'accountId' | 'pageId' | 'mode' | 'font' | 'term';
type Condition = (id: Prisma.Sql) => Prisma.Sql;

export const POSTGRESQL_INDEX = createIndexSql({ isSharded: false });
/** Also compares the account alone, which names the shard. */
export const CITUS_INDEX = createIndexSql({ isSharded: true });

function createIndexSql({ isSharded }: { readonly isSharded: boolean }): IndexSql {
  return {
    selectIds(query) {
      const { accountId, list, others, predicates, ...range } = query;
      const conditions: readonly Condition[] = [
        // on one server it would let the planner choose an index of other columns: see selectRange
        ...(isSharded ? [() => Prisma.sql`d."accountId" = ${accountId}`] : []),
        ...others.map((other) => isInList(accountId, other)),
        ...predicates.map((predicate) => hasProperty(accountId, predicate)),
      ];
      const ranges = rangesOf(accountId, list);
      const [first, ...more] = ranges;
      if (first && more.length === 0) return selectRange(first, conditions, range);
      const { fromEnd, limit, offset = 0 } = range;
      const selects = ranges.map((each) => {
        const ids = selectRange(each, conditions, { ...range, limit: limit + offset, offset: 0 });
        return Prisma.sql`SELECT "id" FROM (${ids}) AS part`;
      });
      // the ranges of modes are disjoint, those of words and pages are not
      return Prisma.sql`
      SELECT "id" FROM (${Prisma.join(selects, list.of === 'appearance' ? ' UNION ALL ' : ' UNION ')}) AS merged
      ORDER BY "id" ${Prisma.raw(fromEnd ? 'ASC' : 'DESC')} ${limitOf(range)}`;
    },

    selectEmbeds(query) {
      return Prisma.sql`
      SELECT ${EMBED_COLUMNS} FROM (${this.selectIds(query)}) AS found CROSS JOIN "Embed" AS e
      WHERE e."accountId" = ${query.accountId} AND e."id" = found."id"`;
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
}

function rangesOf(accountId: string, list: PostingList): readonly IndexRange[] {
  const embedsWith = (...columns: IndexRange['columns']): IndexRange => ({
    table: 'Embed',
    columns: [['accountId', accountId], ...columns],
  });
  switch (list.of) {
    case 'account':
      return [embedsWith()];
    case 'page':
      return [embedsWith(['pageId', list.pageId])];
    case 'appearance': {
      const { modes, font } = list;
      return modes.map((mode) => embedsWith(...(font === undefined ? [] : [['font', font] as const]), ['mode', mode]));
    }
    case 'word':
      return [embedsWithTerm(accountId, list.word)];
    case 'prefix':
      return list.words.map((word) => embedsWithTerm(accountId, word));
    case 'any':
      return list.lists.flatMap((each) => rangesOf(accountId, each));
  }
}

function embedsWithTerm(accountId: string, term: string): IndexRange {
  return {
    table: 'EmbedTerm',
    columns: [
      ['accountId', accountId],
      ['term', term],
    ],
  };
}

const idOf = ({ table }: IndexRange) => Prisma.raw(table === 'Embed' ? '"id"' : '"embedId"');
const tableOf = ({ table }: IndexRange) => Prisma.raw(`"${table}"`);
const nameOf = (column: Column) => Prisma.raw(`"${column}"`);
const limitOf = ({ limit, offset = 0 }: Pick<IdQuery, 'limit' | 'offset'>) =>
  Prisma.raw(`LIMIT ${limit} OFFSET ${offset}`);

/**
 * Bounds and order use the whole key, which leaves the planner only the index of these columns: with the id alone, it scans
 * the embeds of all accounts if it considers the parameters frequent. For the same reason the limit is a literal, and
 * each condition is a subquery, which no planner turns into a join.
 */
function selectRange(
  range: IndexRange,
  conditions: readonly Condition[],
  { span, fromEnd, ...limits }: Pick<IdQuery, 'span' | 'fromEnd' | 'limit' | 'offset'>,
): Prisma.Sql {
  const direction = Prisma.raw(fromEnd ? ' ASC' : ' DESC');
  const id = Prisma.sql`d.${idOf(range)}`;
  const key = [...range.columns.map(([column]) => Prisma.sql`d.${nameOf(column)}`), id];
  const keyAt = (bound: string) => Prisma.join([...range.columns.map(([, value]) => value), bound]);
  const order = key.map((column) => Prisma.sql`${column}${direction}`);
  const all = [
    Prisma.sql`(${Prisma.join(key)}) >= (${keyAt(span.from)})`,
    Prisma.sql`(${Prisma.join(key)}) < (${keyAt(span.below)})`,
    ...conditions.map((condition) => condition(id)),
  ];
  return Prisma.sql`SELECT ${id} AS "id" FROM ${tableOf(range)} AS d WHERE ${Prisma.join(all, ' AND ')}
    ORDER BY ${Prisma.join(order)} ${limitOf(limits)}`;
}

function isInList(accountId: string, list: PostingList): Condition {
  // one look-up of the row instead of one for each word
  if (list.of === 'prefix') return hasProperty(accountId, { has: 'prefix', prefix: list.prefix });
  const conditions = rangesOf(accountId, list).map(isInRange);
  return (id) =>
    Prisma.sql`(${Prisma.join(
      conditions.map((condition) => condition(id)),
      ' OR ',
    )})`;
}

function isInRange(range: IndexRange): Condition {
  const equal = range.columns.map(([column, value]) => Prisma.sql`o.${nameOf(column)} = ${value}`);
  return (id) => Prisma.sql`(SELECT 1 FROM ${tableOf(range)} AS o
    WHERE ${Prisma.join(equal, ' AND ')} AND o.${idOf(range)} = ${id}) = 1`;
}

function hasProperty(accountId: string, predicate: Predicate): Condition {
  const ofRow = (condition: (id: Prisma.Sql) => Prisma.Sql): Condition => {
    return (id) => Prisma.sql`(SELECT 1 FROM "Embed" AS s
      WHERE s."accountId" = ${accountId} AND s."id" = ${id} AND ${condition(id)}) = 1`;
  };
  switch (predicate.has) {
    case 'setting':
      return ofRow(() => Prisma.sql`s.${Prisma.raw(`"${predicate.name}"`)} = ${predicate.value}`);
    case 'prefix':
      // terms are a JSON array of texts without quotes
      return ofRow(() => Prisma.sql`strpos(s."terms", ${`"${predicate.prefix}`}) > 0`);
    case 'pageUrl': {
      const { pageUrl } = predicate;
      const hasEquivalentUrl = isInRange(embedsWithTerm(accountId, termOfPageUrl(pageUrl)));
      return ofRow((id) => Prisma.sql`(s."pageUrl" = ${pageUrl} OR ${hasEquivalentUrl(id)})`);
    }
  }
}
