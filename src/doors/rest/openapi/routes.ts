import { type EmbedHost, serviceOriginOf } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { createRepresentationByOrigin } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** Takes the place of the origin of a request. */
const ANY_ORIGIN = '{origin}';

/** Creates the public route of the OpenAPI document. It names the origin of the request, because imports of Postman and Bruno need one. */
export function createOpenApiRoute(host: EmbedHost): (url: URL) => Route | null {
  let text: string | undefined;
  const documentFor = createRepresentationByOrigin((origin) => {
    // each client may name another host, and the document takes long to create
    text ??= JSON.stringify(createOpenApiDocument(host, ANY_ORIGIN));
    return text.replace(JSON.stringify(ANY_ORIGIN), () => JSON.stringify(origin));
  }, HEADERS);
  const route = createPublicRoute('/openapi.json', ({ request, url }) =>
    documentFor(serviceOriginOf(url, host)).reply(request),
  );
  return ({ pathname }) => (pathname === '/openapi.json' ? route : null);
}
