import type { EmbedHost } from '../../../domain/embed/url.ts';
import { createPublicRoute, type Route } from '../../../http/exchange.ts';
import { problemOf, problemResponse } from '../../../http/problem.ts';
import { createRepresentation, type Representation } from '../../../http/representation.ts';
import { createOpenApiDocument } from './document.ts';
import { renderReference } from './page.ts';

/** Creates the public routes of the OpenAPI document and of Swagger UI. Both are rendered at their first request. */
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

function createRoute(name: string, render: () => Promise<Representation>): Route {
  let representation: Promise<Representation> | undefined;
  return createPublicRoute({
    name,
    methods: ['GET'],
    async handle({ request }) {
      representation ??= render();
      return (await representation).reply(request);
    },
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  });
}
