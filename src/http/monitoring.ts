import { Refusal } from '../errors.ts';
import { createPublicRoute, type Route } from './exchange.ts';
import { type Reply, reply } from './reply.ts';

interface Options {
  /** Rejects if the service is not ready. The message of a {@link Refusal} is shown. */
  readonly ping: () => Promise<void>;
  readonly metrics: { render(): Promise<string>; readonly contentType: string } | null;
  readonly canReadMetrics: (authorization: string | null) => boolean;
}

export function createMonitoringRoutes({ ping, metrics, canReadMetrics }: Options): (url: URL) => Route | null {
  const routes = [
    createPublicRoute('/livez', healthy),
    createPublicRoute('/readyz', async () => {
      try {
        await ping();
      } catch (error) {
        throw error instanceof Refusal ? error : new Refusal('unavailable', 'The database does not answer.');
      }
      return healthy();
    }),
  ];
  if (metrics) {
    const metricsRoute = createPublicRoute('/metrics', async ({ request }) => {
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
