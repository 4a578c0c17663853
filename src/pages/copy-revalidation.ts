import type { PageFetcher, Renderer, RenderResult } from '#fetcher';
import type { ArticleReader } from '#reader/article-reader';
import type { RobotsMode } from '#reader/robots';
import {
  type FetchAttempt,
  type PageCopy,
  type PageVersion,
  pageCopyOf,
  type StoredPage,
} from '../domain/page-copy.ts';
import { Refusal } from '../errors.ts';
import { BUSY } from './failure-status.ts';
import type { SourceAccess } from './fetch-and-read.ts';
import { createRecordChange, type VersionStore } from './page-history.ts';
import type { Lease } from './page-lease.ts';
import { pageAfterRendering, pageDuringRendering, pageWithoutRendering } from './rendering.ts';
import { createFetchAttempt, fetchOutcome, type RevalidationOutcome } from './revalidate.ts';

/** Result of a lookup or a revalidation. `shed`: not started, because {@link MAX_REVALIDATIONS} were in flight. */
export type CacheOutcome = 'fresh' | 'stale' | 'miss' | 'shed' | RevalidationOutcome['outcome'];

/** Event for the metrics, or an error for the log, which no caller sees. */
type CacheEvent = { readonly outcome: CacheOutcome } | { readonly error: unknown };

/** A page for which the reader had no time is read again after this time. */
export const BUSY_RETRY_MS = 5_000;

export interface RevalidationOptions {
  readonly fetcher: PageFetcher;
  readonly copies: {
    save(page: StoredPage): Promise<void>;
    /** Leaves the copy unchanged. */
    recordFailure(pageUrl: string, attempt: FetchAttempt): Promise<void>;
  };
  /** The clock of the copies, which other processes share. */
  readonly now: () => Date;
  readonly onEvent: (event: CacheEvent) => void;
  /** Where the texts of pages that change are kept. */
  readonly versions: VersionStore;
  /** Called after another version of a known page was stored. */
  readonly onChange: (pageUrl: string) => void;
  readonly robotsMode: RobotsMode;
  /** Null: pages that need a browser stay cards. */
  readonly renderer: Renderer | null;
}

/** Rules for one revalidation of a watched page. A request that they refuse aborts it. */
export interface FetchLimits {
  readonly mayRequest: (url: URL) => Promise<boolean>;
  /** Called after a request to which the site responds with `Retry-After`. */
  readonly onRetryAfter: (retryAfterMs: number) => void;
  /** Called when the page is fetched and needs the browser. False if its queue is full, and, also after true, if it does not start. */
  readonly onRendering: (isQueued: boolean) => void;
}

