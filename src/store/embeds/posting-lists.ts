import { FIELDS, SETTING_NAMES, type Settings } from '../../domain/embed/fields.ts';
import { idBoundAt } from '../../domain/embed/id.ts';
import type { Filter } from '../../domain/embed/listing.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** The ids from one on, or up to one, inclusive. */
export type IdRange = { readonly from: string } | { readonly to: string };

export interface IdSpan {
  readonly from: string;
  readonly below: string;
}

/** The ids of an account's embeds with one property. An index has them in order. */
export type PostingList =
  | { readonly of: 'account' }
  | { readonly of: 'page'; readonly pageId: string }
  /** Mode and font are one list, because each value alone may be frequent and the combination rare. */
  | { readonly of: 'appearance'; readonly modes: readonly Settings['mode'][]; readonly font: string | undefined }
  | { readonly of: 'word'; readonly word: string }
  /** The embeds with any of the words, which are all words with the prefix. */
  | { readonly of: 'prefix'; readonly prefix: string; readonly words: readonly string[] }
  | { readonly of: 'any'; readonly lists: readonly PostingList[] };

/** A property of an embed that has no index. */
export type Predicate =
  | { readonly has: 'setting'; readonly name: keyof Settings; readonly value: unknown }
  /** Compares the URL in addition to the page id, because pages with different URLs can have the same id. */
  | { readonly has: 'pageUrl'; readonly pageUrl: string }
  | { readonly has: 'prefix'; readonly prefix: string }
  /** An embed that was never updated has the time of its id. */
  | { readonly has: 'updatedFrom'; readonly time: Date; readonly idBound: string };

/** Selects the ids that are in the list and in all others, and have all properties, in the column `id`. */
export interface IdQuery {
  readonly accountId: string;
  readonly list: PostingList;
  readonly others: readonly PostingList[];
  readonly predicates: readonly Predicate[];
  readonly span: IdSpan;
  /** Starts with the oldest id instead of the newest. */
  readonly fromEnd: boolean;
  /** Without an offset, the result may also have the other ids of the last millisecond. */
  readonly limit: number;
  readonly offset?: number;
}

/** Statements on the index of one database. */
export interface IndexSql {
  readonly selectIds: (query: IdQuery) => Prisma.Sql;
  /** Selects the embeds of these ids, unordered. */
  readonly selectEmbeds: (query: IdQuery) => Prisma.Sql;
  /** Returns the condition that an account, of any table, has an embed of a page. @param isOf a condition for the embeds `e` */
  readonly hasPage: (accountId: Prisma.Sql, pageId: string, isOf: Prisma.Sql) => Prisma.Sql;
  /** Selects the first words of an account with a prefix, in the column `word`. */
  readonly selectWords: (accountId: string, prefix: string, limit: number) => Prisma.Sql;
}

/** A character that sorts after all characters of words. */
export const ABOVE_ALL_CHARACTERS = '\u{10ffff}';

const MODES = Object.keys(FIELDS.mode.values) as Settings['mode'][];
const UNINDEXED_SETTINGS = SETTING_NAMES.filter((name) => name !== 'mode' && name !== 'font');

/** Words that begin with a prefix; null if there are more than a list may have. */
export type PrefixWords = ReadonlyMap<string, readonly string[] | null>;

/** Returns the posting lists whose intersection a filter selects. */
export function postingListsOf(filter: Filter, prefixWords: PrefixWords): readonly PostingList[] {
  const { settings, pageIds, words, pageIdInsteadOfWords } = filter;
  const { mode, font } = settings;
  const lists: PostingList[] = pageIds.map((pageId) => ({ of: 'page', pageId }));
  if (mode !== undefined) lists.push({ of: 'appearance', modes: [mode], font });
  else if (font !== undefined) lists.push({ of: 'appearance', modes: MODES, font });
  for (const word of words) {
    const withWord: PostingList = { of: 'word', word };
    if (pageIdInsteadOfWords === undefined) lists.push(withWord);
    // (a AND b) OR page = (a OR page) AND (b OR page)
    else lists.push({ of: 'any', lists: [{ of: 'page', pageId: pageIdInsteadOfWords }, withWord] });
  }
  for (const [prefix, found] of prefixWords) if (found) lists.push({ of: 'prefix', prefix, words: found });
  return lists.length > 0 ? lists : [{ of: 'account' }];
}

export function predicatesOf(
  { pageUrl, settings, updatedFrom }: Filter,
  prefixWords: PrefixWords,
): readonly Predicate[] {
  const predicates: Predicate[] = UNINDEXED_SETTINGS.filter((name) => settings[name] !== undefined).map((name) => ({
    has: 'setting',
    name,
    value: settings[name],
  }));
  for (const [prefix, found] of prefixWords) if (!found) predicates.push({ has: 'prefix', prefix });
  if (updatedFrom) {
    predicates.push({ has: 'updatedFrom', time: updatedFrom, idBound: idBoundAt(updatedFrom.getTime()) });
  }
  return pageUrl === undefined ? predicates : [...predicates, { has: 'pageUrl', pageUrl }];
}
