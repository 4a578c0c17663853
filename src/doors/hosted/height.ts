import type { Article } from '#reader/article';
import type { HeightEstimate } from '../../domain/page-copy.ts';

export const NARROW_FRAME_PX = 374;
/** From this width on, the column of the text is as wide as it gets. */
export const WIDE_FRAME_PX = 760;

/** Longer articles do not move what a screen shows, however wrong their estimate is. */
const MAX_HEIGHT_PX = 10_000;

const MAX_HERO_PX = 510;

/** Height of a line, font size, and space below. They follow `client/page.css` and `client/content.css`. */
interface TextStyle {
  readonly fontPx: number;
  readonly linePx: number;
  readonly spacePx: number;
}

const BODY: TextStyle = { fontPx: 17, linePx: 28, spacePx: 21 };
const LOOSE: TextStyle = { ...BODY, spacePx: 0 };
const HEADING: TextStyle = { fontPx: 24, linePx: 32, spacePx: 37 };
const SUBHEADING: TextStyle = { fontPx: 20, linePx: 26, spacePx: 28 };
const STYLES: Readonly<Record<string, TextStyle>> = {
  p: BODY,
  li: { ...BODY, spacePx: 5 },
  dt: LOOSE,
  dd: LOOSE,
  figcaption: { fontPx: 15, linePx: 22, spacePx: 30 },
  caption: { fontPx: 15, linePx: 22, spacePx: 18 },
  h2: HEADING,
  h3: SUBHEADING,
  h4: SUBHEADING,
  h5: SUBHEADING,
  h6: SUBHEADING,
};

/** Splits at the tags of blocks. Each text follows the name of a tag, with a slash if it is an end tag. */
const BLOCK_TAG =
  /<(\/?(?:p|li|dt|dd|h[2-6]|blockquote|figcaption|caption|tr|t[dh]|pre|div|ul|ol|dl|hr|br|summary))\b[^>]*>/;
const PICTURE = /<(?:img|video|iframe)\b([^>]*)>/g;
const WIDE_CHARACTER = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g;
const CHARACTER_EM = 0.475;
/** Lines end before a word that does not fit. */
const UNUSED_CHARACTERS = 3;
/** Characters in a line of a table cell with much text, and of code, which does not wrap. */
const CELL_CHARACTERS = 48;

/** As long as most sentences with which a card says why there is no article. */
const REASON = '-'.repeat(64);

export function estimateHeights(article: Article): HeightEstimate {
  return { narrowPx: estimateHeight(article, NARROW_FRAME_PX), widePx: estimateHeight(article, WIDE_FRAME_PX) };
}

/** Interpolates between the heights of an estimate. */
export function heightAt(framePx: number, { narrowPx, widePx }: HeightEstimate): number {
  const share = (framePx - NARROW_FRAME_PX) / (WIDE_FRAME_PX - NARROW_FRAME_PX);
  return Math.round(narrowPx + (widePx - narrowPx) * Math.min(Math.max(share, 0), 1));
}

function estimateHeight(article: Article, framePx: number): number {
  const { title, byline, publishedAt, description, image, hero, isPaywalled, content } = article;
  const marginPx = Math.min(Math.max(0.05 * framePx, 17), 34);
  const columnPx = framePx - 2 * marginPx;
  const titlePx = Math.min(Math.max(19.55 + 0.012 * framePx, 23.4), 29.75);
  const barPx = 73 + heightOfText(title, { fontPx: 1.1 * titlePx, linePx: 1.2 * titlePx, spacePx: 0 }, columnPx);
  if (content === null) {
    const boxPx = 2 * Math.min(Math.max(0.04 * framePx, 17), 25.5);
    const imagePx = image === null ? 0 : (columnPx - 2) / 1.91;
    const textPx = [description ?? '', REASON].reduce(
      (sum, text) => sum + heightOfText(text, { ...BODY, spacePx: 8.5 }, columnPx - 2 - boxPx),
      -8.5,
    );
    return Math.round(barPx + 53 + imagePx + boxPx + textPx);
  }
  const bylinePx = byline === null && publishedAt === null ? 0 : 52;
  const shape = hero?.width && hero.height ? hero.width / hero.height : 1.91;
  const heroPx = hero === null ? 0 : Math.min(columnPx / shape, MAX_HERO_PX) + 25;
  const headPx = barPx + Math.min(0.04 * framePx, 34) + bylinePx + heroPx;
  const endPx = isPaywalled ? 150 : 90;
  return Math.round(Math.min(headPx + heightOfContent(content, columnPx) + endPx, MAX_HEIGHT_PX));
}

function heightOfContent(content: string, columnPx: number): number {
  const [start = '', ...rest] = content.split(BLOCK_TAG);
  let height = heightOfBlock('/', start, columnPx);
  let rowPx = 0;
  for (let i = 0; i < rest.length; i += 2) {
    const [tag = '', text = ''] = rest.slice(i, i + 2);
    const isCell = tag === 'td' || tag === 'th';
    if (isCell) rowPx = Math.max(rowPx, 17 + 24 * Math.ceil(lengthOf(text) / CELL_CHARACTERS));
    else height += heightOfBlock(tag, text, columnPx);
    if (tag === '/tr') {
      height += rowPx;
      rowPx = 0;
    }
  }
  return height;
}

function heightOfBlock(tag: string, text: string, columnPx: number): number {
  if (tag === 'pre') return 50 + 24 * text.trim().split('\n').length;
  if (tag === 'hr') return 77;
  const textPx = heightOfText(text, STYLES[tag] ?? LOOSE, columnPx);
  const pictures = [...text.matchAll(PICTURE)].map(([, attributes = '']) => heightOfPicture(attributes, columnPx) + 10);
  return pictures.reduce((sum, px) => sum + px, textPx);
}

function heightOfPicture(attributes: string, columnPx: number): number {
  const sizeOf = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
  const [width, height] = [sizeOf('width'), sizeOf('height')];
  if (width === 0 || height === 0) return (columnPx * 9) / 16;
  return (Math.min(width, columnPx) * height) / width;
}

function heightOfText(text: string, { fontPx, linePx, spacePx }: TextStyle, columnPx: number): number {
  const charactersPerLine = columnPx / (CHARACTER_EM * fontPx) - UNUSED_CHARACTERS;
  const lines = Math.ceil(lengthOf(text) / charactersPerLine);
  return lines === 0 ? 0 : lines * linePx + spacePx;
}

/** Counts the characters of a text in HTML. East Asian ones count twice. */
function lengthOf(html: string): number {
  const text = html
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '-')
    .trim();
  return text.length + (text.match(WIDE_CHARACTER)?.length ?? 0);
}
