import type { ListArguments } from '../api/cache.ts';
import { ATTENTION_STATES, FILTERS, type FilterName } from '../generated/fields.ts';
import type { EmbedFilter, ListedEmbedFragment } from '../generated/operations.ts';
import { capitalise, labelOfValue } from '../list/embed-view-model.ts';

/** The filters and the order of the list, as the user chose them. Empty texts are not set. */
export interface ListQuery {
  readonly search: string;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** The first and the last day of creation, such as `2026-11-21`, in the user's time zone. */
  readonly from: string;
  readonly to: string;
  /** Only embeds whose page has moved, or shows a card for a reason that the owner can act on. */
  readonly needsAttention: boolean;
  readonly isOldestFirst: boolean;
}

export const ALL_EMBEDS: ListQuery = {
  search: '',
  filters: {},
  from: '',
  to: '',
  needsAttention: false,
  isOldestFirst: false,
};

export function readListQuery(text: string): ListQuery {
  const parameters = new URLSearchParams(text);
  const textOf = (name: string) => parameters.get(name) ?? '';
  const filters = FILTERS.flatMap(({ name }) => (textOf(name) === '' ? [] : [[name, textOf(name)]]));
  return {
    search: textOf('search'),
    filters: Object.fromEntries(filters),
    from: dayOrEmpty(textOf('from')),
    to: dayOrEmpty(textOf('to')),
    needsAttention: textOf('attention') === 'yes',
    isOldestFirst: textOf('sort') === 'oldest',
  };
}

/** Writes the query string that {@link readListQuery} reads. */
export function writeListQuery({ search, filters, from, to, needsAttention, isOldestFirst }: ListQuery): string {
  const flags = { attention: needsAttention ? 'yes' : '', sort: isOldestFirst ? 'oldest' : '' };
  const entries = Object.entries({ search, ...filters, from, to, ...flags });
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
}

export function argumentsOf({ search, filters, from, to, needsAttention, isOldestFirst }: ListQuery): ListArguments {
  const filter: EmbedFilter = {
    ...(filters as EmbedFilter),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(needsAttention && { needsAttention }),
    ...(from !== '' && { createdAfter: new Date(startOf(from) - 1).toISOString() }),
    ...(to !== '' && { createdBefore: new Date(startOf(to, 1)).toISOString() }),
  };
  return {
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(isOldestFirst && { orderBy: { field: 'CREATED_AT', direction: 'ASC' } }),
  };
}

/** A condition of the list, and the query without it. */
export interface Condition {
  readonly label: string;
  readonly value: string;
  readonly without: ListQuery;
}

export function conditionsOf(query: ListQuery): readonly Condition[] {
  const { search, filters, from, to, needsAttention } = query;
  const fields = FILTERS.flatMap(({ name, label, values }) => {
    const value = filters[name];
    if (value === undefined) return [];
    const { [name]: _removed, ...others } = filters;
    return [
      { label: capitalise(label), value: values ? labelOfValue(value) : value, without: { ...query, filters: others } },
    ];
  });
  return [
    ...(search.trim() === '' ? [] : [{ label: 'Search', value: search.trim(), without: { ...query, search: '' } }]),
    ...fields,
    ...(from === '' ? [] : [{ label: 'Created from', value: from, without: { ...query, from: '' } }]),
    ...(to === '' ? [] : [{ label: 'Created until', value: to, without: { ...query, to: '' } }]),
    ...(needsAttention
      ? [{ label: 'Page', value: 'needs attention', without: { ...query, needsAttention: false } }]
      : []),
  ];
}

/**
 * Approximates the filters of the API for embeds that are known without it: each word of the search must begin a word of
 * the title or URL.
 */
export function matchesQuery(
  embed: ListedEmbedFragment,
  { search, filters, from, to, needsAttention }: ListQuery,
): boolean {
  const words = wordsOf(`${embed.title} ${embed.pageUrl}`);
  const createdAt = Date.parse(embed.createdAt);
  const { page } = embed;
  return (
    wordsOf(search).every((sought) => words.some((word) => word.startsWith(sought))) &&
    Object.entries(filters).every(([name, value]) => embed[name as FilterName] === value) &&
    (!needsAttention || page.movedTo !== null || ATTENTION_STATES.includes(page.state)) &&
    (from === '' || createdAt >= startOf(from)) &&
    (to === '' || createdAt < startOf(to, 1))
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function dayOrEmpty(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(startOf(text)) ? text : '';
}

/** Returns the time at which a day begins for the user, or a day that many days later. */
function startOf(day: string, laterDays = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + laterDays).getTime();
}
