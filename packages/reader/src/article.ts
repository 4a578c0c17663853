export interface HeroImage {
  /** An absolute http(s) URL. */
  readonly url: string;
  readonly alt: string;
  /** In pixels; both or none. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The metadata of a page, and its text if it can be copied. Stored as JSON: a change needs a migration that empties `Page`. */
export interface Article {
  readonly title: string;
  /** `og:title`, or else `title`. */
  readonly headTitle: string | null;
  /** The name of the site, or else its host. */
  readonly site: string;
  /** An absolute http(s) URL. */
  readonly icon: string | null;
  /** A canonical BCP 47 language tag. */
  readonly language: string | null;
  readonly direction: 'ltr' | 'rtl';
  readonly byline: string | null;
  /** ISO 8601: a date, or a time in UTC. */
  readonly publishedAt: string | null;
  /** Like `publishedAt`. Absent in articles that older versions have stored. */
  readonly modifiedAt?: string | null;
  readonly description: string | null;
  /** An absolute http(s) URL. */
  readonly image: string | null;
  /** The size of the image, if the page tells it. */
  readonly imageSize?: { readonly width: number; readonly height: number };
  /** The picture to show above the content; null if the content begins with a picture. */
  readonly hero: HeroImage | null;
  /** The page says that only a part of its text can be read without paying. */
  readonly isPaywalled: boolean;
  /** HTML of an allow-list of elements and attributes, with absolute URLs; null for a card. */
  readonly content: string | null;
}

/** Creates the article of a page that is not available, from what its embed tells. */
export function createCard({ title, pageUrl }: { readonly title: string; readonly pageUrl: string }): Article {
  return {
    title,
    headTitle: null,
    site: new URL(pageUrl).hostname.replace(/^www\./, ''),
    icon: null,
    language: null,
    direction: 'ltr',
    byline: null,
    publishedAt: null,
    modifiedAt: null,
    description: null,
    image: null,
    hero: null,
    isPaywalled: false,
    content: null,
  };
}
