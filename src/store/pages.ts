import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Article } from '#reader/article';
import type { PageState, PageStatus } from '#reader/page-state';
import type { FetchAttempt, HeightEstimate, PageVersion, StoredOutline, StoredPage } from '../domain/page-copy.ts';
import type { Page, PrismaClient } from '../generated/prisma/client.ts';
import { createLimiter } from '../limiter.ts';
import { isLeased, NEVER, openPageLeases, type PageLease } from './pages/page-leases.ts';
import { createSpaceLimit } from './pages/space-limit.ts';
import { createLookup } from './performance/batcher.ts';

export interface PageStore {
  /** Also returns null if the read has not begun before `deadlineMs`, by the monotonic clock. */
  find(pageUrl: string, options?: { readonly deadlineMs?: number }): Promise<FoundPage | null>;
  /** Reads no content. Outlines that are requested together are read by one statement. */
  findOutline(pageUrl: string): Promise<StoredOutline | null>;
  /**
   * Returns the right to fetch a page; null while another process has it, or if the copy is fresh.
   * @param options.isRefresh also fetches a page whose copy is fresh
   */
  lease(pageUrl: string, options?: { readonly isRefresh?: boolean }): Promise<PageLease | null>;
  /** Adds or replaces a page. Evicts the stalest pages above 256 MB. */
  save(page: StoredPage, heights?: HeightEstimate | null): Promise<void>;
  /** Records an attempt that failed. The cached content stays. */
  recordFailure(pageUrl: string, attempt: FetchAttempt): Promise<void>;
  /** Records why a watched page is not checked; null if it is. */
  recordRefusal(pageUrl: string, refusal: string | null): Promise<void>;
}

export interface FoundPage extends StoredPage {
  /** A process fetches the page now. */
  readonly isLeased: boolean;
}

type PageRow = Omit<Page, 'leaseUntil' | 'watchRefusal'> & Partial<Pick<Page, 'watchRefusal'>>;

const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const ROW_BYTES = 200;
/** A page of a list has at most 100 embeds. */
const MAX_OUTLINES_PER_BATCH = 100;
/** Copies that are read at a time. A long article takes 6 MB, and its page some 50 ms. */
const MAX_READS = 4;
/** Pages of one statement that evicts. */
const MAX_EVICTED = 50;

/** @param now the clock of all gateways */
export function openPages(client: PrismaClient, now: () => Date, maxTotalBytes = MAX_TOTAL_BYTES): PageStore {
  const grow = createSpaceLimit(maxTotalBytes, {
    measure: async () => (await client.page.aggregate({ _sum: { bytes: true } }))._sum.bytes ?? 0,
    findOldest: async () =>
      client.page.findMany({
        // the row of a page that is fetched for the first time has only its lease
        where: { OR: [{ leaseUntil: null }, { leaseUntil: { lte: now() } }] },
        orderBy: { freshUntil: 'asc' },
        take: MAX_EVICTED,
        select: { pageUrl: true, bytes: true },
      }),
    remove: (pages) => client.page.deleteMany({ where: { pageUrl: { in: pages.map(({ pageUrl }) => pageUrl) } } }),
  });

  /** Inserts a row, or changes the one of the page. */
  async function write(row: PageRow, change: Partial<PageRow>): Promise<void> {
    const where = { pageUrl: row.pageUrl };
    const old = await client.page.findUnique({ where, select: { bytes: true } });
    const oldBytes = old?.bytes ?? 0;
    // the row of a lease has no size yet
    const data = oldBytes > 0 ? change : { bytes: row.bytes, ...change };
    // an upsert would send an article twice
    const { count } = old ? await client.page.updateMany({ where, data }) : { count: 0 };
    if (count === 0) await client.page.upsert({ where, create: row, update: data, select: { pageUrl: true } });
    await grow((data.bytes ?? oldBytes) - oldBytes);
  }

  const reads = createLimiter(MAX_READS);

  /** Reads each row in a turn of its own: what callers do with their copies comes before the next ones are in memory. */
  const findRow = (pageUrl: string, deadlineMs: number) =>
    reads.run(async () => {
      if (performance.now() >= deadlineMs) return null;
      await nextTurn();
      return client.page.findUnique({ where: { pageUrl } });
    });

  const findRowOfOutline = createLookup(
    (pageUrls) => client.page.findMany({ where: { pageUrl: { in: [...pageUrls] } }, omit: { article: true } }),
    { maxBatchSize: MAX_OUTLINES_PER_BATCH, keyOf: ({ pageUrl }) => pageUrl },
  );

  return {
    async findOutline(pageUrl) {
      const row = await findRowOfOutline(pageUrl);
      return row && storedOutlineOf(row);
    },

    lease: openPageLeases(client, now),

    async find(pageUrl, { deadlineMs = Infinity } = {}) {
      const row = await findRow(pageUrl, deadlineMs);
      return row && { pageUrl, ...attemptOf(row), version: versionOf(row), isLeased: isLeased(row, now()) };
    },

    save(page, heights = null) {
      const row = rowOf(page, heights);
      return write(row, row);
    },

    recordFailure: (pageUrl, attempt) =>
      write(rowOf({ pageUrl, ...attempt, version: null }, null), attemptColumnsOf(attempt)),

    async recordRefusal(pageUrl, watchRefusal) {
      if (watchRefusal === null) {
        await client.page.updateMany({ where: { pageUrl, watchRefusal: { not: null } }, data: { watchRefusal } });
        return;
      }
      const attempt = { triedAt: NEVER, freshUntil: NEVER, failure: null };
      await write({ ...rowOf({ pageUrl, ...attempt, version: null }, null), watchRefusal }, { watchRefusal });
    },
  };
}

