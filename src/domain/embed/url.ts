import type { Embed } from './embed.ts';

export type UrlScheme = 'https' | 'http';

export interface EmbedHost {
  readonly embedHost: string;
  /** The scheme of embed URLs; null for `https`, or `http` below `localhost`. */
  readonly embedScheme: UrlScheme | null;
}

export interface EmbedHosts extends EmbedHost {
  /** Serves embeds too, but appears in no URL. */
  readonly embedHostAlias: string | null;
}

export function embedOriginOf(host: EmbedHost): string {
  return `${schemeOf(host)}://${host.embedHost}`;
}

/**
 * Returns the origin of the service for the client of a request. A proxy that ends TLS forwards plain requests, and it does so
 * for embeds too.
 */
export function serviceOriginOf({ host: name }: URL, host: EmbedHost): string {
  return `${schemeOf(host)}://${name}`;
}

/** Returns the scheme of embed URLs, also if it is not configured. */
export function schemeOf({ embedHost, embedScheme }: EmbedHost): UrlScheme {
  return embedScheme ?? (/^(.*\.)?localhost(:\d+)?$/.test(embedHost) ? 'http' : 'https');
}

/** Returns `<scheme>://<id>.<host>/<page-slug>-<page id without hyphens>`. */
export function embedUrlOf(embed: Pick<Embed, 'id' | 'title' | 'pageId'>, host: EmbedHost): string {
  return `${schemeOf(host)}://${embed.id}.${host.embedHost}${embedPathOf(embed)}`;
}

/** @param template the URL of a provider's style sheet, with `{family}` for the name of the font */
export function fontCssUrlOf(template: string, family: string): string {
  return template.replace('{family}', encodeURIComponent(family).replaceAll('%20', '+'));
}

export function embedPathOf({ title, pageId }: Pick<Embed, 'title' | 'pageId'>): string {
  return `/${encodeURIComponent(slugOf(title))}-${pageId.replaceAll('-', '')}`;
}

const MAX_SLUG_LENGTH = 80;

/** Returns the readable part of `embed_url`: letters and digits of any script, at most 80 characters. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const short = slug.length > MAX_SLUG_LENGTH ? [...slug].slice(0, MAX_SLUG_LENGTH).join('') : slug;
  return short.replace(/-$/, '') || 'page';
}
