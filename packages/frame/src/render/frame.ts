import type { Article } from '../../../reader/src/article.ts';
import { html, Markup } from '../../../reader/src/html.ts';
import { FRAME_ORIGINS } from '../../../reader/src/players.ts';
import { rankHeadings } from '../heading-ranks.ts';
import type { Words } from '../words/en.ts';
import { renderCard, renderPending } from './card.ts';
import { renderDocument } from './document.ts';
import { linkToWhole, markLines, renderPartNote } from './fragment.ts';
import type { FrameView } from './frame-view.ts';
import { type FrameWords, frameWordsOf, renderAllWords, translateCallouts } from './frame-words.ts';
import { createLocalPictures, type PictureUrls } from './local-pictures.ts';
import { createLookStyle } from './look-style.ts';
import { hasLongTable, renderTableTools, separateLines } from './table-tools.ts';
import { renderSite, renderTopBar } from './top-bar.ts';
import { createWebFont } from './web-font.ts';

/** Leaves time for the answer: a reader sees a new copy within a minute. */
const LIVE_INTERVAL_MS = 45_000;

/** Renders the page inside the iframe: the article, or a card if there is none. Returns it with its local pictures. */
export function renderFrame(original: FrameView) {
  const { hasLocalPictures = false, tag = null, font } = original;
  const { look, allowedSites } = original.settings;
  const shown = withLogo(original.article, look?.logoUrl);
  const local = hasLocalPictures ? createLocalPictures(shown) : null;
  const view = { ...original, article: local?.article ?? shown };
  const { embed, article } = view;
  const frame = frameWordsOf(article);
  const topBar = embed.showTopBar ? renderTopBar(view, frame) : null;
  const hasTables = article.content !== null && hasLongTable(article.content);
  const tools = hasTables ? renderTableTools(frame) : null;
  const hasReader = embed.showTopBar && article.content !== null;
  const page = renderDocument({
    language: article.language ?? 'und',
    direction: article.direction,
    mode: embed.mode,
    webFont: font && createWebFont(font),
    title: article.title,
    metadata: renderMetadata(original),
    body: html`${topBar}\n${tag && renderLiveRegion(frame)}<main class="column">${renderMain(view, frame)}</main>\n${renderSource(view, frame)}${tools}`,
    words: renderAllWords(frame.words, (words) => textsOn(view, words, { hasReader, hasTables })),
    hasReader,
    hasTables,
    ...(view.headings && { headings: view.headings }),
    tag,
    // a page that is pending is loaded again
    isCounted: view.isCounted === true && view.state !== 'PENDING',
    frameOrigins: FRAME_ORIGINS.filter((origin) => article.content?.includes(` data-frame="${origin}/`)),
    hasLocalPictures,
    look: createLookStyle(look),
    allowedSites,
  });
  const pictures: PictureUrls = local?.pictures ?? new Map();
  return { ...page, pictures };
}

/** Returns the words that the page shows, or may show in its next version. */
function textsOn(
  { embed, article, state }: FrameView,
  words: Words,
  { hasReader, hasTables }: { readonly hasReader: boolean; readonly hasTables: boolean },
): readonly string[] {
  const isArticle = article.content !== null;
  const { sizes, ...reader } = words.reader;
  return [
    ...[words.openOriginal, words.original, words.inNewTab, words.from, words.wasUpdated],
    ...(embed.mode === 'USER_DEFINED' ? [words.colourMode, words.light, words.dark, words.system] : []),
    ...(isArticle ? [words.updated, words.continues, words.partOnly, words.showWhole] : []),
    ...(hasReader ? [...sizes, ...Object.values(reader)] : []),
    ...(hasTables ? Object.values(words.table) : []),
    ...(article.content?.includes(' class="frame-words"') ? Object.values(words.files) : []),
    ...(state === 'PENDING' ? [words.loading, words.reload] : []),
    ...(isArticle || state === 'PENDING' ? [] : Object.values(words.cards[state])),
  ];
}

/** Puts the logo in the place of the icon of the site. A card keeps that icon, which says what the page is. */
function withLogo(article: Article, logoUrl: string | undefined): Article {
  return logoUrl === undefined || article.content === null ? article : { ...article, icon: logoUrl };
}

const BRANDING = html`<p class="branding" lang="en" dir="ltr">Embed Gateway</p>\n`;

function renderMain(view: FrameView, frame: FrameWords): Markup {
  if (view.article.content !== null) return renderArticle(view, view.article.content, frame);
  return view.state === 'PENDING' ? renderPending(view, frame) : renderCard(view, view.state, frame);
}

function renderArticle({ embed, article, placeUrl = null }: FrameView, content: string, frame: FrameWords): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const note = placeUrl && renderPartNote(placeUrl, frame);
  const head = html`${title}${renderByline(article, frame)}${note}${renderHero(article)}`;
  const end = article.isPaywalled ? renderContinuation(embed.pageUrl, article, frame) : null;
  const ranked = rankHeadings(placeUrl ? linkToWhole(content) : content);
  const shown = separateLines(markLines(translateCallouts(ranked, frame), embed.pageUrl));
  return html`<article>\n${head}<div class="content">${new Markup(shown)}</div>\n${end}</article>`;
}

/** Renders where the script announces a new version to screen readers, with the milliseconds between its requests. */
function renderLiveRegion({ words, attributes }: FrameWords): Markup {
  return html`<span id="live" class="spoken" aria-live="polite" data-interval="${`${LIVE_INTERVAL_MS}`}" data-text="${words.wasUpdated}"${attributes}></span>\n`;
}

/** Renders the source of the page. On a card it is only visible in print. */
function renderSource({ embed, article, settings }: FrameView, { words, attributes }: FrameWords): Markup {
  const link = html`<a href="${embed.pageUrl}" target="_blank" rel="noopener">${article.site}</a>`;
  return html`<footer class="column end${article.content === null ? ' address' : null}">
<p><span${attributes}>${words.from}</span> ${link} <span class="address" dir="ltr">${embed.pageUrl}</span></p>
${settings.look?.branding ? BRANDING : null}</footer>`;
}

/** Renders author, date, and the date of a change on a later day; null without all. */
function renderByline(
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

function renderHero({ hero }: Article): Markup | null {
  if (hero === null) return null;
  const { url, alt, width, height } = hero;
  const size = width !== null && height !== null ? html` width="${String(width)}" height="${String(height)}"` : null;
  return html`<img class="hero" src="${url}" alt="${alt}"${size} decoding="async">\n`;
}

/** Renders the end of an article of which the page shows only a part. */
function renderContinuation(pageUrl: string, { site }: Article, { words, attributes }: FrameWords): Markup {
  return html`<p class="continuation"><span${attributes}>${words.continues}</span> <a href="${pageUrl}" target="_blank" rel="noopener">${site}</a></p>\n`;
}

/** Renders the metadata for machines. A copy is not for search engines, hence `noindex` and the canonical link. */
function renderMetadata({ embed, article, embedUrl, alternates }: FrameView): Markup {
  const { title, description, site, image, content } = article;
  return html`<meta name="robots" content="noindex">
<link rel="canonical" href="${embed.pageUrl}">
${alternates.map(({ type, url }) => html`<link rel="alternate" type="${type}" href="${url}" title="${title}">\n`)}${description && html`<meta name="description" content="${description}">\n`}<meta property="og:type" content="${content === null ? 'website' : 'article'}">
<meta property="og:url" content="${embedUrl}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${site}">
${description && html`<meta property="og:description" content="${description}">\n`}${image && html`<meta property="og:image" content="${image}">\n`}<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">`;
}