/** @param options.signal aborts the fetches */
export function createCopyRevalidation(
  options: RevalidationOptions & { readonly reader: ArticleReader; readonly signal: AbortSignal },
) {
  const { fetcher, reader, copies, now, signal, onEvent, onChange, robotsMode, renderer } = options;
  const access = { fetcher, reader, robotsMode, now, signal };
  const recordChange = createRecordChange(reader, options.versions);
  const rendering = new Map<string, Promise<void>>();

  async function revalidateCopy(
    pageUrl: string,
    known: StoredPage | null,
    isConditional: boolean,
    limits: FetchLimits | undefined,
  ): Promise<PageCopy | null> {
    const limited = limits ? limitAccess(access, limits) : access;
    const user = limits ? 'watcher' : 'reader';
    // with the same bytes, a card may become an article: by a header that allows copies again, or in a browser
    const hasValidators = isConditional && known?.version?.article.content != null;
    const result = await fetchOutcome(pageUrl, hasValidators ? known.version : null, limited);
    onEvent({ outcome: result.outcome });
    if (result.outcome === 'unreadable' && result.error !== null) reportError(result.error);
    if (result.outcome === 'fetched' && result.scripted && renderer) {
      // at once: others may fill the queue while the page is saved
      const rendered = renderer.render(result.scripted, user);
      const page = (rendered ? pageDuringRendering : pageWithoutRendering)(result.page, known, now());
      await save(page, known).catch(reportError);
      limits?.onRendering(rendered !== null);
      if (rendered) startRendering(rendered, result.page, { known, shown: page }, limits);
      const copy = pageCopyOf(page, now());
      // a copy that is too old to be shown is kept for events only
      return copy.article ? copy : { ...copy, article: { ...result.page.version.article, content: null } };
    }
    if (result.outcome === 'dropped' && result.isBusy) return recordBusy(pageUrl, known);
    if (result.outcome === 'dropped') return known && pageCopyOf(known, now());
    if ('attempt' in result) return recordFailure(pageUrl, known, result.attempt);
    await save(result.page, known).catch(reportError);
    return pageCopyOf(result.page, now());
  }

  /** The version of the copy stays. */
  async function recordFailure(pageUrl: string, known: StoredPage | null, attempt: FetchAttempt): Promise<PageCopy> {
    await copies.recordFailure(pageUrl, attempt).catch(reportError);
    return pageCopyOf({ pageUrl, ...attempt, version: known?.version ?? null }, now());
  }

  /** A card keeps its state: the page has not changed. */
  async function recordBusy(pageUrl: string, known: StoredPage | null): Promise<PageCopy | null> {
    const copy = known && pageCopyOf(known, now());
    if (copy && copy.state !== 'PENDING' && copy.state !== 'SHOWN') return copy;
    return recordFailure(pageUrl, known, createFetchAttempt(now(), BUSY_RETRY_MS, BUSY));
  }

  /** @param shown the version that readers see before */
  async function save(page: StoredPage, known: StoredPage | null, shown = known): Promise<void> {
    await copies.save(page);
    if (shown && !isSameVersion(page, shown)) onChange(page.pageUrl);
    await recordChange(page, known);
  }

  /** The caller does not wait: a card is shown until the article is there. */
  function startRendering(
    rendered: Promise<RenderResult>,
    card: StoredPage & { readonly version: PageVersion },
    { known, shown }: { readonly known: StoredPage | null; readonly shown: StoredPage },
    limits: FetchLimits | undefined,
  ): void {
    const { pageUrl } = card;
    async function finish(): Promise<StoredPage> {
      const result = await rendered;
      if (result.kind === 'unavailable') limits?.onRendering(false);
      return pageAfterRendering(result, card, known, { reader, now });
    }
    const started = finish()
      .then((page) => save(page, known, shown))
      .catch(reportError)
      .then(() => void rendering.delete(pageUrl));
    rendering.set(pageUrl, started);
  }

  /** Passes an error to the log, and returns null. Skips refusals: the store itself logs that the database is unavailable. */
  function reportError(error: unknown): null {
    if (!(error instanceof Refusal)) onEvent({ error });
    return null;
  }

  return {
    /** Fetches a page, stores its new copy, and releases the lease, which lasts until the page is rendered. */
    async revalidate(
      lease: Lease,
      pageUrl: string,
      known: StoredPage | null,
      isConditional: boolean,
      limits?: FetchLimits,
    ): Promise<PageCopy | null> {
      // a lease that cannot be released expires
      const release = () => lease.release().catch(() => {});
      try {
        return await revalidateCopy(pageUrl, known, isConditional, limits);
      } finally {
        const current = rendering.get(pageUrl);
        if (current) void current.then(release);
        else await release();
      }
    },
    /** Resolves when the page is rendered; undefined if it is not in the queue of the renderer. */
    findRendering: (pageUrl: string) => rendering.get(pageUrl),
    /** Resolves when all pages in the queue are rendered. */
    async finishRendering(): Promise<void> {
      await Promise.all(rendering.values());
    },
    reportError,
  };
}

function limitAccess<Access extends SourceAccess>(access: Access, { mayRequest, onRetryAfter }: FetchLimits): Access {
  const refusing = new AbortController();
  async function requireRequest(url: URL): Promise<boolean> {
    const isAllowed = await mayRequest(url);
    if (!isAllowed) refusing.abort();
    return isAllowed;
  }
  const fetcher: PageFetcher = {
    ...access.fetcher,
    async fetch(url, options) {
      const result = await access.fetcher.fetch(url, { ...options, mayRequest: requireRequest });
      if (result.kind === 'failed' && result.retryAfterMs !== undefined) onRetryAfter(result.retryAfterMs);
      return result;
    },
  };
  return { ...access, fetcher, signal: AbortSignal.any([access.signal, refusing.signal]) };
}

/** Compares what readers see. */
function isSameVersion(page: StoredPage, known: StoredPage): boolean {
  const textOf = ({ version, failure }: StoredPage) => JSON.stringify([version?.status, version?.article, failure]);
  return textOf(page) === textOf(known);
}
