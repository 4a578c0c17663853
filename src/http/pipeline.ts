import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Refusal } from '../errors.ts';
import { addCorsHeaders, type CorsOrigins } from './cors.ts';
import {
  allowedMethods,
  type CompletedRequest,
  type Door,
  type Exchange,
  type IncomingRequest,
  type Route,
} from './exchange.ts';
import { isBug, problemOf, problemResponse, TransportRefusal } from './problem.ts';
import { type Reply, reply, withoutBody } from './reply.ts';
import { type Log, logBug, logRequest } from './request-log.ts';

interface Options {
  /** Asked in this order. */
  readonly doors: readonly Door[];
  readonly log: Log;
  readonly corsOrigins: CorsOrigins;
  /** Told of every answer; of one that is a stream when it begins. */
  readonly onAnswer?: (answered: CompletedRequest) => void;
  /** Told how many streams are open, when that changes. */
  readonly onStreams?: (open: number) => void;
}

/** Long enough for every document that the limits of GraphQL let through GET, short of what Node takes as a header. */
const MAX_URL_LENGTH = 12_288;

/** What every request goes through, whichever door it takes. The answer always comes: an error of any kind becomes one. */
export function createPipeline(options: Options): (request: Request) => Promise<Reply> {
  const { log, corsOrigins, onAnswer, onStreams } = options;
  const lanes = options.doors.map((door) => createLane(door));

  async function settle(exchange: Exchange, fault: Error | undefined): Promise<Reply> {
    let route: Route | null = null;
    try {
      if (fault) throw fault;
      for (const lane of lanes) {
        route = lane.findRoute(exchange.url);
        if (route) return await lane.respond(exchange, route);
      }
      throw nothingAt(exchange.url);
    } catch (error) {
      if (isBug(error)) logBug(log, exchange.id, error);
      const problem = problemOf(error);
      exchange.refusalCode = problem.code;
      return route ? route.refuse(error, exchange) : problemResponse(problem, exchange.id);
    }
  }

  function nothingAt(url: URL): Refusal {
    const nothing = 'There is nothing at this path.';
    if (!/[^/]\/$/.test(url.pathname)) return new Refusal('not_found', nothing);
    const without = new URL(url);
    without.pathname = url.pathname.slice(0, -1);
    const name = lanes.map((lane) => lane.findRoute(without)?.name).find((found) => found !== undefined);
    return new Refusal('not_found', name ? `${nothing} Leave out the slash at its end: ${name}.` : nothing);
  }

  let openStreams = 0;

  function countStream(body: Readable): void {
    onStreams?.(++openStreams);
    body.once('close', () => onStreams?.(--openStreams));
  }

  return async (request) => {
    const startedAt = performance.now();
    const { exchange, fault } = openExchange(request);
    const response = await settle(exchange, fault);
    addCommonHeaders(response, exchange);
    addCorsHeaders(response.headers, request, corsOrigins);
    const secondsSoFar = () => (performance.now() - startedAt) / 1_000;
    const seconds = secondsSoFar();
    const { body } = response;
    if (body instanceof Readable) {
      countStream(body);
      body.once('close', () => logRequest(log, exchange, response, secondsSoFar()));
    } else {
      logRequest(log, exchange, response, seconds);
    }
    const { id: requestId, routeName, refusalCode } = exchange;
    onAnswer?.({ method: request.method, requestId, routeName, refusalCode, status: response.status, seconds });
    return request.method === 'HEAD' ? withoutBody(response) : response;
  };
}

/** A door with its bound. Past it a quick 503 is kinder than a queue that grows. */
function createLane({ findRoute, maxInFlight }: Door) {
  let inFlight = 0;
  return {
    findRoute,
    async respond(exchange: Exchange, route: Route): Promise<Reply> {
      exchange.routeName = route.name;
      if (inFlight >= maxInFlight) {
        throw new Refusal('unavailable', 'Too many requests are under way; try again.');
      }
      inFlight++;
      try {
        return await respond(exchange, route);
      } finally {
        inFlight--;
      }
    },
  };
}

function respond(exchange: Exchange, route: Route): Reply | Promise<Reply> {
  if (route.methods.includes(exchange.method)) return route.handle(exchange);
  const allow = allowedMethods(route);
  if (exchange.method === 'OPTIONS') return reply(null, { status: 204, headers: { allow } });
  throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
}

/** What every answer bears; where a door says more of its content than this, it stands. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

function addCommonHeaders({ status, headers }: Reply, { id, quota }: Exchange): void {
  headers['x-request-id'] = id;
  headers['x-content-type-options'] = 'nosniff';
  // a 304 would replace what the client keeps with them (RFC 9111 section 3.2)
  if (status !== 304) {
    headers['content-security-policy'] ??= DATA_POLICY;
    headers['referrer-policy'] ??= 'no-referrer';
  }
  if (!quota) return;
  // draft-ietf-httpapi-ratelimit-headers-10
  headers['ratelimit-policy'] = `"${quota.policy}";q=${quota.limit};w=${quota.windowS}`;
  headers.ratelimit = `"${quota.policy}";r=${quota.remaining};t=${quota.resetS}`;
}

/** A request id that a proxy may have given already. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

/** Where a request is noted that names no place at all. */
const NOWHERE = new URL('http://localhost/');

function openExchange(request: IncomingRequest): { readonly exchange: Exchange; readonly fault: Error | undefined } {
  const given = request.headers.get('x-request-id') ?? '';
  const url = URL.parse(request.url);
  const exchange = {
    id: REQUEST_ID.test(given) ? given : randomUUID(),
    request,
    url: url ?? NOWHERE,
    address: request.ip ?? null,
    method: request.method === 'HEAD' ? 'GET' : request.method,
  };
  return { exchange, fault: request.fault ?? faultOfUrl(url) };
}

function faultOfUrl(url: URL | null): Error | undefined {
  if (!url) return new Refusal('malformed', 'The Host header and the path are no URL.');
  if (url.href.length <= MAX_URL_LENGTH) return undefined;
  return new TransportRefusal('uri_too_long', `The URL must be at most ${MAX_URL_LENGTH} characters.`);
}
