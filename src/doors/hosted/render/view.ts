import type { Article } from '#reader/article';
import { html, Markup } from '#reader/html';
import type { PageState } from '#reader/page-state';
import { FRAME_ORIGINS } from '#reader/players';
import type { Embed } from '../../../domain/embed/embed.ts';
import type { OembedUrls } from '../oembed.ts';
import { renderByline, renderContinuation, renderHero } from './article-head.ts';
import { type HostedPage, renderDocument } from './document.ts';
import { createLocalPictures, type PictureUrls } from './local-pictures.ts';
import { markLines } from './marked-lines.ts';
import { renderMetadata } from './metadata.ts';
import { renderOriginalLink, renderSite, renderTopBar } from './top-bar.ts';
import type { WebFont } from './web-font.ts';

export interface EmbedView {
  readonly embed: Pick<Embed, 'mode' | 'font' | 'showTopBar' | 'pageUrl'>;
  readonly article: Article;
  /** `PENDING` while the page is being fetched: the article then has only the data of the embed. */
  readonly state: PageState;
  readonly embedUrl: string;
  readonly oembedUrls: OembedUrls;
  /** Null for the reader's own fonts. */
  readonly webFont: WebFont | null;
  /** The pictures come from the host of the embed. Those in the metadata, which are not for readers, come from their sites. */
  readonly hasLocalPictures?: boolean;
}

export interface RenderedEmbedPage extends HostedPage {
  /** The local pictures of the page. */
  readonly pictures: PictureUrls;
}

/** Renders the page inside the iframe: the article, or a card if there is none. */
export function renderEmbedPage(original: EmbedView): RenderedEmbedPage {
  const { hasLocalPictures = false } = original;
  const local = hasLocalPictures ? createLocalPictures(original.article) : null;
  const view = local ? { ...original, article: local.article } : original;
  const { embed, article } = view;
  const topBar = embed.showTopBar ? renderTopBar(embed, article) : null;
  const main = article.content === null ? renderCard(view) : renderArticle(view, article.content);
  const page = renderDocument({
    language: article.language ?? 'und',
    direction: article.direction,
    mode: embed.mode,
    webFont: view.webFont,
    title: article.title,
    metadata: renderMetadata({ ...original, pageUrl: embed.pageUrl }),
    body: html`${topBar}\n<main class="column">${main}</main>\n${renderSource(view)}`,
    isPending: view.state === 'PENDING',
    frameOrigins: FRAME_ORIGINS.filter((origin) => article.content?.includes(` data-frame="${origin}/`)),
    hasLocalPictures,
  });
  return { ...page, pictures: local?.pictures ?? new Map() };
}

function renderArticle({ embed, article }: EmbedView, content: string): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const head = html`${title}${renderByline(article)}${renderHero(article)}`;
  const end = article.isPaywalled ? renderContinuation(embed.pageUrl, article) : null;
  return html`<article>\n${head}<div class="content">${new Markup(markLines(content, embed.pageUrl))}</div>\n${end}</article>`;
}

/** For readers, who know nothing of the gateway. Clients of the APIs get the exact reason. */
const CARD_TEXTS: Readonly<Record<Exclude<PageState, 'PENDING'>, string>> = {
  SHOWN: 'Open the original to read this page.',
  NO_ARTICLE: 'This page has no article to show here. Open the original to see it.',
  NEEDS_BROWSER: 'This page is an application. Open the original to use it.',
  FORBIDDEN: 'The site does not show this page to everyone. The original may ask you to sign in.',
  GONE: 'The site no longer has this page. It may have moved.',
  NOT_A_PAGE: 'This is a file, not a web page. Open the original to see it.',
  TOO_LARGE: 'This page is too large to show here. Open the original to read it.',
  UNREACHABLE: 'The site cannot be reached at the moment. Try the original, or come back later.',
  NOT_ALLOWED: 'This page may not be copied here. Open the original to read it.',
};

function renderCard({ embed, article, state, embedUrl }: EmbedView): Markup {
  const image = article.image && html`<img src="${article.image}" alt="">`;
  const heading = html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const description = article.description && html`<p>${article.description}</p>\n`;
  const reason = state === 'PENDING' ? html`Still loading. <a href="${embedUrl}">Reload</a>.` : CARD_TEXTS[state];
  return html`<section class="card">${image}
<div class="card-text">
${embed.showTopBar ? null : heading}${description}<p class="reason" lang="en" dir="ltr">${reason}</p>
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
