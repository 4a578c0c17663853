import { randomUUID } from 'node:crypto';
import { Refusal } from '../errors.ts';
import { answer, withoutBody } from './answer.ts';
import { addCorsHeaders, type CorsOrigins } from './cors.ts';
import { allowedMethods, type Exchange, type Route } from './exchange.ts';
import { isBug, problemOf, problemResponse, TransportRefusal } from './problem.ts';
import { type Log, logBug, logRequest } from './request-log.ts';

interface Options {
  /** Which door answers at a URL; null where there is none. */
  readonly findRoute: (url: URL) => Route | null;
  readonly log: Log;
  readonly corsOrigins: CorsOrigins;
}

/** What every request goes through, whichever door it takes. The answer always comes: an error of any kind becomes one. */
export function createPipeline({ findRoute, log, corsOrigins }: Options): (request: Request) => Promise<Response> {
  async function settle(exchange: Exchange): Promise<Response> {
    const route = findRoute(exchange.url);
    try {
      return await respond(exchange, route);
    } catch (error) {
      if (isBug(error)) logBug(log, exchange.id, error);
      return route ? route.refuse(error, exchange) : problemResponse(problemOf(error), exchange.id);
    }
  }

  return async (request) => {
    const startedAt = performance.now();
    const exchange = openExchange(request);
    const response = await settle(exchange);
    response.headers.set('x-request-id', exchange.id);
    response.headers.set('x-content-type-options', 'nosniff');
    addCorsHeaders(response.headers, request, corsOrigins);
    logRequest(log, exchange, response, startedAt);
    return request.method === 'HEAD' ? withoutBody(response) : response;
  };
}

async function respond(exchange: Exchange, route: Route | null): Promise<Response> {
  if (!route) throw new Refusal('not_found', 'There is nothing at this path.');
  const allow = allowedMethods(route);
  if (exchange.method === 'OPTIONS') return answer(null, { status: 204, headers: { allow } });
  if (!route.methods.includes(exchange.method)) {
    throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
  }
  return route.handle(exchange);
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
