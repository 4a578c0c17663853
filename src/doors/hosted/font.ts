import { findFontFile, findFontStyleSheet } from '#frame';
import { DEFAULT_SETTINGS } from '../../domain/embed/fields.ts';
import { type EmbedHost, embedOriginOf, fontCssUrlOf } from '../../domain/embed/url.ts';
import { Refusal } from '../../errors.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { reply } from '../../http/reply.ts';

export interface FontSources extends EmbedHost {
  /** URL template of a provider's style sheet, with `{family}` for the font; null for no provider. */
  readonly fontCssUrl: string | null;
}

const FOLDER = '/fonts/';

/** Prefers the fonts of the service. Returns null for the reader's own fonts. */
export function findFont(family: string, { fontCssUrl, ...host }: FontSources) {
  if (family === DEFAULT_SETTINGS.font) return null;
  const name = findFontStyleSheet(family);
  if (name !== null) return { family, cssUrl: embedOriginOf(host) + FOLDER + name };
  return fontCssUrl === null ? null : { family, cssUrl: fontCssUrlOf(fontCssUrl, family) };
}

/** Any site may load the files: embeds have origins of their own, and none at all in a sandbox without `allow-same-origin`. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

const route = createPublicRoute('/fonts/<file>', ({ url }) => {
  const file = findFontFile(url.pathname.slice(FOLDER.length));
  if (!file) throw new Refusal('not_found', 'There is no font at this path.');
  return reply(file.bytes, { headers: { 'content-type': file.type, ...HEADERS } });
});

export function findFontRoute(pathname: string): Route | null {
  return pathname.startsWith(FOLDER) ? route : null;
}
