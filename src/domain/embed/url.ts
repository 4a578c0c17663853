import { slugOf } from '../page/url.ts';
import type { Embed } from './embed.ts';

/** What says where embeds are served: the host, with its port where it has one. */
export interface EmbedHost {
  readonly embedHost: string;
}

/** All hosts below which embeds are served. */
export interface EmbedHosts extends EmbedHost {
  /** Serves embeds beside `embedHost`, but appears in no URL; null for none. */
  readonly embedHostAlias: string | null;
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
