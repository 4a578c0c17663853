import { FRESH_MS, type KeptPage, type PageVersion } from '../domain/page/copy.ts';
import { forbidsCopy } from './article/robots.ts';
import type { ArticleReader } from './article-reader.ts';
import type { PageFetcher } from './fetch/fetch.ts';

/** What came of a look at a page. */
export type RevalidationOutcome =
  /** What is known of the page now. `gone`: its site took it back. */
  | { readonly outcome: 'fetched' | 'unchanged' | 'gone'; readonly page: KeptPage }
  /** The copy that there is stays. `unreadable`: reading the page took too long or too much memory. */
  | { readonly outcome: 'failed' | 'unreadable'; readonly retryAt: Date }
  /** It was given up, and says nothing of the page. */
  | { readonly outcome: 'dropped' };

interface Dependencies {
  readonly fetcher: PageFetcher;
  readonly reader: ArticleReader;
  readonly signal: AbortSignal;
}

/** A page that could not be had is tried again after this long. */
const RETRY_MS = 60_000;
/** A page that could not be read costs seconds of the only reader: it is tried again as rarely as one that could. */
const UNREADABLE_RETRY_MS = FRESH_MS;
/** Statuses with which a site takes a page back: no copy of it is shown any more. */
const GONE_STATUSES = [401, 403, 404, 410, 451];

/** Looks at a page of which a version may be known. */
export async function revalidate(
  pageUrl: string,
  known: PageVersion | null,
  eyes: Dependencies,
): Promise<RevalidationOutcome> {
  const result = await eyes.fetcher.fetch(pageUrl, { known, signal: eyes.signal });
  switch (result.kind) {
    case 'page': {
      const reading = await eyes.reader.read(result);
      if (reading === 'dropped') return { outcome: 'dropped' };
      if (reading === 'unreadable') return { outcome: 'unreadable', retryAt: after(UNREADABLE_RETRY_MS) };
      const { url, etag, lastModified } = result;
      const version = { fetchedAt: new Date(), url, etag, lastModified, article: reading };
      return { outcome: 'fetched', page: { pageUrl, freshUntil: after(FRESH_MS), version } };
    }
    case 'unchanged':
      return {
        outcome: 'unchanged',
        page: { pageUrl, freshUntil: after(FRESH_MS), version: confirmed(known, result.robots) },
      };
    case 'failed':
      if (result.reason === 'aborted') return { outcome: 'dropped' };
      if (!GONE_STATUSES.includes(result.status ?? 0)) return { outcome: 'failed', retryAt: after(RETRY_MS) };
      return { outcome: 'gone', page: { pageUrl, freshUntil: after(RETRY_MS), version: null } };
  }
}

/** A site may forbid copies of a page that is otherwise the same, and may allow them again: then it is fetched anew. */
function confirmed(known: PageVersion | null, robots: string | null): PageVersion | null {
  const version = known && { ...known, fetchedAt: new Date() };
  if (!version || !forbidsCopy(robots)) return version;
  return { ...version, etag: null, lastModified: null, article: { ...version.article, content: null } };
}

function after(ms: number): Date {
  return new Date(Date.now() + ms);
}
