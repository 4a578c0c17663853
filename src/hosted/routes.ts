import { answer } from '../http/answer.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { problemOf, problemResponse } from '../http/problem.ts';
import { EMBED_SCRIPT } from './client-code.ts';
import { findEmbedId, findEmbedName } from './embed-host.ts';
import { embedPage, type HostedServices } from './embed-page.ts';
import { oembed } from './oembed.ts';

/** The script may change with the service; pages that show embeds should have the new one within the hour. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * The hosted door: finds what answers at a URL, or null. On the hosts of embeds there is nothing but embeds, and no
 * token is asked for. `/embed.js` and `/oembed` are about all embeds, and stand beside the API.
 */
export function createHostedRoutes(services: HostedServices): (url: URL) => Route | null {
  const script = createRoute('/embed.js', async () => answer(EMBED_SCRIPT, { headers: SCRIPT_HEADERS }));
  const oembedRoute = createRoute('/oembed', ({ url }) => oembed(url, services));
  const page = createRoute('<id>.<EMBED_HOST>', (exchange) =>
    embedPage(findEmbedId(exchange.url, services), exchange, services),
  );
  return (url) => {
    if (findEmbedName(url, services) !== null) return page;
    return { '/embed.js': script, '/oembed': oembedRoute }[url.pathname] ?? null;
  };
}

function createRoute(name: string, handle: (exchange: Exchange) => Promise<Response>): Route {
  return { name, methods: ['GET'], handle, refuse: (error, { id }) => problemResponse(problemOf(error), id) };
}
