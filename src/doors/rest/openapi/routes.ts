import type { EmbedHost } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { createRepresentation, type Representation } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';

/** Creates the public route of the OpenAPI document, which is rendered at its first request. */
export function createOpenApiRoute(host: EmbedHost): (url: URL) => Route | null {
  let document: Representation | undefined;
  const route = createPublicRoute('/openapi.json', ({ request }) => {
    document ??= createRepresentation(JSON.stringify(createOpenApiDocument(host)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    });
    return document.reply(request);
  });
  return ({ pathname }) => (pathname === '/openapi.json' ? route : null);
}
