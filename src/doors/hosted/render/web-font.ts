import { DEFAULT_SETTINGS } from '../../../domain/embed/fields.ts';
import { type EmbedHost, embedOriginOf, fontCssUrlOf } from '../../../domain/embed/url.ts';
import { findFontFaces } from '../bundled-fonts.ts';
import { type ClientCode, createClientCode } from './client-code.ts';
import { html, type Markup } from './markup.ts';

/** Origins of the font files of providers that do not serve them from the origin of the style sheet. */
const FILE_ORIGINS: Readonly<Record<string, string>> = {
  'https://fonts.googleapis.com': 'https://fonts.gstatic.com',
};

export interface WebFont {
  readonly style: ClientCode;
  readonly fileOrigin: string;
  /** The style sheet of the provider; null for a font that the service serves itself. */
  readonly provider: { readonly cssUrl: string; readonly cssOrigin: string } | null;
}

export interface FontSources extends EmbedHost {
  /** URL template of a provider's style sheet, with `{family}` for the font; null for no provider. */
  readonly fontCssUrl: string | null;
}

/** Prefers the fonts of the service. Returns null for the reader's own fonts. */
export function findWebFont(font: string, { fontCssUrl, ...host }: FontSources): WebFont | null {
  if (font === DEFAULT_SETTINGS.font) return null;
  const origin = embedOriginOf(host);
  const fontFaces = findFontFaces(font, origin);
  if (fontFaces !== null) {
    return { style: createClientCode(fontFaces + fontStyleOf(font)), fileOrigin: origin, provider: null };
  }
  if (fontCssUrl === null) return null;
  const cssUrl = fontCssUrlOf(fontCssUrl, font);
  const cssOrigin = new URL(cssUrl).origin;
  return {
    style: createClientCode(fontStyleOf(font)),
    fileOrigin: FILE_ORIGINS[cssOrigin] ?? cssOrigin,
    provider: { cssUrl, cssOrigin },
  };
}

/**
 * Falls back to the system's fonts. A common x-height avoids a layout shift when the font arrives. The name is reduced to
 * characters that cannot end a CSS string or the element.
 */
function fontStyleOf(font: string): string {
  const family = font.replace(/[^A-Za-z0-9 -]/g, '');
  return `:root{--font:"${family}",var(--system)}body{font-size-adjust:.52}.tools{font-size-adjust:none}`;
}

/** For the head: preloads the style sheet of a provider without blocking the first paint. */
export function renderFontHints({ provider, fileOrigin, style }: WebFont): Markup {
  const hints =
    provider &&
    html`<link rel="preconnect" href="${provider.cssOrigin}">
<link rel="preconnect" href="${fileOrigin}" crossorigin>
<link rel="preload" as="style" href="${provider.cssUrl}">
`;
  return html`${hints}<style>${style.markup}</style>`;
}

/** For the end of the body, where a slow or blocked provider delays nothing. */
export function renderFontLink({ provider }: WebFont): Markup | null {
  return provider && html`<link rel="stylesheet" href="${provider.cssUrl}">`;
}
