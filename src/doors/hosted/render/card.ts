import type { Article } from '#reader/article';
import { html, type Markup } from '#reader/html';
import type { CardState } from '../words/words.ts';
import type { EmbedView } from './embed-view.ts';
import type { FrameWords } from './frame-words.ts';
import { renderOriginalLink, renderSite } from './top-bar.ts';

/** Renders what is known of a page that has no article: its site, its kind, its description, the reason, and one link. */
export function renderCard({ embed, article }: EmbedView, state: CardState, frame: FrameWords): Markup {
  const image = article.image && html`<img src="${article.image}" alt="">\n`;
  const description = article.description && html`<p>${article.description}</p>\n`;
  const { kind, reason } = frame.words.cards[state];
  return html`<section class="card">${image}<div class="card-text">
<div class="origin">${renderTile(article)}<div>${embed.showTopBar ? null : renderSite({ ...article, icon: null })}<p class="kind"${frame.attributes}>${kind}</p></div></div>
<h1>${article.title}</h1>
${description}<p class="reason"${frame.attributes}>${reason}</p>
${renderOriginalLink(embed.pageUrl, frame, true)}
</div></section>`;
}

/** Renders the icon of the site, or else its first letter. */
function renderTile({ icon, site }: Article): Markup {
  const sign = icon ? html`<img src="${icon}" alt="" width="32" height="32">` : firstLetterOf(site);
  return html`<span class="tile" aria-hidden="true">${sign}</span>`;
}

function firstLetterOf(text: string): string {
  const [first] = new Intl.Segmenter().segment(text.trim());
  return first?.segment.toUpperCase() ?? '';
}

/** Renders grey lines in place of the article, which the browser loads as soon as it is there. */
export function renderPending({ embed, article, embedUrl }: EmbedView, { words, attributes }: FrameWords): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  return html`<div class="pending" aria-busy="true">${title}<p role="status"${attributes}><span>${words.loading} <a href="${embedUrl}">${words.reload}</a></span></p>
${PENDING_LINES}
</div>`;
}

const PENDING_LINES = html`${Array.from({ length: 8 }, () => html`<i></i>`)}`;
