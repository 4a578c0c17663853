import { html, type Markup } from '#reader/html';
import { OEMBED_TYPES } from '../oembed.ts';
import type { EmbedView } from './embed-view.ts';

/** Renders the metadata for machines. A copy is not for search engines, hence `noindex` and the canonical link. */
export function renderMetadata({ embed, article, embedUrl, oembedUrls }: EmbedView): Markup {
  const { title, description, site, image, content } = article;
  return html`<meta name="robots" content="noindex">
<link rel="canonical" href="${embed.pageUrl}">
<link rel="alternate" type="${OEMBED_TYPES.json}" href="${oembedUrls.json}" title="${title}">
<link rel="alternate" type="${OEMBED_TYPES.xml}" href="${oembedUrls.xml}" title="${title}">
${description && html`<meta name="description" content="${description}">\n`}<meta property="og:type" content="${content === null ? 'website' : 'article'}">
<meta property="og:url" content="${embedUrl}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${site}">
${description && html`<meta property="og:description" content="${description}">\n`}${image && html`<meta property="og:image" content="${image}">\n`}<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">`;
}
