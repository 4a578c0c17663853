import type { Embed } from '../../domain/embed/embed.ts';
import { type EmbedHosts, embedPathOf, embedUrlOf } from '../../domain/embed/url.ts';
import type { Article } from '../../domain/page/article.ts';
import type { PageCopy } from '../../domain/page/copy.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';
import { inTime } from '../../pages/fetch/deadline.ts';
import { OEMBED_TYPES, type OembedFormat, oembedUrlsOf } from './oembed.ts';
import { pageHeaders } from './render/document.ts';
import { renderEmbedPage } from './render/view.ts';
import { createRenderedPageCache, type RenderedPage } from './rendered-page-cache.ts';

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
  const cache = createRenderedPageCache();

  async function openPage(embed: Embed): Promise<RenderedPage> {
    const copy = await inTime(services.pages.findCopy(embed.pageUrl), PATIENCE_MS);
    const kept = copy && cache.findOf(embed, copy);
    if (kept) return kept;
    const page = { path: embedPathOf(embed), representation: render(embed, copy) };
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

  return (embed: Embed, { request, url }: Pick<Exchange, 'request' | 'url'>): Reply | Promise<Reply> => {
    const known = cache.find(embed);
    const location = known?.path ?? embedPathOf(embed);
    if (url.pathname !== location) {
      return reply(null, { status: 308, headers: { location, 'cache-control': CACHE_CONTROL } });
    }
    const replyWith = ({ representation }: RenderedPage) => representation.reply(request);
    return known ? replyWith(known) : openPage(embed).then(replyWith);
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
