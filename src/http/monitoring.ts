import { Refusal } from '../errors.ts';
import { createPublicRoute, type Exchange, type Route } from './exchange.ts';
import { problemOf, problemResponse } from './problem.ts';
import { type Reply, reply } from './reply.ts';

interface Options {
  /** Rejects if the service is not ready. The message of a {@link Refusal} is shown. */
  readonly ping: () => Promise<void>;
  readonly metrics: { render(): Promise<string>; readonly contentType: string } | null;
  readonly canReadMetrics: (authorization: string | null) => boolean;
}

export function createMonitoringRoutes({ ping, metrics, canReadMetrics }: Options): (url: URL) => Route | null {
  const routes = [
    createRoute('/livez', async () => healthy()),
    createRoute('/readyz', async () => {
      try {
        await ping();
      } catch (error) {
        throw error instanceof Refusal ? error : new Refusal('unavailable', 'The database does not answer.');
      }
      return healthy();
    }),
  ];
  if (metrics) {
    const metricsRoute = createRoute('/metrics', async ({ request }) => {
      if (!canReadMetrics(request.headers.get('authorization'))) {
        throw new Refusal('unauthenticated', 'Send an Authorization header with METRICS_TOKEN as the bearer token.');
      }
      const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
      return reply(await metrics.render(), { headers });
    });
    routes.push(metricsRoute);
  }
  return ({ pathname }) => routes.find(({ name }) => name === pathname) ?? null;
}

function healthy(): Reply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return reply('{"status":"ok"}', { headers });
}

function createRoute(name: string, handle: (exchange: Exchange) => Promise<Reply>): Route {
  const refuse: Route['refuse'] = (error, { id }) => problemResponse(problemOf(error), id);
  return createPublicRoute({ name, methods: ['GET'], handle, refuse });
}
