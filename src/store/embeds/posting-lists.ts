import { FIELDS, SETTING_NAMES } from '../../domain/embed/fields.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import { termOfPageUrl } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Ids from one bound on, and below the other. */
export interface IdSpan {
  readonly from: string;
  readonly below: string;
}

/**
 * The embeds of an account that have one thing in common: an index begins with its columns and has their ids in order,
 * or does so for each of its parts.
 */
export interface PostingList {
  readonly table: 'Embed' | 'EmbedTerm';
  readonly columns: readonly (readonly [Column, string])[];
  readonly parts?: readonly PostingList[];
  /** Streams of which an embed is in at least one; `columns` are what they share. */
  readonly anyOf?: readonly PostingList[];
}

/** What is asked of an id: SQL that is true. */
export type Predicate = (id: Prisma.Sql) => Prisma.Sql;

type Column = 'accountId' | 'pageId' | 'mode' | 'font' | 'term';

const MODES = Object.keys(FIELDS.mode.values);
/** The settings that no index contains. */
const UNINDEXED_SETTINGS = SETTING_NAMES.filter((name) => name !== 'mode' && name !== 'font');

/**
 * What a filter asks for, as streams of which an embed must be in each. Mode and font are one, for which there is an
 * index: both have few values, of which each may be many, and together few. The font alone is read from it mode by mode.
 */
export function postingListsOf(accountId: string, filter: Filter): readonly PostingList[] {
  const { settings, pageIds, words, pageIdInsteadOfWords } = filter;
  const { mode, font } = settings;
  const inEmbeds = (...columns: PostingList['columns']): PostingList => ({
    table: 'Embed',
    columns: [['accountId', accountId], ...columns],
  });
  const streams = pageIds.map((pageId) => inEmbeds(['pageId', pageId]));
  if (mode !== undefined)
    streams.push(inEmbeds(...(font === undefined ? [] : [['font', font] as const]), ['mode', mode]));
  else if (font !== undefined) {
    const parts = MODES.map((each) => inEmbeds(['font', font], ['mode', each]));
    streams.push({ ...inEmbeds(['font', font]), parts });
  }
  for (const word of words) {
    const withWord = postingListOfTerm(accountId, word);
    if (pageIdInsteadOfWords === undefined) streams.push(withWord);
    // all words or the page: of each word, the word or the page
    else streams.push({ ...inEmbeds(), anyOf: [inEmbeds(['pageId', pageIdInsteadOfWords]), withWord] });
  }
  return streams.length > 0 ? streams : [inEmbeds()];
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

/** Returns the conditions of a filter that no index contains. */
export function predicatesOf(accountId: string, { pageUrl, settings }: Filter): readonly Predicate[] {
  const others = UNINDEXED_SETTINGS.filter((name) => settings[name] !== undefined).map((name): Predicate => {
    const column = Prisma.raw(`"${name}"`);
    return (id) =>
      Prisma.sql`(SELECT 1 FROM "Embed" AS s WHERE s."id" = ${id} AND s.${column} = ${settings[name]}) = 1`;
  });
  return pageUrl === undefined ? others : [...others, ...predicatesOfPage(accountId, pageUrl)];
}

/** The URL is a condition beside the page id, since pages with different URLs can have the same id. */
function predicatesOfPage(accountId: string, pageUrl: string): readonly Predicate[] {
  const isSpelledOtherwise = isInPostingList(postingListOfTerm(accountId, termOfPageUrl(pageUrl)));
  return [
    (id) => Prisma.sql`(SELECT 1 FROM "Embed" AS u WHERE u."id" = ${id}
      AND (u."pageUrl" = ${pageUrl} OR ${isSpelledOtherwise(Prisma.sql`u."id"`)})) = 1`,
  ];
}

const idOf = ({ table }: PostingList) => Prisma.raw(table === 'Embed' ? '"id"' : '"embedId"');
const tableOf = ({ table }: PostingList) => Prisma.raw(`"${table}"`);
const nameOf = (column: Column) => Prisma.raw(`"${column}"`);

/** Some of the ids of a stream in a span, in order. */
export interface IdQuery {
  readonly stream: PostingList;
  readonly tests: readonly Predicate[];
  readonly span: IdSpan;
  /** Whether they are counted from the oldest one, not from the newest. */
  readonly fromEnd: boolean;
  readonly most: number;
  readonly skipped?: number;
}

/**
 * The ids of a cut. Its bounds and its order are those of whole keys, which leaves a planner nothing but the index with
 * these columns: with the id alone, PostgreSQL goes through all embeds of all accounts where it takes its parameters for
 * frequent ones. For the same reason the number is written out, and each of the tests is a subquery of its own, which
 * no planner makes a join of.
 */
export function selectIds({ stream, tests, span, fromEnd, most, skipped = 0 }: IdQuery): Prisma.Sql {
  const direction = Prisma.raw(fromEnd ? ' ASC' : ' DESC');
  const limit = Prisma.raw(`LIMIT ${most} OFFSET ${skipped}`);
  const several = stream.parts ?? stream.anyOf;
  if (several) {
    const parts = several.map((part) => {
      const ids = selectIds({ stream: part, tests, span, fromEnd, most: most + skipped });
      return Prisma.sql`SELECT "id" FROM (${ids}) AS part`;
    });
    return Prisma.sql`SELECT "id" FROM (${Prisma.join(parts, stream.anyOf ? ' UNION ' : ' UNION ALL ')}) AS merged
      ORDER BY "id"${direction} ${limit}`;
  }
  const id = Prisma.sql`d.${idOf(stream)}`;
  const key = [...stream.columns.map(([column]) => Prisma.sql`d.${nameOf(column)}`), id];
  const keyAt = (bound: string) => Prisma.join([...stream.columns.map(([, value]) => value), bound]);
  const order = key.map((column) => Prisma.sql`${column}${direction}`);
  const conditions = [
    Prisma.sql`(${Prisma.join(key)}) >= (${keyAt(span.from)})`,
    Prisma.sql`(${Prisma.join(key)}) < (${keyAt(span.below)})`,
    ...tests.map((test) => test(id)),
  ];
  return Prisma.sql`SELECT ${id} AS "id" FROM ${tableOf(stream)} AS d WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${Prisma.join(order)} ${limit}`;
}

/** Whether an id is in a stream. */
export function isInPostingList(stream: PostingList): Predicate {
  if (stream.anyOf) {
    const tests = stream.anyOf.map(isInPostingList);
    return (id) =>
      Prisma.sql`(${Prisma.join(
        tests.map((test) => test(id)),
        ' OR ',
      )})`;
  }
  const equal = stream.columns.map(([column, value]) => Prisma.sql`o.${nameOf(column)} = ${value}`);
  return (id) => Prisma.sql`(SELECT 1 FROM ${tableOf(stream)} AS o
    WHERE ${Prisma.join(equal, ' AND ')} AND o.${idOf(stream)} = ${id}) = 1`;
}
