import type { Embed } from '../../../domain/embed/embed.ts';
import type { Article } from '../../../domain/page/article.ts';
import type { OembedUrls } from '../oembed.ts';
import { type HostedPage, renderDocument } from './document.ts';
import { html, Markup } from './markup.ts';
import { renderMetadata } from './metadata.ts';
import { renderOriginalLink, renderTopBar } from './top-bar.ts';
import { findWebFont } from './web-font.ts';

/** What the page of an embed is made from. */
export interface EmbedView {
  readonly embed: Pick<Embed, 'mode' | 'font' | 'showTopBar' | 'pageUrl'>;
  readonly article: Article;
  /** Whether the page is still being fetched, so that the article is only what its embed knows. */
  readonly isPending: boolean;
  /** The canonical address of the page itself. */
  readonly embedUrl: string;
  /** The address of its oEmbed answer in each format. */
  readonly oembedUrls: OembedUrls;
  /** The provider's style sheet for the embed's font; null where there is no provider. */
  readonly fontCssUrl: string | null;
}

/** The page inside the iframe: the article, or a card where there is none, in the mode and font of the embed. */
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

/** The title is in the top bar where there is one. */
function renderArticle({ embed, article }: EmbedView, content: string): Markup {
  const title = embed.showTopBar ? null : html`<h1>${article.title}</h1>\n`;
  const byline = article.byline && html`<p class="byline">${article.byline}</p>\n`;
  return html`<article>\n${title}${byline}<div class="content">${new Markup(content)}</div>\n</article>`;
}

/** One link to the original: here, or in the top bar where there is one. */
function renderCard({ embed, article, isPending, embedUrl }: EmbedView): Markup {
  const picture = article.image && html`<img src="${article.image}" alt="">`;
  const name = html`<p class="site">${article.site}</p>\n<h1>${article.title}</h1>\n`;
  const missing = isPending
    ? html`<span lang="en">This page is still on its way. <a href="${embedUrl}">Look again</a></span>`
    : html`<span lang="en">This page is read where it was published.</span>`;
  return html`<section class="card">${picture}
<div class="card-text">
${embed.showTopBar ? null : name}<p>${article.description ?? missing}</p>
${embed.showTopBar ? null : renderOriginalLink(embed.pageUrl, true)}
</div></section>`;
}

/** Where the page comes from, at its end; of a card, on paper only. */
function renderSource({ embed, article }: EmbedView): Markup {
  const link = html`<a href="${embed.pageUrl}" target="_blank" rel="noopener">${article.site}</a>`;
  return html`<footer class="column end${article.content === null ? ' address' : null}">
<p><span lang="en">From</span> ${link} <span class="address" dir="ltr">${embed.pageUrl}</span></p>
</footer>`;
}
