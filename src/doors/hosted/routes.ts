import type { Route } from '../../http/exchange.ts';
import { problemOf, problemResponse } from '../../http/problem.ts';
import { createRepresentation } from '../../http/representation.ts';
import { findEmbedId, findEmbedName } from './embed-host.ts';
import { CACHE_CONTROL, createEmbedPage } from './embed-page.ts';
import { oembed, refuseOembed } from './oembed.ts';
import { createPreviewRoute, type PreviewServices } from './preview.ts';
import { EMBED_SCRIPT } from './render/client-code.ts';
import { pageHeaders } from './render/document.ts';
import { errorResponse, renderErrorPage } from './render/error-page.ts';

/** The script may change with the service; pages that show embeds should have the new one within the hour. */
const script = createRepresentation(EMBED_SCRIPT, {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
});

/** The page of an embed that never was, or is no more. */
const notFoundPage = renderErrorPage('not_found', 'It may have been deleted, or its address is not complete.');
const notFound = createRepresentation(notFoundPage.html, {
  ...pageHeaders(notFoundPage),
  'cache-control': CACHE_CONTROL,
});

/**
 * The hosted door: finds what answers at a URL, or null. On the hosts of embeds there is nothing but embeds, and no
 * token is asked for. `/embed.js` and `/oembed` are about all embeds, and stand beside the API; so does `/preview`, for who
 * makes embeds, where previews are on.
 */
export function createHostedRoutes(
  services: PreviewServices & { readonly previews: boolean },
): (url: URL) => Route | null {
  const showEmbed = createEmbedPage(services);

  const page: Route = {
    name: '<id>.<EMBED_HOST>',
    methods: ['GET'],
    async handle(exchange) {
      const id = findEmbedId(exchange.url, services);
      const embed = id && (await services.embeds.findForAnyone(id));
      return embed ? showEmbed(embed, exchange) : notFound.reply(exchange.request, 404);
    },
    // who reads here is a person
    refuse: (error, { id }) => errorResponse(problemOf(error), id),
  };
  const scriptRoute: Route = {
    name: '/embed.js',
    methods: ['GET'],
    handle: ({ request }) => script.reply(request),
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  };
  const oembedRoute: Route = {
    name: '/oembed',
    methods: ['GET'],
    handle: (exchange) => oembed(exchange, services),
    refuse: refuseOembed,
  };
  const routes = new Map([
    ['/embed.js', scriptRoute],
    ['/oembed', oembedRoute],
  ]);
  if (services.previews) routes.set('/preview', createPreviewRoute(services));
  return (url) => {
    if (findEmbedName(url, services) !== null) return page;
    return routes.get(url.pathname) ?? null;
  };
}
