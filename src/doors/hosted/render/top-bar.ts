import type { Article } from '#reader/article';
import { html, type Markup } from '#reader/html';
import type { Embed } from '../../../domain/embed/embed.ts';

const SUN = html`<circle cx="8" cy="8" r="3"/><path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"/>`;
const SCREEN = html`<rect x="1.5" y="2.5" width="13" height="9" rx="1.5"/><path d="M5.5 14.5h5"/>`;
const MOON = html`<path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z"/>`;
const ARROW = html`<path d="M5 3h8v8M13 3 3 13" stroke-width="2"/>`;

const CHOICES = [
  { value: 'light', label: 'Light', icon: SUN },
  { value: 'system', label: 'System', icon: SCREEN },
  { value: 'dark', label: 'Dark', icon: MOON },
] as const;

/** Renders site, title, the link to the original and, in mode `USER_DEFINED`, the control of the colour mode. */
export function renderTopBar(embed: Pick<Embed, 'mode' | 'pageUrl'>, article: Article): Markup {
  return html`<header class="bar"><div class="column">
${renderSite(article)}
<div class="tools">${embed.mode === 'USER_DEFINED' ? renderModeControl() : null}${renderOriginalLink(embed.pageUrl, article.content === null)}</div>
<h1>${article.title}</h1>
</div></header>`;
}

/** Renders the name of the site with its icon. */
export function renderSite({ site, icon }: Pick<Article, 'site' | 'icon'>): Markup {
  const image = icon && html`<img src="${icon}" alt="" width="16" height="16">`;
  return html`<p class="site">${image}${site}</p>`;
}

/** The label is English for pages of every language. */
export function renderOriginalLink(pageUrl: string, isPrimary: boolean): Markup {
  const className = isPrimary ? 'original primary' : 'original';
  const label = html`<span dir="ltr"><span class="wide">Open </span><span class="name">original</span></span><span class="spoken">, in a new tab</span>`;
  return html`<a class="${className}" href="${pageUrl}" target="_blank" rel="noopener" lang="en">${label}${renderIcon(ARROW)}</a>`;
}

function renderModeControl(): Markup {
  const options = CHOICES.map(
    ({ value, label, icon }) =>
      html`<label class="${value}" title="${label}"><input type="radio" name="mode" value="${value}" autocomplete="off"${value === 'system' ? html` checked` : null}><span class="spoken">${label}</span>${renderIcon(icon)}</label>`,
  );
  return html`<fieldset class="choice" lang="en"><legend class="spoken">Colour mode</legend>${options}</fieldset>`;
}

function renderIcon(shapes: Markup): Markup {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${shapes}</svg>`;
}
