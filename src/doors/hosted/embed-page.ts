import { createCard } from '#reader/article';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { embedPathOf, embedUrlOf } from '../../domain/embed/url.ts';
import type { PageCopy } from '../../domain/page-copy.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type Reply, reply, withHeaders } from '../../http/reply.ts';
import { createRepresentation } from '../../http/representation.ts';
import { createEmbedLookup, type FoundEmbed } from './embed-lookup.ts';
import { OEMBED_TYPES, type OembedFormat, type OembedServices, oembedUrlsOf } from './oembed.ts';
import { pageHeaders } from './render/document.ts';
import type { PictureUrls } from './render/local-pictures.ts';
import { renderEmbedPage } from './render/view.ts';
import { type FontSources, findWebFont } from './render/web-font.ts';
import { createRenderedPageCache, DELETED, type RenderedPage } from './rendered-page-cache.ts';

export interface HostedServices extends OembedServices, FontSources {
  /** Embeds load their pictures from their own hosts, and not from the sites. */
  readonly hasLocalPictures: boolean;
  /** Seconds for which rendered pages are served while the database is away; 0 for never. */
  readonly staleIfErrorS: number;
  readonly isDatabaseRemote: boolean;
  readonly placeOfId: (id: string) => unknown;
  readonly pages: {
    findCopy(pageUrl: string, timeoutMs: number): Promise<PageCopy | null>;
    wasRefreshedSince(pageUrl: string, timeMs: number): boolean;
  };
}

/** After this time the reader gets a card, while the page is still being fetched. */
const PAGE_TIMEOUT_MS = 3_000;

/** Browsers and proxies revalidate each time, so that the next reader sees an update of the embed. */
export const CACHE_CONTROL = 'no-cache';

/** Redirects to the source page, for host pages that may only navigate to the host of the embed, such as WordPress. */
const ORIGINAL_PATH = '/original';

const NO_PICTURES: PictureUrls = new Map();

export interface EmbedPages {
  /** @throws {Refusal} `unavailable` if the database is away and the page of the embed cannot be served without it */
  find(id: string): Awaitable<FoundEmbed | null>;
  /** Returns the page of an embed at its canonical path, and a redirect to it at every other path. */
  handle(found: FoundEmbed, exchange: Pick<Exchange, 'request' | 'url'>): Awaitable<Reply>;
  /** Returns the URL of a picture that the page shows, or that its previous version showed; else null. */
  findPictureUrl(found: FoundEmbed, name: string): Promise<string | null>;
  /** Records an update or a deletion (null) by this process. */
  noteWrite(id: string, embed: Embed | null): void;
  /** Makes the next views render the pages of a source again. Returns the URLs of these pages. */
  expireSource(pageUrl: string): readonly string[];
}

export function createEmbedPages(services: HostedServices): EmbedPages {
  const { wasRefreshedSince } = services.pages;
  const cache = createRenderedPageCache(services.now);
  const { embeds, edgeHeaders, staleIfErrorS, isDatabaseRemote, placeOfId } = services;
  const find = createEmbedLookup({ embeds, cache, wasRefreshedSince, staleIfErrorS, isDatabaseRemote, placeOfId });

  /** Returns null if the source was refreshed after the page was rendered. */
  function findCurrent({ embed, stale }: FoundEmbed): RenderedPage | null {
    if (stale) return stale.page;
    const cached = cache.find(embed);
    return cached && wasRefreshedSince(embed.pageUrl, cached.lookedUpAtMs) ? null : cached;
  }

  async function renderOrReuse(embed: Embed, acceptLanguage: string | null): Promise<RenderedPage> {
    const lookedUpAtMs = performance.now();
    const copy = await services.pages.findCopy(embed.pageUrl, PAGE_TIMEOUT_MS);
    const cached = copy && cache.findForCopy(embed, copy);
    if (cached) return cached;
    // a page that its site has withdrawn is not served
    const formerPictures = copy?.article?.content ? (cache.findLast(embed)?.pictures ?? NO_PICTURES) : NO_PICTURES;
    const page = { path: embedPathOf(embed), ...render(embed, copy, acceptLanguage), formerPictures, lookedUpAtMs };
    if (copy && copy.state !== 'PENDING') cache.set(embed, copy, page);
    return page;
  }

  function render(
    embed: Embed,
    copy: PageCopy | null,
    acceptLanguage: string | null,
  ): Pick<RenderedPage, 'representation' | 'pictures'> {
    const embedUrl = embedUrlOf(embed, services);
    const article = copy?.article ?? createCard(embed);
    const state = copy?.state ?? 'PENDING';
    const oembedUrls = oembedUrlsOf(embedUrl, services);
    const webFont = findWebFont(embed.font, services);
    const { hasLocalPictures } = services;
    const isPending = state === 'PENDING';
    const page = renderEmbedPage({
      embed,
      article,
      state,
      embedUrl,
      oembedUrls,
      webFont,
      hasLocalPictures,
      // a page that caches store is the same for all readers
      acceptLanguage: isPending ? acceptLanguage : null,
    });
    const link = (format: OembedFormat) => `<${oembedUrls[format]}>; rel="alternate"; type="${OEMBED_TYPES[format]}"`;
    const representation = createRepresentation(page.html, {
      ...pageHeaders(page),
      // the next load may show the article instead of this card
      ...(isPending ? { 'cache-control': 'no-store' } : cacheHeadersOf(embed)),
      link: `${link('json')}, ${link('xml')}`,
    });
    return { representation, pictures: page.pictures };
  }

  const cacheHeadersOf = (embed: Embed) => ({ 'cache-control': CACHE_CONTROL, ...edgeHeaders.of(embed) });

  function replyFor(found: FoundEmbed, { request, url }: Pick<Exchange, 'request' | 'url'>): Awaitable<Reply> {
    const { embed } = found;
    const cached = findCurrent(found);
    const location = cached?.path ?? embedPathOf(embed);
    if (url.pathname !== location) {
      return reply(null, { status: 308, headers: { location, ...cacheHeadersOf(embed) } });
    }
    if (cached) return cached.representation.reply(request);
    return renderOrReuse(embed, request.headers.get('accept-language')).then(({ representation }) =>
      representation.reply(request),
    );
  }

  return {
    find,
    handle(found, exchange) {
      const { embed, stale } = found;
      if (exchange.url.pathname === ORIGINAL_PATH) {
        // without headers for a CDN: purges name the URL of the embed only
        return reply(null, { status: 302, headers: { location: embed.pageUrl, 'cache-control': CACHE_CONTROL } });
      }
      const sent = replyFor(found, exchange);
      return stale ? andThen(sent, (fresh) => withHeaders(fresh, edgeHeaders.ofStale(stale))) : sent;
    },
    async findPictureUrl(found, name) {
      const { pictures, formerPictures } = findCurrent(found) ?? (await renderOrReuse(found.embed, null));
      return pictures.get(name) ?? formerPictures.get(name) ?? null;
    },
    noteWrite: (id, embed) => cache.noteVersion(id, embed?.version ?? DELETED),
    expireSource: (pageUrl) => cache.expireSource(pageUrl).map((embed) => embedUrlOf(embed, services)),
  };
}
