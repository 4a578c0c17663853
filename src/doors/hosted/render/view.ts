import type { Embed } from '../../../domain/embed/embed.ts';
import type { Article, HeroImage } from '../../../domain/page/article.ts';
import type { OembedUrls } from '../oembed.ts';
import { type HostedPage, renderDocument } from './document.ts';
import { html, Markup } from './markup.ts';
import { renderMetadata } from './metadata.ts';
import { renderOriginalLink, renderSite, renderTopBar } from './top-bar.ts';
import { findWebFont } from './web-font.ts';

export interface EmbedView {
  readonly embed: Pick<Embed, 'mode' | 'font' | 'showTopBar' | 'pageUrl'>;
  readonly article: Article;
  /** The page is still being fetched, and the article has only the data of the embed. */
  readonly isPending: boolean;
  readonly embedUrl: string;
  readonly oembedUrls: OembedUrls;
  /** The provider's style sheet for the font of the embed; null without a provider. */
  readonly fontCssUrl: string | null;
}

/** Renders the page inside the iframe: the article, or a card if there is none. */
export function renderEmbedPage(view: EmbedView): HostedPage {
  const { embed, article } = view;
  const topBar = embed.showTopBar ? renderTopBar(embed, article) : null;
  const main = article.content === null ? renderCard(view) : renderArticle(view, article.content);
  return renderDocument({
    language: article.language ?? 'und',
    direction: article.direction,
    mode: embed.mode,
    webFont: findWebFont(embed.font, view.fontCssUrl),
    title: article.title,
    metadata: renderMetadata({ ...view, pageUrl: embed.pageUrl }),
    body: html`${topBar}\n<main class="column">${main}</main>\n${renderSource(view)}`,
  });
}

function renderArticle({ embed, article }: EmbedView, content: string): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const head = html`${title}${renderByline(article)}${article.hero && renderHero(article.hero)}`;
  const end = article.isPaywalled ? renderContinuation(embed.pageUrl, article.site) : null;
  return html`<article>\n${head}<div class="content">${new Markup(content)}</div>\n${end}</article>`;
}

function renderByline({ byline, publishedAt, language }: Article): Markup | null {
  const parts = [byline && html`<bdi>${byline}</bdi>`, publishedAt && renderDate(publishedAt, language)].filter(
    (part) => part instanceof Markup,
  );
  return parts.length === 0 ? null : html`<p class="byline">${joinWith(' · ', parts)}</p>\n`;
}

/** Renders the date in UTC, in the language of the article, or else in English. */
function renderDate(publishedAt: string, language: string | null): Markup {
  const locales = language === null ? ['en'] : [language, 'en'];
  const format = new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${publishedAt}">${format.format(new Date(publishedAt))}</time>`;
}

function renderHero({ url, alt, width, height }: HeroImage): Markup {
  const size = width !== null && height !== null ? html` width="${String(width)}" height="${String(height)}"` : null;
  return html`<img class="hero" src="${url}" alt="${alt}"${size} decoding="async">\n`;
}

function renderContinuation(pageUrl: string, site: string): Markup {
  return html`<p class="continuation"><span lang="en">The text continues at the source:</span> <a href="${pageUrl}" target="_blank" rel="noopener">${site}</a></p>\n`;
}

function joinWith(separator: string, parts: readonly Markup[]): Markup {
  return html`${parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`))}`;
}

function renderCard({ embed, article, isPending, embedUrl }: EmbedView): Markup {
  const image = article.image && html`<img src="${article.image}" alt="">`;
  const heading = html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const placeholder = isPending
    ? html`<span lang="en">Still loading. <a href="${embedUrl}">Reload</a>.</span>`
    : html`<span lang="en">Open the original to read this page.</span>`;
  return html`<section class="card">${image}
<div class="card-text">
${embed.showTopBar ? null : heading}<p>${article.description ?? placeholder}</p>
${embed.showTopBar ? null : renderOriginalLink(embed.pageUrl, true)}
</div></section>`;
}

/** Renders the source of the page. On a card it is only visible in print. */
function renderSource({ embed, article }: EmbedView): Markup {
  const link = html`<a href="${embed.pageUrl}" target="_blank" rel="noopener">${article.site}</a>`;
  return html`<footer class="column end${article.content === null ? ' address' : null}">
<p><span lang="en">From</span> ${link} <span class="address" dir="ltr">${embed.pageUrl}</span></p>
</footer>`;
}
