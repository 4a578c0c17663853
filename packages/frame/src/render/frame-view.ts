import type { Article } from '../../../reader/src/article.ts';
import type { Heading } from '../../../reader/src/article-forms.ts';
import type { ColourMode } from '../snippet.ts';
import type { CardState } from '../words/en.ts';
import type { Look } from './look-style.ts';
import type { Font } from './web-font.ts';

/** What a frame shows, and how. */
export interface FrameView {
  readonly embed: {
    readonly mode: ColourMode;
    readonly showTopBar: boolean;
    readonly pageUrl: string;
  };
  readonly article: Article;
  /** `PENDING` while the page is being fetched: the article then has only the data of the embed. */
  readonly state: CardState | 'PENDING';
  /** The URL of the frame. */
  readonly embedUrl: string;
  /** Media types and URLs of descriptions of the embed for machines. */
  readonly alternates: readonly { readonly type: string; readonly url: string }[];
  readonly settings: {
    /** Validated values, which are written into a style sheet. Null for the usual look. */
    readonly look: Look | null;
    /** The hosts of the sites that may show the frame; null for all. */
    readonly allowedSites: readonly string[] | null;
  };
  /** Null for the reader's own fonts. */
  readonly font: Font | null;
  /** The value by which the server marks the version of the page, which then takes new versions while it is open. */
  readonly tag?: string | null;
  /** The pictures come from the host of the embed. Those in the metadata, which are not for readers, come from their sites. */
  readonly hasLocalPictures?: boolean;
  /** The page reports its views. */
  readonly isCounted?: boolean;
  /** The URL of the whole page in a frame, at the place of the part that the article is; null if it is no part. */
  readonly placeUrl?: string | null;
  /** Of the whole page, for the editor around a preview. */
  readonly headings?: readonly Heading[];
}
