import { FIELDS, SETTING_NAMES } from '../../domain/embed/fields.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import { termOfPageUrl } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';

export interface IdSpan {
  readonly from: string;
  readonly below: string;
}

/** The embeds with one property: an index begins with these columns and ends with the id, or each of the parts has one. */
export interface PostingList {
  readonly table: 'Embed' | 'EmbedTerm';
  readonly columns: readonly (readonly [Column, string])[];
  /** Disjoint lists whose union this is. */
  readonly parts?: readonly PostingList[];
  /** Overlapping lists whose union this is; `columns` are the ones that they share. */
  readonly anyOf?: readonly PostingList[];
}

export type Predicate = (id: Prisma.Sql) => Prisma.Sql;

type Column = 'accountId' | 'pageId' | 'mode' | 'font' | 'term';

const MODES = Object.keys(FIELDS.mode.values);
const UNINDEXED_SETTINGS = SETTING_NAMES.filter((name) => name !== 'mode' && name !== 'font');

/**
 * Returns the posting lists whose intersection a filter selects. Mode and font share one index and one list, because each
 * value alone may be frequent and the combination rare. A font without a mode is read from that index mode by mode.
 */
export function postingListsOf(accountId: string, filter: Filter): readonly PostingList[] {
  const { settings, pageIds, words, pageIdInsteadOfWords } = filter;
  const { mode, font } = settings;
  const embedsWith = (...columns: PostingList['columns']): PostingList => ({
    table: 'Embed',
    columns: [['accountId', accountId], ...columns],
  });
  const lists = pageIds.map((pageId) => embedsWith(['pageId', pageId]));
  if (mode !== undefined)
    lists.push(embedsWith(...(font === undefined ? [] : [['font', font] as const]), ['mode', mode]));
  else if (font !== undefined) {
    const parts = MODES.map((each) => embedsWith(['font', font], ['mode', each]));
    lists.push({ ...embedsWith(['font', font]), parts });
  }
  for (const word of words) {
    const withWord = postingListOfTerm(accountId, word);
    if (pageIdInsteadOfWords === undefined) lists.push(withWord);
    // (a AND b) OR page = (a OR page) AND (b OR page)
    else lists.push({ ...embedsWith(), anyOf: [embedsWith(['pageId', pageIdInsteadOfWords]), withWord] });
  }
  return lists.length > 0 ? lists : [embedsWith()];
}

function postingListOfTerm(accountId: string, term: string): PostingList {
  return {
    table: 'EmbedTerm',
    columns: [
      ['accountId', accountId],
      ['term', term],
    ],
  };
}

export function predicatesOf(accountId: string, { pageUrl, settings }: Filter): readonly Predicate[] {
  const others = UNINDEXED_SETTINGS.filter((name) => settings[name] !== undefined).map((name): Predicate => {
    const column = Prisma.raw(`"${name}"`);
    return (id) =>
      Prisma.sql`(SELECT 1 FROM "Embed" AS s WHERE s."accountId" = ${accountId} AND s."id" = ${id} AND s.${column} = ${settings[name]}) = 1`;
  });
  return pageUrl === undefined ? others : [...others, hasPageUrl(accountId, pageUrl)];
}

/** Compares the URL in addition to the page id, because pages with different URLs can have the same id. */
function hasPageUrl(accountId: string, pageUrl: string): Predicate {
  const hasEquivalentUrl = isInPostingList(postingListOfTerm(accountId, termOfPageUrl(pageUrl)));
  return (id) => Prisma.sql`(SELECT 1 FROM "Embed" AS u WHERE u."accountId" = ${accountId} AND u."id" = ${id}
      AND (u."pageUrl" = ${pageUrl} OR ${hasEquivalentUrl(Prisma.sql`u."id"`)})) = 1`;
}

const idOf = ({ table }: PostingList) => Prisma.raw(table === 'Embed' ? '"id"' : '"embedId"');
const tableOf = ({ table }: PostingList) => Prisma.raw(`"${table}"`);
const nameOf = (column: Column) => Prisma.raw(`"${column}"`);

export interface IdQuery {
  readonly list: PostingList;
  readonly predicates: readonly Predicate[];
  readonly span: IdSpan;
  /** Starts with the oldest id instead of the newest. */
  readonly fromEnd: boolean;
  readonly limit: number;
  readonly offset?: number;
}

/**
 * Returns the SQL of a query. Bounds and order use the whole key, which leaves a planner only the index of these columns:
 * with the id alone, PostgreSQL scans the embeds of all accounts if it considers the parameters frequent. For the same
 * reason the limit is a literal, and each predicate is a subquery, which no planner turns into a join.
 */
export function selectIds({ list, predicates, span, fromEnd, limit, offset = 0 }: IdQuery): Prisma.Sql {
  const direction = Prisma.raw(fromEnd ? ' ASC' : ' DESC');
  const limitClause = Prisma.raw(`LIMIT ${limit} OFFSET ${offset}`);
  const members = list.parts ?? list.anyOf;
  if (members) {
    const selects = members.map((member) => {
      const ids = selectIds({ list: member, predicates, span, fromEnd, limit: limit + offset });
      return Prisma.sql`SELECT "id" FROM (${ids}) AS part`;
    });
    return Prisma.sql`SELECT "id" FROM (${Prisma.join(selects, list.anyOf ? ' UNION ' : ' UNION ALL ')}) AS merged
      ORDER BY "id"${direction} ${limitClause}`;
  }
  const id = Prisma.sql`d.${idOf(list)}`;
  const key = [...list.columns.map(([column]) => Prisma.sql`d.${nameOf(column)}`), id];
  const keyAt = (bound: string) => Prisma.join([...list.columns.map(([, value]) => value), bound]);
  const order = key.map((column) => Prisma.sql`${column}${direction}`);
  const conditions = [
    Prisma.sql`(${Prisma.join(key)}) >= (${keyAt(span.from)})`,
    Prisma.sql`(${Prisma.join(key)}) < (${keyAt(span.below)})`,
    ...predicates.map((predicate) => predicate(id)),
  ];
  return Prisma.sql`SELECT ${id} AS "id" FROM ${tableOf(list)} AS d WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${Prisma.join(order)} ${limitClause}`;
}

export function isInPostingList(list: PostingList): Predicate {
  if (list.anyOf) {
    const predicates = list.anyOf.map(isInPostingList);
    return (id) =>
      Prisma.sql`(${Prisma.join(
        predicates.map((predicate) => predicate(id)),
        ' OR ',
      )})`;
  }
  const equal = list.columns.map(([column, value]) => Prisma.sql`o.${nameOf(column)} = ${value}`);
  return (id) => Prisma.sql`(SELECT 1 FROM ${tableOf(list)} AS o
    WHERE ${Prisma.join(equal, ' AND ')} AND o.${idOf(list)} = ${id}) = 1`;
}
