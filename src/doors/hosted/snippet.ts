import type { Embed, EmbedMode } from '../../domain/embed/embed.ts';
import { type EmbedHost, embedOriginOf, embedUrlOf } from '../../domain/embed/url.ts';
import { html } from './render/markup.ts';

export const SNIPPET_HEIGHT_PX = 600;

/**
 * `allow-same-origin` keeps the origin of the embed, which no other page has: `embed.js` checks it, and the reader's colour
 * mode is stored for it. Links open in tabs without a sandbox.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** `color-scheme` of the document and of the iframe. If they differ, browsers paint the iframe white. */
export const COLOR_SCHEMES: Readonly<Record<EmbedMode, string>> = {
  LIGHT: 'light',
  DARK: 'dark',
  AUTO: 'light dark',
  USER_DEFINED: 'light dark',
};

export interface Snippet {
  readonly embedUrl: string;
  readonly title: string;
  readonly mode: EmbedMode;
  /** URL of `embed.js`; null for an iframe of fixed height. */
  readonly scriptUrl: string | null;
  readonly width?: number;
  readonly height?: number;
}

/** Renders the HTML to paste into a page: an iframe that works without a script, and the script that fits its height. */
export function renderSnippet({
  embedUrl,
  title,
  mode,
  scriptUrl,
  width,
  height = SNIPPET_HEIGHT_PX,
}: Snippet): string {
  const size = html`width="${width === undefined ? '100%' : String(width)}" height="${String(height)}"`;
  const style = `display: block; flex: none; max-width: 100%; border: 0; color-scheme: ${COLOR_SCHEMES[mode]}`;
  const iframe = html`<iframe src="${embedUrl}" title="${title}" ${size} frameborder="0" loading="lazy" style="${style}" sandbox="${SANDBOX}" allowfullscreen></iframe>`;
  const script = scriptUrl === null ? null : html`\n<script async src="${scriptUrl}"></script>`;
  return html`${iframe}${script}`.text;
}

export function snippetOf(embed: Embed, host: EmbedHost): string {
  const { title, mode } = embed;
  return renderSnippet({
    embedUrl: embedUrlOf(embed, host),
    title,
    mode,
    scriptUrl: `${embedOriginOf(host)}/embed.js`,
  });
}
