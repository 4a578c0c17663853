import { parseHTML } from 'linkedom/worker';
import { escapeHtml } from '../../html.ts';
import { fallbackTitleOf } from '../../page-url.ts';
import type { Metadata } from '../metadata.ts';
import { convertBlocks, iconOf } from './notion-blocks.ts';

/** The content of a page that Notion's scripts have built. */
const PAGE_CONTENT = '.notion-page-content';
/** The application before its scripts have run. Its title, description and picture advertise Notion. */
const SHELL_MARKER = /<div[^>]{1,200}\bid=["']?notion-app["'\s>]/;
export function isNotionShell(html: string): boolean {
  return SHELL_MARKER.test(html) && !html.includes(PAGE_CONTENT.slice(1));
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
  if (!html.includes(PAGE_CONTENT.slice(1))) return null;
  try {
    const { document } = parseHTML(html);
    const content = document.querySelector(PAGE_CONTENT);
    return content && convertContent(document, content);
  } catch {
    // the library throws on some malformed pages
    return null;
  }
}

function convertContent(document: Document, content: Element): string {
  const title = titleOf(document);
  const robots = [...document.querySelectorAll('meta[name="robots" i], meta[name="embedgateway" i]')]
    .map(({ outerHTML }) => outerHTML)
    .join('');
  const base = document.querySelector('base[href]')?.outerHTML ?? '';
  const cover = coverOf(document, content);
  const icon = pageIconOf(document, content);
  return `<!doctype html><html lang="${escapeHtml(document.documentElement.lang)}"><head>${base}${robots}
<title>${escapeHtml(title)}</title><meta property="og:type" content="article">
${cover === '' ? '' : `<meta property="og:image" content="${cover}">`}</head>
<body><article><h1>${escapeHtml(title)}</h1>${cover === '' ? '' : `<p><img src="${cover}" alt=""></p>`}
${icon === '' ? '' : `<p>${icon}</p>`}${convertBlocks(content)}</article></body></html>`;
}

function titleOf(document: Document): string {
  const heading = document.querySelector('.notion-page-block h1, .notion-page-block [data-content-editable-leaf]');
  return (heading?.textContent || document.title).replace(/\s+/g, ' ').trim();
}

function pageIconOf(document: Document, content: Element): string {
  const icon = document.querySelector('.notion-record-icon');
  return icon?.parentElement && !content.contains(icon) ? iconOf(icon.parentElement) : '';
}

/** The cover is the first picture before the content that is not an icon. */
function coverOf(document: Document, content: Element): string {
  const frame = content.closest('.notion-frame, .notion-scroller, main') ?? document.body;
  const image = [...frame.querySelectorAll('img')].find(
    (picture) => !picture.closest('.notion-record-icon, .notion-topbar') && !picture.matches('.notion-emoji'),
  );
  return image && !content.contains(image) ? escapeHtml(image.getAttribute('src') ?? '') : '';
}
