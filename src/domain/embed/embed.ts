import { Refusal, refuseFaults } from '../../errors.ts';
import { fallbackTitleOf, parsePageId, replacePageId } from '../page/url.ts';
import { applyForcedValues, type Settings, type StoredFields, type ValueOf } from './fields.ts';
import { type EmbedIdentity, isEmbedId } from './id.ts';

export type EmbedMode = ValueOf<'mode'>;

/** A hosted, iframe-ready view of a public page. */
export interface Embed extends StoredFields {
  readonly accountId: string;
}

/** A source page as its URL describes it. The title is null if the URL contains none. */
export interface Source extends Pick<Embed, 'pageUrl' | 'pageId'> {
  readonly title: string | null;
}

/** The validated input of a create. */
export interface Draft extends Source, Settings {}

/** The validated input of an update. Omitted settings keep their values. */
export interface Patch {
  readonly source?: Source | undefined;
  /** A page id that replaces the one in the page URL. */
  readonly pageId?: string | undefined;
  readonly settings: Partial<Settings>;
}

/**
 * Returns the embed with a patch applied.
 * @throws {Refusal} `invalid` if the patch replaces the page id of a URL that contains none
 */
export function applyPatch(embed: Embed, patch: Patch): Embed {
  return applyForcedValues({ ...embed, ...patchSource(embed, patch), ...patch.settings });
}

function patchSource(embed: Embed, { source, pageId }: Patch): Partial<Embed> {
  if (source) return { ...source, title: source.title ?? fallbackTitleOf(source.pageUrl) };
  const parsed = pageId === undefined ? null : parsePageId(pageId);
  if (parsed === null) return {};
  const pageUrl = replacePageId(embed.pageUrl, parsed);
  if (pageUrl === null) throw refuseFaults([{ path: 'pageId', message: NO_PAGE_ID }]);
  return { pageUrl, pageId: parsed };
}

const NO_PAGE_ID = "can be replaced only where the page's URL carries an id; send the new URL instead";

/** Whether two states of an embed are equal in every field. */
export function isSameEmbed(embed: Embed, changed: Embed): boolean {
  return (Object.keys(embed) as (keyof Embed)[]).every((field) => embed[field] === changed[field]);
}

/** Creates an embed from a draft. */
export function createEmbed(identity: EmbedIdentity, accountId: string, draft: Draft): Embed {
  return { ...identity, accountId, ...draft, title: draft.title ?? fallbackTitleOf(draft.pageUrl), version: 1 };
}

/**
 * Returns the id if an embed can have it.
 * @throws {Refusal} `not_found`
 */
export function requireEmbedId(id: string): string {
  if (!isEmbedId(id)) throw embedNotFound();
  return id;
}

/** The refusal of unknown ids and of other accounts' ids, which callers cannot tell apart. */
export function embedNotFound(): Refusal {
  return new Refusal('not_found', 'There is no embed with this id.');
}

/** The refusal of a write to a version that the embed no longer has. */
export function embedChanged(): Refusal {
  return new Refusal('precondition_failed', 'The embed has changed since you read it.');
}
