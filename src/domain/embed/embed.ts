import { Refusal, refuseFaults } from '../../errors.ts';
import { fallbackTitleOf, parsePageId, replacePageId } from '../page/url.ts';
import { type EmbedIdentity, isEmbedId } from './id.ts';

/** Colour modes: `AUTO` follows the user's system, `USER_DEFINED` lets the user choose in the top bar. */
export const EMBED_MODES = ['LIGHT', 'DARK', 'AUTO', 'USER_DEFINED'] as const;
export type EmbedMode = (typeof EMBED_MODES)[number];

/** The settings and the source of an embed: what a caller decides. */
interface EmbedContent {
  readonly pageUrl: string;
  readonly pageId: string;
  readonly title: string;
  readonly mode: EmbedMode;
  readonly font: string;
  readonly showTopBar: boolean;
}

/** A hosted, iframe-ready view of a public page. */
export interface Embed extends EmbedContent {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly version: number;
}

/** Checked input of a create. The title is null where the page's URL carries none. */
export interface Draft extends Omit<EmbedContent, 'title'> {
  readonly title: string | null;
}

/** Checked input of an update; what is undefined keeps its value. */
export interface Patch {
  readonly source?: Source | undefined;
  readonly pageId?: string | undefined;
  readonly mode?: EmbedMode | undefined;
  readonly font?: string | undefined;
  readonly showTopBar?: boolean | undefined;
}

/** A source page as its URL tells it. The title is null where the URL carries none. */
export interface Source extends Pick<EmbedContent, 'pageUrl' | 'pageId'> {
  readonly title: string | null;
}

/** A family name: 1–64 letters, digits, spaces and hyphens, beginning with a letter or digit. `default` is one too. */
export const FONT = /^[A-Za-z0-9][A-Za-z0-9 -]{0,63}$/;

export const DEFAULT_MODE: EmbedMode = 'LIGHT';
export const DEFAULT_FONT = 'default';
export const DEFAULT_SHOW_TOP_BAR = true;

/**
 * The embed as a patch leaves it.
 * @throws {Refusal} `invalid` when the patch replaces the page id of a URL that carries none.
 */
export function applyPatch(embed: Embed, patch: Patch): Embed {
  const mode = patch.mode ?? embed.mode;
  const showTopBar = (patch.showTopBar ?? embed.showTopBar) || mode === 'USER_DEFINED';
  return { ...embed, ...patchedSource(embed, patch), mode, font: patch.font ?? embed.font, showTopBar };
}

function patchedSource(embed: Embed, patch: Patch): Partial<EmbedContent> {
  if (patch.source) return { ...patch.source, title: patch.source.title ?? fallbackTitleOf(patch.source.pageUrl) };
  const pageId = patch.pageId === undefined ? null : parsePageId(patch.pageId);
  if (pageId === null) return {};
  const pageUrl = replacePageId(embed.pageUrl, pageId);
  if (pageUrl === null) {
    const message = "can be replaced only where the page's URL carries an id; send the new URL instead";
    throw refuseFaults([{ path: 'pageId', message }]);
  }
  return { pageUrl, pageId };
}

/** Whether a change of an embed has left all of it as it was. */
export function isSameEmbed(embed: Embed, changed: Embed): boolean {
  return (Object.keys(embed) as (keyof Embed)[]).every((field) => embed[field] === changed[field]);
}

/** A new embed of a draft. */
export function createEmbed(identity: EmbedIdentity, accountId: string, draft: Draft): Embed {
  return { ...identity, accountId, ...draft, title: draft.title ?? fallbackTitleOf(draft.pageUrl), version: 1 };
}

/**
 * The id that names an embed, for operations that change it.
 * @throws {Refusal} `not_found` when no embed can have it.
 */
export function requireEmbedId(id: string): string {
  if (!isEmbedId(id)) throw embedNotFound();
  return id;
}

/** Said of an unknown id, and of somebody else's, so that nobody learns which. */
export function embedNotFound(): Refusal {
  return new Refusal('not_found', 'There is no embed with this id.');
}

/** Said when a write was to be over a version that the embed no longer has. */
export function embedChanged(): Refusal {
  return new Refusal('precondition_failed', 'The embed has changed since you read it.');
}
