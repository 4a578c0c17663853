import { Refusal, refuseFaults } from '../errors.ts';
import { type EmbedIdentity, isEmbedId } from './embed-id.ts';
import { InputReader } from './input.ts';
import {
  faultOfPageUrl,
  findCarriedTitle,
  keptPageUrl,
  nameOfPageUrl,
  type PagePolicy,
  pageIdOf,
  parsePageId,
  replacePageId,
  slugOf,
} from './page.ts';

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
interface Source extends Pick<EmbedContent, 'pageUrl' | 'pageId'> {
  readonly title: string | null;
}

/** A family name: 1–64 letters, digits, spaces and hyphens, beginning with a letter or digit. `default` is one too. */
export const FONT = /^[A-Za-z0-9][A-Za-z0-9 -]{0,63}$/;

export const DEFAULT_MODE: EmbedMode = 'LIGHT';
export const DEFAULT_FONT = 'default';
export const DEFAULT_SHOW_TOP_BAR = true;

/** What an embed looks like, of an input that sets it or looks for it. */
export function readLook(reader: InputReader) {
  return {
    mode: reader.read<EmbedMode>('mode', (value) =>
      EMBED_MODES.includes(value as EmbedMode) ? null : { message: 'must be one of', allowed: EMBED_MODES },
    ),
    font: reader.read<string>('font', (value) =>
      typeof value === 'string' && FONT.test(value)
        ? null
        : 'must be "default" or a font family: 1 to 64 letters, digits, spaces and hyphens, beginning with a letter or digit',
    ),
  };
}

function readSettings(reader: InputReader) {
  return {
    ...readLook(reader),
    showTopBar: reader.read<boolean>('showTopBar', (value) =>
      typeof value === 'boolean' ? null : 'must be true or false',
    ),
  };
}

export function readPageUrl(reader: InputReader, policy: PagePolicy): string | undefined {
  return reader.read<string>('pageUrl', (value) => faultOfPageUrl(value, policy));
}

export function readPageId(reader: InputReader): string | undefined {
  return reader.read<string>('pageId', (value) =>
    typeof value === 'string' && parsePageId(value) !== null ? null : 'must be a UUID, with or without its hyphens',
  );
}

/**
 * The draft of an embed from the input of a create, with its defaults.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parseDraft(input: unknown, policy: PagePolicy): Draft {
  const reader = new InputReader(input, ['pageUrl', 'mode', 'font', 'showTopBar']);
  reader.require('pageUrl');
  const pageUrl = readPageUrl(reader, policy);
  const { mode = DEFAULT_MODE, font = DEFAULT_FONT, showTopBar = DEFAULT_SHOW_TOP_BAR } = readSettings(reader);
  reader.refuseIfFaulty();
  if (pageUrl === undefined) throw new Error('a draft without a page URL passed its rules');
  return { ...sourceOf(pageUrl), mode, font, showTopBar: showTopBar || mode === 'USER_DEFINED' };
}

/**
 * The patch from the input of an update.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parsePatch(input: unknown, policy: PagePolicy): Patch {
  const reader = new InputReader(input, ['id', 'pageUrl', 'pageId', 'mode', 'font', 'showTopBar']);
  readId(reader);
  const pageUrl = readPageUrl(reader, policy);
  const pageId = readPageId(reader);
  if (reader.has('pageUrl') && reader.has('pageId')) {
    reader.faults.push({ path: 'pageId', message: 'must not be sent together with the URL of the page' });
  }
  const settings = readSettings(reader);
  reader.refuseIfFaulty();
  return { source: pageUrl === undefined ? undefined : sourceOf(pageUrl), pageId, ...settings };
}

/**
 * The id from the input of a delete.
 * @throws {Refusal} `invalid`, with every fault at once.
 */
export function parseTarget(input: unknown): string {
  const reader = new InputReader(input, ['id']);
  const id = readId(reader);
  reader.refuseIfFaulty();
  if (id === undefined) throw new Error('a target without an id passed its rules');
  return id;
}

/** GraphQL's ids may be written as whole numbers. */
function readId(reader: InputReader): string | undefined {
  reader.require('id');
  const id = reader.read<string | number>('id', (value) =>
    typeof value === 'string' || Number.isInteger(value) ? null : 'must be one string',
  );
  return id === undefined ? undefined : String(id);
}

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
  if (patch.source) return { ...patch.source, title: patch.source.title ?? nameOfPageUrl(patch.source.pageUrl) };
  const pageId = patch.pageId === undefined ? null : parsePageId(patch.pageId);
  if (pageId === null) return {};
  const pageUrl = replacePageId(embed.pageUrl, pageId);
  if (pageUrl === null) {
    const message = "can be replaced only where the page's URL carries an id; send the new URL instead";
    throw refuseFaults([{ path: 'pageId', message }]);
  }
  return { pageUrl, pageId };
}

function sourceOf(pageUrl: string): Source {
  const kept = keptPageUrl(pageUrl);
  return { pageUrl: kept, pageId: pageIdOf(kept), title: findCarriedTitle(kept) };
}

/** A new embed of a draft. */
export function createEmbed(identity: EmbedIdentity, accountId: string, draft: Draft): Embed {
  return { ...identity, accountId, ...draft, title: draft.title ?? nameOfPageUrl(draft.pageUrl), version: 1 };
}

/** What says where embeds are served: the host, with its port where it has one. */
export interface EmbedHost {
  readonly embedHost: string;
}

/** The origin of the embed host itself, where scripts and look-ups that belong to all embeds are served. */
export function embedOriginOf({ embedHost }: EmbedHost): string {
  return `${schemeOf(embedHost)}://${embedHost}`;
}

/** Embeds are served over TLS but on localhost, where nothing serves it. */
function schemeOf(embedHost: string): 'http' | 'https' {
  return /^(.*\.)?localhost(:\d+)?$/.test(embedHost) ? 'http' : 'https';
}

/** `<scheme>://<id>.<host>/<page-slug>-<page id without hyphens>`. */
export function embedUrlOf(embed: Pick<Embed, 'id' | 'title' | 'pageId'>, { embedHost }: EmbedHost): string {
  return `${schemeOf(embedHost)}://${embed.id}.${embedHost}${embedPathOf(embed)}`;
}

/** The path of `embed_url`: the one at which an embed is shown. */
export function embedPathOf({ title, pageId }: Pick<Embed, 'title' | 'pageId'>): string {
  return `/${encodeURIComponent(`${slugOf(title)}-${pageId.replaceAll('-', '')}`)}`;
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
