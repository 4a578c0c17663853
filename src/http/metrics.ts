import { Refusal } from '../errors.ts';
import type { Route } from './exchange.ts';
import { problemOf, problemResponse } from './problem.ts';
import { reply } from './reply.ts';

interface Options {
  readonly metrics: { render(): Promise<string>; readonly contentType: string };
  /** Whether the value of an Authorization header allows to read them. */
  readonly isAllowed: (authorization: string | null) => boolean;
}

/** `GET /metrics`, in Prometheus' text form, behind a token of its own. */
export function createMetricsRoute({ metrics, isAllowed }: Options): (url: URL) => Route | null {
  const route: Route = {
    name: '/metrics',
    methods: ['GET'],
    async handle({ request }) {
      if (!isAllowed(request.headers.get('authorization'))) {
        throw new Refusal('unauthenticated', 'Send an Authorization header with METRICS_TOKEN as the bearer token.');
      }
      const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
      return reply(await metrics.render(), { headers });
    },
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  };
  return ({ pathname }) => (pathname === '/metrics' ? route : null);
}
