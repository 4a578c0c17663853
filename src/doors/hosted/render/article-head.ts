import type { Article } from '#reader/article';
import { html, type Markup } from '#reader/html';
import type { FrameWords } from './frame-words.ts';

/** Renders author and date; null without both. */
export function renderByline({ byline, publishedAt, language }: Article): Markup | null {
  if (byline === null && publishedAt === null) return null;
  const author = byline && html`<bdi>${byline}</bdi>`;
  const date = publishedAt && renderDate(publishedAt, language);
  return html`<p class="byline">${author}${author && date ? ' · ' : null}${date}</p>\n`;
}

/** Renders the date in UTC, in the language of the article, or else in English. */
function renderDate(publishedAt: string, language: string | null): Markup {
  const locales = language === null ? ['en'] : [language, 'en'];
  const format = new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${publishedAt}">${format.format(new Date(publishedAt))}</time>`;
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
