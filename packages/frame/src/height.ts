import type { Article, HeroImage } from '../../reader/src/article.ts';
import { rankHeadings } from './heading-ranks.ts';
import { MIN_LIVE_ROWS } from './render/table-tools.ts';

/** The estimated height of an article with its top bar, in px: in a narrow frame, as on phones, and in a wide one. */
export interface HeightEstimate {
  readonly narrowPx: number;
  readonly widePx: number;
}

export const NARROW_FRAME_PX = 374;
/** From this width on, the column of the text is as wide as it gets. */
export const WIDE_FRAME_PX = 760;

/** Longer articles do not move what a screen shows, however wrong their estimate is. */
const MAX_HEIGHT_PX = 10_000;

/** Sizes of a frame. One rem is the font size of its text. */
interface Frame {
  readonly widthPx: number;
  readonly columnPx: number;
  readonly remPx: number;
}

/** Font size, height of a line, and space below, in rem. A test compares them with the style sheet of embeds. */
interface TextStyle {
  readonly fontRem: number;
  readonly lineRem: number;
  readonly spaceRem: number;
}

const BODY: TextStyle = { fontRem: 1, lineRem: 1.65, spaceRem: 1.25 };
const LOOSE: TextStyle = { ...BODY, spaceRem: 0 };
const SMALL_HEADING: TextStyle = { fontRem: 1.0625, lineRem: 1.38, spaceRem: 1.3 };
const STYLES: Readonly<Record<string, TextStyle>> = {
  p: BODY,
  li: { ...BODY, spaceRem: 0.3 },
  dt: LOOSE,
  dd: LOOSE,
  figcaption: { fontRem: 0.875, lineRem: 1.3125, spaceRem: 1.775 },
  caption: { fontRem: 0.875, lineRem: 1.3125, spaceRem: 0.525 },
  h2: { fontRem: 1.4375, lineRem: 1.87, spaceRem: 2.2 },
  h3: { fontRem: 1.1875, lineRem: 1.54, spaceRem: 1.6 },
  h4: SMALL_HEADING,
  h5: SMALL_HEADING,
  h6: SMALL_HEADING,
};
const REASON_STYLE: TextStyle = { fontRem: 0.9375, lineRem: 1.41, spaceRem: 0.5 };

const MAX_COLUMN_REM = 35;
/** Room around the text of a bar, and its row with the name of the site. */
const BAR_REM = 1.25;
const SITE_REM = 1.225;
const TOOLS_REM = 2.125;
const BYLINE_REM = 3.05;
const MAX_HERO_REM = 30;
const HERO_SPACE_REM = 1.5;
const END_REM = 5.2;
const CONTINUATION_REM = 3.5;
const CODE_LINE_REM = 1.36;
const CODE_REM = 2.67;
const ROW_LINE_REM = 1.41;
const ROW_REM = 0.94;
const MAX_LIVE_TABLE_REM = 36;
const TABLE_TOOLS_REM = 6.5;
const RULE_REM = 3.25;
const PART_NOTE_PX = 70;
const CARD_MARGINS_REM = 3;
/** The tile and the button of a card, with the space around them. */
const CARD_REM = 7.25;
const CARD_IMAGE_REM = 14;
const MIN_CARD_BESIDE_PX = 576;
/** Pictures without size and for link previews. */
const PREVIEW_SHAPE = 1.91;

/** Splits at the tags of blocks. Each text follows the name of a tag, with a slash if it is an end tag. */
const BLOCK_TAG =
  /<(\/?(?:p|li|dt|dd|h[2-6]|blockquote|figcaption|caption|tr|t[dh]|pre|div|ul|ol|dl|table|hr|br|summary))\b[^>]*>/;
const PICTURE = /<(?:img|video|iframe)\b([^>]*)>/g;
const WIDE_CHARACTER = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g;
const CHARACTER_EM = 0.475;
/** Lines end before a word that does not fit. */
const UNUSED_CHARACTERS = 3;
/** Characters in a line of a table cell with much text, and of code, which does not wrap. */
const CELL_CHARACTERS = 48;

/** As long as most sentences with which a card says why there is no article. */
const REASON = '-'.repeat(64);

/** @param isPart the article is a part of its page, so that a line above it leads to the whole */
export function estimateHeights(article: Article, isPart = false): HeightEstimate {
  const heightIn = (widthPx: number) => estimateHeight(article, widthPx) + (isPart ? PART_NOTE_PX : 0);
  return { narrowPx: heightIn(NARROW_FRAME_PX), widePx: heightIn(WIDE_FRAME_PX) };
}

/** Interpolates between the heights of an estimate. */
export function heightAt(framePx: number, { narrowPx, widePx }: HeightEstimate): number {
  const share = (framePx - NARROW_FRAME_PX) / (WIDE_FRAME_PX - NARROW_FRAME_PX);
  return Math.round(narrowPx + (widePx - narrowPx) * Math.min(Math.max(share, 0), 1));
}

function estimateHeight(article: Article, widthPx: number): number {
  const { byline, publishedAt, modifiedAt, hero, isPaywalled, content } = article;
  const remPx = Math.min(Math.max(11.376 + 0.009375 * widthPx, 17), 18.5);
  const marginPx = Math.min(Math.max(0.04 * widthPx, remPx), 2 * remPx);
  const frame = { widthPx, remPx, columnPx: Math.min(widthPx - 2 * marginPx, MAX_COLUMN_REM * remPx) };
  if (content === null) return Math.round(heightOfCard(article, frame));
  const barPx = (BAR_REM + TOOLS_REM) * remPx + heightOfTitle(article, frame) + 1;
  const paddingPx = Math.min(Math.max(0.04 * widthPx, 1.25 * remPx), 2 * remPx);
  const bylinePx = !byline && !publishedAt && !modifiedAt ? 0 : BYLINE_REM * remPx;
  const heroPx = hero === null ? 0 : heightOfHero(hero, frame) + HERO_SPACE_REM * remPx;
  const endPx = (END_REM + (isPaywalled ? CONTINUATION_REM : 0)) * remPx;
  const contentPx = heightOfContent(content, frame);
  return Math.round(Math.min(barPx + paddingPx + bylinePx + heroPx + contentPx + endPx, MAX_HEIGHT_PX));
}

