import { MAX_CLOCK_SKEW_MS, msUntil } from '../clock.ts';
import type { Article } from './article.ts';

export interface PageVersion {
  /** The time of the last fetch or confirmation by the site. */
  readonly fetchedAt: Date;
  readonly url: string;
  /** Validators for conditional requests (RFC 9110 section 13.1). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly article: Article;
}

export interface KeptPage {
  readonly pageUrl: string;
  /** The page is not fetched again before this time. */
  readonly freshUntil: Date;
  /** Null if the page could not be fetched or was removed. */
  readonly version: PageVersion | null;
}

export interface PageCopy {
  readonly freshUntil: Date;
  readonly article: Article | null;
}

export const FRESH_MS = 10 * 60_000;
/** Versions that the site has not confirmed for so long are not shown. */
const MAX_AGE_MS = 24 * 3_600_000;

export function pageCopyOf({ freshUntil, version }: KeptPage, now: Date): PageCopy {
  const ageMs = version === null ? 0 : now.getTime() - version.fetchedAt.getTime();
  // a version from the future was fetched before the clock was moved back: its age is unknown
  const isOutdated = ageMs >= MAX_AGE_MS || ageMs < -MAX_CLOCK_SKEW_MS;
  return { freshUntil, article: isOutdated ? null : (version?.article ?? null) };
}

/** Returns 0 for stale copies. */
export function remainingFreshMs({ freshUntil }: Pick<PageCopy, 'freshUntil'>, now: Date): number {
  return msUntil(freshUntil, now, FRESH_MS);
}
