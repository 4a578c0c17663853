import type { EmbedHost } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { problemOf, problemResponse } from '../../../http/problem.ts';
import { createRepresentation, type Representation } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';
import { renderReference } from './page.ts';

/**
 * `GET /openapi.json`: what the REST door takes and answers (OpenAPI 3.1). `GET /docs`: the same for people. Neither needs
 * a token. Both are made when first asked for, then kept.
 */
export function createReferenceRoutes(host: EmbedHost): (url: URL) => Route | null {
  const document = createRoute('/openapi.json', async () =>
    createRepresentation(JSON.stringify(createOpenApiDocument(host)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  const page = createRoute('/docs', renderReference);
  return ({ pathname }) => ({ '/openapi.json': document, '/docs': page })[pathname] ?? null;
}

function createRoute(name: string, make: () => Promise<Representation>): Route {
  let made: Promise<Representation> | undefined;
  return createPublicRoute({
    name,
    methods: ['GET'],
    async handle({ request }) {
      made ??= make();
      return (await made).reply(request);
    },
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  });
}
