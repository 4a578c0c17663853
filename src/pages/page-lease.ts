import { setTimeout as pause } from 'node:timers/promises';
import { type PageCopy, pageCopyOf, remainingFreshMs, type StoredPage } from '../domain/page-copy.ts';

/** The right to fetch a page. */
export interface Lease {
  release(): Promise<void>;
}

export interface LeaseStore {
  find(
    pageUrl: string,
    options?: { readonly deadlineMs?: number },
  ): Promise<(StoredPage & { readonly isLeased: boolean }) | null>;
  /** Returns null while another process has the lease, or, unless it is a refresh, if the copy is fresh. */
  lease(pageUrl: string, options?: { readonly isRefresh?: boolean }): Promise<Lease | null>;
}

/** As long as a view waits for a page. After this time it gets a card. */
const VIEW_WAIT_MS = 3_000;
/** Longer than most fetches. After this time a refresh fetches the page beside the other process. */
const REFRESH_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/** The page is fetched without a lease if the database fails. Writing the copy then reports the error. */
const UNLEASED: Lease = { release: async () => {} };

interface Waiting {
  readonly copies: LeaseStore;
  /** The clock of the copies. */
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/**
 * Returns the lease of a page, or the copy that another process has fetched meanwhile. A known article is returned at once;
 * without one, returns what is known after 3 s.
 */
export async function leaseOrAwaitCopy(
  pageUrl: string,
  known: StoredPage | null,
  { copies, now, signal }: Waiting,
): Promise<{ readonly lease: Lease; readonly known: StoredPage | null } | { readonly copy: PageCopy | null }> {
  const deadline = performance.now() + VIEW_WAIT_MS;
  let found: (StoredPage & { readonly isLeased?: boolean }) | null = known;
  for (;;) {
    if (!found?.isLeased) {
      const lease = await copies.lease(pageUrl).catch(() => UNLEASED);
      if (lease) return { lease, known: found };
    }
    const copy = found && pageCopyOf(found, now());
    if (copy?.article || signal.aborted || performance.now() > deadline) return { copy };
    await pause(POLL_INTERVAL_MS);
    try {
      found = await copies.find(pageUrl);
    } catch {
      return { lease: UNLEASED, known };
    }
    const current = found && pageCopyOf(found, now());
    if (current && remainingFreshMs(current, now()) > 0) return { copy: current };
  }
}

/** Waits for the lease of a page up to 10 s, because a fetch of another process may have read an earlier version. */
export async function awaitLease(pageUrl: string, { copies, signal }: Waiting): Promise<Lease> {
  const deadline = performance.now() + REFRESH_WAIT_MS;
  const tryLease = async () =>
    (await copies.find(pageUrl))?.isLeased ? null : copies.lease(pageUrl, { isRefresh: true });
  while (!signal.aborted && performance.now() < deadline) {
    const lease = await tryLease().catch(() => UNLEASED);
    if (lease) return lease;
    await pause(POLL_INTERVAL_MS);
  }
  return UNLEASED;
}
