import { hash } from 'node:crypto';
import { CHECKS_TIMEOUT_MS } from '#fetcher';
import { sourceUrlOf } from '#reader/page-url';
import { remainingFreshMs, type StoredPage } from '../domain/page-copy.ts';
import { MAX_HOST_PAUSE_MS, type PageCheck } from '../domain/watch.ts';
import type { ArticleCache } from './article-cache.ts';
import { createFindRobotsRules, type RobotsOptions } from './robots-txt.ts';

interface Watched {
  readonly accountId: string;
  readonly embedId: string;
  readonly pageUrl: string;
  readonly host: string;
}

interface Options extends RobotsOptions {
  readonly watches: {
    findDue(limit: number): Promise<readonly Watched[]>;
    place(watch: Watched, pageUrl: string, host: string): Promise<void>;
    leaseHost(host: string): Promise<boolean>;
    freeHosts(hosts: readonly string[], afterMs?: number): Promise<void>;
    schedule(pageUrl: string, check: PageCheck | null): Promise<void>;
    trim(): Promise<void>;
  };
  readonly pages: Pick<ArticleCache, 'check'>;
  /** The clock of the copies, which other processes share. */
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** Replaced in tests. */
  readonly times?: { readonly pollMs: number; readonly hostPauseMs: number };
}

/** The lease of a host lasts for some polls. */
const TIMES = { pollMs: 1_000, hostPauseMs: 2_000 };
const TRIM_INTERVAL_MS = 600_000;
/** Pages that one process fetches at a time. They leave room for the pages that readers wait for. */
const MAX_FETCHING = 8;
const MAX_DUE = 100;

/** The host, or what would tell its rules: the page is tried again after a minute. */
const BUSY = 'busy';

/**
 * Checks watched pages when they are due, by conditional requests, if the site allows it to robots. All gateways together fetch
 * at most one watched page of a host at a time, with a pause after it, as long as the site asks for with `Retry-After` or
 * `Crawl-delay`. All of this also holds for the hosts of redirects.
 */
export function startWatcher(options: Options): { close(): Promise<void> } {
  const { watches, onError, times = TIMES } = options;
  /** The hosts whose leases are renewed. */
  const leased = new Set<string>();
  const checkPage = createPageCheck(options, leased);
  /** The checks by their hosts. */
  const running = new Map<string, Promise<void>>();
  /** The hosts of the checks that do not wait for the browser. */
  const fetching = new Set<string>();
  const polling = setInterval(() => void poll(), times.pollMs).unref();
  const trimming = setInterval(() => void watches.trim().catch(onError), TRIM_INTERVAL_MS).unref();
  let current: Promise<void> | null = null;
  let isClosing = false;

  function poll(): Promise<void> {
    current ??= startDue()
      .catch(onError)
      .finally(() => {
        current = null;
      });
    return current;
  }

  async function startDue(): Promise<void> {
    do {
      // many new watches take longer than a lease
      if (leased.size > 0) await watches.freeHosts([...leased]);
      // hosts that are busy now are not found again, but those behind them
    } while (await startSome());
  }

  /** Returns whether anything was started or placed. */
  async function startSome(): Promise<boolean> {
    if (isClosing || fetching.size >= MAX_FETCHING) return false;
    let isMore = false;
    for (const watch of await watches.findDue(MAX_DUE)) {
      if (isClosing || fetching.size >= MAX_FETCHING) return false;
      if (watch.host === '') {
        await watches.place(watch, sourceUrlOf(watch.pageUrl), new URL(watch.pageUrl).hostname);
        isMore = true;
      } else if (!running.has(watch.host) && (await watches.leaseHost(watch.host))) {
        start(watch);
        isMore = true;
      }
    }
    return isMore;
  }

  function start({ host, pageUrl }: Watched): void {
    /** The leased hosts of the page and its redirects, and the pauses after the check. */
    const pausesMs = new Map([[host, times.hostPauseMs]]);
    leased.add(host);
    fetching.add(host);
    const check = checkPage(pageUrl, pausesMs, () => void fetching.delete(host))
      .catch(onError)
      .then(() => {
        fetching.delete(host);
        for (const name of pausesMs.keys()) leased.delete(name);
        // a poll that has begun may still renew the leases
        return current;
      })
      .then(() => Promise.all([...pausesMs].map(([name, pauseMs]) => watches.freeHosts([name], pauseMs))))
      .catch(onError)
      .then(() => void running.delete(host));
    running.set(host, check);
  }

  return {
    async close() {
      isClosing = true;
      clearInterval(polling);
      clearInterval(trimming);
      await current;
      await Promise.all(running.values());
    },
  };
}

