import { type Attempt, type KeptPage, type PageCopy, pageCopyOf, remainingFreshMs } from '../domain/page/copy.ts';
import { Refusal } from '../errors.ts';
import { type ArticleReader, createArticleReader } from './article-reader.ts';
import type { PageFetcher } from './fetch/fetch.ts';
import { type RevalidationOutcome, revalidate } from './revalidate.ts';

interface CopyStore {
  find(pageUrl: string): Promise<KeptPage | null>;
  keep(page: KeptPage): Promise<void>;
  /** Leaves the copy unchanged. */
  recordFailure(pageUrl: string, attempt: Attempt): Promise<void>;
}

/** Result of a lookup or a revalidation. `shed`: not started, because {@link MAX_REVALIDATIONS} were in flight. */
export type CacheOutcome = 'fresh' | 'stale' | 'miss' | 'shed' | RevalidationOutcome['outcome'];

/** Event for the metrics, or an error for the log, which no caller sees. */
export type CacheEvent = { readonly outcome: CacheOutcome } | { readonly error: unknown };

interface Options {
  readonly fetcher: PageFetcher;
  readonly copies: CopyStore;
  readonly onEvent: (event: CacheEvent) => void;
  readonly reader?: ArticleReader;
}

/** Articles of pages, fetched on demand. Lookups never reject; a revalidation continues after its caller's timeout. */
export interface ArticleCache {
  /**
   * Returns a fresh copy, or a stale one while it is revalidated, or waits for the page to be fetched. Null if there is
   * no copy yet; a copy without an article if the page is not available.
   */
  findCopy(pageUrl: string, timeoutMs: number): Promise<PageCopy | null>;
  findTitle(pageUrl: string, timeoutMs: number): Promise<string | null>;
  close(): Promise<void>;
}

export const MAX_REVALIDATIONS = 32;

export function createArticleCache(options: Options): ArticleCache {
  const { fetcher, copies, onEvent, reader = createArticleReader() } = options;
  const inFlight = new Map<string, Promise<PageCopy | null>>();
  const closing = new AbortController();
  const dependencies = { fetcher, reader, signal: closing.signal };

  async function findOrRevalidate(pageUrl: string): Promise<PageCopy | null> {
    const known = await copies.find(pageUrl).catch(reportError);
    const now = new Date();
    const copy = known && pageCopyOf(known, now);
    if (copy && remainingFreshMs(copy, now) > 0) {
      onEvent({ outcome: 'fresh' });
      return copy;
    }
    onEvent({ outcome: copy?.article ? 'stale' : 'miss' });
    const revalidated = joinOrStartRevalidation(pageUrl, known);
    return copy?.article ? copy : revalidated;
  }

  function joinOrStartRevalidation(pageUrl: string, known: KeptPage | null): Promise<PageCopy | null> {
    const current = inFlight.get(pageUrl);
    if (current) return current;
    if (inFlight.size >= MAX_REVALIDATIONS) {
      onEvent({ outcome: 'shed' });
      return Promise.resolve(known && pageCopyOf(known, new Date()));
    }
    const started = revalidateCopy(pageUrl, known)
      .catch(reportError)
      .finally(() => inFlight.delete(pageUrl));
    inFlight.set(pageUrl, started);
    return started;
  }

  async function revalidateCopy(pageUrl: string, known: KeptPage | null): Promise<PageCopy | null> {
    const result = await revalidate(pageUrl, known?.version ?? null, dependencies);
    onEvent({ outcome: result.outcome });
    if (result.outcome === 'unreadable' && result.error !== null) reportError(result.error);
    if ('page' in result) await copies.keep(result.page).catch(reportError);
    if ('attempt' in result) await copies.recordFailure(pageUrl, result.attempt).catch(reportError);
    const page = pageAfter(result, pageUrl, known);
    return page && pageCopyOf(page, new Date());
  }

  /** Skips refusals: the store itself logs that the database is unavailable. */
  function reportError(error: unknown): null {
    if (!(error instanceof Refusal)) onEvent({ error });
    return null;
  }

  const findCopy: ArticleCache['findCopy'] = (pageUrl, timeoutMs) => waitAtMost(findOrRevalidate(pageUrl), timeoutMs);

  return {
    findCopy,
    async findTitle(pageUrl, timeoutMs) {
      const copy = await findCopy(pageUrl, timeoutMs);
      return copy?.article?.headTitle ?? null;
    },
    async close() {
      closing.abort();
      reader.close();
      await Promise.all(inFlight.values());
    },
  };
}

function pageAfter(result: RevalidationOutcome, pageUrl: string, known: KeptPage | null): KeptPage | null {
  if ('page' in result) return result.page;
  return 'attempt' in result ? { pageUrl, ...result.attempt, version: known?.version ?? null } : known;
}

/** Resolves to null on timeout. The work itself continues. */
async function waitAtMost<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, timeoutMs, null);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
