import { type ArticleReader, createArticleReader } from '#reader/article-reader';
import type { RobotsMode } from '#reader/robots';
import type { Embed } from '../domain/embed/embed.ts';
import {
  type Attempt,
  outlineOf,
  type PageCopy,
  type PageOutline,
  type PageVersion,
  pageCopyOf,
  remainingFreshMs,
  type StoredOutline,
  type StoredPage,
} from '../domain/page/copy.ts';
import { Refusal } from '../errors.ts';
import type { PageFetcher } from './fetch/fetch.ts';
import { awaitLease, type Lease, type LeaseStore, leaseOrAwaitCopy } from './page-lease.ts';
import { createRefreshes, type Refreshes } from './refresh.ts';
import type { PageSource } from './render/page.ts';
import type { Renderer } from './render/renderer.ts';
import { pageDuringRendering, pageWithoutRendering, renderPageVersion } from './rendering.ts';
import { type RevalidationOutcome, revalidate } from './revalidate.ts';

interface CopyStore extends LeaseStore {
  findOutline(pageUrl: string): Promise<StoredOutline | null>;
  save(page: StoredPage): Promise<void>;
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
  /** The clock of the copies, which other processes share. */
  readonly now: () => Date;
  readonly onEvent: (event: CacheEvent) => void;
  /** Called after another version of a known page was stored. */
  readonly onChange?: (pageUrl: string) => void;
  readonly robotsMode?: RobotsMode;
  /** Shared with other caches: the caller closes it. Undefined for one of its own. */
  readonly reader?: ArticleReader | undefined;
  /** Null: pages that need a browser stay cards. */
  readonly renderer?: Renderer | null;
}

