import type { PageSource } from '#fetcher';
import type { PageStatus } from '#reader/page-state';
import { hidesDescription, prohibitionOf } from '#reader/robots';
import { type FetchAttempt, FRESH_MS, isWithdrawn, type PageVersion, type StoredPage } from '../domain/page-copy.ts';
import { statusOfFailure, UNREADABLE } from './failure-status.ts';
import { fetchAndRead, type SourceAccess } from './fetch-and-read.ts';

export type RevalidationOutcome =
  | {
      readonly outcome: 'fetched';
      readonly page: StoredPage & { readonly version: PageVersion };
      /** The page as the site sent it, if its scripts may add an article, or the rest of it; else null. */
      readonly scripted: PageSource | null;
    }
  /** `gone`: the site withdrew the page. */
  | { readonly outcome: 'unchanged' | 'gone'; readonly page: StoredPage }
  | { readonly outcome: 'failed'; readonly attempt: FetchAttempt }
  /** The existing copy stays. The error is null if reading the page took too much time or memory. */
  | { readonly outcome: 'unreadable'; readonly attempt: FetchAttempt; readonly error: unknown }
  /** Aborted or rejected for lack of capacity. Says nothing about the page. `isBusy`: the reader had no time for it. */
  | { readonly outcome: 'dropped'; readonly isBusy: boolean };

const RETRY_MS = 60_000;
/** An unreadable page occupies the only reader for seconds, so it is retried no earlier than a readable page. */
const UNREADABLE_RETRY_MS = FRESH_MS;

/** Asks the site of a page for it, and stores nothing. */
export async function fetchOutcome(
  pageUrl: string,
  known: PageVersion | null,
  access: SourceAccess & { readonly now: () => Date },
): Promise<RevalidationOutcome> {
  const result = await fetchAndRead(pageUrl, known, access);
  // the text may lack what other requests would have read
  if (access.signal.aborted) return { outcome: 'dropped', isBusy: false };
  const now = access.now();
  switch (result.kind) {
    case 'read': {
      const { url, movedTo } = result.resource;
      const { status, article, scripted } = result;
      // in a browser, the same markup may become another text
      const { etag, lastModified } = scripted ? { etag: null, lastModified: null } : result.resource;
      const version = { fetchedAt: now, url, movedTo: realMove(pageUrl, movedTo), etag, lastModified, status, article };
      const page = { pageUrl, ...createFetchAttempt(now, FRESH_MS), version };
      return { outcome: 'fetched', page, scripted };
    }
    case 'dropped':
      return { outcome: 'dropped', isBusy: true };
    case 'unreadable':
      return {
        outcome: 'unreadable',
        attempt: createFetchAttempt(now, UNREADABLE_RETRY_MS, UNREADABLE),
        error: result.error,
      };
    case 'unchanged': {
      const movedTo = realMove(pageUrl, result.movedTo);
      const version = known && confirmVersion({ ...known, fetchedAt: now, movedTo }, result.robots, access.robotsMode);
      return { outcome: 'unchanged', page: { pageUrl, ...createFetchAttempt(now, FRESH_MS), version } };
    }
    case 'failed': {
      if (result.reason === 'aborted') return { outcome: 'dropped', isBusy: false };
      const status = statusOfFailure(result.reason, result.status);
      const attempt = createFetchAttempt(now, RETRY_MS, status);
      if (!isWithdrawn(status)) return { outcome: 'failed', attempt };
      return { outcome: 'gone', page: { pageUrl, ...attempt, version: null } };
    }
  }
}

/** Returns null if only the scheme, `www.` or a slash at the end is another one: no reader and no owner needs to know. */
function realMove(pageUrl: string, movedTo: string | null): string | null {
  const placeOf = (text: string) => {
    const { host, pathname, search } = new URL(text);
    return host.replace(/^www\./, '') + pathname.replace(/\/$/, '') + search;
  };
  return movedTo !== null && placeOf(movedTo) !== placeOf(pageUrl) ? movedTo : null;
}

/** Drops the content and the validators if copies are now forbidden, so that the page is fetched again once they are allowed. */
function confirmVersion(
  version: PageVersion,
  robots: string | null,
  robotsMode: SourceAccess['robotsMode'],
): PageVersion {
  const status = prohibitionOf(robots, robotsMode);
  if (!status) return version;
  const description = hidesDescription(robots, robotsMode) ? null : version.article.description;
  const article = { ...version.article, description, content: null };
  return { ...version, etag: null, lastModified: null, status, article };
}

export function createFetchAttempt(now: Date, freshMs: number, failure: PageStatus | null = null): FetchAttempt {
  return { triedAt: now, freshUntil: new Date(now.getTime() + freshMs), failure };
}