/** Includes the space around the title in the bar. */
function heightOfTitle({ title }: Article, frame: Frame): number {
  const fontRem = Math.min(Math.max(1.15 + (0.012 * frame.widthPx) / frame.remPx, 1.375), 1.75);
  return heightOfText(title, { fontRem, lineRem: 1.2 * fontRem, spaceRem: 0.875 }, frame);
}

function heightOfHero({ width, height }: HeroImage, { columnPx, remPx }: Frame): number {
  const naturalPx = width && height ? (Math.min(width, columnPx) * height) / width : columnPx / PREVIEW_SHAPE;
  return Math.min(naturalPx, MAX_HERO_REM * remPx);
}

/** The card of a page without an article: its picture is above the text, and beside it in wide frames. */
function heightOfCard({ title, description, image }: Article, frame: Frame): number {
  const { widthPx, columnPx, remPx } = frame;
  const isBeside = image !== null && widthPx >= MIN_CARD_BESIDE_PX;
  const paddingPx = Math.min(Math.max(0.04 * widthPx, remPx), 1.5 * remPx);
  const textFrame = { ...frame, columnPx: (columnPx - 2) * (isBeside ? 0.6 : 1) - 2 * paddingPx };
  const fontRem = Math.min(Math.max(1.05 + (0.012 * widthPx) / remPx, 1.25), 1.5);
  const textPx =
    heightOfText(title, { fontRem, lineRem: 1.2 * fontRem, spaceRem: 0 }, textFrame) +
    heightOfText(description ?? '', { ...BODY, spaceRem: 0.5 }, textFrame) +
    heightOfText(REASON, REASON_STYLE, textFrame) +
    2 * paddingPx;
  const imagePx = image === null || isBeside ? 0 : (columnPx - 2) / PREVIEW_SHAPE;
  const cardPx = Math.max(textPx + CARD_REM * remPx + imagePx, isBeside ? CARD_IMAGE_REM * remPx : 0);
  return (BAR_REM + SITE_REM + CARD_MARGINS_REM) * remPx + cardPx + 3;
}

function heightOfContent(content: string, frame: Frame): number {
  const { remPx } = frame;
  const [start = '', ...rest] = rankHeadings(content).split(BLOCK_TAG);
  let height = heightOfBlock('/', start, frame);
  let rowPx = 0;
  let table = { startPx: 0, rows: 0 };
  for (let i = 0; i < rest.length; i += 2) {
    const [tag = '', text = ''] = rest.slice(i, i + 2);
    const isCell = tag === 'td' || tag === 'th';
    const lines = Math.ceil(lengthOf(text) / CELL_CHARACTERS);
    if (isCell) rowPx = Math.max(rowPx, (ROW_REM + ROW_LINE_REM * lines) * remPx + 1);
    else height += heightOfBlock(tag, text, frame);
    if (tag === 'table') table = { startPx: height, rows: 0 };
    if (tag === '/tr') {
      height += rowPx;
      rowPx = 0;
      table.rows++;
    }
    // with tools, and a scroll bar above this height
    if (tag === '/table' && table.rows > MIN_LIVE_ROWS) {
      height = Math.min(height, table.startPx + MAX_LIVE_TABLE_REM * remPx) + TABLE_TOOLS_REM * remPx;
    }
  }
  return height;
}

function heightOfBlock(tag: string, text: string, frame: Frame): number {
  const { remPx } = frame;
  if (tag === 'pre') return (CODE_REM + CODE_LINE_REM * text.trim().split('\n').length) * remPx + 2;
  if (tag === 'hr') return RULE_REM * remPx + 1;
  const spacePx = tag === '/table' ? BODY.spaceRem * remPx : 0;
  const textPx = heightOfText(text, STYLES[tag] ?? LOOSE, frame);
  const pictures = [...text.matchAll(PICTURE)].map(
    ([, attributes = '']) => heightOfPicture(attributes, frame.columnPx) + 10,
  );
  return pictures.reduce((sum, px) => sum + px, spacePx + textPx);
}

function heightOfPicture(attributes: string, columnPx: number): number {
  const sizeOf = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
  const [width, height] = [sizeOf('width'), sizeOf('height')];
  if (width === 0 || height === 0) return (columnPx * 9) / 16;
  return (Math.min(width, columnPx) * height) / width;
}

function heightOfText(
  text: string,
  { fontRem, lineRem, spaceRem }: TextStyle,
  { columnPx, remPx }: Pick<Frame, 'columnPx' | 'remPx'>,
): number {
  const charactersPerLine = columnPx / (CHARACTER_EM * fontRem * remPx) - UNUSED_CHARACTERS;
  const lines = Math.ceil(lengthOf(text) / charactersPerLine);
  return lines === 0 ? 0 : (lines * lineRem + spaceRem) * remPx;
}

/** Counts the characters of a text in HTML. East Asian ones count twice. */
function lengthOf(html: string): number {
  const text = html
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '-')
    .trim();
  return text.length + (text.match(WIDE_CHARACTER)?.length ?? 0);
}
