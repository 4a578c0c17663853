import { FRESH_MS, type KeptPage, type PageVersion } from '../domain/page/copy.ts';
import { forbidsCopy } from './article/robots.ts';
import type { ArticleReader } from './article-reader.ts';
import type { PageFetcher } from './fetch/fetch.ts';

export type RevalidationOutcome =
  /** `gone`: the site withdrew the page. */
  | { readonly outcome: 'fetched' | 'unchanged' | 'gone'; readonly page: KeptPage }
  | { readonly outcome: 'failed'; readonly retryAt: Date }
  /** The existing copy stays. The error is null if reading the page took too much time or memory. */
  | { readonly outcome: 'unreadable'; readonly retryAt: Date; readonly error: unknown }
  /** Aborted or rejected for lack of capacity. Says nothing about the page. */
  | { readonly outcome: 'dropped' };

interface Dependencies {
  readonly fetcher: PageFetcher;
  readonly reader: ArticleReader;
  readonly signal: AbortSignal;
}

const RETRY_MS = 60_000;
/** An unreadable page occupies the only reader for seconds, so it is retried no earlier than a readable page. */
const UNREADABLE_RETRY_MS = FRESH_MS;
/** Statuses with which a site withdraws a page. Its copy is then deleted. */
const GONE_STATUSES = [401, 403, 404, 410, 451];

export async function revalidate(
  pageUrl: string,
  known: PageVersion | null,
  { fetcher, reader, signal }: Dependencies,
): Promise<RevalidationOutcome> {
  const result = await fetcher.fetch(pageUrl, { known, signal });
  switch (result.kind) {
    case 'page': {
      const reading = await reader.read(result);
      if (reading.kind === 'dropped') return { outcome: 'dropped' };
      if (reading.kind === 'unreadable') {
        return { outcome: 'unreadable', retryAt: after(UNREADABLE_RETRY_MS), error: reading.error };
      }
      const { url, etag, lastModified } = result;
      const version = { fetchedAt: new Date(), url, etag, lastModified, article: reading.article };
      return { outcome: 'fetched', page: { pageUrl, freshUntil: after(FRESH_MS), version } };
    }
    case 'unchanged': {
      const version = known && confirmVersion(known, result.robots);
      return { outcome: 'unchanged', page: { pageUrl, freshUntil: after(FRESH_MS), version } };
    }
    case 'failed':
      if (result.reason === 'aborted') return { outcome: 'dropped' };
      if (!GONE_STATUSES.includes(result.status ?? 0)) return { outcome: 'failed', retryAt: after(RETRY_MS) };
      return { outcome: 'gone', page: { pageUrl, freshUntil: after(RETRY_MS), version: null } };
  }
}

/** Drops the content and the validators if copies are now forbidden, so that the page is fetched again once they are allowed. */
function confirmVersion(known: PageVersion, robots: string | null): PageVersion {
  const version = { ...known, fetchedAt: new Date() };
  if (!forbidsCopy(robots)) return version;
  return { ...version, etag: null, lastModified: null, article: { ...version.article, content: null } };
}

function after(ms: number): Date {
  return new Date(Date.now() + ms);
}
