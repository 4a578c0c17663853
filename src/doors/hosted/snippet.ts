import type { Embed, EmbedMode } from '../../domain/embed/embed.ts';
import { type EmbedHost, embedOriginOf, embedUrlOf } from '../../domain/embed/url.ts';
import { html } from './render/markup.ts';

/** What the frame shows at once where no script fits it to its content. */
export const SNIPPET_HEIGHT_PX = 600;

/**
 * `allow-same-origin` leaves the embed its own origin, which no host page shares: it is what the height is checked by,
 * and where the reader's choice of mode is kept. Links open in tabs that are free of the sandbox.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** What `color-scheme` is, of the document and of the iframe alike: where they differ, browsers paint the frame white. */
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
  /** URL of `embed.js`; null for an iframe that keeps its height. */
  readonly scriptUrl: string | null;
  /** In pixels; the width of its surroundings when left out. */
  readonly width?: number;
  /** In pixels; `SNIPPET_HEIGHT_PX` when left out. */
  readonly height?: number;
}

/** The HTML that people paste into their pages: an iframe that works by itself, and the script that fits it. */
export function renderSnippet({ embedUrl, title, mode, scriptUrl, width, height }: Snippet): string {
  const size = html`width="${width === undefined ? '100%' : String(width)}" height="${String(height ?? SNIPPET_HEIGHT_PX)}"`;
  const style = `display: block; max-width: 100%; border: 0; color-scheme: ${COLOR_SCHEMES[mode]}`;
  const frame = html`<iframe src="${embedUrl}" title="${title}" ${size} loading="lazy" style="${style}" sandbox="${SANDBOX}" allowfullscreen></iframe>`;
  const script = scriptUrl === null ? null : html`\n<script async src="${scriptUrl}"></script>`;
  return html`${frame}${script}`.text;
}

/** The snippet of an embed, with the script. */
export function snippetOf(embed: Embed, host: EmbedHost): string {
  const { title, mode } = embed;
  return renderSnippet({
    embedUrl: embedUrlOf(embed, host),
    title,
    mode,
    scriptUrl: `${embedOriginOf(host)}/embed.js`,
  });
}
