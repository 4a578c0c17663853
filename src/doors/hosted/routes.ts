import { EMBED_SCRIPT, FRAME_PATHS, renderReaderError } from '#frame';
import type { Awaitable } from '../../awaitable.ts';
import { createPublicRoute, type Exchange, type Route } from '../../http/exchange.ts';
import { problemOf } from '../../http/problem.ts';
import { type Reply, withHeaders } from '../../http/reply.ts';
import { createRepresentation } from '../../http/representation.ts';
import { createEdgeHeaders } from './edge-headers.ts';
import { findEmbedId, findEmbedName } from './embed-host.ts';
import type { FoundEmbed } from './embed-lookup.ts';
import { createEmbedPages } from './embed-page.ts';
import { CACHE_CONTROL } from './embed-representations.ts';
import { findFontRoute } from './font.ts';
import { handleOembed, refuseOembed } from './oembed.ts';
import { errorReply, pageHeaders } from './page-reply.ts';
import { createIconRoute, createPictureRoute, ICON_FOLDER, type PictureSource } from './picture.ts';
import { createPreviewRoute, type PreviewServices } from './preview.ts';
import { createViewRoute, type ViewServices } from './view-report.ts';

/** Cached for an hour, so that sites get a new version of the script soon. */
const script = createRepresentation(EMBED_SCRIPT, {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
});

const notFoundPage = renderReaderError('notFound');
const notFound = createRepresentation(notFoundPage.html, {
  ...pageHeaders(notFoundPage),
  'cache-control': CACHE_CONTROL,
});

interface Options extends Omit<PreviewServices, 'isCounted' | 'edgeHeaders'> {
  /** The console is on. */
  readonly previews: boolean;
  /** A CDN receives purges. */
  readonly hasPurges: boolean;
  readonly pictures: PictureSource;
  /** Null if views are not counted. */
  readonly views: ViewServices['views'] | null;
}

/** Hosts of embeds serve embeds and their pictures only. All other routes are on the host of the API. */
export function createHostedRoutes(options: Options) {
  const edgeHeaders = createEdgeHeaders(options);
  const { pictures, views } = options;
  const services = { ...options, isCounted: views !== null, edgeHeaders };
  const embedPages = createEmbedPages(services);

  function handlePage(exchange: Exchange): Awaitable<Reply> {
    const id = findEmbedId(exchange.url, services);
    const found = id === null ? null : embedPages.find(id);
    if (found instanceof Promise) return found.then((each) => handleFound(each, id, exchange));
    return handleFound(found, id, exchange);
  }

  function handleFound(found: FoundEmbed | null, id: string | null, exchange: Exchange): Awaitable<Reply> {
    return found ? embedPages.handle(found, exchange) : replyForUnknown(id, exchange);
  }

  async function replyForUnknown(id: string | null, { request }: Exchange): Promise<Reply> {
    return withHeaders(await notFound.reply(request, 404), edgeHeaders.ofUnknown(id));
  }

  const page = createPublicRoute('<id>.<EMBED_HOST>', handlePage, (error, { id }) => errorReply(problemOf(error), id));
  const picture = services.hasLocalPictures ? createPictureRoute(embedPages, pictures, services) : null;
  const icon = services.previews ? createIconRoute(embedPages, pictures, services) : null;
  const view = views && createViewRoute({ ...services, ...embedPages, views });
  const routes = new Map([
    ['/embed.js', createPublicRoute('/embed.js', ({ request }) => script.reply(request))],
    ['/oembed', createPublicRoute('/oembed', (exchange) => handleOembed(exchange, services), refuseOembed)],
  ]);
  if (services.previews) routes.set('/preview', createPreviewRoute(services));
  const { noteWrite, expireSource, findUrlsOfAccount } = embedPages;
  return {
    findUrlsOfAccount,
    noteWrite,
    expireSource,
    pages(url: URL): Route | null {
      if (findEmbedName(url, services) !== null) return view && url.pathname === FRAME_PATHS.views ? view : page;
      return routes.get(url.pathname) ?? findFontRoute(url.pathname);
    },
    pictures(url: URL): Route | null {
      if (url.pathname.startsWith(FRAME_PATHS.pictures)) return findEmbedName(url, services) === null ? null : picture;
      return url.pathname.startsWith(ICON_FOLDER) && findEmbedName(url, services) === null ? icon : null;
    },
  };
}
