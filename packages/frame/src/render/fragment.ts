import { html, type Markup } from '../../../reader/src/html.ts';
import { LINES_FRAGMENT } from '../../../reader/src/page-url.ts';
import { FRAME_PATHS } from '../frame-paths.ts';
import type { FrameWords } from './frame-words.ts';
import { decodeText } from './local-pictures.ts';

/** Says that more of the page can be shown, with a link that works without a script. */
export function renderPartNote(placeUrl: string, { words, attributes }: FrameWords): Markup {
  return html`<p class="part"${attributes}>${words.partOnly} <a href="${placeUrl}">${words.showWhole}</a></p>\n`;
}

/** Lets the links in a part that point to something outside of it lead to the whole page. */
export function linkToWhole(content: string): string {
  const ids = new Set([...content.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => decodeText(id)));
  return content.replace(/(<a(?: [^<>]*)?) href="(#[^"]*)"/g, (link, start: string, target: string) =>
    ids.has(decodeURIComponent(target.slice(1))) ? link : `${start} href="${FRAME_PATHS.whole}${target}"`,
  );
}

/** A line of a file, as the reader numbers them. */
const LINE = /<span id="s-L(\d{1,6})" class="embed-line">/g;

/** Marks the lines of a file that the fragment of its URL names. */
export function markLines(content: string, pageUrl: string): string {
  const [, first, last = first] = LINES_FRAGMENT.exec(new URL(pageUrl).hash) ?? [];
  if (first === undefined) return content;
  const [from = 0, to = 0] = [Number(first), Number(last)].sort((a, b) => a - b);
  return content.replace(LINE, (tag, line: string) =>
    Number(line) >= from && Number(line) <= to ? tag.replace('embed-line', 'embed-line marked') : tag,
  );
}
