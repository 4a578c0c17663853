import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Quota, RateLimited, Refusal } from '../errors.ts';
import { type Log, logBug } from '../log.ts';
import { addCorsHeaders, type CorsOrigins } from './cors.ts';
import {
  allowedMethods,
  type CompletedRequest,
  createPublicRoute,
  type Door,
  type Exchange,
  type IncomingRequest,
  type Route,
} from './exchange.ts';
import { isBug, problemOf, problemResponse, TransportRefusal } from './problem.ts';
import { type Reply, reply, withoutBody } from './reply.ts';
import { logRequest } from './request-log.ts';

interface Options {
  /** Searched for a route in this order. */
  readonly doors: readonly Door[];
  readonly log: Log;
  readonly corsOrigins: CorsOrigins;
  /** Called for each reply; for a stream, when it begins. */
  readonly onReply?: (completed: CompletedRequest) => void;
  /** Called with the number of open streams when it changes. */
  readonly onStreams?: (open: number) => void;
}

/** Long enough for every GraphQL document within the limits to be sent by GET, and below the limit of Node's parser. */
const MAX_URL_LENGTH = 12_288;

/** The reply to a request, and what the log, the metrics and the common headers say about it. */
interface Handled {
  readonly reply: Reply;
  readonly routeName: string | undefined;
  readonly refusalCode: string | undefined;
  readonly accountId: string | null;
  readonly quota: Quota | null;
}

/**
 * The stations of every request: read the URL, find the route, limit the requests in flight, identify the caller, handle,
 * add the common headers, log. It always resolves: an error of any kind becomes a reply.
 */
export function createPipeline(options: Options): (request: Request) => Promise<Reply> {
  const { log, corsOrigins, onReply, onStreams } = options;
  const bulkheads = options.doors.map((door) => createBulkhead(door));

  async function handle(exchange: Exchange, fault: Error | undefined): Promise<Handled> {
    if (fault) return refuse(fault, exchange, null);
    try {
      for (const bulkhead of bulkheads) {
        const route = bulkhead.findRoute(exchange.url);
        if (route)
          return await bulkhead.run(
            () => handleAt(route, exchange),
            (error) => refuse(error, exchange, route),
          );
      }
      throw noRoute(exchange.url);
    } catch (error) {
      return refuse(error, exchange, null);
    }
  }

  async function handleAt(route: Route, exchange: Exchange): Promise<Handled> {
    let accepted: Awaited<ReturnType<Route['accept']>> | undefined;
    try {
      accepted = await (route.methods.includes(exchange.method) ? route : withoutMethod(route)).accept(exchange);
      const handled = await accepted.handle();
      const { caller } = accepted;
      return {
        reply: handled,
        routeName: route.name,
        refusalCode: handled.refusalCode,
        accountId: caller?.identity.accountId ?? null,
        quota: caller?.quota ?? null,
      };
    } catch (error) {
      const refused = refuse(error, exchange, route);
      return accepted?.caller
        ? { ...refused, accountId: accepted.caller.identity.accountId, quota: accepted.caller.quota }
        : refused;
    }
  }

  function refuse(error: unknown, exchange: Exchange, route: Route | null): Handled {
    if (isBug(error)) logBug(log, exchange.id, error);
    const problem = problemOf(error);
    const { quota = null, accountId = null } = error instanceof RateLimited ? error : {};
    return {
      reply: route ? route.refuse(error, exchange) : problemResponse(problem, exchange.id),
      routeName: route?.name,
      refusalCode: problem.code,
      accountId,
      quota,
    };
  }

  function noRoute(url: URL): Refusal {
    const message = 'There is nothing at this path.';
    if (!/[^/]\/$/.test(url.pathname)) return new Refusal('not_found', message);
    const shorter = new URL(url);
    shorter.pathname = url.pathname.slice(0, -1);
    const name = bulkheads.map((bulkhead) => bulkhead.findRoute(shorter)?.name).find((found) => found !== undefined);
    return new Refusal('not_found', name ? `${message} Remove the trailing slash: ${name}.` : message);
  }

  let openStreams = 0;

  function countStream(body: Readable): void {
    onStreams?.(++openStreams);
    body.once('close', () => onStreams?.(--openStreams));
  }

  return async (request) => {
    const startedAt = performance.now();
    const { exchange, fault } = openExchange(request);
    const handled = await handle(exchange, fault);
    const { reply: sent, routeName, refusalCode, accountId, quota } = handled;
    addCommonHeaders(sent, exchange.id, quota);
    addCorsHeaders(sent.headers, request, corsOrigins);
    const secondsSoFar = () => (performance.now() - startedAt) / 1_000;
    const seconds = secondsSoFar();
    const { body, status } = sent;
    if (body instanceof Readable) {
      countStream(body);
      body.once('close', () => logRequest(log, exchange, { status, accountId, seconds: secondsSoFar() }));
    } else {
      logRequest(log, exchange, { status, accountId, seconds });
    }
    onReply?.({ method: request.method, requestId: exchange.id, routeName, refusalCode, status, seconds });
    return request.method === 'HEAD' ? withoutBody(sent) : sent;
  };
}

