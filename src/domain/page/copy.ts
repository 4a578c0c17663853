import { MAX_CLOCK_SKEW_MS, msUntil } from '../clock.ts';
import type { Article } from './article.ts';

/** A version of a page, as it was had. */
export interface PageVersion {
  /** When it was last had, or confirmed by its site. */
  readonly fetchedAt: Date;
  /** Where it was found, after all redirects. */
  readonly url: string;
  /** What the site called it, for a conditional request (RFC 9110 section 13.1). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly article: Article;
}

/** What is kept of a page that was looked at, so that it need not be fetched each time that it is shown. */
export interface KeptPage {
  readonly pageUrl: string;
  /** Until then no look at the page is due. */
  readonly freshUntil: Date;
  /** Null when the page could not be had, or its site took it back. */
  readonly version: PageVersion | null;
}

/** What is shown of a page. */
export interface PageCopy {
  readonly freshUntil: Date;
  /** Null when the page could not be had. */
  readonly article: Article | null;
}

/** How long a copy is fresh. */
export const FRESH_MS = 10 * 60_000;
/** A version that its site did not confirm for so long is no longer shown. */
const MAX_AGE_MS = 24 * 3_600_000;

/** What may still be shown of a page that is kept. */
export function pageCopyOf({ freshUntil, version }: KeptPage, now: Date): PageCopy {
  const ageMs = version === null ? 0 : now.getTime() - version.fetchedAt.getTime();
  // of a version from before the clock was moved back the age is unknown
  const isOutdated = ageMs >= MAX_AGE_MS || ageMs < -MAX_CLOCK_SKEW_MS;
  return { freshUntil, article: isOutdated ? null : (version?.article ?? null) };
}

/** The milliseconds for which a copy is still fresh; 0 when it is stale. */
export function remainingFreshMs({ freshUntil }: Pick<PageCopy, 'freshUntil'>, now: Date): number {
  return msUntil(freshUntil, now, FRESH_MS);
}
