import type { Article } from '../../../reader/src/article.ts';
import { html, type Markup } from '../../../reader/src/html.ts';
import type { FrameView } from './frame-view.ts';
import type { FrameWords } from './frame-words.ts';
import { renderMinutes, renderReaderButton, renderReaderPanel } from './reader-controls.ts';

const SUN = html`<circle cx="8" cy="8" r="3"/><path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"/>`;
const SCREEN = html`<rect x="1.5" y="2.5" width="13" height="9" rx="1.5"/><path d="M5.5 14.5h5"/>`;
const MOON = html`<path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z"/>`;
const ARROW = html`<path d="M5 3h8v8M13 3 3 13" stroke-width="2"/>`;

const CHOICES = [
  { value: 'light', icon: SUN },
  { value: 'system', icon: SCREEN },
  { value: 'dark', icon: MOON },
] as const;

/**
 * Renders the site and, in mode `USER_DEFINED`, the control of the colour mode. The title and the link to the original follow,
 * unless a card has them. An article also has the time to read it and the reader's controls.
 */
export function renderTopBar({ embed, article, state, embedUrl }: FrameView, frame: FrameWords): Markup {
  const { content } = article;
  const isCard = content === null && state !== 'PENDING';
  const site = renderSite(isCard ? { ...article, icon: null } : article);
  const control = embed.mode === 'USER_DEFINED' ? renderModeControl(frame) : null;
  const link = isCard ? null : renderOriginalLink(embed.pageUrl, frame, false);
  const title = isCard ? null : html`<h1>${article.title}</h1>\n`;
  const minutes = content === null ? null : renderMinutes(content, frame);
  return html`<header class="bar"><div class="column">
<div class="source">${site}${minutes}</div>
<div class="tools">${control}${content === null ? null : renderReaderButton(frame)}${link}</div>
${content === null ? null : renderReaderPanel(frame, embedUrl)}${title}</div></header>`;
}

/** Renders the name of the site with its icon. */
export function renderSite({ site, icon }: Pick<Article, 'site' | 'icon'>): Markup {
  const image = icon && html`<img src="${icon}" alt="" width="16" height="16">`;
  return html`<p class="site">${image}${site}</p>`;
}

export function renderOriginalLink(pageUrl: string, { words, attributes }: FrameWords, isPrimary: boolean): Markup {
  const className = isPrimary ? 'original primary' : 'original';
  const label = html`<span class="wide">${words.openOriginal}</span><span class="short">${words.original}</span><span class="spoken"> <span>${words.inNewTab}</span></span>`;
  return html`<a class="${className}" href="${pageUrl}" target="_blank" rel="noopener"${attributes}>${label}${renderIcon(ARROW)}</a>`;
}

function renderModeControl({ words, attributes }: FrameWords): Markup {
  const options = CHOICES.map(({ value, icon }) => {
    const input = html`<input type="radio" name="mode" value="${value}" autocomplete="off"${value === 'system' ? html` checked` : null}>`;
    return html`<label class="${value}" title="${words[value]}">${input}<span class="spoken">${words[value]}</span>${renderIcon(icon)}</label>`;
  });
  return html`<fieldset class="choice"${attributes}><legend class="spoken">${words.colourMode}</legend>${options}</fieldset>`;
}

function renderIcon(shapes: Markup): Markup {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${shapes}</svg>`;
}
