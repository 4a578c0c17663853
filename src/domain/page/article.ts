/**
 * What a page shows of itself: enough for a card, and its article where it has one and lets it be copied. It is kept as
 * JSON: a change here needs a migration that empties `Page`.
 */
export interface Article {
  readonly title: string;
  /** What the head of the page calls it: `og:title`, else `title`; null when it does not say. */
  readonly headTitle: string | null;
  /** The name of the site, else its host. */
  readonly site: string;
  /** A canonical BCP 47 language tag; null when the page does not say. */
  readonly language: string | null;
  /** As the page says, else as its language is written. */
  readonly direction: 'ltr' | 'rtl';
  readonly byline: string | null;
  readonly description: string | null;
  /** Absolute http(s) URL of the picture that stands for the page. */
  readonly image: string | null;
  /** The article as HTML of an allow-list of elements and attributes, with absolute URLs; null for a card. */
  readonly content: string | null;
}
