import { spacedTextOf } from '../blocks/tree.ts';
import { plainText } from '../plain-text.ts';
import { parsePublished } from './published.ts';

const MAX_BYLINE_LENGTH = 120;
const BY = /^(?:written by|posted by|by|von|par|por|di|door|av|af|autor|author)\b[\s:]*/i;
const PARTS = /\s+[|·•—–]\s+|\s+\d/;
/** Names of accounts, not of people. */
const NOT_AN_AUTHOR = /^(?:admin|administrator|editor|staff|webmaster|root|guest|unknown|anonymous|null|undefined)$/i;

/** Characters of text at the start of an article among which its byline is searched. */
const MAX_TEXT_BEFORE_BYLINE = 600;
const MAX_LINE_LENGTH = 160;
/** Elements at the start of an article that are compared with its head. */
const MAX_ELEMENTS = 60;
/** Letters that a line may have besides the author and the date, such as "Published by" and "5 min read". */
const MAX_OTHER_LETTERS = 24;
const PORTRAIT = /avatar|author|profile|headshot|portrait/i;
const MAX_PORTRAIT_WIDTH = 128;

const LINES = 'p, div, ul, address, section, h4, h5, h6, span, time';

const DATE_STYLES = ['full', 'long', 'medium', 'short'] as const;

export interface ArticleHead {
  readonly byline: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
}

/** Reduces a byline to its names, without the date of the article; null if it names nobody. */
export function parseByline(text: string | null | undefined, head: Omit<ArticleHead, 'byline'>): string | null {
  let line = plainText(text, MAX_BYLINE_LENGTH * 4) ?? '';
  for (const phrase of datePhrases(head)) line = line.replace(phrase, ' · ');
  const first = line.split(PARTS)[0] ?? '';
  const names = plainText(first.trim().replace(BY, ''), MAX_BYLINE_LENGTH);
  if (names === null || names.includes('://') || NOT_AN_AUTHOR.test(names)) return null;
  return /\p{L}/u.test(names) ? names : null;
}

/** Removes the lines at the start of an article that say its author and its date, which the head shows. */
export function removeByline(root: Element, head: ArticleHead): void {
  const names = head.byline === null ? [] : wordsOf(head.byline);
  const dates = datePhrases(head).map(wordsOf);
  if (names.length + dates.length === 0) return;
  let length = 0;
  for (const element of [...root.querySelectorAll(LINES)].slice(0, MAX_ELEMENTS)) {
    if (length > MAX_TEXT_BEFORE_BYLINE) return;
    const isInline = element.localName === 'span' || element.localName === 'time';
    if (!root.contains(element) || (isInline && element.closest('p, li, dd, td, blockquote, figcaption'))) continue;
    const text = spacedTextOf(element);
    if (text === '' || hasPicture(element)) continue;
    if (text.length <= MAX_LINE_LENGTH && isBylineText(text, { names, dates, hasDate: hasDate(element, head) })) {
      element.remove();
    } else if (element.localName === 'p') length += text.length;
  }
}

/** Ignores portraits of the author. */
function hasPicture(element: Element): boolean {
  if (element.querySelector('figure, picture, video, audio') !== null) return true;
  return [...element.querySelectorAll('img')].some((image) => {
    const isSmall = Number(image.getAttribute('width') ?? Number.NaN) <= MAX_PORTRAIT_WIDTH;
    return !isSmall && !PORTRAIT.test(`${image.className} ${image.getAttribute('src')}`);
  });
}

function hasDate(element: Element, { publishedAt }: ArticleHead): boolean {
  const times = element.localName === 'time' ? [element] : [...element.querySelectorAll('time[datetime]')];
  return times.some((time) => {
    const date = parsePublished(time.getAttribute('datetime'));
    return date !== null && date.slice(0, 10) === publishedAt?.slice(0, 10);
  });
}

interface HeadWords {
  readonly names: readonly string[];
  readonly dates: readonly (readonly string[])[];
  readonly hasDate: boolean;
}

function isBylineText(text: string, { names, dates, hasDate }: HeadWords): boolean {
  const words = wordsOf(text);
  const saysName = names.length > 0 && names.every((name) => words.includes(name));
  const saysDate = dates.some((date) => date.every((word) => words.includes(word)));
  if (!saysName && !saysDate && !hasDate) return false;
  const said = new Set([...(saysName ? names : []), ...dates.flat()]);
  const others = words.filter((word) => !said.has(word) && !/^\d+$/.test(word));
  return others.join('').length <= MAX_OTHER_LETTERS && !/[.!?。]\s+\p{Lu}/u.test(text);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/\p{L}+|\p{N}+/gu) ?? []
  );
}

/** Writes the date in the ways that are usual in English and in the language of the page. */
function datePhrases({ publishedAt, language }: Omit<ArticleHead, 'byline'>): readonly string[] {
  if (publishedAt === null) return [];
  const date = new Date(publishedAt);
  const locales = [...new Set([language ?? 'en', 'en-US', 'en-GB'])];
  const phrases = locales.flatMap((locale) =>
    DATE_STYLES.map((dateStyle) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(date)),
  );
  return [...new Set([...phrases, publishedAt.slice(0, 10)])];
}
