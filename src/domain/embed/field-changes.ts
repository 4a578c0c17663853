import type { Embed, Written } from './embed.ts';
import { SETTING_NAMES } from './fields.ts';

/** A field of an embed that was changed, in GraphQL's spelling. Long values are cut. */
export interface FieldChange {
  readonly field: string;
  /** Null if the event is about several embeds, or if the field had no value. */
  readonly before: string | null;
  /** Null if the field has no value any more. */
  readonly after: string | null;
}

/** Characters of a value. It bounds the space of the events of an account. */
const MAX_VALUE_LENGTH = 300;

type Values = Readonly<Record<string, unknown>>;

/** Returns the fields whose values differ; all fields of `after` if the values before are not known. */
export function changesBetween(before: Values | null, after: Values): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])];
  return names
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after[field]) }))
    .filter((change) => before === null || change.before !== change.after)
    .map((change) => ({ ...change, before: cut(change.before), after: cut(change.after) }));
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const cut = (text: string | null) => text?.slice(0, MAX_VALUE_LENGTH).toWellFormed() ?? null;

/** Returns what audit events list about an update: the fields that clients set, and the title if the URL is the same. */
export function fieldChangesOf(before: Embed, after: Embed): readonly FieldChange[] {
  const changes = changesBetween(clientValuesOf(before), clientValuesOf(after));
  // another URL has another title anyway
  if (before.pageUrl !== after.pageUrl) return changes;
  return [...changes, ...changesBetween({ title: before.title }, { title: after.title })];
}

/** Returns the facts of the audit event about a create or an update. */
export function writeFactsOf({ embed, before }: Written) {
  const { id: embedId, title } = embed;
  if (before === null) return { event: 'embed.created', embedId } as const;
  return { event: 'embed.updated', embedId, title, changes: fieldChangesOf(before, embed) } as const;
}

function clientValuesOf(embed: Embed): Readonly<Record<string, unknown>> {
  const values = ['pageUrl', ...SETTING_NAMES].map((name) => [name, embed[name as keyof Embed]]);
  return { ...Object.fromEntries(values), ...(embed.settings !== null && JSON.parse(embed.settings)) };
}