function storedOutlineOf(row: Omit<Page, 'article'>): StoredOutline {
  const { fetchedAt, url, movedTo, title, site, narrowHeight: narrowPx, wideHeight: widePx } = row;
  const status = storedStatusOf(row.state, row.reason);
  const isComplete = fetchedAt !== null && url !== null && status !== null && title !== null && site !== null;
  const heights = narrowPx === null || widePx === null ? null : { narrowPx, widePx };
  return {
    bytes: row.bytes,
    watchRefusal: row.watchRefusal,
    failure: storedStatusOf(row.failure, row.failureReason),
    version: isComplete ? { fetchedAt, url, movedTo, status, title, site, heights } : null,
  };
}

/**
 * Gateways of older versions on the same database do not write `triedAt`. An article that they write without its state is
 * fetched again.
 */
function attemptOf({ freshUntil, triedAt, failure, failureReason, fetchedAt, state }: Page): FetchAttempt {
  const hasNoState = fetchedAt !== null && state === null;
  return {
    freshUntil: hasNoState ? fetchedAt : freshUntil,
    triedAt: triedAt ?? freshUntil,
    failure: storedStatusOf(failure, failureReason),
  };
}

function attemptColumnsOf({ freshUntil, triedAt, failure }: FetchAttempt) {
  return { freshUntil, triedAt, failure: failure?.state ?? null, failureReason: failure?.reason ?? null };
}

function versionOf(row: Page): PageVersion | null {
  const { fetchedAt, url, movedTo, etag, lastModified, article } = row;
  const status = storedStatusOf(row.state, row.reason);
  if (fetchedAt === null || url === null || status === null || article === null) return null;
  return { fetchedAt, url, movedTo, etag, lastModified, status, article: JSON.parse(article) as Article };
}

function storedStatusOf(state: PageState | null, reason: string | null): PageStatus | null {
  return state && { state, reason };
}

function rowOf({ pageUrl, version, ...attempt }: StoredPage, estimate: HeightEstimate | null): PageRow {
  const { fetchedAt = null, url = null, movedTo = null, etag = null, lastModified = null } = version ?? {};
  const { state = null, reason = null } = version?.status ?? {};
  const { title = null, site = null } = version?.article ?? {};
  const { narrowPx: narrowHeight = null, widePx: wideHeight = null } = estimate ?? {};
  const row = {
    pageUrl,
    ...attemptColumnsOf(attempt),
    fetchedAt,
    url,
    movedTo,
    etag,
    lastModified,
    state,
    reason,
    title,
    site,
    narrowHeight,
    wideHeight,
    article: version && JSON.stringify(version.article),
  };
  // the index of the key has it once more
  const texts = [pageUrl, ...Object.values(row)].filter((value) => typeof value === 'string');
  return { ...row, bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), ROW_BYTES) };
}
