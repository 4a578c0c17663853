import { type EmbedHost, embedOriginOf } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { createRepresentation, type Representation } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** Creates the public route of the OpenAPI document. It names the origin of the request, because imports of Postman and Bruno need one. */
export function createOpenApiRoute(host: EmbedHost): (url: URL) => Route | null {
  let latest: { readonly origin: string; readonly document: Representation } | undefined;
  const route = createPublicRoute('/openapi.json', ({ request, url }) => {
    // a proxy that ends TLS forwards plain requests, and it does so for embeds too
    const origin = `${new URL(embedOriginOf(host)).protocol}//${url.host}`;
    if (latest?.origin !== origin) {
      const text = JSON.stringify(createOpenApiDocument(host, origin));
      latest = { origin, document: createRepresentation(text, HEADERS) };
    }
    return latest.document.reply(request);
  });
  return ({ pathname }) => (pathname === '/openapi.json' ? route : null);
}
