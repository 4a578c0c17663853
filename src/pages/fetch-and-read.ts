import {
  FETCH_TIMEOUT_MS,
  type FetchResult,
  MAX_REDIRECTS,
  type PageFetcher,
  type PageSource,
  withoutFragment,
} from '#fetcher';
import type { ArticleReader, PageReading, ReadResult } from '#reader/article-reader';
import { findRawFile } from '#reader/code-hosts';
import { findPlayer, findPostDescription } from '#reader/players';
import type { RobotsMode } from '#reader/robots';
import type { PageVersion } from '../domain/page-copy.ts';
import { GONE_STATUSES } from './failure-status.ts';

export interface SourceAccess {
  readonly fetcher: PageFetcher;
  readonly reader: ArticleReader;
  readonly robotsMode: RobotsMode;
  readonly signal: AbortSignal;
}

type Resource = Extract<FetchResult, { kind: 'page' | 'file' }>;

/** Leaves time for the page, which is fetched if the file is not sent. */
const RAW_FILE_TIMEOUT_MS = FETCH_TIMEOUT_MS / 2;

/** A source that was read. Without validators, it is fetched as a whole the next time. */
interface ReadSource extends PageReading {
  readonly kind: 'read';
  readonly resource: Pick<Resource, 'url' | 'etag' | 'lastModified' | 'movedTo'>;
  /** The page as the site sent it, if its scripts may add an article, or the rest of it; else null. */
  readonly scripted: PageSource | null;
}

type SourceResult = ReadSource | Exclude<FetchResult, Resource> | Exclude<ReadResult, { kind: 'article' }>;

/** Fetches a source and reads it. Of a file on a code host it reads the bytes, or else its page. A page without an article that refreshes itself is followed like a redirect. */
export async function fetchAndRead(
  pageUrl: string,
  known: PageVersion | null,
  access: SourceAccess,
): Promise<SourceResult> {
  const { fetcher, reader, signal } = access;
  const rawFile = await readRawFile(pageUrl, known, access);
  if (rawFile) return rawFile;
  const visited = new Set<string>();
  let url = pageUrl;
  let redirects = 0;
  let timeoutMs = FETCH_TIMEOUT_MS;
  for (;;) {
    const startedAt = performance.now();
    const fetched = await fetcher.fetch(url, { known, redirects, timeoutMs, signal });
    if (fetched.kind === 'failed') return showUnreadPlayer(pageUrl, fetched, known, access);
    // only the site of the page itself says that the page has moved
    const resource = url === pageUrl ? fetched : { ...fetched, movedTo: null };
    if (resource.kind === 'unchanged') return resource;
    timeoutMs -= performance.now() - startedAt;
    const reading = await reader.read(resource);
    if (reading.kind !== 'article') return reading;
    for (const seen of [url, resource.url]) visited.add(withoutFragment(seen));
    const target = reading.article.content === null ? (reading.refreshUrl ?? null) : null;
    if (target === null || visited.has(withoutFragment(target)) || resource.redirects >= MAX_REDIRECTS) {
      const scripted = reading.mayNeedBrowser && resource.kind === 'page' ? resource : null;
      return addPlayer(pageUrl, { ...reading, kind: 'read', resource, scripted }, access);
    }
    url = target;
    redirects = resource.redirects + 1;
  }
}

/** Returns null for other pages than those of files, and for files that the code host does not send. */
async function readRawFile(
  pageUrl: string,
  known: PageVersion | null,
  { fetcher, reader, signal }: SourceAccess,
): Promise<SourceResult | null> {
  const rawUrl = findRawFile(pageUrl);
  if (rawUrl === null) return null;
  const fetched = await fetcher.fetch(rawUrl, { known, timeoutMs: RAW_FILE_TIMEOUT_MS, signal });
  if (fetched.kind !== 'unchanged' && fetched.kind !== 'file') return null;
  // the new URL of the bytes is not that of the page
  const resource = { ...fetched, movedTo: null };
  if (resource.kind === 'unchanged') return resource;
  // readers know a text by its page; pictures and recordings are loaded from their own URL
  const url = typeof resource.content === 'string' ? pageUrl : resource.url;
  const reading = await reader.read({ ...resource, url });
  return reading.kind === 'article' ? { ...reading, kind: 'read', resource, scripted: null } : reading;
}

async function addPlayer(pageUrl: string, result: ReadSource, access: SourceAccess): Promise<SourceResult> {
  const { reader } = access;
  const { article, resource } = result;
  const hasText = article.content !== null;
  const playerUrl = [pageUrl, resource.url].find((url) => isPlayerPage(url, hasText));
  const oembedUrl = result.oembedUrl ?? findPostDescription(pageUrl);
  if (playerUrl === undefined && (hasText || oembedUrl === null)) return result;
  const oembed = await fetchDescription(oembedUrl, access);
  const reading = await reader.read({ url: playerUrl ?? resource.url, reading: result, oembed });
  if (reading.kind !== 'article') return reading;
  return { ...result, ...reading, kind: 'read', scripted: reading.article.content === null ? result.scripted : null };
}

/** A page with a text of its own is shown by it. */
function isPlayerPage(url: string, hasText: boolean): boolean {
  const player = findPlayer(url);
  return player !== null && !(hasText && player.hasText);
}

async function fetchDescription(url: string | null, { fetcher, signal }: SourceAccess): Promise<string | null> {
  const oembed = url === null ? null : await fetcher.fetch(url, { signal });
  return oembed?.kind === 'file' && typeof oembed.content === 'string' ? oembed.content : null;
}

/** Shows the player, or the description of the post, of a page that its provider keeps from robots, unless it is gone. */
async function showUnreadPlayer(
  pageUrl: string,
  failure: Extract<FetchResult, { kind: 'failed' }>,
  known: PageVersion | null,
  access: SourceAccess,
): Promise<SourceResult> {
  const isGone = GONE_STATUSES.includes(failure.status ?? 0);
  const oembedUrl = findPostDescription(pageUrl);
  if (failure.reason === 'aborted' || isGone || (!findPlayer(pageUrl) && oembedUrl === null)) return failure;
  const oembed = await fetchDescription(oembedUrl, access);
  const reading = await access.reader.read({ url: pageUrl, reading: known, oembed });
  if (reading.kind !== 'article') return reading;
  if (reading.article.content === null) return failure;
  const resource = { url: pageUrl, etag: null, lastModified: null, movedTo: null };
  return { ...reading, kind: 'read', resource, scripted: null };
}
