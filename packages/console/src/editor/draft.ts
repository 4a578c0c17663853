import type { ApiError } from '../api/api-error.ts';
import { SETTINGS, type SettingName } from '../generated/fields.ts';
import type { ListedEmbedFragment } from '../generated/operations.ts';

export type Settings = Pick<ListedEmbedFragment, SettingName>;

/** The values of the form of an embed. */
export interface Draft extends Settings {
  readonly pageUrl: string;
}

/** The embed as the form showed it before the user's edits. A new embed has no version. */
export type BaseEmbed = Draft & { readonly version?: number };

/** A form with unsaved edits, and the error of the last attempt to save it. */
export interface EditedDraft {
  readonly draft: Draft;
  readonly base: BaseEmbed;
  readonly apiError: ApiError | null;
}

/** Unsaved edits by embed id or {@link NEW_EMBED}, until the page is reloaded. */
export type Drafts = Map<string, EditedDraft>;

export const NEW_EMBED = 'new';

const FIELD_NAMES: readonly (keyof Draft)[] = ['pageUrl', ...SETTINGS.map(({ name }) => name)];

const DEFAULT_SETTINGS = Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default])) as Settings;

export const EMPTY_DRAFT: Draft = { pageUrl: '', ...DEFAULT_SETTINGS };

/** Picks the form's values from an embed. */
export function draftOf(embed: Draft): Draft {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, embed[name]])) as unknown as Draft;
}

/** Returns the fields that an update has to send. */
export function changesBetween(before: Draft, after: Draft): Partial<Draft> {
  const changed = FIELD_NAMES.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** Applies the user's edits to a newer state of the embed. Where both changed a field, the edit stays in the form. */
export function rebase({ base, draft }: Pick<EditedDraft, 'base' | 'draft'>, current: BaseEmbed): Draft {
  return { ...draftOf(current), ...changesBetween(base, draft) };
}
