import type { Article } from '#reader/article';
import type { Heading } from '#reader/article-forms';
import type { Embed } from '../../../domain/embed/embed.ts';
import type { StoredSettings } from '../../../domain/embed/settings.ts';
import type { OembedUrls } from '../oembed.ts';
import type { CardState } from '../words/en.ts';
import type { WebFont } from './web-font.ts';

export interface EmbedView {
  readonly embed: Pick<Embed, 'mode' | 'font' | 'showTopBar' | 'pageUrl'>;
  readonly article: Article;
  /** `PENDING` while the page is being fetched: the article then has only the data of the embed. */
  readonly state: CardState | 'PENDING';
  readonly embedUrl: string;
  readonly oembedUrls: OembedUrls;
  /** Effective settings. */
  readonly settings: StoredSettings;
  /** Null for the reader's own fonts. */
  readonly webFont: WebFont | null;
  /** The pictures come from the host of the embed. Those in the metadata, which are not for readers, come from their sites. */
  readonly hasLocalPictures?: boolean;
  /** The page reports its views. */
  readonly isCounted?: boolean;
  /** The URL of the whole page in the frame, at the place of the part that the article is; null if it is no part. */
  readonly placeUrl?: string | null;
  /** Of the whole page, for the editor around a preview. */
  readonly headings?: readonly Heading[];
}
