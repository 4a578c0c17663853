import type { Article } from './article.ts';

/** What is kept of a page that was looked at, so that it need not be fetched each time that it is shown. */
export interface PageCopy {
  readonly pageUrl: string;
  /** Until then the copy is shown without a look at the page. */
  readonly freshUntil: Date;
  /** What the site called this version of the page, for a conditional request (RFC 9110 section 13.1). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Null when the page could not be had. */
  readonly article: Article | null;
}
