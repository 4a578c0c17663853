import type { ListArguments } from '../api/cache.ts';
import { ATTENTION_STATES, FILTERS, type Filter, type FilterName } from '../generated/fields.ts';
import type { EmbedFilter, ListedEmbedFragment, PageState } from '../generated/operations.ts';
import { capitalise, labelOfValue } from '../list/embed-view-model.ts';
import { STATE_LABELS } from '../list/page-status.tsx';

/** A condition that the dialog offers as a field. */
export interface Choice extends Omit<Filter, 'name'> {
  readonly name: ChoiceName;
}

type ChoiceName = FilterName | 'externalId' | 'pageState';

/** The conditions to choose come before those to type. */
export const CHOICES: readonly Choice[] = [
  { name: 'pageState', type: 'enum', label: 'state of the page', values: Object.keys(STATE_LABELS) },
  ...FILTERS.filter(({ values }) => values),
  ...FILTERS.filter(({ values }) => !values),
  { name: 'externalId', type: 'text', label: 'external id' },
];

export function labelOfChoice({ name, values }: Choice, value: string): string {
  if (name === 'pageState') return STATE_LABELS[value as PageState] ?? value;
  return values ? labelOfValue(value) : value;
}

/** The filters and the order of the list, as the user chose them. Empty texts are not set. */
export interface ListQuery {
  readonly search: string;
  readonly filters: Readonly<Partial<Record<ChoiceName, string>>>;
  /** The first and the last day of creation, such as `2026-11-21`, in the user's time zone. */
  readonly from: string;
  readonly to: string;
  /** The first day of the last change. */
  readonly changed: string;
  /** Only embeds whose page has moved, or shows a card for a reason that the owner can act on. */
  readonly needsAttention: boolean;
  readonly isOldestFirst: boolean;
}

export const ALL_EMBEDS: ListQuery = {
  search: '',
  filters: {},
  from: '',
  to: '',
  changed: '',
  needsAttention: false,
  isOldestFirst: false,
};

export function readListQuery(text: string): ListQuery {
  const parameters = new URLSearchParams(text);
  const textOf = (name: string) => parameters.get(name) ?? '';
  const filters = CHOICES.flatMap(({ name }) => (textOf(name) === '' ? [] : [[name, textOf(name)]]));
  return {
    search: textOf('search'),
    filters: Object.fromEntries(filters),
    from: dayOrEmpty(textOf('from')),
    to: dayOrEmpty(textOf('to')),
    changed: dayOrEmpty(textOf('changed')),
    needsAttention: textOf('attention') === 'yes',
    isOldestFirst: textOf('sort') === 'oldest',
  };
}

/** Writes the query string that {@link readListQuery} reads. */
export function writeListQuery(query: ListQuery): string {
  const { search, filters, from, to, changed, needsAttention, isOldestFirst } = query;
  const flags = { attention: needsAttention ? 'yes' : '', sort: isOldestFirst ? 'oldest' : '' };
  const entries = Object.entries({ search, ...filters, from, to, changed, ...flags });
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
}

export function argumentsOf(query: ListQuery): ListArguments {
  const { search, filters, from, to, changed, needsAttention, isOldestFirst } = query;
  const { pageState, ...fields } = filters;
  const filter: EmbedFilter = {
    ...(fields as EmbedFilter),
    ...(pageState !== undefined && { pageState: [pageState as PageState] }),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(needsAttention && { needsAttention }),
    ...(from !== '' && { createdAfter: new Date(startOf(from) - 1).toISOString() }),
    ...(to !== '' && { createdBefore: new Date(startOf(to, 1)).toISOString() }),
    ...(changed !== '' && { updatedAfter: new Date(startOf(changed) - 1).toISOString() }),
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
  const { search, filters, from, to, changed, needsAttention } = query;
  const fields = CHOICES.flatMap((choice) => {
    const { name, label } = choice;
    const value = filters[name];
    if (value === undefined) return [];
    const { [name]: _removed, ...others } = filters;
    return [{ label: capitalise(label), value: labelOfChoice(choice, value), without: { ...query, filters: others } }];
  });
  return [
    ...(search.trim() === '' ? [] : [{ label: 'Search', value: search.trim(), without: { ...query, search: '' } }]),
    ...fields,
    ...(from === '' ? [] : [{ label: 'Created from', value: from, without: { ...query, from: '' } }]),
    ...(to === '' ? [] : [{ label: 'Created until', value: to, without: { ...query, to: '' } }]),
    ...(changed === '' ? [] : [{ label: 'Changed from', value: changed, without: { ...query, changed: '' } }]),
    ...(needsAttention
      ? [{ label: 'Page', value: 'needs attention', without: { ...query, needsAttention: false } }]
      : []),
  ];
}

/** Returns whether the page of an embed has moved, or shows a card for a reason that the owner can act on. */
export function isInNeed({ movedTo, state }: ListedEmbedFragment['page']): boolean {
  return movedTo !== null || ATTENTION_STATES.includes(state);
}

/**
 * Approximates the filters of the API for embeds that are known without it: each word of the search must begin a word of
 * the title or URL.
 */
export function matchesQuery(embed: ListedEmbedFragment, query: ListQuery): boolean {
  const { search, filters, from, to, changed, needsAttention } = query;
  const words = wordsOf(`${embed.title} ${embed.pageUrl}`);
  const createdAt = Date.parse(embed.createdAt);
  const { page } = embed;
  const values = { ...embed, pageState: page.state };
  return (
    wordsOf(search).every((sought) => words.some((word) => word.startsWith(sought))) &&
    Object.entries(filters).every(([name, value]) => values[name as ChoiceName] === value) &&
    (!needsAttention || isInNeed(page)) &&
    (from === '' || createdAt >= startOf(from)) &&
    (to === '' || createdAt < startOf(to, 1)) &&
    (changed === '' || Date.parse(embed.updatedAt) >= startOf(changed))
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
