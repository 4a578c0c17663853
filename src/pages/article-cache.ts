import { setTimeout as pause } from 'node:timers/promises';
import type { ArticleForms, FormJob, FormName } from '#reader/article-forms';
import { type ArticleReader, createArticleReader } from '#reader/article-reader';
import { sourceUrlOf } from '#reader/page-url';
import { joinOrStart } from '../awaitable.ts';
import { withDeadline } from '../deadline.ts';
import type { Embed } from '../domain/embed/embed.ts';
import {
  outlineOf,
  type PageCopy,
  type PageOutline,
  pageCopyOf,
  remainingFreshMs,
  type StoredOutline,
  type StoredPage,
} from '../domain/page-copy.ts';
import { Refusal } from '../errors.ts';
import {
  BUSY_RETRY_MS,
  createCopyRevalidation,
  type FetchLimits,
  type RevalidationOptions,
} from './copy-revalidation.ts';
import { BUSY } from './failure-status.ts';
import { awaitLease, type LeaseStore, leaseOrAwaitCopy } from './page-lease.ts';
import { createShowPart, type ShowPart } from './page-part.ts';
import { createRefreshes, type Refreshes } from './refresh.ts';

interface Options extends RevalidationOptions {
  readonly copies: RevalidationOptions['copies'] &
    LeaseStore & { findOutline(pageUrl: string): Promise<StoredOutline | null> };
  /** Shared with other caches: the caller closes it. Undefined for one of its own. */
  readonly reader?: ArticleReader | undefined;
}

/**
 * Articles of pages, fetched on demand. A revalidation continues after its caller's timeout. URLs that differ in the part of
 * the page that they name share one copy.
 */
export interface ArticleCache extends Pick<Refreshes, 'wasRefreshedSince'> {
  /**
   * Returns a fresh copy, or a stale one while it is revalidated, or waits for the page to be fetched. Null if there is
   * no copy yet; a copy without an article if the page is not available. Never rejects.
   */
  findCopy(pageUrl: string, timeoutMs: number): Promise<PageCopy | null>;
  /** Returns what a copy has of the part that a URL names; null if the reader has no time for it. */
  readonly showPart: ShowPart;
  /** Returns what an embed shows of a stored copy; null without one, or if the reader has no time for its part. Fetches nothing. */
  findShown(pageUrl: string): Promise<PageCopy | null>;
  /**
   * Revalidates the stored copy of a page unless it is fresh, and returns the copy afterwards. Joins a revalidation that is in
   * flight, whatever its limits.
   */
  check(pageUrl: string, limits: FetchLimits): Promise<StoredPage | null>;
  /** Never rejects. */
  findTitle(pageUrl: string, timeoutMs: number): Promise<string | null>;
  /** Returns what is known about a page. Fetches nothing. */
  findOutline(pageUrl: string): Promise<PageOutline>;
  /** @throws {Refusal} `unavailable` if there is too much to do, or if the article takes too much time or memory */
  makeForm<Name extends FormName>(job: FormJob<Name>): Promise<ArticleForms[Name]>;
  /**
   * Fetches the page of an embed without validators, because a site may confirm a version that it has changed. Joins a
   * refresh of the page that is in flight. Resolves on timeout too.
   * @throws {Refusal} `rate_limited` within 10 s of the embed's previous refresh, `unavailable` when too many pages are
   * being fetched
   */
  refresh(embed: Pick<Embed, 'id' | 'pageUrl'>, timeoutMs: number): Promise<void>;
  /** Starts the reader, so that the first page does not wait for it. */
  start(): void;
  close(): Promise<void>;
}

export const MAX_REVALIDATIONS = 32;
/** A slow site leaves room for others. */
export const MAX_REVALIDATIONS_PER_HOST = 24;

