import { type EmbedHost, serviceOriginOf } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { createRepresentationByOrigin } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** Creates the public route of the OpenAPI document. It names the origin of the request, because imports of Postman and Bruno need one. */
export function createOpenApiRoute(host: EmbedHost): (url: URL) => Route | null {
  const documentFor = createRepresentationByOrigin(
    (origin) => JSON.stringify(createOpenApiDocument(host, origin)),
    HEADERS,
  );
  const route = createPublicRoute('/openapi.json', ({ request, url }) =>
    documentFor(serviceOriginOf(url, host)).reply(request),
  );
  return ({ pathname }) => (pathname === '/openapi.json' ? route : null);
}
