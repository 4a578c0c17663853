import { FRAME_PATHS, type FrameView, renderFrame } from '#frame';
import { createCard } from '#reader/article';
import type { Embed } from '../../domain/embed/embed.ts';
import type { StoredSettings } from '../../domain/embed/settings.ts';
import { embedPathOf, embedUrlOf } from '../../domain/embed/url.ts';
import type { PageCopy, WholePage } from '../../domain/page-copy.ts';
import { createRepresentation, TAG_PLACEHOLDER } from '../../http/representation.ts';
import { type FontSources, findFont } from './font.ts';
import { type OembedServices, oembedAlternatesOf } from './oembed.ts';
import { pageHeaders } from './page-reply.ts';
import type { RenderedPage } from './rendered-page-cache.ts';

/** Browsers and proxies revalidate each time, so that the next reader sees an update of the embed. */
export const CACHE_CONTROL = 'no-cache';

export const NO_PICTURES: RenderedPage['pictures'] = new Map();

export interface RendererServices extends OembedServices, FontSources {
  /** Embeds load their pictures from their own hosts, and not from the sites. */
  readonly hasLocalPictures: boolean;
  /** Embeds report their views. */
  readonly isCounted: boolean;
}

interface View {
  readonly embed: Embed;
  readonly settings: StoredSettings;
  readonly copy: PageCopy | null;
  /** By default that of the copy. */
  readonly state?: FrameView['state'];
}

/** Creates the functions that render the pages of embeds. */
export function createRenderer(services: RendererServices) {
  const { edgeHeaders } = services;

  const cacheHeadersOf = (embed: Embed) => ({ 'cache-control': CACHE_CONTROL, ...edgeHeaders.of(embed) });

  /** Renders an embed, and the whole page if the embed shows a part of it. */
  function renderAll(view: View) {
    const { embed, copy } = view;
    const page = render(view, cacheHeadersOf(embed));
    if (!copy?.whole) return { ...page, whole: null };
    const { whole, ...shown } = copy;
    // without headers for a CDN: purges name the URL of the embed only
    const all = render({ ...view, copy: { ...shown, article: whole.article } }, { 'cache-control': CACHE_CONTROL });
    return { representation: page.representation, pictures: all.pictures, whole: all.representation };
  }

  /** Renders the card of an embed that its settings do not show. It has nothing of the page but its title. */
  function renderSettingsCard(embed: Embed, state: 'EXPIRED' | 'OTHER_SITE', settings: StoredSettings) {
    const isExpired = state === 'EXPIRED';
    // a card for other sites may stand on them, and no cache stores it: the next reader may be on another site
    const view = { embed, settings: isExpired ? settings : { ...settings, allowedSites: null } };
    const headers = isExpired ? cacheHeadersOf(embed) : { 'cache-control': 'no-store' };
    const page = render({ ...view, copy: null, state }, headers);
    return { path: embedPathOf(embed), ...page, whole: null, formerPictures: NO_PICTURES };
  }

  function render(
    { embed, settings, copy, state = copy?.state ?? 'PENDING' }: View,
    cacheHeaders: Readonly<Record<string, string>>,
  ): Pick<RenderedPage, 'representation' | 'pictures'> {
    const embedUrl = embedUrlOf(embed, services);
    const article = copy?.article ?? createCard(embed);
    const alternates = oembedAlternatesOf(embedUrl, services);
    // a request of a script names no site that could be refused
    const isForSite = state !== 'OTHER_SITE';
    const page = renderFrame({
      embed,
      settings,
      article,
      state,
      embedUrl,
      alternates,
      font: findFont(embed.font, services),
      tag: isForSite ? TAG_PLACEHOLDER : null,
      hasLocalPictures: services.hasLocalPictures,
      isCounted: services.isCounted && isForSite,
      placeUrl: copy?.whole ? placeUrlOf(copy.whole, embed.pageUrl) : null,
    });
    const links = alternates.map(({ type, url }) => `<${url}>; rel="alternate"; type="${type}"`);
    const representation = createRepresentation(page.html, {
      ...pageHeaders(page),
      // the next load may show the article instead of this card
      ...(state === 'PENDING' ? { 'cache-control': 'no-store' } : cacheHeaders),
      link: links.join(', '),
    });
    return { representation, pictures: page.pictures };
  }

  return { renderAll, renderSettingsCard, cacheHeadersOf };
}

/** Returns the URL of a part in the whole page. */
function placeUrlOf({ anchor }: WholePage, pageUrl: string): string {
  const passage = /:~:.*$/s.exec(pageUrl)?.[0] ?? '';
  return `${FRAME_PATHS.whole}#${anchor === null ? passage : encodeURIComponent(anchor)}`;
}