/** A door with a bound on its requests in flight. Past the bound a request is refused at once: a growing queue would slow all of them. */
function createBulkhead({ findRoute, maxInFlight }: Door) {
  let inFlight = 0;
  return {
    findRoute,
    async run<T>(work: () => Promise<T>, refuse: (error: Refusal) => T): Promise<T> {
      if (inFlight >= maxInFlight) {
        return refuse(new Refusal('unavailable', 'Too many requests are in flight; try again.'));
      }
      inFlight++;
      try {
        return await work();
      } finally {
        inFlight--;
      }
    },
  };
}

/** The route for a method that it does not have: OPTIONS is answered, all others are refused. */
function withoutMethod(route: Route): Route {
  const allow = allowedMethods(route);
  return createPublicRoute({
    ...route,
    handle({ method }) {
      if (method === 'OPTIONS') return reply(null, { status: 204, headers: { allow } });
      throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
    },
  });
}

/** The content security policy of replies that are data; doors that reply with pages set their own. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

function addCommonHeaders({ status, headers }: Reply, requestId: string, quota: Quota | null): void {
  headers['x-request-id'] = requestId;
  headers['x-content-type-options'] = 'nosniff';
  // a 304 would replace the stored headers of the client (RFC 9111 section 3.2)
  if (status !== 304) {
    headers['content-security-policy'] ??= DATA_POLICY;
    headers['referrer-policy'] ??= 'no-referrer';
  }
  if (!quota) return;
  // draft-ietf-httpapi-ratelimit-headers-10
  headers['ratelimit-policy'] = `"${quota.policy}";q=${quota.limit};w=${quota.windowS}`;
  headers.ratelimit = `"${quota.policy}";r=${quota.remaining};t=${quota.resetS}`;
}

/** A request id that a proxy in front may have set. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

/** Stands in the log for a URL that cannot be parsed. */
const UNKNOWN_URL = new URL('http://localhost/');

function openExchange(request: IncomingRequest): { readonly exchange: Exchange; readonly fault: Error | undefined } {
  const given = request.headers.get('x-request-id') ?? '';
  const url = URL.parse(request.url);
  const exchange = {
    id: REQUEST_ID.test(given) ? given : randomUUID(),
    request,
    url: url ?? UNKNOWN_URL,
    address: request.ip ?? null,
    method: request.method === 'HEAD' ? 'GET' : request.method,
  };
  return { exchange, fault: request.fault ?? faultOfUrl(url) };
}

function faultOfUrl(url: URL | null): Error | undefined {
  if (!url) return new Refusal('malformed', 'The Host header and the path do not form a URL.');
  if (url.href.length <= MAX_URL_LENGTH) return undefined;
  return new TransportRefusal('uri_too_long', `The URL must be at most ${MAX_URL_LENGTH} characters.`);
}
