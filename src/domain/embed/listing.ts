import { type Fault, refuseFaults } from '../../errors.ts';
import {
  findCarriedId,
  MAX_URL_LENGTH,
  normalisePageUrl,
  type PagePolicy,
  pageIdOf,
  parsePageId,
} from '../page/url.ts';
import type { EmbedMode } from './embed.ts';
import { boundOfTime } from './id.ts';
import { readAppearance, readPageId, readPageUrl } from './input.ts';
import { InputReader } from './input-reader.ts';
import { type Instant, parseInstant } from './instant.ts';
import { type Paging, readPaging, reversed } from './paging.ts';
import { wordsIn, wordsOfPageUrl } from './search-terms.ts';

export const MAX_SEARCH_WORDS = 5;
/** The most characters of a search text that is not one URL; a URL may have {@link MAX_URL_LENGTH}. */
export const MAX_SEARCH_LENGTH = 200;

/** By what embeds can be looked for. */
export const FILTER_NAMES = ['pageId', 'pageUrl', 'mode', 'font', 'createdAfter', 'createdBefore', 'search'] as const;

/** By what a list can be put in order. */
export const ORDER_FIELDS = ['CREATED_AT'] as const;
export const DIRECTIONS = ['ASC', 'DESC'] as const;
type Direction = (typeof DIRECTIONS)[number];

/** What embeds have in common that are looked for: all of it at once. */
export interface Filter {
  readonly mode: EmbedMode | undefined;
  readonly font: string | undefined;
  /** More than one where a page's id and URL disagree: no embed has both. */
  readonly pageIds: readonly string[];
  /** Normalised; the id of the page is among the others. */
  readonly pageUrl: string | undefined;
  readonly words: readonly string[];
  /** The page of the URL that is searched for: its embeds match whether or not they have the words. */
  readonly pageIdInsteadOfWords: string | undefined;
  /** Ids from this bound on, and below that one: what was made in a time, since an id begins with its time. */
  readonly from: string | undefined;
  readonly below: string | undefined;
}

/** Which part of which list of an account's embeds is asked for. */
export interface Listing {
  /** In the list as it is kept, newest first. */
  readonly paging: Paging;
  readonly isOldestFirst: boolean;
  /** Null for the list of all. */
  readonly filter: Filter | null;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The listing from the arguments of a connection.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parseListing(args: Arguments, policy: PagePolicy): Listing {
  const faults: Fault[] = [];
  const paging = readPaging(args, faults);
  const filter = readFilter(args.filter, policy, faults);
  const isOldestFirst = readDirection(args.orderBy, faults) === 'ASC';
  if (faults.length > 0) throw refuseFaults(faults);
  return { paging: isOldestFirst ? reversed(paging) : paging, isOldestFirst, filter };
}

const NULL_OBJECT = 'must not be null; leave it out instead';

function readFilter(input: unknown, policy: PagePolicy, faults: Fault[]): Filter | null {
  if (input === undefined) return null;
  if (input === null) faults.push({ path: 'filter', message: NULL_OBJECT });
  const reader = new InputReader(input, FILTER_NAMES);
  const pageId = readPageId(reader);
  const pageUrl = readPageUrl(reader, policy);
  const { mode, font } = readAppearance(reader);
  const after = readInstant(reader, 'createdAfter');
  const before = readInstant(reader, 'createdBefore');
  if (after && before && after.floorMs >= before.ceilMs) {
    reader.faults.push({ path: 'createdAfter', message: 'must be before', other: 'createdBefore' });
    reader.faults.push({ path: 'createdBefore', message: 'must be after', other: 'createdAfter' });
  }
  const search = readSearch(reader);
  const pageIds = [pageId && parsePageId(pageId), pageUrl && pageIdOf(pageUrl), search.pageId];
  faults.push(...reader.faults);
  if (!FILTER_NAMES.some((name) => reader.has(name))) return null;
  return {
    mode,
    font,
    pageIds: [...new Set(pageIds.filter((id) => typeof id === 'string'))],
    pageUrl: pageUrl && normalisePageUrl(pageUrl),
    words: search.words,
    pageIdInsteadOfWords: search.pageIdInsteadOfWords,
    from: after && boundOfTime(after.floorMs + 1),
    below: before && boundOfTime(before.ceilMs),
  };
}

function readInstant(reader: InputReader, path: string): Instant | undefined {
  const text = reader.read<string>(path, (value) =>
    typeof value === 'string' && parseInstant(value) !== null
      ? null
      : 'must be an instant as RFC 3339 writes it, such as 2026-01-31T12:00:00.000Z',
  );
  return (text !== undefined && parseInstant(text)) || undefined;
}

interface Search extends Pick<Filter, 'words' | 'pageIdInsteadOfWords'> {
  /** The only page whose embeds match. */
  readonly pageId: string | undefined;
}

function readSearch(reader: InputReader): Search {
  const text = reader.read<string>('search', faultOfSearch);
  const url = text === undefined ? null : findUrl(text);
  if (url !== null) return searchForUrl(url);
  return { words: text === undefined ? [] : wordsToFind(text), pageId: undefined, pageIdInsteadOfWords: undefined };
}

/**
 * A page id says which page is meant. Without one, pages with the same words match too: those of a site, or the same page
 * with another scheme or a final slash. No embed is sure to have all words of its URL, of which only the first are indexed.
 */
function searchForUrl(url: string): Search {
  const pageId = pageIdOf(url);
  const normal = normalisePageUrl(url);
  const words = findCarriedId(normal) ? [] : longest(wordsOfPageUrl(normal));
  return words.length === 0
    ? { words, pageId, pageIdInsteadOfWords: undefined }
    : { words, pageId: undefined, pageIdInsteadOfWords: pageId };
}

/** As many words as a search may have; long ones are rarer than short ones. */
function longest(words: readonly string[]): readonly string[] {
  return words.toSorted((a, b) => b.length - a.length).slice(0, MAX_SEARCH_WORDS);
}

/** The URL that a text is as a whole, but for blanks around it; null for any other text. */
function findUrl(text: string): string | null {
  const url = text.trim();
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : null;
}

/** Without the scheme of a URL, which is no word of an embed either. */
function wordsToFind(text: string): readonly string[] {
  return wordsIn(text.replace(/^\s*https?:\/\//i, ''));
}

function faultOfSearch(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be one string';
  if (findUrl(value) !== null) {
    return value.length > MAX_URL_LENGTH ? `must be at most ${MAX_URL_LENGTH} characters` : null;
  }
  if (value.length > MAX_SEARCH_LENGTH) return `must be at most ${MAX_SEARCH_LENGTH} characters, or one URL`;
  const { length } = wordsToFind(value);
  if (length === 0) return 'must have a word: letters or digits';
  return length > MAX_SEARCH_WORDS ? `must have at most ${MAX_SEARCH_WORDS} different words, or be one URL` : null;
}

function readDirection(input: unknown, faults: Fault[]): Direction {
  if (input === undefined) return 'DESC';
  if (input === null) faults.push({ path: 'orderBy', message: NULL_OBJECT });
  const reader = new InputReader(input, ['field', 'direction']);
  const oneOf = (path: string, allowed: readonly string[]) =>
    reader.read<string>(path, (value) =>
      allowed.includes(value as string) ? null : { message: 'must be one of', allowed },
    );
  if (input !== null) reader.require('field');
  oneOf('field', ORDER_FIELDS);
  if (input !== null) reader.require('direction');
  const direction = oneOf('direction', DIRECTIONS);
  faults.push(...reader.faults);
  return direction === 'ASC' ? 'ASC' : 'DESC';
}
