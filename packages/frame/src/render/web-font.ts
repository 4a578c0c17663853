import { html, type Markup } from '../../../reader/src/html.ts';
import { type ClientCode, createClientCode } from './client-code.ts';

/** Origins of the font files of providers that do not serve them from the origin of the style sheet. */
const FILE_ORIGINS: Readonly<Record<string, string>> = {
  'https://fonts.googleapis.com': 'https://fonts.gstatic.com',
};

export interface Font {
  readonly family: string;
  /** The URL of its style sheet. */
  readonly cssUrl: string;
}

export type WebFont = ReturnType<typeof createWebFont>;

export function createWebFont({ family, cssUrl }: Font) {
  const cssOrigin = new URL(cssUrl).origin;
  return { cssUrl, cssOrigin, fileOrigin: FILE_ORIGINS[cssOrigin] ?? cssOrigin, style: createFontStyle(family) };
}

/** Length of a line in em, of fonts that would have more than 75 characters in the usual 35, or fewer than 60. */
const LINES_EM = new Map(Object.entries({ inter: 33.5, 'jetbrains mono': 37 }));

/**
 * Falls back to the system's fonts. A common x-height avoids a layout shift when the font arrives. The name is reduced to
 * characters that cannot end a CSS string or the element.
 */
function createFontStyle(font: string): ClientCode {
  const family = font.replace(/[^A-Za-z0-9 -]/g, '');
  const lineEm = LINES_EM.get(font.toLowerCase());
  const line = lineEm === undefined ? '' : `;--line-em:${lineEm}`;
  return createClientCode(
    `:root{--font:"${family}",var(--system)${line}}body{font-size-adjust:.52}.tools{font-size-adjust:none}`,
  );
}

/** For the head: preloads the style sheet without blocking the first paint. */
export function renderFontHints({ cssUrl, cssOrigin, fileOrigin, style }: WebFont): Markup {
  return html`<link rel="preconnect" href="${cssOrigin}">
<link rel="preconnect" href="${fileOrigin}" crossorigin>
<link rel="preload" as="style" href="${cssUrl}">
<style>${style.markup}</style>`;
}

/** For the end of the body, where a slow or blocked provider delays nothing. */
export function renderFontLink({ cssUrl }: WebFont): Markup {
  return html`<link rel="stylesheet" href="${cssUrl}">`;
}