/**
 * Creates the check of one page, which sets the time of the next one.
 * @param leased receives the hosts of redirects
 */
function createPageCheck(options: Options, leased: Set<string>) {
  const { watches, pages, now, onError, times = TIMES } = options;
  const findRobotsRules = createFindRobotsRules(options);

  /** @param onFetched called when the page is fetched, and needs the browser */
  async function checkPage(pageUrl: string, pausesMs: Map<string, number>, onFetched: () => void): Promise<void> {
    const last: { refusal: string | null; hostname: string } = { refusal: null, hostname: '' };
    let waitedMs = 0;
    async function mayRequest(url: URL): Promise<boolean> {
      const startedAt = performance.now();
      last.hostname = url.hostname;
      last.refusal = await findRefusal(url, pausesMs).catch((error) => {
        onError(error);
        return BUSY;
      });
      waitedMs += performance.now() - startedAt;
      // the next check finds the rules in memory
      if (waitedMs > CHECKS_TIMEOUT_MS) last.refusal ??= BUSY;
      return last.refusal === null;
    }
    last.refusal = await findRefusal(new URL(pageUrl), pausesMs);
    const onRetryAfter = (retryAfterMs: number) => lengthenPause(pausesMs, last.hostname, retryAfterMs);
    let isRendered = true;
    function onRendering(isQueued: boolean): void {
      isRendered = isQueued;
      onFetched();
    }
    const limits = { mayRequest, onRetryAfter, onRendering };
    const page = last.refusal === null ? await pages.check(pageUrl, limits) : null;
    const { refusal } = last;
    if (refusal === BUSY) return watches.schedule(pageUrl, null);
    // the site is asked again within an hour
    if (refusal !== null || !isRendered) {
      return watches.schedule(pageUrl, { digest: '', isUnreachable: true, refusal });
    }
    // dropped for lack of capacity, or another process is fetching it
    const isChecked = page !== null && page.failure?.state !== 'PENDING' && remainingFreshMs(page, now()) > 0;
    const isUnreachable = page?.failure?.state === 'UNREACHABLE';
    await watches.schedule(pageUrl, isChecked ? { digest: digestOf(page), isUnreachable, refusal } : null);
  }

  /** Leases the host of a page or of its redirect, and asks its `/robots.txt`. Returns null if the page may be fetched. */
  async function findRefusal({ href, hostname }: URL, pausesMs: Map<string, number>): Promise<string | null> {
    if (!pausesMs.has(hostname)) {
      if (!(await watches.leaseHost(hostname))) return BUSY;
      leased.add(hostname);
      pausesMs.set(hostname, times.hostPauseMs);
    }
    const { refusal, delayMs } = await findRobotsRules(href);
    lengthenPause(pausesMs, hostname, delayMs);
    return refusal;
  }

  return checkPage;
}

function lengthenPause(pausesMs: Map<string, number>, hostname: string, delayMs: number): void {
  const longestMs = Math.max(pausesMs.get(hostname) ?? 0, delayMs);
  pausesMs.set(hostname, Math.min(longestMs, MAX_HOST_PAUSE_MS));
}

function digestOf({ version, failure }: StoredPage): string {
  const { url, movedTo, status, article } = version ?? {};
  const facts = JSON.stringify([url, movedTo, status, article, failure?.state]);
  return hash('sha256', facts, 'base64url');
}
