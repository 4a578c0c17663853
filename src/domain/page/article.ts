/** The metadata of a page, and its text if it can be copied. Stored as JSON: a change needs a migration that empties `Page`. */
export interface Article {
  readonly title: string;
  /** `og:title`, or else `title`. */
  readonly headTitle: string | null;
  /** The name of the site, or else its host. */
  readonly site: string;
  /** A canonical BCP 47 language tag. */
  readonly language: string | null;
  readonly direction: 'ltr' | 'rtl';
  readonly byline: string | null;
  readonly description: string | null;
  /** An absolute http(s) URL. */
  readonly image: string | null;
  /** The size of the image, if the page tells it. */
  readonly imageSize?: { readonly width: number; readonly height: number };
  /** HTML of an allow-list of elements and attributes, with absolute URLs; null for a card. */
  readonly content: string | null;
}

/** Creates the article of a page that is not available, from what its embed tells. */
export function createCard({ title, pageUrl }: { readonly title: string; readonly pageUrl: string }): Article {
  return {
    title,
    headTitle: null,
    site: new URL(pageUrl).hostname.replace(/^www\./, ''),
    language: null,
    direction: 'ltr',
    byline: null,
    description: null,
    image: null,
    content: null,
  };
}
