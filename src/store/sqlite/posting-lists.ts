import type { Settings } from '../../domain/embed/fields.ts';
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
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, EMBED_COLUMNS, NO_TERMS_YET } from '../embeds/sql.ts';

/** Digits of a page id in the full-text index. The row has all of them. */
const PAGE_ID_DIGITS = 16;

/** The last digits of a page id are its key in the B-tree that the migration `page_index` makes. */
const PAGE_KEY_DIGITS = 8;

/** Reads the full-text index, whose tokens the triggers in the migration `word_index` make. */
export const SQLITE_INDEX: IndexSql = {
  selectIds(query) {
    // a count does not read the rows
    return needsRows(query)
      ? selectFromRows(query, Prisma.raw('e."id"'))
      : Prisma.sql`
        SELECT (SELECT e."id" FROM "Embed" AS e WHERE e."position" = m.rowid) AS "id" FROM (${selectPositions(query)}) AS m`;
  },

  selectEmbeds(query) {
    return needsRows(query)
      ? selectFromRows(query, EMBED_COLUMNS)
      : Prisma.sql`
        SELECT ${EMBED_COLUMNS} FROM (${selectPositions(query)}) AS m
        CROSS JOIN "Embed" AS e ON e."position" = m.rowid`;
  },

  hasPage: (accountId, pageId, isOf) => Prisma.sql`(
    SELECT 1 FROM "Embed" AS e INDEXED BY "Embed_page_idx"
    WHERE e."accountId" = ${accountId} AND ${hasPageKey(pageId)} AND e."pageId" = ${pageId} AND ${isOf} LIMIT 1) = 1`,

  selectWords: (accountId, prefix, limit) => Prisma.sql`
    SELECT "word" FROM "EmbedWord"
    WHERE "accountId" = ${accountId} AND "word" >= ${prefix} AND "word" < ${prefix + ABOVE_ALL_CHARACTERS}
    ORDER BY "word" ${limitOf(limit)}`,
};

/** Returns true unless the index alone decides which embeds match. */
function needsRows({ list, others, predicates }: IdQuery): boolean {
  return list.of === 'account' || predicates.length > 0 || [list, ...others].some(hasPageId);
}

function selectPositions(query: IdQuery): Prisma.Sql {
  return Prisma.sql`
    SELECT i.rowid FROM "EmbedIndex" AS i WHERE ${isIndexed(query)} ${limitedOrderOf(query, Prisma.sql`i.rowid`)}`;
}

function selectFromRows(query: IdQuery, columns: Prisma.Sql): Prisma.Sql {
  const { accountId, span } = query;
  const index = findBTree(query);
  if (index) {
    const position = Prisma.sql`e."position"`;
    // without the hint, the planner may scan the embeds of all accounts in their order
    return Prisma.sql`
      SELECT ${columns} FROM "Embed" AS e INDEXED BY ${index.name}
      WHERE e."accountId" = ${accountId} ${index.condition} ${isInSpan(span, position)} ${conditionsOf(query)} ${limitedOrderOf(query, position)}`;
  }
  return Prisma.sql`
    SELECT ${columns} FROM "EmbedIndex" AS i CROSS JOIN "Embed" AS e ON e."position" = i.rowid
    WHERE ${isIndexed(query)} ${conditionsOf(query)} ${limitedOrderOf(query, Prisma.sql`i.rowid`)}`;
}

/** Returns the B-tree that has the list of a query; null if only the full-text index has it. */
function findBTree({ list, others }: IdQuery): { readonly name: Prisma.Sql; readonly condition: Prisma.Sql } | null {
  if (list.of === 'account') return { name: Prisma.raw('"Embed_accountId_idx"'), condition: Prisma.empty };
  if (list.of !== 'page' || others.length > 0) return null;
  return { name: Prisma.raw('"Embed_page_idx"'), condition: Prisma.sql`AND ${hasPageKey(list.pageId)}` };
}

function hasPageKey(pageId: string): Prisma.Sql {
  const key = Prisma.raw(`substr(e."pageId", -${PAGE_KEY_DIGITS})`);
  return Prisma.sql`${key} = ${pageId.slice(-PAGE_KEY_DIGITS)}`;
}

function isIndexed({ accountId, list, others, span }: IdQuery): Prisma.Sql {
  const match = [list, ...others].map((each) => `(${matchOf(accountId, each)})`).join(' AND ');
  return Prisma.sql`"EmbedIndex" MATCH ${match} ${isInSpan(span, Prisma.sql`i.rowid`)}`;
}

function limitedOrderOf({ fromEnd, limit, offset = 0 }: IdQuery, position: Prisma.Sql): Prisma.Sql {
  const direction = Prisma.raw(fromEnd ? 'ASC' : 'DESC');
  return Prisma.sql`ORDER BY ${position} ${direction} ${limitOf(limit)} OFFSET 0 + ${offset}`;
}

/** SQLite plans a statement again for each value of a limit that is a parameter alone, but not for an expression. */
export function limitOf(rows: number): Prisma.Sql {
  return Prisma.sql`LIMIT 0 + ${rows}`;
}

