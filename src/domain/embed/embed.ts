import { fallbackTitleOf, parsePageId, replacePageId } from '#reader/page-url';
import { Refusal, refuseFaults } from '../../errors.ts';
import { applyForcedValues, type Settings, type StoredFields, type ValueOf } from './fields.ts';
import { type EmbedIdentity, isEmbedId } from './id.ts';

export type EmbedMode = ValueOf<'mode'>;

export interface Embed extends StoredFields {
  readonly accountId: string;
}

export interface Source extends Pick<Embed, 'pageUrl' | 'pageId'> {
  /** Null if the URL contains none. */
  readonly title: string | null;
}

export interface Draft extends Source, Settings {}

/** Omitted values do not change. */
export interface Patch {
  readonly source?: Source | undefined;
  /** Replaces the page id in the page URL. */
  readonly pageId?: string | undefined;
  readonly settings: Partial<Settings>;
}

/** @throws {Refusal} `invalid` if the patch replaces the page id of a URL that contains none */
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

const NO_PAGE_ID = "can be replaced only if the page's URL contains an id; send the new URL instead";

export function isSameEmbed(embed: Embed, changed: Embed): boolean {
  return (Object.keys(embed) as (keyof Embed)[]).every((field) => embed[field] === changed[field]);
}

export function createEmbed(identity: EmbedIdentity, accountId: string, draft: Draft): Embed {
  return { ...identity, accountId, ...draft, title: draft.title ?? fallbackTitleOf(draft.pageUrl), version: 1 };
}

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

export const EMBED_CHANGE_KINDS = ['CREATED', 'UPDATED', 'DELETED'] as const;

export interface EmbedChange {
  readonly kind: (typeof EMBED_CHANGE_KINDS)[number];
  readonly accountId: string;
  readonly embedId: string;
}
