import type { Article } from '#reader/article';
import { html, Markup } from '#reader/html';
import { OEMBED_TYPES, type OembedUrls } from '../oembed.ts';

/** Consumers cut longer descriptions. */
const MAX_DESCRIPTION_LENGTH = 300;

interface MetadataSource {
  readonly article: Article;
  readonly pageUrl: string;
  readonly embedUrl: string;
  readonly oembedUrls: OembedUrls;
}

/** Renders the metadata for machines. A copy is not for search engines, hence `noindex` and the canonical link. */
export function renderMetadata({ article, pageUrl, embedUrl, oembedUrls }: MetadataSource): Markup {
  const description = article.description === null ? null : shorten(article.description);
  const image = article.image;
  return joinLines([
    html`<meta name="robots" content="noindex">`,
    html`<link rel="canonical" href="${pageUrl}">`,
    html`<link rel="alternate" type="${OEMBED_TYPES.json}" href="${oembedUrls.json}" title="${article.title}">`,
    html`<link rel="alternate" type="${OEMBED_TYPES.xml}" href="${oembedUrls.xml}" title="${article.title}">`,
    description && html`<meta name="description" content="${description}">`,
    html`<meta property="og:type" content="${article.content === null ? 'website' : 'article'}">`,
    html`<meta property="og:url" content="${embedUrl}">`,
    html`<meta property="og:title" content="${article.title}">`,
    html`<meta property="og:site_name" content="${article.site}">`,
    description && html`<meta property="og:description" content="${description}">`,
    image && html`<meta property="og:image" content="${image}">`,
    html`<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">`,
  ]);
}

function shorten(text: string): string {
  const characters = [...text.trim()];
  if (characters.length <= MAX_DESCRIPTION_LENGTH) return characters.join('');
  return `${characters
    .slice(0, MAX_DESCRIPTION_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

function joinLines(parts: readonly (Markup | '' | null)[]): Markup {
  const present = parts.filter((part) => part instanceof Markup);
  return html`${present.map((part, i) => (i === 0 ? part : html`\n${part}`))}`;
}
