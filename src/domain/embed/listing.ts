import { PAGE_STATES, type PageState } from '#reader/page-state';
import { findPageId, MAX_URL_LENGTH, normalisePageUrl, type PagePolicy, pageIdOf, parsePageId } from '#reader/page-url';
import { type Fault, refuseFaults } from '../../errors.ts';
import { InputReader, NULL_MESSAGE, type SentParameters } from '../input/input-reader.ts';
import { ParameterList, type ParameterSpec } from '../input/parameters.ts';
import { checkInstant, type Instant, parseInstant } from '../instant.ts';
import { SETTING_NAMES, type Settings } from './fields.ts';
import { idBoundAt } from './id.ts';
import { parameterSpecsOf, spellParameters } from './input.ts';
import { PAGING, type Paging, readPaging, reversePaging } from './paging.ts';
import { wordsIn, wordsOfPageUrl } from './search-terms.ts';

export const MAX_SEARCH_WORDS = 5;
/** Characters of a search text. A URL can have {@link MAX_URL_LENGTH}. */
export const MAX_SEARCH_LENGTH = 200;

/** PostgreSQL has no year 0, and reads only years of four digits. */
const MAX_TIME_MS = Date.UTC(10_000, 0) - 1;

export const ORDER_FIELDS = { CREATED_AT: 'The time at which the embeds were created.' } as const;
export const DIRECTIONS = { ASC: 'Lowest or oldest first.', DESC: 'Highest or newest first.' } as const;

export interface Filter {
  readonly settings: Partial<Settings>;
  /** With more than one id, nothing matches: page id and page URL contradict each other. */
  readonly pageIds: readonly string[];
  /** Normalised. `pageIds` contains the id of this page. */
  readonly pageUrl?: string | undefined;
  readonly words: readonly string[];
  /** Beginnings of words. */
  readonly prefixes: readonly string[];
  /** Page of a searched URL. Its embeds match also without the words. */
  readonly pageIdInsteadOfWords?: string | undefined;
  /** Bounds of ids, the lower one inclusive. Ids begin with their time, so this is the time range. */
  readonly from?: string | undefined;
  readonly below?: string | undefined;
  readonly externalId?: string | undefined;
  /** The earliest time of the last change. */
  readonly updatedFrom?: Date | undefined;
  readonly pageStates?: readonly PageState[] | undefined;
  readonly needsAttention?: boolean | undefined;
}

export interface Listing {
  readonly paging: Paging;
  readonly isOldestFirst: boolean;
  readonly filter: Filter | null;
}

function checkSearch(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be one string';
  if (findUrl(value) !== null) {
    return value.length > MAX_URL_LENGTH ? `must be at most ${MAX_URL_LENGTH} characters` : null;
  }
  if (value.length > MAX_SEARCH_LENGTH) return `must be at most ${MAX_SEARCH_LENGTH} characters, or one URL`;
  const { length } = searchWordsOf(value);
  if (length === 0) return 'must have a word: letters or digits';
  return length > MAX_SEARCH_WORDS ? `must have at most ${MAX_SEARCH_WORDS} different words, or be one URL` : null;
}

export const FILTER: readonly ParameterSpec[] = [
  ...parameterSpecsOf('filter'),
  { name: 'createdAfter', restName: 'created_after', type: 'instant', check: checkInstant },
  { name: 'createdBefore', restName: 'created_before', type: 'instant', check: checkInstant },
  { name: 'updatedAfter', restName: 'updated_after', type: 'instant', check: checkInstant },
  { name: 'pageState', restName: 'page_state', type: 'enum', values: PAGE_STATES, isList: true },
  { name: 'needsAttention', restName: 'needs_attention', type: 'boolean' },
  { name: 'search', restName: 'search', type: 'text', check: checkSearch },
];
const ORDER: readonly ParameterSpec[] = [
  { name: 'field', restName: 'order_by', type: 'enum', values: ORDER_FIELDS },
  { name: 'direction', restName: 'direction', type: 'enum', values: DIRECTIONS },
];

/** The arguments of the list. The filter and the order are objects, which are read by themselves. */
const LIST_ARGUMENTS = new ParameterList(
  [...PAGING, ...['filter', 'orderBy'].map((name) => ({ name, restName: null, type: 'text' }) as const)],
  'graphql',
);
const FILTER_FIELDS = new ParameterList(FILTER, 'graphql');
const ORDER_INPUT_FIELDS = new ParameterList(
  ORDER.map((spec) => ({ ...spec, isRequired: true })),
  'graphql',
);
export const LIST_PARAMETERS = spellParameters([...PAGING, ...FILTER, ...ORDER]).rest;

const PAGING_NAMES = PAGING.map(({ name }) => name);
const FILTER_NAMES = FILTER.map(({ name }) => name);
const FILTER_SETTINGS = SETTING_NAMES.filter((name) => FILTER_NAMES.includes(name));

type Arguments = Readonly<Record<string, unknown>>;

/** @throws {Refusal} `invalid`, with all faults */
export function parseListing(args: Arguments, policy: PagePolicy): Listing {
  // Relay clients send null for omitted paging arguments
  const isSent = ([name, value]: readonly [string, unknown]) => value !== null || !PAGING_NAMES.includes(name);
  const values = Object.fromEntries(Object.entries(args).filter(isSent));
  const pagingReader = new InputReader({ values }, LIST_ARGUMENTS, policy);
  const paging = readPaging(pagingReader);
  const faults: Fault[] = [...pagingReader.faults];
  let filter: Filter | null = null;
  if (args.filter !== undefined) {
    const read = readFilterObject(args.filter, policy);
    filter = read.filter;
    faults.push(...read.faults);
  }
  let isOldestFirst = false;
  if (args.orderBy === null) faults.push({ path: 'orderBy', message: NULL_MESSAGE });
  else if (args.orderBy !== undefined) {
    const reader = new InputReader({ values: args.orderBy }, ORDER_INPUT_FIELDS, policy);
    reader.readAll();
    faults.push(...reader.faults);
    isOldestFirst = reader.values.direction === 'ASC';
  }
  if (faults.length > 0) throw refuseFaults(faults);
  return { paging: isOldestFirst ? reversePaging(paging) : paging, isOldestFirst, filter };
}

