import MiniSearch, { type Query, type QueryCombination } from 'minisearch';
import { SYNONYMS } from './synonyms.ts';

/** A page as the browser loads it. Texts are words, each once. */
export interface SearchPage {
  readonly url: string;
  readonly name: string;
  /** Other names of the page, such as the method and path of an operation. */
  readonly aliases?: string;
  readonly group: string;
  readonly text: string;
  readonly places: readonly SearchPlace[];
}

/** A section of a page, or a code, type or field. */
export interface SearchPlace {
  readonly id: string;
  /** The id if omitted. */
  readonly title?: string;
  readonly text?: string;
}

/** A page or place that the search finds. */
export interface SearchEntry {
  /** The path, with the id of a place. */
  readonly url: string;
  readonly title: string;
  /** The page or group that it belongs to. */
  readonly context: string;
  readonly text: string;
}

export type FoundEntry = Pick<SearchEntry, 'title' | 'context' | 'url'>;

const MAX_RESULTS = 12;

/** Shorter words must be written as they are. */
const MIN_MISSPELT_LENGTH = 4;
/** In longer words two letters may be wrong, such as two that are swapped. */
const MIN_SWAPPED_LENGTH = 6;

/** Complete words count 1. A misspelt one counts little, so that `sort` does not find `PORT` before `sorted`. */
const WEIGHTS = { prefix: 0.4, fuzzy: 0.05 };

const SEPARATORS = /[\s\p{P}\p{S}]+/gu;

/** Words that say nothing. The entries do not contain them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about after again all also an and another any are as at be before both but by can do does each else every for from has have how i if in into is it its itself may more most never no not nothing of on once one only or other others own same so such than that the their them then there they this those to too up was what when where which while with within you your'.split(
    ' ',
  ),
);

/** Creates the index. The browser does so, because the index is larger than the words of all places. */
export function createSearchIndex(pages: readonly SearchPage[]): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>({
    idField: 'url',
    fields: ['title', 'context', 'text'],
    storeFields: ['title', 'context', 'url'],
  });
  index.addAll(pages.flatMap(entriesOf));
  return index;
}

function entriesOf({ url, name, aliases, group, text, places }: SearchPage): readonly SearchEntry[] {
  return [
    { url, title: aliases === undefined ? name : `${name} · ${aliases}`, context: group, text },
    ...places.map(({ id, title = id, text = '' }) => ({ url: `${url}#${id}`, title, context: name, text })),
  ];
}

/** Finds the places with all words, beginnings of words, or synonyms, and then those with some. */
export function findEntries(index: MiniSearch<SearchEntry>, text: string): readonly FoundEntry[] {
  const all = text.split(SEPARATORS).filter((word) => word !== '');
  const queries = all.filter((word) => !STOP_WORDS.has(word.toLowerCase())).map(queryOf);
  const ofNames = namesIn(all).flatMap((name) => [wordQueryOf(name, 0), ...synonymsOf(name, 12)]);
  const found = (['AND', 'OR'] as const).flatMap((combineWith) => {
    const query: Query = { combineWith: 'OR', queries: [{ combineWith, queries }, ...ofNames] };
    return index.search(query, { boostDocument: boostOf, weights: WEIGHTS });
  });
  return [...new Map(found.map(({ title, context, url }) => [url, { title, context, url }])).values()].slice(
    0,
    MAX_RESULTS,
  );
}

/** Returns the names of two or three words that a text can contain, such as those of headers. No synonym has a longer name. */
function namesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, i) => {
    const [second, third] = words.slice(i + 1, i + 3);
    if (second === undefined) return [];
    return third === undefined ? [word + second] : [word + second, word + second + third];
  });
}

/** Guides come first, then pages, then places on pages. */
function boostOf(url: string, _: string, stored?: Record<string, unknown>): number {
  if (stored?.context === 'Guides') return 3;
  return url.includes('#') ? 1 : 1.5;
}

/** By names without spaces and hyphens: `api key`, `api-key` and `apikey` are one name. */
const SYNONYMS_OF_STEM = new Map(
  Object.entries(SYNONYMS).map(([name, synonyms]) => [stemOf(name.replace(SEPARATORS, '')), synonyms]),
);

/** Returns a long word without the ending of a form: `authenticate` and `authentication` are one word. */
function stemOf(word: string): string {
  return word.length > 5 ? word.replace(/(?:ations?|at(?:e[ds]?|ing)|ing|e?[ds]|e)$/, '') : word;
}

function synonymsOf(word: string, title = 3): QueryCombination[] {
  const isStatus = /^[45]\d\d$/.test(word);
  const name = word.toLowerCase();
  // a short word has no other stem, but a plural
  const forms = [name, name.replace(/s$/, ''), name.replace(/ies$/, 'y'), stemOf(name)];
  const known = forms.map((form) => SYNONYMS_OF_STEM.get(form)).find((found) => found);
  const synonyms = known ?? (isStatus ? ['errors'] : []);
  return synonyms.map((synonym) => ({ combineWith: 'AND', queries: [synonym], prefix: false, boost: { title } }));
}

/** Returns how many letters of a word may be wrong. */
function wrongLettersIn(word: string): number {
  if (word.length < MIN_MISSPELT_LENGTH || /^\d+$/.test(word)) return 0;
  return word.length < MIN_SWAPPED_LENGTH ? 1 : 2;
}

function queryOf(word: string): Query {
  return { combineWith: 'OR', queries: [wordQueryOf(word, wrongLettersIn(word)), ...synonymsOf(word)] };
}

function wordQueryOf(word: string, fuzzy: number): QueryCombination {
  return { queries: [word], prefix: true, fuzzy, boost: { title: 6, context: 3 } };
}
