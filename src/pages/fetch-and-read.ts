import type { ArticleReader, PageReading, ReadResult } from '#reader/article-reader';
import { findPlayer } from '#reader/players';
import type { RobotsMode } from '#reader/robots';
import type { PageVersion } from '../domain/page-copy.ts';
import { GONE_STATUSES } from './failure-status.ts';
import { FETCH_TIMEOUT_MS, type FetchResult, MAX_REDIRECTS, type PageFetcher } from './fetch/fetch.ts';
import type { PageSource } from './render/page.ts';

export interface PageAccess {
  readonly fetcher: PageFetcher;
  readonly reader: ArticleReader;
  readonly robotsMode: RobotsMode;
  readonly signal: AbortSignal;
}

type Resource = Extract<FetchResult, { kind: 'page' | 'file' }>;

/** A source that was read. Without validators, it is fetched as a whole the next time. */
interface ReadSource extends PageReading {
  readonly kind: 'read';
  readonly resource: Pick<Resource, 'url' | 'etag' | 'lastModified'>;
  /** The page as the site sent it, if its scripts may add an article; else null. */
  readonly scripted: PageSource | null;
}

export type SourceResult = ReadSource | Exclude<FetchResult, Resource> | Exclude<ReadResult, { kind: 'article' }>;

/** Fetches a source and reads it. A page without an article that refreshes itself is followed like a redirect. */
export async function fetchAndRead(
  pageUrl: string,
  known: PageVersion | null,
  access: PageAccess,
): Promise<SourceResult> {
  const { fetcher, reader, signal } = access;
  const visited = new Set<string>();
  let url = pageUrl;
  let redirects = 0;
  let timeoutMs = FETCH_TIMEOUT_MS;
  for (;;) {
    const startedAt = performance.now();
    const resource = await fetcher.fetch(url, { known, redirects, timeoutMs, signal });
    if (resource.kind === 'unchanged') return resource;
    if (resource.kind === 'failed') return showUnreadPlayer(pageUrl, resource, known, access);
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

async function addPlayer(
  pageUrl: string,
  result: ReadSource,
  { fetcher, reader, signal }: PageAccess,
): Promise<SourceResult> {
  const { article, oembedUrl = null, resource } = result;
  const playerUrl = [pageUrl, resource.url].find(findPlayer);
  if (playerUrl === undefined && (article.content !== null || oembedUrl === null)) return result;
  const oembed = oembedUrl === null ? null : await fetcher.fetch(oembedUrl, { signal });
  const text = oembed?.kind === 'file' && typeof oembed.content === 'string' ? oembed.content : null;
  const reading = await reader.read({ url: playerUrl ?? resource.url, reading: result, oembed: text });
  return reading.kind === 'article' ? { ...result, ...reading, kind: 'read' } : reading;
}

/** Shows the player of a page that its provider keeps from robots, unless the page is gone. */
async function showUnreadPlayer(
  pageUrl: string,
  failure: Extract<FetchResult, { kind: 'failed' }>,
  known: PageVersion | null,
  { reader }: PageAccess,
): Promise<SourceResult> {
  const isGone = GONE_STATUSES.includes(failure.status ?? 0);
  if (failure.reason === 'aborted' || isGone || !findPlayer(pageUrl)) return failure;
  const reading = await reader.read({ url: pageUrl, reading: known, oembed: null });
  if (reading.kind !== 'article') return reading;
  const resource = { url: pageUrl, etag: null, lastModified: null };
  return { ...reading, kind: 'read', resource, scripted: null };
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
