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
  /** How many requests may be under way at once. */
  readonly maxInFlight?: number;
}

const MAX_IN_FLIGHT = 500;

/** What every request goes through, whichever door it takes. The answer always comes: an error of any kind becomes one. */
export function createPipeline(options: Options): (request: Request) => Promise<Response> {
  const { findRoute, log, corsOrigins, maxInFlight = MAX_IN_FLIGHT } = options;
  async function settle(exchange: Exchange): Promise<Response> {
    const route = findRoute(exchange.url);
    try {
      return await respond(exchange, route);
    } catch (error) {
      if (isBug(error)) logBug(log, exchange.id, error);
      return route ? route.refuse(error, exchange) : problemResponse(problemOf(error), exchange.id);
    }
  }

  let inFlight = 0;

  /** Past the bound a quick 503 is kinder than a queue that grows. */
  async function admit(exchange: Exchange): Promise<Response> {
    if (inFlight >= maxInFlight) {
      const error = new Refusal('unavailable', 'Too many requests are under way; try again.');
      return problemResponse(problemOf(error), exchange.id);
    }
    inFlight++;
    try {
      return await settle(exchange);
    } finally {
      inFlight--;
    }
  }

  return async (request) => {
    const startedAt = performance.now();
    const exchange = openExchange(request);
    const response = await admit(exchange);
    response.headers.set('x-request-id', exchange.id);
    response.headers.set('x-content-type-options', 'nosniff');
    addQuotaHeaders(response.headers, exchange);
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

/** The `RateLimit` and `RateLimit-Policy` fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10). */
function addQuotaHeaders(headers: Headers, { quota }: Exchange): void {
  if (!quota) return;
  headers.set('ratelimit-policy', `"token";q=${quota.limit};w=60`);
  headers.set('ratelimit', `"token";r=${quota.remaining};t=${quota.resetS}`);
}

/** A request id that a proxy may have given already. */
const REQUEST_ID = /^[\w.-]{8,64}$/;

function openExchange(request: Request): Exchange {
  const given = request.headers.get('x-request-id') ?? '';
  return {
    id: REQUEST_ID.test(given) ? given : randomUUID(),
    request,
    url: new URL(request.url),
    address: (request as { readonly ip?: string }).ip ?? null,
    method: request.method === 'HEAD' ? 'GET' : request.method,
  };
}
