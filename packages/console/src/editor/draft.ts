import type { ApiError } from '../api/api-error.ts';
import { SETTINGS, type SettingName } from '../generated/fields.ts';
import type { ListedEmbedFragment } from '../generated/operations.ts';
import { NO_OWN_SETTINGS, type OwnSettings, textsOf } from '../settings/own-settings.ts';

export type Settings = Pick<ListedEmbedFragment, SettingName>;

/** The fields of an embed that clients can set, as in files of an import. */
export interface EmbedFields extends Settings {
  readonly pageUrl: string;
}

/** The values of the form of an embed. */
export interface Draft extends EmbedFields, OwnSettings {}

/** The embed as the form showed it before the user's edits. A new embed has no version. */
export type BaseEmbed = Draft & { readonly version?: number };

/** A form with unsaved edits, and the error of the last attempt to save it. */
export interface EditedDraft {
  readonly draft: Draft;
  readonly base: BaseEmbed;
  readonly apiError: ApiError | null;
}

/** Unsaved edits by id of the embed or account, or {@link NEW_EMBED}, until the page is reloaded. */
export type Drafts = Map<string, EditedDraft>;

export const NEW_EMBED = 'new';

const DEFAULT_SETTINGS = Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default])) as Settings;

export const EMPTY_FIELDS: EmbedFields = { pageUrl: '', ...DEFAULT_SETTINGS };
export const EMPTY_DRAFT: Draft = { ...EMPTY_FIELDS, ...NO_OWN_SETTINGS };

const FIELD_NAMES = Object.keys(EMPTY_DRAFT) as (keyof Draft)[];

/** Returns an embed of the API as the form shows it. */
export function baseOf(embed: ListedEmbedFragment): BaseEmbed {
  return { ...draftOf({ ...embed, ...textsOf(embed) }), version: embed.version };
}

/** Picks the form's values. */
export function draftOf(embed: Draft): Draft {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, embed[name]])) as unknown as Draft;
}

/** Returns the values of a form that the user has changed. */
export function changesBetween<Form extends object>(before: Form, after: Form): Partial<Form> {
  const changed = (Object.keys(EMPTY_DRAFT) as (keyof Form)[]).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Form>;
}

/** Applies the user's edits to a newer state of the embed. Where both changed a field, the edit stays in the form. */
export function rebase({ base, draft }: Pick<EditedDraft, 'base' | 'draft'>, current: BaseEmbed): Draft {
  return { ...draftOf(current), ...changesBetween(base, draft) };
}
