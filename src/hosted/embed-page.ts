import type { Article } from '../domain/article.ts';
import type { Embed } from '../domain/embed.ts';
import { type EmbedHosts, embedPathOf, embedUrlOf } from '../domain/embed-url.ts';
import type { PageCopy } from '../domain/page-copy.ts';
import { type Answer, answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { createRepresentation, type Representation } from '../http/representation.ts';
import { inTime } from '../pages/deadline.ts';
import { pageHeaders } from './document.ts';
import { OEMBED_TYPES, type OembedFormat, oembedUrlsOf } from './oembed.ts';
import { createPageCache } from './page-cache.ts';
import { renderEmbedPage } from './view.ts';

/** What the hosted door works with. */
export interface HostedServices extends EmbedHosts {
  /** Address of a provider's style sheet, with `{family}` where the name of the font stands; null for no web fonts. */
  readonly fontCssUrl: string | null;
  readonly embeds: { findForAnyone(id: string): Promise<Embed | null> };
  readonly pages: { findCopy(pageUrl: string): Promise<PageCopy | null> };
}

/** A reader does not look at nothing for longer: then there is a card, and the page goes on being fetched. */
const PATIENCE_MS = 3_000;

/** Browsers and proxies keep the page, but ask each time: an update of the embed is seen by the next reader. */
export const CACHE_CONTROL = 'no-cache';

/** Shows embeds: the page at its canonical path; elsewhere the way there, whatever the query string. */
export function createEmbedPage(services: HostedServices) {
  const cache = createPageCache();
  const paths = new WeakMap<Embed, string>();

  /** Of an embed that is shown again and again, the store gives the same object. */
  function pathOf(embed: Embed): string {
    const known = paths.get(embed);
    if (known !== undefined) return known;
    const path = embedPathOf(embed);
    paths.set(embed, path);
    return path;
  }

  async function makePage(embed: Embed): Promise<Representation> {
    const copy = await inTime(services.pages.findCopy(embed.pageUrl), PATIENCE_MS);
    const kept = copy && cache.findOf(embed, copy);
    if (kept) return kept;
    const page = render(embed, copy);
    if (copy) cache.keep(embed, copy, page);
    return page;
  }

  function render(embed: Embed, copy: PageCopy | null): Representation {
    const embedUrl = embedUrlOf(embed, services);
    const article = copy?.article ?? cardOf(embed);
    const oembedUrls = oembedUrlsOf(embedUrl, services);
    const fontCssUrl = fontCssUrlOf(embed, services);
    const page = renderEmbedPage({ embed, article, isPending: copy === null, embedUrl, oembedUrls, fontCssUrl });
    const link = (format: OembedFormat) => `<${oembedUrls[format]}>; rel="alternate"; type="${OEMBED_TYPES[format]}"`;
    return createRepresentation(page.html, {
      ...pageHeaders(page),
      // a card that stands in for the page is gone with the next load
      'cache-control': copy === null ? 'no-store' : CACHE_CONTROL,
      link: `${link('json')}, ${link('xml')}`,
    });
  }

  return (embed: Embed, { request, url }: Pick<Exchange, 'request' | 'url'>): Answer | Promise<Answer> => {
    const location = pathOf(embed);
    if (url.pathname !== location) {
      return answer(null, { status: 308, headers: { location, 'cache-control': CACHE_CONTROL } });
    }
    const known = cache.find(embed);
    return known ? known.answer(request) : makePage(embed).then((page) => page.answer(request));
  };
}

/** What is shown of a page that cannot be had: the little that its embed knows. */
export function cardOf({ title, pageUrl }: Pick<Embed, 'title' | 'pageUrl'>): Article {
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

/** The provider's style sheet for a font; null where there is no provider. */
export function fontCssUrlOf(
  { font }: Pick<Embed, 'font'>,
  { fontCssUrl }: Pick<HostedServices, 'fontCssUrl'>,
): string | null {
  return fontCssUrl?.replace('{family}', encodeURIComponent(font).replaceAll('%20', '+')) ?? null;
}