/** Selects the position of the next embed in the order of ids; null at the end. */
export function positionFrom(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT "position" FROM "Embed" WHERE "id" >= ${id} ORDER BY "id" LIMIT 1)`;
}

export function positionBefore(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT "position" FROM "Embed" WHERE "id" < ${id} ORDER BY "id" DESC LIMIT 1)`;
}

/** Converts bounds of ids to conditions on positions, each after `AND`. The database would check an open end for each row. */
function isInSpan({ from, below }: IdSpan, position: Prisma.Sql): Prisma.Sql {
  const lower = Prisma.sql`AND ${position} >= ${positionFrom(Prisma.sql`${from}`)}`;
  const upper = Prisma.sql`AND ${position} <= ${positionBefore(Prisma.sql`${below}`)}`;
  return Prisma.sql`${from === BELOW_ALL_IDS ? Prisma.empty : lower} ${below === ABOVE_ALL_IDS ? Prisma.empty : upper}`;
}

/** The columns of an embed from which the triggers make its tokens. */
export interface IndexedRow {
  readonly position: number;
  readonly accountId: string;
  readonly pageId: string;
  readonly mode: Settings['mode'];
  readonly font: string;
  readonly terms: string;
}

/** Returns what the triggers in the migration `word_index` write, after the tokenizer. */
export function tokensOf({ accountId, pageId, mode, font, terms }: IndexedRow): readonly string[] {
  if (terms === NO_TERMS_YET) return ['[]'];
  const tokens = [
    tokenOfPage(accountId, pageId),
    startOfAppearance(accountId, undefined) + mode,
    startOfAppearance(accountId, font) + mode,
    ...terms
      .split(' ')
      .slice(1)
      .map((word) => tokenOf(accountId, 'w', word)),
  ];
  return tokens.map((token) => token.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

function matchOf(accountId: string, list: PostingList): string {
  switch (list.of) {
    case 'account':
      throw new Error('All embeds of an account have no token.');
    case 'page':
      return quote(tokenOfPage(accountId, list.pageId));
    case 'appearance':
      return list.modes.map((mode) => quote(startOfAppearance(accountId, list.font) + mode)).join(' OR ');
    case 'word':
      return quote(tokenOf(accountId, 'w', list.word));
    case 'prefix':
      return list.words.map((word) => quote(tokenOf(accountId, 'w', word))).join(' OR ');
    case 'any':
      return list.lists.map((each) => matchOf(accountId, each)).join(' OR ');
  }
}

function tokenOfPage(accountId: string, pageId: string): string {
  return tokenOf(accountId, 'p', pageId.replaceAll('-', '').slice(0, PAGE_ID_DIGITS));
}

/** Returns the token of a mode, or of a font and a mode, without the mode. */
function startOfAppearance(accountId: string, font: string | undefined): string {
  if (font === undefined) return tokenOf(accountId, 'm', '');
  return tokenOf(accountId, 's', `${Buffer.from(font).toString('hex')}_`);
}

/** Each token begins with its account, so that no list has embeds of other accounts. */
function tokenOf(accountId: string, kind: 'p' | 'm' | 's' | 'w', value: string): string {
  return Buffer.from(accountId).toString('hex') + kind + value;
}

function quote(token: string): string {
  return `"${token}"`;
}

function hasPageId(list: PostingList): boolean {
  return list.of === 'page' || (list.of === 'any' && list.lists.some(hasPageId));
}

function conditionsOf({ list, others, predicates }: IdQuery): Prisma.Sql {
  const conditions = [...[list, ...others].filter(hasPageId).map(isInList), ...predicates.map(hasProperty)];
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(conditions, ' AND ')}`;
}

/** Compares the whole page id. Words are compared only beside one, because the index has them whole. */
function isInList(list: PostingList): Prisma.Sql {
  if (list.of === 'page') return Prisma.sql`e."pageId" = ${list.pageId}`;
  if (list.of === 'word') return Prisma.sql`instr(e."terms" || ' ', ${` ${list.word} `}) > 0`;
  if (list.of === 'any') return Prisma.sql`(${Prisma.join(list.lists.map(isInList), ' OR ')})`;
  throw new Error(`A list of ${list.of} is compared by its tokens.`);
}

function hasProperty(predicate: Predicate): Prisma.Sql {
  switch (predicate.has) {
    case 'setting':
      return Prisma.sql`e.${Prisma.raw(`"${predicate.name}"`)} = ${predicate.value}`;
    case 'prefix':
      return Prisma.sql`instr(e."terms", ${` ${predicate.prefix}`}) > 0`;
    case 'updatedFrom':
      return Prisma.sql`(e."updatedAt" >= ${toSqliteTime(predicate.time)} OR e."id" >= ${predicate.idBound})`;
    case 'pageUrl': {
      const { pageUrl } = predicate;
      return Prisma.sql`(e."pageUrl" = ${pageUrl} OR instr(e."terms", ${` ${termOfPageUrl(pageUrl)}`}) > 0)`;
    }
  }
}

/** Converts a time like Prisma's adapter does. */
export function toSqliteTime(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}
