import { parseHTML } from 'linkedom/worker';
import { escapeHtml } from '../../html.ts';
import { fallbackTitleOf } from '../../page-url.ts';
import type { Metadata } from '../metadata.ts';
import { toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { convertBlocks, hasBlocks } from './notion-blocks.ts';
import { convertDatabase, DATABASE, VIEWS } from './notion-database.ts';
import { iconOf } from './notion-text.ts';

/** The content of a page that Notion's scripts have built. */
const PAGE_CONTENT = '.notion-page-content';
/** The application before its scripts have run. Its title, description and picture advertise Notion. */
const SHELL_MARKER = /<div[^>]{1,200}\bid=["']?notion-app["'\s>]/;
/** The title of a page, or of a page that is a database. */
const TITLE =
  '.notion-page-block h1, .notion-page-block [data-content-editable-leaf], .notion-collection_view_page-block h1, .notion-collection_view_page-block [data-content-editable-leaf]';
const VIEW_MARKER = /\bclass="[^"]{0,200}\bnotion-(?:table|board|list|gallery|calendar|timeline)-view[\s"]/;

export function isNotionShell(html: string): boolean {
  return SHELL_MARKER.test(html) && !isBuilt(html);
}

/** A page that is a database has views and no content. */
function isBuilt(html: string): boolean {
  return html.includes(PAGE_CONTENT.slice(1)) || VIEW_MARKER.test(html);
}

/** Notion's texts about itself are in the metadata of its application, whatever the page. */
export function removeNotionAdvertising(metadata: Metadata, url: string): Metadata {
  const isAboutNotion = /^notion\s*(?:$|[–—|:-])/i.test(metadata.headTitle ?? metadata.title);
  return {
    ...metadata,
    title: isAboutNotion ? fallbackTitleOf(url) : metadata.title,
    headTitle: isAboutNotion ? null : metadata.headTitle,
    site: new URL(url).hostname.replace(/^www\./, ''),
    icon: null,
    byline: null,
    description: null,
    image: null,
    hero: null,
  };
}

/**
 * Converts a page that Notion's scripts have built into an article with ordinary elements; null for other pages. The head
 * has only the title of the page and its robots directives: all else there describes Notion.
 */
export function convertNotionPage(html: string): string | null {
  if (!isBuilt(html)) return null;
  try {
    const { document } = parseHTML(html);
    const content = selectFirst(document, PAGE_CONTENT);
    // other sites use Notion's class names for elements of their own
    if (content) return hasBlocks(content) ? convertContent(document, content, convertBlocks(content)) : null;
    const view = selectFirst(document, VIEWS);
    const entries = view === null ? '' : convertDatabase(selectClosest(view, DATABASE) ?? view);
    return view && entries !== '' ? convertContent(document, view, entries) : null;
  } catch {
    // the library throws on some malformed pages
    return null;
  }
}

function convertContent(document: Document, content: Element, blocks: string): string {
  const title = titleOf(document);
  const robots = selectAll(document, 'meta[name="robots" i], meta[name="embedgateway" i]')
    .map(({ outerHTML }) => outerHTML)
    .join('');
  const base = selectFirst(document, 'base[href]')?.outerHTML ?? '';
  const cover = coverOf(document, content);
  const icon = pageIconOf(document, content);
  return `<!doctype html><html lang="${escapeHtml(document.documentElement.lang)}"><head>${base}${robots}
<title>${escapeHtml(title)}</title><meta property="og:type" content="article">
${cover === '' ? '' : `<meta property="og:image" content="${cover}">`}</head>
<body><article><h1>${escapeHtml(title)}</h1>${cover === '' ? '' : `<p><img src="${cover}" alt=""></p>`}
${icon === '' ? '' : `<p>${icon}</p>`}${blocks}</article></body></html>`;
}

function titleOf(document: Document): string {
  const heading = selectFirst(document, TITLE);
  return toLine(heading?.textContent || document.title);
}

function pageIconOf(document: Document, content: Element): string {
  const icon = selectFirst(document, '.notion-record-icon');
  return icon?.parentElement && !content.contains(icon) ? iconOf(icon.parentElement) : '';
}

/** The cover is the first picture before the content that is not an icon. */
function coverOf(document: Document, content: Element): string {
  const frame = selectClosest(content, '.notion-frame, .notion-scroller, main') ?? document.body;
  const image = selectAll(frame, 'img').find(
    (picture) => !selectClosest(picture, '.notion-record-icon, .notion-topbar') && !isMatch(picture, '.notion-emoji'),
  );
  return image && !content.contains(image) ? escapeHtml(image.getAttribute('src') ?? '') : '';
}
