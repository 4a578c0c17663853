import { slugOf } from '../page/url.ts';
import type { Embed } from './embed.ts';

export interface EmbedHost {
  readonly embedHost: string;
}

export interface EmbedHosts extends EmbedHost {
  /** Serves embeds too, but appears in no URL. */
  readonly embedHostAlias: string | null;
}

export function embedOriginOf({ embedHost }: EmbedHost): string {
  return `${schemeOf(embedHost)}://${embedHost}`;
}

function schemeOf(embedHost: string): 'http' | 'https' {
  return /^(.*\.)?localhost(:\d+)?$/.test(embedHost) ? 'http' : 'https';
}

/** Returns `<scheme>://<id>.<host>/<page-slug>-<page id without hyphens>`. */
export function embedUrlOf(embed: Pick<Embed, 'id' | 'title' | 'pageId'>, { embedHost }: EmbedHost): string {
  return `${schemeOf(embedHost)}://${embed.id}.${embedHost}${embedPathOf(embed)}`;
}

export function embedPathOf({ title, pageId }: Pick<Embed, 'title' | 'pageId'>): string {
  return `/${encodeURIComponent(`${slugOf(title)}-${pageId.replaceAll('-', '')}`)}`;
}
