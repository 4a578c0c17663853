import type { Article } from '../../../domain/page/article.ts';
import type { PageState } from '../../../domain/page/state.ts';
import type { EmbedView } from './embed-view.ts';
import { html, type Markup } from './markup.ts';
import { renderOriginalLink, renderSite } from './top-bar.ts';

type CardState = Exclude<PageState, 'PENDING'>;

interface CardText {
  /** The kind of page. */
  readonly kind: string;
  readonly reason: string;
}

/** For readers, who know nothing of the gateway. Clients of the APIs get the exact reason. */
const CARD_TEXTS: Readonly<Record<CardState, CardText>> = {
  SHOWN: { kind: 'Web page', reason: 'Open the original to read this page.' },
  NO_ARTICLE: { kind: 'Web page', reason: 'This page has no article to show here. Open the original to see it.' },
  NEEDS_BROWSER: { kind: 'Application', reason: 'This page is an application. Open the original to use it.' },
  FORBIDDEN: {
    kind: 'Restricted page',
    reason: 'The site does not show this page to everyone. The original may ask you to sign in.',
  },
  GONE: { kind: 'Missing page', reason: 'The site no longer has this page. It may have moved.' },
  NOT_A_PAGE: { kind: 'File', reason: 'This is a file, not a web page. Open the original to see it.' },
  TOO_LARGE: { kind: 'Large page', reason: 'This page is too large to show here. Open the original to read it.' },
  UNREACHABLE: {
    kind: 'Page out of reach',
    reason: 'The site cannot be reached at the moment. Try the original, or come back later.',
  },
  NOT_ALLOWED: { kind: 'Web page', reason: 'This page may not be copied here. Open the original to read it.' },
};

/** Renders what is known of a page that has no article: its site, its kind, its description, the reason, and one link. */
export function renderCard({ embed, article }: EmbedView, state: CardState): Markup {
  const image = article.image && html`<img src="${article.image}" alt="">\n`;
  const description = article.description && html`<p>${article.description}</p>\n`;
  const { kind, reason } = CARD_TEXTS[state];
  return html`<section class="card">${image}<div class="card-text">
<div class="origin">${renderTile(article)}<div>${embed.showTopBar ? null : renderSite({ ...article, icon: null })}<p class="kind" lang="en" dir="ltr">${kind}</p></div></div>
<h1>${article.title}</h1>
${description}<p class="reason" lang="en" dir="ltr">${reason}</p>
${renderOriginalLink(embed.pageUrl, true)}
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
export function renderPending({ embed, article, embedUrl }: EmbedView): Markup {
  const title = embed.showTopBar ? null : html`${renderSite(article)}\n<h1>${article.title}</h1>\n`;
  return html`<article class="pending" aria-busy="true">${title}<p role="status" lang="en" dir="ltr"><span>Still loading. <a href="${embedUrl}">Reload</a>.</span></p>
${PENDING_LINES}
</article>`;
}

const PENDING_LINES = html`${Array.from({ length: 8 }, () => html`<i></i>`)}`;
