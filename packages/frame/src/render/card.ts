import type { Article } from '../../../reader/src/article.ts';
import { html, type Markup } from '../../../reader/src/html.ts';
import type { CardState } from '../words/en.ts';
import type { FrameView } from './frame-view.ts';
import type { FrameWords } from './frame-words.ts';
import { renderAmount } from './reader-controls.ts';
import { renderOriginalLink, renderSite } from './top-bar.ts';

/** Renders what is known of a page that has no article: its site, its kind, its description, the reason, and one link. */
export function renderCard({ embed, article }: FrameView, state: CardState, frame: FrameWords): Markup {
  const image = article.image && html`<img src="${article.image}" alt="">\n`;
  const facts = state === 'NOT_A_PAGE' ? renderFacts(article, frame) : null;
  const description = facts ?? (article.description && html`<p>${article.description}</p>\n`);
  const { kind, reason } = frame.words.cards[state];
  return html`<section class="card">${image}<div class="card-text">
<div class="origin">${renderTile(article)}<div>${embed.showTopBar ? null : renderSite({ ...article, icon: null })}<p class="kind"${frame.attributes}>${kind}</p></div></div>
<h1>${article.title}</h1>
${description}<p class="reason"${frame.attributes}>${reason}</p>
${renderOriginalLink(embed.pageUrl, frame, true)}
</div></section>`;
}

const FACTS = /^(.*?)([\d.]+) (byte|kB|MB|GB|TB)s?$/;
const UNITS: Readonly<Record<string, string>> = {
  byte: 'byte',
  kB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
  TB: 'terabyte',
};

/** Renders the type and the size of a file (`PDF, 1.2 MB`); null for another description. */
function renderFacts({ description }: Article, frame: FrameWords): Markup | null {
  const [, type, size, unit = ''] = FACTS.exec(description ?? '') ?? [];
  if (type === undefined) return null;
  return html`<p>${type}<span${renderAmount(Number(size), UNITS[unit] ?? '', frame)}</span></p>\n`;
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
export function renderPending({ embed, article, embedUrl }: FrameView, { words, attributes }: FrameWords): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  return html`<div class="pending" aria-busy="true">${title}<p role="status"${attributes}><span>${words.loading} <a href="${embedUrl}">${words.reload}</a></span></p>
${PENDING_LINES}
</div>`;
}

const PENDING_LINES = html`${Array.from({ length: 8 }, () => html`<i></i>`)}`;
