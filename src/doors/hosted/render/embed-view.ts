import type { Article } from '#reader/article';
import type { PageState } from '#reader/page-state';
import type { Embed } from '../../../domain/embed/embed.ts';
import type { OembedUrls } from '../oembed.ts';
import type { WebFont } from './web-font.ts';

export interface EmbedView {
  readonly embed: Pick<Embed, 'mode' | 'font' | 'showTopBar' | 'pageUrl'>;
  readonly article: Article;
  /** `PENDING` while the page is being fetched: the article then has only the data of the embed. */
  readonly state: PageState;
  readonly embedUrl: string;
  readonly oembedUrls: OembedUrls;
  /** Null for the reader's own fonts. */
  readonly webFont: WebFont | null;
  /** Header of the reader, for a page that no cache stores. */
  readonly acceptLanguage?: string | null;
  /** The pictures come from the host of the embed. Those in the metadata, which are not for readers, come from their sites. */
  readonly hasLocalPictures?: boolean;
}
