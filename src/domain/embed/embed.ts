import { fallbackTitleOf, parsePageId, replacePageId, sourceUrlOf } from '#reader/page-url';
import { Refusal, refuseFaults } from '../../errors.ts';
import { applyForcedValues, type Settings, type StoredFields, type ValueOf } from './fields.ts';
import { type EmbedIdentity, isEmbedId } from './id.ts';
import { mergeSettings, type SettingsPatch } from './settings.ts';

export type EmbedMode = ValueOf<'mode'>;

export interface Embed extends StoredFields {
  readonly accountId: string;
  /** See `settings.ts`. Null if none is set. */
  readonly settings: string | null;
}

export interface Source extends Pick<Embed, 'pageUrl' | 'pageId'> {
  /** Null if the URL contains none. */
  readonly title: string | null;
}

export interface Draft extends Source, Settings, Pick<Embed, 'externalId' | 'settings'> {}

/** Omitted values do not change. */
export interface Patch {
  readonly source?: Source | undefined;
  /** Replaces the page id in the page URL. */
  readonly pageId?: string | undefined;
  readonly settings: Partial<Settings>;
  /** The settings of `settings.ts`. */
  readonly own?: SettingsPatch | undefined;
}

/** @throws {Refusal} `invalid` if the patch replaces the page id of a URL that contains none */
export function applyPatch(embed: Embed, patch: Patch): Embed {
  const settings = mergeSettings(embed.settings, patch.own ?? {});
  return applyForcedValues({ ...embed, ...patchSource(embed, patch), ...patch.settings, settings });
}

function patchSource(embed: Embed, { source, pageId }: Patch): Partial<Embed> {
  if (source) {
    const known = isSamePage(source, embed) ? embed.title : fallbackTitleOf(source.pageUrl);
    return { ...source, title: source.title ?? known };
  }
  const parsed = pageId === undefined ? null : parsePageId(pageId);
  if (parsed === null) return {};
  const pageUrl = replacePageId(embed.pageUrl, parsed);
  if (pageUrl === null) throw refuseFaults([{ path: 'pageId', message: NO_PAGE_ID }]);
  return { pageUrl, pageId: parsed };
}

const NO_PAGE_ID = "can be replaced only if the page's URL contains an id; send the new URL instead";

/** Also returns true for two parts of one page. */
export function isSamePage(embed: Pick<Embed, 'pageUrl'>, other: Pick<Embed, 'pageUrl'>): boolean {
  return sourceUrlOf(embed.pageUrl) === sourceUrlOf(other.pageUrl);
}

export function isSameEmbed(embed: Embed, changed: Embed): boolean {
  return (Object.keys(embed) as (keyof Embed)[]).every((field) => embed[field] === changed[field]);
}

export function createEmbed(identity: EmbedIdentity, accountId: string, draft: Draft): Embed {
  const title = draft.title ?? fallbackTitleOf(draft.pageUrl);
  return { ...identity, accountId, ...draft, title, version: 1, updatedAt: null };
}

export const CONFLICT_DESCRIPTION =
  'What happens if an embed of the account has the `externalId`. `RETURN` and `UPDATE` need an `externalId`.';

export const CONFLICT_RULES = {
  ERROR: 'The create fails with `CONFLICT`.',
  RETURN: 'The create returns that embed as it is. Needs the scope `read` too.',
  UPDATE:
    'That embed gets the page, mode, font and top bar of the create; what it omits gets its default. Other settings are kept. Without an effect it needs the scope `read` too.',
} as const;

/** The effect of a create if an embed of the account has its external id. */
export type ConflictRule = keyof typeof CONFLICT_RULES;

/** A finished create. */
export interface Written {
  readonly embed: Embed;
  /** Null if the embed is new; else the embed that had its external id, which is the same object if it was not changed. */
  readonly before: Embed | null;
}

/** A finished update. */
export interface Updated extends Written {
  /** The embed that it replaced; the same object if it changed nothing. */
  readonly before: Embed;
}

/**
 * Returns an embed as a create with its external id leaves it.
 * @param patch the settings of the create
 * @throws {Refusal} `conflict`
 */
export function resolveConflict(rule: ConflictRule, current: Embed, created: Embed, patch: SettingsPatch = {}): Embed {
  if (rule === 'RETURN') return current;
  if (rule === 'ERROR') throw new Refusal('conflict', EXTERNAL_ID_TAKEN);
  const { id, createdAt, updatedAt, version } = current;
  const title = isSamePage(created, current) ? current.title : created.title;
  const settings = mergeSettings(current.settings, patch);
  return { ...created, id, createdAt, updatedAt, version, title, settings };
}

const EXTERNAL_ID_TAKEN =
  'Another embed of the account has this external id. Send on_conflict (onConflict in GraphQL) with return or update to get or replace it.';

/** @throws {Refusal} `not_found` if no embed can have this id */
export function requireEmbedId(id: string): string {
  if (!isEmbedId(id)) throw embedNotFound();
  return id;
}

/** Creates the refusal of unknown ids and of other accounts' ids, which clients cannot tell apart. */
export function embedNotFound(): Refusal {
  return new Refusal('not_found', 'There is no embed with this id.');
}

export function embedChanged(): Refusal {
  return new Refusal(
    'precondition_failed',
    'The embed has changed since you read it: read it again, and send its current ETag in If-Match, or its version as expectedVersion.',
  );
}
