import { html, Markup } from '#reader/html';
import { FRAME_ORIGINS } from '#reader/players';
import { renderByline, renderContinuation, renderHero } from './article-head.ts';
import { renderCard, renderPending } from './card.ts';
import { type HostedPage, renderDocument } from './document.ts';
import type { EmbedView } from './embed-view.ts';
import { type FrameWords, frameWordsOf, translateCallouts } from './frame-words.ts';
import { createLocalPictures, type PictureUrls } from './local-pictures.ts';
import { markLines } from './marked-lines.ts';
import { renderMetadata } from './metadata.ts';
import { renderSite, renderTopBar } from './top-bar.ts';

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
  const frame = frameWordsOf(article, view.acceptLanguage ?? null);
  const topBar = embed.showTopBar ? renderTopBar(view, frame) : null;
  const page = renderDocument({
    language: article.language ?? 'und',
    direction: article.direction,
    mode: embed.mode,
    webFont: view.webFont,
    title: article.title,
    metadata: renderMetadata({ ...original, pageUrl: embed.pageUrl }),
    body: html`${topBar}\n<main class="column">${renderMain(view, frame)}</main>\n${renderSource(view, frame)}`,
    hasReader: embed.showTopBar && article.content !== null,
    isPending: view.state === 'PENDING',
    frameOrigins: FRAME_ORIGINS.filter((origin) => article.content?.includes(` data-frame="${origin}/`)),
    hasLocalPictures,
  });
  return { ...page, pictures: local?.pictures ?? new Map() };
}

function renderMain(view: EmbedView, frame: FrameWords): Markup {
  if (view.article.content !== null) return renderArticle(view, view.article.content, frame);
  return view.state === 'PENDING' ? renderPending(view, frame) : renderCard(view, view.state, frame);
}

function renderArticle({ embed, article }: EmbedView, content: string, frame: FrameWords): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  const head = html`${title}${renderByline(article)}${renderHero(article)}`;
  const end = article.isPaywalled ? renderContinuation(embed.pageUrl, article, frame) : null;
  const shown = markLines(translateCallouts(content, frame), embed.pageUrl);
  return html`<article>\n${head}<div class="content">${new Markup(shown)}</div>\n${end}</article>`;
}

/** Renders the source of the page. On a card it is only visible in print. */
function renderSource({ embed, article }: EmbedView, { words, attributes }: FrameWords): Markup {
  const link = html`<a href="${embed.pageUrl}" target="_blank" rel="noopener">${article.site}</a>`;
  return html`<footer class="column end${article.content === null ? ' address' : null}">
<p><span${attributes}>${words.from}</span> ${link} <span class="address" dir="ltr">${embed.pageUrl}</span></p>
</footer>`;
}