export function createArticleCache(options: Options): ArticleCache {
  const { copies, now, onEvent, robotsMode, renderer } = options;
  const { reader = createArticleReader({ robotsMode }) } = options;
  const showPart = createShowPart(reader);
  const closing = new AbortController();
  const waiting = { copies, now, signal: closing.signal };
  const { revalidate, findRendering, finishRendering, reportError } = createCopyRevalidation({
    ...options,
    reader,
    signal: closing.signal,
  });
  const refreshes = createRefreshes();
  const inFlight = new Map<string, { readonly copy: Promise<PageCopy | null>; readonly isLimited: boolean }>();
  const refreshing = new Map<string, Promise<void>>();
  const tryAgainLater = createRetries(closing.signal, (pageUrl) => findOrRevalidate(pageUrl).catch(reportError));

  async function findOrRevalidate(pageUrl: string, deadlineMs = Infinity): Promise<PageCopy | null> {
    const known = await copies.find(pageUrl, { deadlineMs }).catch(reportError);
    // the caller no longer waits
    if (performance.now() >= deadlineMs) return null;
    const present = now();
    const copy = known && pageCopyOf(known, present);
    if (copy && remainingFreshMs(copy, present) > 0) {
      onEvent({ outcome: 'fresh' });
      return copy;
    }
    onEvent({ outcome: copy?.article ? 'stale' : 'miss' });
    // the copy of a page is not revalidated while the page is in the queue of the renderer
    if (copy && findRendering(pageUrl)) return copy;
    const revalidated = joinOrStartRevalidation(pageUrl, known);
    return copy?.article ? copy : revalidated;
  }

  function joinOrStartRevalidation(
    pageUrl: string,
    known: StoredPage | null,
    limits?: FetchLimits,
  ): Promise<PageCopy | null> {
    const current = inFlight.get(pageUrl);
    // a limit may abort it
    if (current?.isLimited && !limits) {
      return current.copy.then((copy) => (closing.signal.aborted ? copy : findOrRevalidate(pageUrl)));
    }
    if (current) return current.copy;
    if (isFull(inFlight, pageUrl)) {
      onEvent({ outcome: 'shed' });
      return Promise.resolve(known && pageCopyOf(known, now()));
    }
    return track(pageUrl, revalidateOnce(pageUrl, known, limits), limits !== undefined);
  }

  async function track(pageUrl: string, revalidation: Promise<PageCopy | null>, isLimited = false) {
    const started = revalidation.catch(reportError).finally(() => inFlight.delete(pageUrl));
    inFlight.set(pageUrl, { copy: started, isLimited });
    const copy = await started;
    if (copy?.reason === BUSY.reason) void tryAgainLater(pageUrl);
    return copy;
  }

  /** Waits for the copy of another process if that fetches the page. */
  async function revalidateOnce(pageUrl: string, known: StoredPage | null, limits?: FetchLimits) {
    const result = await leaseOrAwaitCopy(pageUrl, known, waiting);
    return 'copy' in result ? result.copy : revalidate(result.lease, pageUrl, result.known, true, limits);
  }

  async function revalidateAgain(pageUrl: string): Promise<PageCopy | null> {
    const lease = await awaitLease(pageUrl, waiting);
    return revalidate(lease, pageUrl, await copies.find(pageUrl).catch(reportError), false);
  }

  /** A revalidation that is in flight may have read the page before it changed, so the refresh starts after it. */
  async function fetchAgain(pageUrl: string): Promise<void> {
    const findCurrent = () => inFlight.get(pageUrl)?.copy ?? findRendering(pageUrl);
    for (let current = findCurrent(); current; current = findCurrent()) await current;
    await track(pageUrl, revalidateAgain(pageUrl));
    await findRendering(pageUrl);
  }

  async function joinOrStartRefresh(embed: Pick<Embed, 'id' | 'pageUrl'>): Promise<void> {
    const pageUrl = sourceUrlOf(embed.pageUrl);
    if (!inFlight.has(pageUrl) && isFull(inFlight, pageUrl)) {
      onEvent({ outcome: 'shed' });
      throw new Refusal('unavailable', 'Too many pages are being fetched; try again.');
    }
    refreshes.begin(embed);
    return joinOrStart(refreshing, pageUrl, () => fetchAgain(pageUrl).finally(() => refreshes.end(pageUrl)));
  }

  const findCopy: ArticleCache['findCopy'] = (pageUrl, timeoutMs) =>
    withDeadline(findOrRevalidate(sourceUrlOf(pageUrl), performance.now() + timeoutMs), timeoutMs, null);

  return {
    start: reader.start,
    findCopy,
    showPart,
    async findShown(pageUrl) {
      const known = await copies.find(sourceUrlOf(pageUrl));
      return known && showPart(pageCopyOf(known, now()), pageUrl);
    },
    async check(pageUrl, limits) {
      const known = await copies.find(pageUrl);
      if (known && remainingFreshMs(known, now()) > 0) return known;
      await joinOrStartRevalidation(pageUrl, known, limits);
      await findRendering(pageUrl);
      return copies.find(pageUrl);
    },
    async findTitle(pageUrl, timeoutMs) {
      const { title = null, headTitle = null } = (await findCopy(pageUrl, timeoutMs))?.article ?? {};
      return headTitle && title;
    },
    findOutline: async (pageUrl) => outlineOf(pageUrl, await copies.findOutline(sourceUrlOf(pageUrl)), now()),
    makeForm: (job) => makeForm(reader, job),
    refresh: (embed, timeoutMs) => withDeadline(joinOrStartRefresh(embed), timeoutMs, undefined),
    wasRefreshedSince: (pageUrl, timeMs) => refreshes.wasRefreshedSince(sourceUrlOf(pageUrl), timeMs),
    async close() {
      closing.abort();
      if (options.reader === undefined) reader.close();
      await renderer?.close();
      await Promise.all([...[...inFlight.values()].map(({ copy }) => copy), ...refreshing.values()]);
      await finishRendering();
    },
  };
}

function isFull(inFlight: ReadonlyMap<string, unknown>, pageUrl: string): boolean {
  if (inFlight.size < MAX_REVALIDATIONS_PER_HOST) return false;
  const { hostname } = new URL(pageUrl);
  const ofHost = [...inFlight.keys()].filter((url) => new URL(url).hostname === hostname);
  return inFlight.size >= MAX_REVALIDATIONS || ofHost.length >= MAX_REVALIDATIONS_PER_HOST;
}

/** Tries pages again for which the reader had no time. Of more than the limit, those that are viewed again. */
function createRetries(signal: AbortSignal, tryAgain: (pageUrl: string) => Promise<unknown>) {
  const waiting = new Set<string>();
  return async (pageUrl: string): Promise<void> => {
    if (waiting.has(pageUrl) || waiting.size >= MAX_REVALIDATIONS) return;
    waiting.add(pageUrl);
    await pause(BUSY_RETRY_MS, null, { signal, ref: false }).catch(() => {});
    waiting.delete(pageUrl);
    if (!signal.aborted) await tryAgain(pageUrl);
  };
}

async function makeForm<Name extends FormName>(reader: ArticleReader, job: FormJob<Name>): Promise<ArticleForms[Name]> {
  const result = await reader.makeForm(job);
  if (result.kind === 'form') return result.form;
  if (result.kind === 'dropped') throw new Refusal('unavailable', 'Too many articles are being converted; try again.');
  if (result.error === null)
    throw new Refusal(
      'invalid',
      'The article is too long to be converted at once: read its `html`, or a `part` of it.',
    );
  throw result.error;
}