/** Articles of pages, fetched on demand. A revalidation continues after its caller's timeout. */
export interface ArticleCache extends Pick<Refreshes, 'wasRefreshedSince'> {
  /**
   * Returns a fresh copy, or a stale one while it is revalidated, or waits for the page to be fetched. Null if there is
   * no copy yet; a copy without an article if the page is not available. Never rejects.
   */
  findCopy(pageUrl: string, timeoutMs: number): Promise<PageCopy | null>;
  /** Never rejects. */
  findTitle(pageUrl: string, timeoutMs: number): Promise<string | null>;
  /** Returns what is known about a page. Fetches nothing. */
  findOutline(pageUrl: string): Promise<PageOutline>;
  /**
   * Fetches the page of an embed without validators, because a site may confirm a version that it has changed. Joins a
   * refresh of the page that is in flight. Resolves on timeout too.
   * @throws {Refusal} `rate_limited` within 10 s of the embed's previous refresh, `unavailable` when too many pages are
   * being fetched
   */
  refresh(embed: Pick<Embed, 'id' | 'pageUrl'>, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

export const MAX_REVALIDATIONS = 32;

export function createArticleCache(options: Options): ArticleCache {
  const { fetcher, copies, now, onEvent, onChange = () => {}, robotsMode = 'respect', renderer = null } = options;
  const { reader = createArticleReader({ robotsMode }) } = options;
  const inFlight = new Map<string, Promise<PageCopy | null>>();
  /** Pages in the queue of the renderer. Their copies are not revalidated meanwhile. */
  const rendering = new Map<string, Promise<void>>();
  const refreshing = new Map<string, Promise<void>>();
  const refreshes = createRefreshes();
  const closing = new AbortController();
  const dependencies = { fetcher, reader, robotsMode, now, signal: closing.signal };
  const waiting = { copies, now, signal: closing.signal };

  async function findOrRevalidate(pageUrl: string): Promise<PageCopy | null> {
    const known = await copies.find(pageUrl).catch(reportError);
    const present = now();
    const copy = known && pageCopyOf(known, present);
    if (copy && remainingFreshMs(copy, present) > 0) {
      onEvent({ outcome: 'fresh' });
      return copy;
    }
    onEvent({ outcome: copy?.article ? 'stale' : 'miss' });
    if (copy && rendering.has(pageUrl)) return copy;
    const revalidated = joinOrStartRevalidation(pageUrl, known);
    return copy?.article ? copy : revalidated;
  }

  function joinOrStartRevalidation(pageUrl: string, known: StoredPage | null): Promise<PageCopy | null> {
    const current = inFlight.get(pageUrl);
    if (current) return current;
    if (inFlight.size >= MAX_REVALIDATIONS) {
      onEvent({ outcome: 'shed' });
      return Promise.resolve(known && pageCopyOf(known, now()));
    }
    return start(pageUrl, revalidateOnce(pageUrl, known));
  }

  function start(pageUrl: string, revalidation: Promise<PageCopy | null>): Promise<PageCopy | null> {
    const started = revalidation.catch(reportError).finally(() => inFlight.delete(pageUrl));
    inFlight.set(pageUrl, started);
    return started;
  }

  /** Waits for the copy of another process if that fetches the page. */
  async function revalidateOnce(pageUrl: string, known: StoredPage | null): Promise<PageCopy | null> {
    const result = await leaseOrAwaitCopy(pageUrl, known, waiting);
    return 'copy' in result ? result.copy : revalidateUnder(result.lease, pageUrl, result.known, true);
  }

  async function revalidateAgain(pageUrl: string, known: StoredPage | null): Promise<PageCopy | null> {
    return revalidateUnder(await awaitLease(pageUrl, waiting), pageUrl, known, false);
  }

  /** The lease lasts until the page is rendered. */
  async function revalidateUnder(
    lease: Lease,
    pageUrl: string,
    known: StoredPage | null,
    isConditional: boolean,
  ): Promise<PageCopy | null> {
    // a lease that cannot be released expires
    const release = () => lease.release().catch(() => {});
    try {
      return await revalidateCopy(pageUrl, known, isConditional);
    } finally {
      const current = rendering.get(pageUrl);
      if (current) void current.then(release);
      else await release();
    }
  }

  async function revalidateCopy(
    pageUrl: string,
    known: StoredPage | null,
    isConditional: boolean,
  ): Promise<PageCopy | null> {
    // the same markup may become another text in a browser
    const hasValidators = isConditional && (renderer === null || known?.version?.article.content != null);
    const result = await revalidate(pageUrl, hasValidators ? (known?.version ?? null) : null, dependencies);
    onEvent({ outcome: result.outcome });
    if (result.outcome === 'unreadable' && result.error !== null) reportError(result.error);
    if (result.outcome === 'fetched' && result.scripted && renderer) {
      const isAvailable = renderer.isAvailable();
      const page = (isAvailable ? pageDuringRendering : pageWithoutRendering)(result.page, known, now());
      await save(page, known).catch(reportError);
      if (isAvailable) startRendering(result.scripted, result.page, known, renderer);
      return pageCopyOf(page, now());
    }
    if ('page' in result) await save(result.page, known).catch(reportError);
    if ('attempt' in result) await copies.recordFailure(pageUrl, result.attempt).catch(reportError);
    const page = pageAfter(result, pageUrl, known);
    return page && pageCopyOf(page, now());
  }

  async function save(page: StoredPage, known: StoredPage | null): Promise<void> {
    await copies.save(page);
    if (known && !isSameVersion(page, known)) onChange(page.pageUrl);
  }

  /** The caller does not wait: a card is shown until the article is there. */
  function startRendering(
    source: PageSource,
    card: StoredPage & { readonly version: PageVersion },
    known: StoredPage | null,
    by: Renderer,
  ): void {
    const { pageUrl } = card;
    const started = renderPageVersion(source, card, known, { renderer: by, reader, now })
      .then((page) => save(page, card))
      .catch(reportError)
      .then(() => void rendering.delete(pageUrl));
    rendering.set(pageUrl, started);
  }

  /** A revalidation that is in flight may have read the page before it changed, so the refresh starts after it. */
  async function fetchAgain(pageUrl: string): Promise<void> {
    const known = await copies.find(pageUrl).catch(reportError);
    const findCurrent = () => inFlight.get(pageUrl) ?? rendering.get(pageUrl);
    for (let current = findCurrent(); current; current = findCurrent()) await current;
    await start(pageUrl, revalidateAgain(pageUrl, known));
    await rendering.get(pageUrl);
  }

  async function joinOrStartRefresh(embed: Pick<Embed, 'id' | 'pageUrl'>): Promise<void> {
    const { pageUrl } = embed;
    if (inFlight.size >= MAX_REVALIDATIONS && !inFlight.has(pageUrl)) {
      onEvent({ outcome: 'shed' });
      throw new Refusal('unavailable', 'Too many pages are being fetched; try again.');
    }
    refreshes.begin(embed);
    const current = refreshing.get(pageUrl);
    if (current) return current;
    const started = fetchAgain(pageUrl).finally(() => {
      refreshes.end(embed);
      refreshing.delete(pageUrl);
    });
    refreshing.set(pageUrl, started);
    return started;
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
    findOutline: async (pageUrl) => outlineOf(await copies.findOutline(pageUrl), now()),
    async refresh(embed, timeoutMs) {
      await waitAtMost(joinOrStartRefresh(embed), timeoutMs);
    },
    wasRefreshedSince: refreshes.wasRefreshedSince,
    async close() {
      closing.abort();
      if (options.reader === undefined) reader.close();
      await renderer?.close();
      await Promise.all([...inFlight.values(), ...refreshing.values()]);
      await Promise.all(rendering.values());
    },
  };
}

/** Compares what readers see. */
function isSameVersion(page: StoredPage, known: StoredPage): boolean {
  const textOf = ({ version, failure }: StoredPage) => JSON.stringify([version?.status, version?.article, failure]);
  return textOf(page) === textOf(known);
}

function pageAfter(result: RevalidationOutcome, pageUrl: string, known: StoredPage | null): StoredPage | null {
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
