import { encodePageUrl, type PagePolicy } from '#reader/page-url';
import { InputReader } from '../input/input-reader.ts';
import type { ParameterSpec } from '../input/parameters.ts';
import type { Embed } from './embed.ts';
import { applyForcedValues, SETTING_NAMES, type Settings } from './fields.ts';
import { isEmbedId } from './id.ts';
import { parameterSpecsOf, spellParameters } from './input.ts';
import { type Listing, readFilterObject } from './listing.ts';
import { checkCursor, MAX_PAGE_SIZE } from './paging.ts';

/** The embeds of one call: those with the ids, or a page of those that match the filter. */
export interface BulkTarget {
  readonly ids: readonly string[] | null;
  readonly listing: Listing;
  /** The filter as the client sent it, in JSON; null with ids. */
  readonly filterText: string | null;
}

const checkIds = (value: unknown) => {
  const isValid = Array.isArray(value) && value.length > 0 && value.length <= MAX_PAGE_SIZE && value.every(isEmbedId);
  return isValid ? null : `must be a list of 1 to ${MAX_PAGE_SIZE} ids of embeds`;
};

const TARGET: readonly ParameterSpec[] = [
  { name: 'ids', restName: null, type: 'id', check: checkIds },
  { name: 'filter', restName: null, type: 'text', check: () => null },
  { name: 'after', restName: null, type: 'id', check: checkCursor },
];
/** The values that several embeds can get at once. */
export const BULK_NAMES: readonly string[] = ['pageUrl', ...SETTING_NAMES];
const VALUES = parameterSpecsOf('update').filter(({ name }) => BULK_NAMES.includes(name));
const DELETE_PARAMETERS = spellParameters(TARGET).graphql;
const OPTIONS: readonly ParameterSpec[] = [
  { name: 'expected', restName: null, type: 'object', members: VALUES },
  { name: 'undo', restName: null, type: 'boolean' },
];
const UPDATE_PARAMETERS = spellParameters([...TARGET, ...VALUES, ...OPTIONS]).graphql;

/** @throws {Refusal} `invalid`, with all faults */
export function parseBulkDelete(input: unknown, policy: PagePolicy): BulkTarget {
  return readTarget(new InputReader({ values: input }, DELETE_PARAMETERS, policy), policy);
}

type BulkValues = Partial<Settings> & { readonly pageUrl?: string };

interface BulkUpdate extends BulkTarget {
  readonly pageUrl?: string;
  readonly settings: Partial<Settings>;
  /** The values that an embed must have to be changed. */
  readonly expected: BulkValues;
  readonly isUndo: boolean;
}

/** @throws {Refusal} `invalid`, with all faults */
export function parseBulkUpdate(input: unknown, policy: PagePolicy): BulkUpdate {
  const reader = new InputReader({ values: input }, UPDATE_PARAMETERS, policy);
  const names = BULK_NAMES.filter((name) => reader.has(name));
  if (names.length === 0) reader.addFault('mode', `is required, or another of ${BULK_NAMES.join(', ')}`);
  const target = readTarget(reader, policy);
  const { pageUrl, ...settings } = Object.fromEntries(names.map((name) => [name, reader.values[name]]));
  const isUndo = reader.values.undo === true;
  const { expected = {} }: { expected?: BulkValues } = reader.values;
  return { ...target, ...(pageUrl !== undefined && { pageUrl: String(pageUrl) }), settings, expected, isUndo };
}

/** Returns whether an embed has values: setting them would change nothing. Compares page URLs without the fragment, which each embed keeps. */
export function hasValues(embed: Embed, { pageUrl, ...settings }: BulkValues): boolean {
  const isPage = pageUrl === undefined || withoutFragment(embed.pageUrl) === withoutFragment(encodePageUrl(pageUrl));
  const changed = applyForcedValues({ ...embed, ...settings });
  return isPage && SETTING_NAMES.every((name) => changed[name] === embed[name]);
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '');
}

function readTarget(reader: InputReader, policy: PagePolicy): BulkTarget {
  reader.readAll();
  const { ids = null, filter: sent, after } = reader.values as Record<'ids' | 'filter' | 'after', never>;
  if (reader.has('ids') === reader.has('filter')) reader.addFault('ids', 'or the filter must be sent, and not both');
  if (reader.has('ids') && reader.has('after')) reader.addFault('after', 'must not be sent together with ids');
  const { filter, faults } = readFilterObject(sent ?? {}, policy);
  for (const { path, message } of faults) reader.addFault(`filter.${path}`, message);
  reader.requireNoFaults();
  const paging = { size: MAX_PAGE_SIZE, fromEnd: false, after, before: undefined };
  const filterText = sent === undefined ? null : JSON.stringify(sent);
  return { ids, listing: { paging, isOldestFirst: false, filter }, filterText };
}
