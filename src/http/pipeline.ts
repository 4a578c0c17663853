import { Readable } from 'node:stream';
import type { Awaitable } from '../awaitable.ts';
import { type Quota, RateLimited, Refusal } from '../errors.ts';
import { type Log, logBug } from '../log.ts';
import { type ClientAddressOf, createClientAddressOf } from './client-address.ts';
import { addCommonHeaders, addCorsHeaders, type CorsOrigins } from './common-headers.ts';
import {
  type Accepted,
  acceptPublicly,
  allowedMethods,
  type CompletedRequest,
  type Door,
  type Exchange,
  type IncomingRequest,
  type KnownCaller,
  type Route,
} from './exchange.ts';
import { isBug, problemOf, problemReply, TransportRefusal } from './problem.ts';
import { type Reply, reply, withoutBody } from './reply.ts';
import { newRequestId, REQUEST_ID } from './request-id.ts';

interface Options {
  readonly doors: readonly Door[];
  readonly log: Log;
  readonly corsOrigins: CorsOrigins;
  /** Without proxies by default. */
  readonly clientAddressOf?: ClientAddressOf;
  /** Called for each reply; for a stream, when it begins. */
  readonly onReply?: (completed: CompletedRequest) => void;
  readonly onOpenStreamsChange?: (count: number) => void;
}

/** Fits every GraphQL document within the limits, and is below the limit of Node's parser. */
const MAX_URL_LENGTH = 12_288;
/** The URL of an exchange whose own is not valid. It is refused. */
const UNKNOWN_URL = new URL('http://localhost/');

interface BoundedDoor extends Door {
  inFlight: number;
}

interface Handled {
  readonly reply: Reply;
  readonly routeName: string | undefined;
  readonly refusalCode: string | undefined;
  readonly accountId: string | null;
  readonly quota: Quota | null;
}

/** Creates a handler that neither throws nor rejects: every error becomes a reply. */
export function createPipeline(options: Options): (request: IncomingRequest) => Awaitable<Reply> {
  const { log, corsOrigins, onReply, onOpenStreamsChange, clientAddressOf = createClientAddressOf([]) } = options;
  const doors: readonly BoundedDoor[] = options.doors.map((door) => ({ ...door, inFlight: 0 }));

  /** Handles a request by the first door from `index` on that has a route. */
  function handleFrom(index: number, exchange: Exchange): Awaitable<Handled> {
    const door = doors[index];
    if (!door) return notFound(doors, exchange.url).then((refusal) => refuse(refusal, exchange, null));
    const found = door.findRoute(exchange.url);
    if (!(found instanceof Promise)) {
      return found ? handleWithin(door, found, exchange) : handleFrom(index + 1, exchange);
    }
    return found.then((route) => (route ? handleWithin(door, route, exchange) : handleFrom(index + 1, exchange)));
  }

  /** Refuses requests over the limit of the door. */
  function handleWithin(door: BoundedDoor, route: Route, exchange: Exchange): Awaitable<Handled> {
    if (door.inFlight >= door.maxInFlight) {
      return refuse(new Refusal('unavailable', 'Too many requests are in flight; try again.'), exchange, route);
    }
    const handled = handleAt(route, exchange);
    if (!(handled instanceof Promise)) return handled;
    door.inFlight++;
    const end = () => {
      door.inFlight--;
    };
    handled.then(end, end);
    return handled;
  }

  function handleAt(route: Route, exchange: Exchange): Awaitable<Handled> {
    let accepted: Awaitable<Accepted>;
    try {
      accepted = (route.methods.includes(exchange.method) ? route : withoutMethod(route)).accept(exchange);
    } catch (error) {
      return refuse(error, exchange, route);
    }
    if (!(accepted instanceof Promise)) return handleAccepted(accepted, route, exchange);
    return accepted.then(
      (each) => handleAccepted(each, route, exchange),
      (error) => refuse(error, exchange, route),
    );
  }

  function handleAccepted(accepted: Accepted, route: Route, exchange: Exchange): Awaitable<Handled> {
    const { caller } = accepted;
    let handled: Awaitable<Reply>;
    try {
      handled = accepted.handle(exchange);
    } catch (error) {
      return refuse(error, exchange, route, caller);
    }
    if (!(handled instanceof Promise)) return handledBy(route, handled, caller);
    return handled.then(
      (each) => handledBy(route, each, caller),
      (error) => refuse(error, exchange, route, caller),
    );
  }

  function refuse(error: unknown, exchange: Exchange, route: Route | null, caller: KnownCaller | null = null): Handled {
    if (isBug(error)) logBug(log, exchange.id, error);
    const problem = problemOf(error);
    const { quota = null, accountId = null } = error instanceof RateLimited ? error : {};
    return {
      reply: route?.refuse?.(error, exchange) ?? problemReply(problem, exchange.id),
      routeName: route?.name,
      refusalCode: problem.code,
      accountId: caller ? caller.identity.accountId : accountId,
      quota: caller ? caller.quota : quota,
    };
  }

  let openStreams = 0;

  function logStream(body: Readable, exchange: Exchange, startedAt: number, handled: Handled): void {
    onOpenStreamsChange?.(++openStreams);
    body.once('close', () => {
      onOpenStreamsChange?.(--openStreams);
      logRequest(log, exchange, handled, secondsSince(startedAt));
    });
  }

  function complete(exchange: Exchange, startedAt: number, handled: Handled): Reply {
    const { reply: sent, routeName, refusalCode, quota } = handled;
    const { request } = exchange;
    addCommonHeaders(sent, exchange.id, quota);
    addCorsHeaders(sent, request, corsOrigins);
    const seconds = secondsSince(startedAt);
    const { body, status } = sent;
    if (body instanceof Readable) logStream(body, exchange, startedAt, handled);
    else logRequest(log, exchange, handled, seconds);
    onReply?.({ method: request.method, requestId: exchange.id, routeName, refusalCode, status, seconds });
    return request.method === 'HEAD' ? withoutBody(sent) : sent;
  }

  function createExchange(request: IncomingRequest, url: URL): Exchange {
    const proxyId = request.headers.get('x-request-id');
    return {
      id: proxyId !== null && REQUEST_ID.test(proxyId) ? proxyId : newRequestId(),
      request,
      url,
      address: clientAddressOf(request.ip, request.headers),
      method: request.method === 'HEAD' ? 'GET' : request.method,
    };
  }

  function handle(exchange: Exchange, fault: Error | null): Awaitable<Handled> {
    if (fault) return refuse(fault, exchange, null);
    try {
      const handled = handleFrom(0, exchange);
      return handled instanceof Promise ? handled.catch((error) => refuse(error, exchange, null)) : handled;
    } catch (error) {
      return refuse(error, exchange, null);
    }
  }

  return (request) => {
    const startedAt = performance.now();
    const url = URL.parse(request.url);
    const exchange = createExchange(request, url ?? UNKNOWN_URL);
    const handled = handle(exchange, request.fault ?? findUrlFault(url));
    if (!(handled instanceof Promise)) return complete(exchange, startedAt, handled);
    return handled.then((each) => complete(exchange, startedAt, each));
  };
}

