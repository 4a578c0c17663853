import { randomUUID } from 'node:crypto';
import { createAuthenticate } from './auth/authenticate.ts';
import type { Config } from './config.ts';
import { createEmbedIds } from './domain/embed-id.ts';
import { Refusal } from './errors.ts';
import { createRun } from './graphql/execute.ts';
import { createGraphQLRoute } from './graphql/server.ts';
import { answer, withoutBody } from './http/answer.ts';
import { addCorsHeaders } from './http/cors.ts';
import { allowedMethods, type Exchange, type Route } from './http/exchange.ts';
import { createHealthRoutes } from './http/health.ts';
import { isBug, problemOf, problemResponse, TransportRefusal } from './http/problem.ts';
import { type Log, logBug, logRequest } from './http/request-log.ts';
import { createRestRoutes } from './rest/routes.ts';
import type { Database } from './store/database.ts';

/** The service as one function. */
export interface App {
  fetch(request: Request): Promise<Response>;
}

interface Options {
  readonly config: Pick<Config, 'accessToken' | 'allowPrivatePages' | 'corsOrigins' | 'embedHost' | 'graphiql'>;
  readonly database: Database;
  readonly log: Log;
}

/** Plugs the rooms into each other. What is passed in is opened and closed by the caller. */
export function createApp({ config, database, log }: Options): App {
  const services = {
    embeds: database.embeds,
    newEmbedIdentity: createEmbedIds(),
    pagePolicy: { allowPrivatePages: config.allowPrivatePages },
    embedHost: config.embedHost,
  };
  const authenticate = createAuthenticate(database.tokens, config.accessToken);
  const graphql = createGraphQLRoute({ services, authenticate, log, graphiql: config.graphiql });
  const health = createHealthRoutes(database);
  const rest = createRestRoutes({ run: createRun(services), authenticate });

  const findRoute = (pathname: string): Route | null =>
    rest(pathname) ?? (pathname === '/graphql' ? graphql : null) ?? health(pathname);

  async function respond(exchange: Exchange, route: Route | null): Promise<Response> {
    if (!route) throw new Refusal('not_found', 'There is nothing at this path.');
    const allow = allowedMethods(route);
    if (exchange.method === 'OPTIONS') return answer(null, { status: 204, headers: { allow } });
    if (!route.methods.includes(exchange.method)) {
      throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
    }
    return route.handle(exchange);
  }

  async function settle(exchange: Exchange): Promise<Response> {
    const route = findRoute(exchange.url.pathname);
    try {
      return await respond(exchange, route);
    } catch (error) {
      if (isBug(error)) logBug(log, exchange.id, error);
      return route ? route.refuse(error, exchange) : problemResponse(problemOf(error), exchange.id);
    }
  }

  return {
    async fetch(request) {
      const startedAt = performance.now();
      const exchange = openExchange(request);
      const response = await settle(exchange);
      response.headers.set('x-request-id', exchange.id);
      response.headers.set('x-content-type-options', 'nosniff');
      addCorsHeaders(response.headers, request, config.corsOrigins);
      logRequest(log, exchange, response, startedAt);
      return request.method === 'HEAD' ? withoutBody(response) : response;
    },
  };
}

/** A request id that a proxy may have given already. */
const REQUEST_ID = /^[\w.-]{8,64}$/;

function openExchange(request: Request): Exchange {
  const given = request.headers.get('x-request-id') ?? '';
  return {
    id: REQUEST_ID.test(given) ? given : randomUUID(),
    request,
    url: new URL(request.url),
    method: request.method === 'HEAD' ? 'GET' : request.method,
  };
}
