import type { Article } from '#reader/article';
import { html, type Markup } from '#reader/html';
import type { FrameWords } from './frame-words.ts';

/** Renders author, date, and the date of a change on a later day; null without all. */
export function renderByline(
  { byline, publishedAt, modifiedAt = null, language }: Article,
  { words, attributes }: FrameWords,
): Markup | null {
  const isChanged = modifiedAt !== null && modifiedAt.slice(0, 10) > (publishedAt ?? '').slice(0, 10);
  if (byline === null && publishedAt === null && !isChanged) return null;
  const author = byline && html`<bdi>${byline}</bdi>`;
  const date = publishedAt && renderDate(publishedAt, language);
  const change = isChanged && html`<span${attributes}>${words.updated}</span> ${renderDate(modifiedAt, language)}`;
  const parts = [author, date, change || null].filter((part) => part !== null);
  return html`<p class="byline">${parts.map((part, i) => [i > 0 ? ' · ' : null, part])}</p>\n`;
}

/** Renders the date in UTC, in the language of the article, or else in English. */
function renderDate(time: string, language: string | null): Markup {
  const locales = language === null ? ['en'] : [language, 'en'];
  const format = new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${time}" data-words>${format.format(new Date(time))}</time>`;
}

export function renderHero({ hero }: Article): Markup | null {
  if (hero === null) return null;
  const { url, alt, width, height } = hero;
  const size = width !== null && height !== null ? html` width="${String(width)}" height="${String(height)}"` : null;
  return html`<img class="hero" src="${url}" alt="${alt}"${size} decoding="async">\n`;
}

/** Renders the end of an article of which the page shows only a part. */
export function renderContinuation(pageUrl: string, { site }: Article, { words, attributes }: FrameWords): Markup {
  return html`<p class="continuation"><span${attributes}>${words.continues}</span> <a href="${pageUrl}" target="_blank" rel="noopener">${site}</a></p>\n`;
}
