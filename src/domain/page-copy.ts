import type { Article } from '#reader/article';
import type { PageState, PageStatus } from '#reader/page-state';
import { Refusal } from '../errors.ts';
import { MAX_CLOCK_SKEW_MS, msUntil } from './clock.ts';

export interface PageVersion {
  /** The time of the last fetch or confirmation by the site. */
  readonly fetchedAt: Date;
  readonly url: string;
  /** The URL to which the site has moved the page; null if it has not. */
  readonly movedTo: string | null;
  /** Validators for conditional requests (RFC 9110 section 13.1). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** `SHOWN` if the article has content, or else why it has none. */
  readonly status: PageStatus;
  readonly article: Article;
}

/** An attempt to fetch a page. */
export interface FetchAttempt {
  readonly triedAt: Date;
  /** The page is not fetched again before this time. */
  readonly freshUntil: Date;
  /** Null if the site sent the page, or confirmed its version. */
  readonly failure: PageStatus | null;
}

/** A page with its last attempt. */
export interface StoredPage extends FetchAttempt {
  readonly pageUrl: string;
  /** Null if the page could not be fetched or was removed. */
  readonly version: PageVersion | null;
}

export interface PageCopy extends PageStatus {
  readonly freshUntil: Date;
  readonly article: Article | null;
  /** The page of which the article has the part that the fragment of the embed's URL names; omitted if it has all. */
  readonly whole?: WholePage;
}

export interface WholePage {
  readonly article: Article;
  /** The id of the part in the page; null for passages of text. */
  readonly anchor: string | null;
}

/** The estimated height of an article with its top bar, in px: in a narrow frame, as on phones, and in a wide one. */
export interface HeightEstimate {
  readonly narrowPx: number;
  readonly widePx: number;
}

/** The facts about a page that clients see. */
export interface PageOutline extends PageStatus {
  readonly pageUrl: string;
  readonly title: string | null;
  readonly siteName: string | null;
  /** The URL after all redirects. */
  readonly url: string | null;
  /** The URL to which the site has moved the page; null if it has not. */
  readonly movedTo: string | null;
  readonly fetchedAt: Date | null;
  /** The reason why the copy is not kept up to date for the embeds that watch the page; null if it is. */
  readonly watchRefusal: string | null;
  /** Of the article; null if there is none. */
  readonly heights: HeightEstimate | null;
  /** The memory that reading the stored page takes. */
  readonly bytes: number;
}

/** The article that an embed shows. */
export type ShownArticle = Article & { readonly content: string };

/** @param state in the spelling of the caller's API */
export function articleNotFound(state: string, reason: string | null): Refusal {
  const why =
    reason ??
    (/^pending$/i.test(state)
      ? 'It has not been fetched yet: refresh it, which needs the scope write, then try again.'
      : '');
  return new Refusal(
    'not_found',
    `The embed has no article, because the state of its page is \`${state}\`. ${why}`.trim(),
  );
}

/** A page without the content of its article. */
export interface StoredOutline extends Pick<FetchAttempt, 'failure'> {
  readonly bytes: number;
  readonly watchRefusal: string | null;
  readonly version:
    | (Pick<PageVersion, 'fetchedAt' | 'url' | 'movedTo' | 'status'> & {
        readonly title: string;
        readonly site: string;
        readonly heights: HeightEstimate | null;
      })
    | null;
}

export const FRESH_MS = 10 * 60_000;
/** Versions that the site has not confirmed for so long are not shown. */
const MAX_AGE_MS = 24 * 3_600_000;

const PENDING: PageStatus = { state: 'PENDING', reason: null };

export function pageCopyOf({ freshUntil, failure, version }: StoredPage, now: Date): PageCopy {
  const current = currentVersionOf(version, now);
  return { freshUntil, ...statusOf(failure, current), article: current?.article ?? null };
}

/**
 * Returns the status at the time of the last attempt. A copy that was shown then may have become too old since. While a page is
 * pending, it is the status before.
 */
export function settledStatusOf({ triedAt, failure, version }: StoredPage): PageStatus {
  if (failure?.state === 'PENDING') return version?.status ?? PENDING;
  return statusOf(failure, currentVersionOf(version, triedAt));
}

/** The states of pages that were once shown, or should be, so that the owner of the embed can act on them. */
export const ATTENTION_STATES: readonly PageState[] = ['GONE', 'FORBIDDEN', 'UNREACHABLE', 'NOT_ALLOWED', 'TOO_LARGE'];

/** With these states a site withdraws a page. Its copy is then deleted. */
export function isWithdrawn({ state }: Pick<PageStatus, 'state'>): boolean {
  return state === 'GONE' || state === 'FORBIDDEN';
}

export function needsAttention({ state, movedTo }: Pick<PageOutline, 'state' | 'movedTo'>): boolean {
  return movedTo !== null || ATTENTION_STATES.includes(state);
}

export function outlineOf(pageUrl: string, kept: StoredOutline | null, now: Date): PageOutline {
  const current = kept && currentVersionOf(kept.version, now);
  const isUpToDate = current !== null && now.getTime() - current.fetchedAt.getTime() < FRESH_MS;
  return {
    pageUrl,
    bytes: kept?.bytes ?? 0,
    ...statusOf(kept?.failure ?? null, current),
    title: current?.title ?? null,
    siteName: current?.site ?? null,
    url: current?.url ?? null,
    movedTo: current?.movedTo ?? null,
    fetchedAt: current?.fetchedAt ?? null,
    watchRefusal: isUpToDate ? null : (kept?.watchRefusal ?? null),
    heights: current?.heights ?? null,
  };
}

/** Returns null for a version that is too old to be shown. */
function currentVersionOf<Version extends Pick<PageVersion, 'fetchedAt'>>(
  version: Version | null,
  now: Date,
): Version | null {
  if (version === null) return null;
  const ageMs = now.getTime() - version.fetchedAt.getTime();
  // a version from the future was fetched before the clock was moved back: its age is unknown
  return ageMs >= MAX_AGE_MS || ageMs < -MAX_CLOCK_SKEW_MS ? null : version;
}

/** A copy that is shown stays `SHOWN` while the attempts to fetch the page fail; the reason then says why they fail. */
function statusOf(failure: PageStatus | null, version: Pick<PageVersion, 'status'> | null): PageStatus {
  if (version?.status.state === 'SHOWN') return { state: 'SHOWN', reason: failure?.reason ?? null };
  return failure ?? version?.status ?? PENDING;
}

/** Returns 0 for stale copies. */
export function remainingFreshMs({ freshUntil }: Pick<PageCopy, 'freshUntil'>, now: Date): number {
  return msUntil(freshUntil, now, FRESH_MS);
}