function handledBy(route: Route, handled: Reply, caller: KnownCaller | null): Handled {
  return {
    reply: handled,
    routeName: route.name,
    refusalCode: handled.refusalCode,
    accountId: caller ? caller.identity.accountId : null,
    quota: caller ? caller.quota : null,
  };
}

/** Creates the refusal of a path without a route. It suggests a similar path that has one. */
async function notFound(doors: readonly Door[], url: URL): Promise<Refusal> {
  const message = 'There is nothing at this path.';
  const hasTrailingSlash = /[^/]\/$/.test(url.pathname);
  const withoutSlash = hasTrailingSlash ? url.pathname.slice(0, -1) : url.pathname;
  const name = hasTrailingSlash ? await findRouteName(doors, url, [withoutSlash]) : null;
  if (name !== null) return new Refusal('not_found', `${message} Remove the trailing slash: ${name}.`);
  const similar = doors.flatMap(({ similarPathsOf }) => similarPathsOf?.(withoutSlash) ?? []);
  const meant = await findRouteName(doors, url, similar);
  return new Refusal('not_found', meant === null ? message : `${message} Did you mean ${meant}?`);
}

/** Returns the name of the first route at one of the paths. */
async function findRouteName(doors: readonly Door[], url: URL, pathnames: readonly string[]): Promise<string | null> {
  const other = new URL(url);
  for (const pathname of pathnames) {
    other.pathname = pathname;
    for (const { findRoute } of doors) {
      const route = await findRoute(other);
      if (route) return route.name;
    }
  }
  return null;
}

function withoutMethod(route: Route): Route {
  const allow = allowedMethods(route);
  const handle = ({ method }: Exchange) => {
    if (method === 'OPTIONS') return reply(null, { status: 204, headers: { allow } });
    throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
  };
  return { ...route, accept: acceptPublicly(handle) };
}

function secondsSince(timeMs: number): number {
  return (performance.now() - timeMs) / 1_000;
}

/** Logs one line, as a warning for 5xx. The query string is left out, since it may contain private data. */
function logRequest(
  log: Log,
  { id, request, url, address }: Exchange,
  { reply: { status }, accountId }: Handled,
  seconds: number,
): void {
  const ms = Math.round(seconds * 100_000) / 100;
  log[status < 500 ? 'info' : 'warn'](
    {
      requestId: id,
      method: request.method,
      host: url.host,
      path: url.pathname,
      status,
      ms,
      address: address ?? undefined,
      accountId: accountId ?? undefined,
    },
    'request',
  );
}

function findUrlFault(url: URL | null): Error | null {
  if (!url) return new Refusal('malformed', 'The Host header and the path do not form a URL.');
  if (url.href.length <= MAX_URL_LENGTH) return null;
  return new TransportRefusal('uri_too_long', `The URL must be at most ${MAX_URL_LENGTH} characters.`);
}
