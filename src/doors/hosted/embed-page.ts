import { FRAME_PATHS } from '#frame';
import { partFragmentOf } from '#reader/page-url';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { effectiveSettings } from '../../domain/embed/settings.ts';
import { embedPathOf, embedUrlOf } from '../../domain/embed/url.ts';
import { FRESH_MS, type PageCopy } from '../../domain/page-copy.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type Reply, reply, withHeaders } from '../../http/reply.ts';
import { isForOtherSite } from './allowed-sites.ts';
import { createEmbedLookup, type FoundEmbed } from './embed-lookup.ts';
import { CACHE_CONTROL, createRenderer, NO_PICTURES, type RendererServices } from './embed-representations.ts';
import type { OembedServices } from './oembed.ts';
import { createRenderedPageCache, DELETED, type RenderedPage } from './rendered-page-cache.ts';

export interface HostedServices extends RendererServices {
  /** Seconds for which rendered pages are served while the database is away; 0 for never. */
  readonly staleIfErrorS: number;
  readonly isDatabaseRemote: boolean;
  readonly placeOfId: (id: string) => unknown;
  readonly pages: OembedServices['pages'] & {
    findCopy(pageUrl: string, timeoutMs: number): Promise<PageCopy | null>;
    findShown(pageUrl: string): Promise<PageCopy | null>;
    showPart(copy: PageCopy, pageUrl: string): Promise<PageCopy | null>;
    wasRefreshedSince(pageUrl: string, timeMs: number): boolean;
  };
}

/** After this time the reader gets a card, while the page is still being fetched. */
const PAGE_TIMEOUT_MS = 3_000;

export type EmbedPages = ReturnType<typeof createEmbedPages>;

type Visit = Pick<Exchange, 'request' | 'url'>;

/** Detects the request by which an open frame asks for a new version: a load of the page has only one of these headers. */
function isOpenFrame({ headers }: Exchange['request']): boolean {
  return headers.get('cache-control') === 'no-cache' && headers.get('if-none-match') !== null;
}

