import { createCard } from '../../reader/src/article.ts';
import { html } from '../../reader/src/html.ts';
import { estimateHeights, type HeightEstimate, NARROW_FRAME_PX, WIDE_FRAME_PX } from './height.ts';

/** The first height of an embed whose article is not known yet. */
export const SNIPPET_HEIGHT_PX = 600;

/** Width of the viewport for the heights of an estimate: its frame, and the margins of a page without styles. */
const NARROW_VIEWPORT_PX = NARROW_FRAME_PX + 16;
const WIDE_VIEWPORT_PX = WIDE_FRAME_PX + 16;
/** On phones, the control of the colour mode needs a row of its own. In wide frames, it is higher than the row of a card. */
const MODE_CONTROL_PX = { narrow: 49, wideCard: 16 };

/**
 * `allow-same-origin` keeps the origin of the embed, which no other page has: `embed.js` checks it, and the reader's colour
 * mode is stored for it. Links open in tabs without a sandbox. Readers can download tables.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads';

export type ColourMode = 'LIGHT' | 'DARK' | 'AUTO' | 'USER_DEFINED';

/** `color-scheme` of the document and of the iframe. If they differ, browsers paint the iframe white. */
export const COLOR_SCHEMES: Readonly<Record<ColourMode, string>> = {
  LIGHT: 'light',
  DARK: 'dark',
  AUTO: 'light dark',
  USER_DEFINED: 'light dark',
};

interface Snippet {
  readonly embedUrl: string;
  readonly title: string;
  readonly mode: ColourMode;
  /** URL of `embed.js`; null for an iframe of fixed height. */
  readonly scriptUrl: string | null;
  readonly width?: number;
  readonly height?: number;
  /** Replaces the height, which then depends on the width of the viewport; null if it is unknown. */
  readonly heights?: HeightEstimate | null;
}

/** Renders the HTML to paste into a page: an iframe that works without a script, and the script that fits its height. */
export function renderSnippet({
  embedUrl,
  title,
  mode,
  scriptUrl,
  width,
  heights = null,
  height = heights?.widePx ?? SNIPPET_HEIGHT_PX,
}: Snippet): string {
  const size = html`width="${width === undefined ? '100%' : String(width)}" height="${String(height)}"`;
  const style = `display: block; flex: none; max-width: 100%; border: 0; color-scheme: ${COLOR_SCHEMES[mode]}${heights ? heightRuleOf(heights) : ''}`;
  const iframe = html`<iframe src="${embedUrl}" title="${title}" ${size} frameborder="0" loading="lazy" style="${style}" sandbox="${SANDBOX}" allowfullscreen></iframe>`;
  const script = scriptUrl === null ? null : html`\n<script async src="${scriptUrl}"></script>`;
  return html`${iframe}${script}`.text;
}

/** Interpolates between the two heights, because a style attribute has no media queries. `embed.js` replaces it. */
function heightRuleOf({ narrowPx, widePx }: HeightEstimate): string {
  if (narrowPx === widePx) return '';
  const perVw = ((widePx - narrowPx) / (WIDE_VIEWPORT_PX - NARROW_VIEWPORT_PX)) * 100;
  const atZero = Math.round(widePx - (perVw * WIDE_VIEWPORT_PX) / 100);
  const [least, most] = [Math.min(narrowPx, widePx), Math.max(narrowPx, widePx)];
  return `; height: clamp(${least}px, ${atZero}px + ${perVw.toFixed(1)}vw, ${most}px)`;
}

/**
 * Returns the heights of a frame with its control of the colour mode.
 * @param heights of the article; null for the card of a page without one
 */
export function heightsOf(
  embed: Parameters<typeof createCard>[0] & Pick<Snippet, 'mode'>,
  heights: HeightEstimate | null,
): HeightEstimate {
  const { narrowPx, widePx } = heights ?? estimateHeights(createCard(embed));
  if (embed.mode !== 'USER_DEFINED') return { narrowPx, widePx };
  const { narrow, wideCard } = MODE_CONTROL_PX;
  return { narrowPx: narrowPx + narrow, widePx: widePx + (heights === null ? wideCard : 0) };
}