/** Reads the filter of GraphQL. It is null if it has no conditions. */
export function readFilterObject(
  value: unknown,
  policy: PagePolicy,
): { readonly filter: Filter | null; readonly faults: readonly Fault[] } {
  if (value === null) return { filter: null, faults: [{ path: 'filter', message: NULL_MESSAGE }] };
  const reader = new InputReader({ values: value }, FILTER_FIELDS, policy);
  return { filter: readFilter(reader), faults: reader.faults };
}

export interface ListArguments {
  readonly first?: unknown;
  readonly after?: unknown;
  readonly filter?: Arguments;
  readonly orderBy?: Arguments;
}

/** @throws {Refusal} `invalid`, with all faults */
export function parseListQuery(sent: SentParameters, policy: PagePolicy): ListArguments {
  const reader = new InputReader(sent, LIST_PARAMETERS, policy);
  readPaging(reader);
  const filter = readFilter(reader);
  const field = reader.read('field');
  const direction = reader.read('direction');
  reader.requireNoFaults();
  const { first, after, ...rest } = reader.values;
  const filters = Object.entries(rest).filter(([name]) => FILTER_NAMES.includes(name));
  return {
    ...(first !== undefined && { first }),
    ...(after !== undefined && { after }),
    ...(filter && { filter: Object.fromEntries(filters) }),
    ...((field ?? direction) !== undefined && {
      orderBy: { field: field ?? 'CREATED_AT', direction: direction ?? 'DESC' },
    }),
  };
}

function readFilter(reader: InputReader): Filter | null {
  if (!FILTER_NAMES.some((name) => reader.has(name))) return null;
  const pageId = reader.read<string>('pageId');
  const pageUrl = reader.read<string>('pageUrl');
  const settings = Object.fromEntries(
    FILTER_SETTINGS.filter((name) => reader.has(name)).map((name) => [name, reader.read(name)]),
  );
  const after = readInstant(reader, 'createdAfter');
  const before = readInstant(reader, 'createdBefore');
  if (after && before && after.floorMs >= before.ceilMs) {
    reader.addFault('createdAfter', `must be before ${reader.nameOf('createdBefore')}`);
    reader.addFault('createdBefore', `must be after ${reader.nameOf('createdAfter')}`);
  }
  const updatedAfter = readInstant(reader, 'updatedAfter');
  const search = readSearch(reader);
  const pageIds = [pageId && parsePageId(pageId), pageUrl && pageIdOf(pageUrl), search.pageId];
  return {
    settings,
    pageIds: [...new Set(pageIds.filter((id) => typeof id === 'string'))],
    pageUrl: pageUrl && normalisePageUrl(pageUrl),
    words: search.words,
    prefixes: search.prefixes,
    pageIdInsteadOfWords: search.pageIdInsteadOfWords,
    from: after && idBoundAt(after.floorMs + 1),
    below: before && idBoundAt(before.ceilMs),
    externalId: reader.read<string>('externalId'),
    updatedFrom: updatedAfter && new Date(Math.min(Math.max(updatedAfter.floorMs + 1, 0), MAX_TIME_MS)),
    pageStates: reader.read<readonly PageState[]>('pageState'),
    needsAttention: reader.read<boolean>('needsAttention'),
  };
}

function readInstant(reader: InputReader, name: string): Instant | undefined {
  const text = reader.read<string>(name);
  return (text !== undefined && parseInstant(text)) || undefined;
}

interface Search extends Pick<Filter, 'words' | 'prefixes' | 'pageIdInsteadOfWords'> {
  readonly pageId?: string;
}

const NO_SEARCH: Search = { words: [], prefixes: [] };

function readSearch(reader: InputReader): Search {
  const text = reader.read<string>('search');
  if (text === undefined) return NO_SEARCH;
  const url = findUrl(text);
  return url === null ? { ...NO_SEARCH, prefixes: withoutImplied(searchWordsOf(text)) } : searchForUrl(url);
}

/** Removes the beginnings of others. */
function withoutImplied(prefixes: readonly string[]): readonly string[] {
  return prefixes.filter((prefix) => !prefixes.some((other) => other !== prefix && other.startsWith(prefix)));
}

/**
 * Searches by page id if the URL contains one. Otherwise embeds with the same words match too, such as those of the page
 * with another scheme. The page id is searched as well, because only the first words of an embed are indexed.
 */
function searchForUrl(url: string): Search {
  const pageId = pageIdOf(url);
  const normal = normalisePageUrl(url);
  const words = findPageId(normal) ? [] : pickLongest(wordsOfPageUrl(normal));
  return words.length === 0 ? { ...NO_SEARCH, pageId } : { ...NO_SEARCH, words, pageIdInsteadOfWords: pageId };
}

/** Long words are rarer than short ones. */
function pickLongest(words: readonly string[]): readonly string[] {
  return words.toSorted((a, b) => b.length - a.length).slice(0, MAX_SEARCH_WORDS);
}

function findUrl(text: string): string | null {
  const url = text.trim();
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : null;
}

function searchWordsOf(text: string): readonly string[] {
  return wordsIn(text.replace(/^\s*https?:\/\//i, ''));
}