export function createEmbedPages(services: HostedServices) {
  const { wasRefreshedSince } = services.pages;
  const cache = createRenderedPageCache(services.now);
  const { edgeHeaders } = services;
  const { renderAll, renderSettingsCard, cacheHeadersOf } = createRenderer(services);
  const find = createEmbedLookup({ ...services, cache, wasRefreshedSince });

  /** Returns null if the source was refreshed after the page was rendered. */
  function findCurrent({ embed, stale }: FoundEmbed, accountSettings: string | null): RenderedPage | null {
    const cached = stale ? stale.page : cache.find(embed);
    if (!cached || !isValid(cached, accountSettings)) return null;
    return !stale && wasRefreshedSince(embed.pageUrl, cached.lookedUpAtMs) ? null : cached;
  }

  /** Compares the clock each time: an expiry takes effect at once, and no longer if the clock is moved back. */
  function isValid(page: RenderedPage, accountSettings: string | null): boolean {
    if (page.accountSettings !== accountSettings) return false;
    return page.expiresAtMs === null || page.expiresAtMs <= services.now().getTime() === page.isExpired;
  }

  /** Returns the settings of the account; while the database is away, those that the stale page was rendered with. */
  function accountSettingsOf({ embed, stale }: FoundEmbed): Awaitable<string | null> {
    return stale ? stale.page.accountSettings : services.accounts.findSettings(embed.accountId);
  }

  /** @param current returned if the copy cannot be looked up */
  async function renderOrReuse(
    embed: Embed,
    accountSettings: string | null,
    current: RenderedPage | null = null,
  ): Promise<RenderedPage> {
    const lookedUpAtMs = performance.now();
    const settings = effectiveSettings(embed.settings, accountSettings);
    const expiresAtMs = settings.expiresAt === null ? null : Date.parse(settings.expiresAt);
    const rules = { settings, accountSettings, expiresAtMs };
    const now = services.now().getTime();
    if (expiresAtMs !== null && expiresAtMs <= now) {
      const page = { ...renderSettingsCard(embed, 'EXPIRED', settings), ...rules, isExpired: true, lookedUpAtMs };
      cache.set(embed, { freshUntil: new Date(now + FRESH_MS) }, page);
      return page;
    }
    const copy = await services.pages.findCopy(embed.pageUrl, PAGE_TIMEOUT_MS);
    const cached = copy && cache.findForCopy(embed, copy);
    if (cached && isValid(cached, accountSettings)) return cached;
    const shown = copy && (await services.pages.showPart(copy, embed.pageUrl));
    if (!shown && current) return current;
    // a page that its site has withdrawn is not served
    const formerPictures = copy?.article?.content ? (cache.findLast(embed)?.pictures ?? NO_PICTURES) : NO_PICTURES;
    const page: RenderedPage = {
      path: embedPathOf(embed),
      ...renderAll({ embed, settings, copy: shown }),
      ...rules,
      isExpired: false,
      formerPictures,
      lookedUpAtMs,
    };
    if (shown && shown.state !== 'PENDING') cache.set(embed, shown, page);
    return page;
  }

  function replyFor(found: FoundEmbed, accountSettings: string | null, { request, url }: Visit): Awaitable<Reply> {
    const { embed } = found;
    const cached = findCurrent(found, accountSettings);
    const location = cached?.path ?? embedPathOf(embed);
    const isWhole = url.pathname === FRAME_PATHS.whole && partFragmentOf(embed.pageUrl) !== null;
    if (url.pathname !== location && !isWhole) return redirectTo(location, embed);
    const send = (page: RenderedPage) => {
      const { representation, whole, settings, expiresAtMs } = page;
      if (isForOtherSite(request, url.hostname, settings.allowedSites)) {
        return renderSettingsCard(embed, 'OTHER_SITE', settings).representation.reply(request);
      }
      if (isWhole) return whole ? whole.reply(request) : redirectTo(page.path, embed);
      const sent = representation.reply(request);
      return expiresAtMs === null ? sent : andThen(sent, (fresh) => withinLifetime(fresh, page));
    };
    const isDue = cached && !found.stale && isOpenFrame(request) && cache.beginCheck(embed);
    if (cached && !isDue) return send(cached);
    return renderOrReuse(embed, accountSettings, cached).then(send);
  }

  /** Shortens the lifetime in shared caches to the time until the embed expires. Leaves a page that no cache stores. */
  function withinLifetime(sent: Reply, page: RenderedPage): Reply {
    if (sent.headers['cache-control'] !== CACHE_CONTROL) return sent;
    return withHeaders(sent, edgeHeaders.until(remainingSOf(page)));
  }

  function remainingSOf({ expiresAtMs, isExpired }: RenderedPage): number {
    if (expiresAtMs === null || isExpired) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor((expiresAtMs - services.now().getTime()) / 1_000));
  }

  const redirectTo = (location: string, embed: Embed) =>
    reply(null, { status: 308, headers: { location, ...cacheHeadersOf(embed) } });

  return {
    /** @throws {Refusal} `unavailable` if the database is away and the page of the embed cannot be served without it */
    find,
    /** Returns the page of an embed at its canonical path, the whole page of a part, and a redirect at every other path. */
    handle(found: FoundEmbed, exchange: Visit): Awaitable<Reply> {
      const { embed, stale } = found;
      if (exchange.url.pathname === FRAME_PATHS.original) {
        // without headers for a CDN: purges name the URL of the embed only
        return reply(null, { status: 302, headers: { location: embed.pageUrl, 'cache-control': CACHE_CONTROL } });
      }
      const sent = andThen(accountSettingsOf(found), (settings) => replyFor(found, settings, exchange));
      if (!stale) return sent;
      return andThen(sent, (fresh) => {
        // no cache stores the card for other sites
        if (fresh.headers['cdn-cache-control'] === undefined) return fresh;
        return withHeaders(fresh, edgeHeaders.ofStale(stale, remainingSOf(stale.page)));
      });
    },
    /** Returns the URL of a picture that the page shows, or that its previous version showed; else null. */
    async findPictureUrl(found: FoundEmbed, name: string): Promise<string | null> {
      const settings = await accountSettingsOf(found);
      const { pictures, formerPictures } = findCurrent(found, settings) ?? (await renderOrReuse(found.embed, settings));
      return pictures.get(name) ?? formerPictures.get(name) ?? null;
    },
    /** Returns the sites that may show the embed; null for all. */
    findAllowedSites: (found: FoundEmbed): Awaitable<readonly string[] | null> =>
      andThen(accountSettingsOf(found), (ofAccount) => effectiveSettings(found.embed.settings, ofAccount).allowedSites),
    /** Records an update or a deletion (null) by this process. */
    noteWrite: (id: string, embed: Embed | null) => cache.noteVersion(id, embed?.version ?? DELETED),
    /** Returns the URLs of the pages of an account that this process has rendered. */
    findUrlsOfAccount: (accountId: string) =>
      cache.findOfAccount(accountId).map((embed) => embedUrlOf(embed, services)),
    /** Makes the next views render the pages of a source again. Returns the URLs of these pages. */
    expireSource: (pageUrl: string) => cache.expireSource(pageUrl).map((embed) => embedUrlOf(embed, services)),
  };
}
