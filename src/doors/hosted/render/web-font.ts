import { DEFAULT_SETTINGS } from '../../../domain/embed/fields.ts';
import { type ClientCode, inlineCode } from './client-code.ts';
import { html, type Markup } from './markup.ts';

/** Providers whose style sheets name files on another origin. All others serve both from one. */
const FILE_ORIGINS: Readonly<Record<string, string>> = {
  'https://fonts.googleapis.com': 'https://fonts.gstatic.com',
};

/** A family that a page loads from a provider. */
export interface WebFont {
  readonly cssUrl: string;
  /** Where the style sheet comes from. */
  readonly cssOrigin: string;
  /** Where the files come from that it names. */
  readonly fileOrigin: string;
  /** The style that puts the family in front of the system's. */
  readonly style: ClientCode;
}

/** The web font of an embed, or null where it uses the system's. */
export function findWebFont(font: string, cssUrl: string | null): WebFont | null {
  if (cssUrl === null || font === DEFAULT_SETTINGS.font) return null;
  const cssOrigin = new URL(cssUrl).origin;
  return { cssUrl, cssOrigin, fileOrigin: FILE_ORIGINS[cssOrigin] ?? cssOrigin, style: familyStyle(font) };
}

/**
 * The family with the system's fonts behind it. Both get one x-height, so that the text keeps its size, and nearly its
 * lines, when the family arrives. The name is quoted: nothing that could end a CSS string or the element is left in it.
 */
function familyStyle(font: string): ClientCode {
  const family = font.replace(/[^A-Za-z0-9 -]/g, '');
  return inlineCode(`:root{--font:"${family}",var(--system)}body{font-size-adjust:.52}.tools{font-size-adjust:none}`);
}

/** For the head: opens the connections and starts the style sheet, but lets the page be painted without it. */
export function renderFontHints({ cssUrl, cssOrigin, fileOrigin, style }: WebFont): Markup {
  return html`<link rel="preconnect" href="${cssOrigin}">
<link rel="preconnect" href="${fileOrigin}" crossorigin>
<link rel="preload" as="style" href="${cssUrl}">
<style>${style.markup}</style>`;
}

/** For the end of the body: a provider that is slow or blocked there holds up nothing. */
export function renderFontLink({ cssUrl }: WebFont): Markup {
  return html`<link rel="stylesheet" href="${cssUrl}">`;
}
