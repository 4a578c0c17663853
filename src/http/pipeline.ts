import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Awaitable, andThen, attempt } from '../awaitable.ts';
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
import { isBug, problemOf, problemResponse, TransportRefusal } from './problem.ts';
import { type Reply, reply, withoutBody } from './reply.ts';

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

interface Handled {
  readonly reply: Reply;
  readonly routeName: string | undefined;
  readonly refusalCode: string | undefined;
  readonly accountId: string | null;
  readonly quota: Quota | null;
}

interface Completion {
  readonly status: number;
  readonly accountId: string | null;
  readonly seconds: number;
}

/** Creates a handler that neither throws nor rejects: every error becomes a reply. */
export function createPipeline(options: Options): (request: Request) => Awaitable<Reply> {
  const { log, corsOrigins, onReply, onOpenStreamsChange, clientAddressOf = createClientAddressOf([]) } = options;
  const bulkheads = options.doors.map((door) => createBulkhead(door));

  /** Handles a request by the first door from `index` on that has a route. */
  function handleFrom(index: number, exchange: Exchange): Awaitable<Handled> {
    const bulkhead = bulkheads[index];
    if (!bulkhead) return notFound(exchange.url).then((refusal) => refuse(refusal, exchange, null));
    return andThen(bulkhead.findRoute(exchange.url), (route) => {
      if (!route) return handleFrom(index + 1, exchange);
      return bulkhead.run(
        () => handleAt(route, exchange),
        (error) => refuse(error, exchange, route),
      );
    });
  }

  function handleAt(route: Route, exchange: Exchange): Awaitable<Handled> {
    let caller: KnownCaller | null = null;
    const handleAccepted = (accepted: Accepted): Awaitable<Handled> => {
      caller = accepted.caller;
      return andThen(accepted.handle(), (handled) => ({
        reply: handled,
        routeName: route.name,
        refusalCode: handled.refusalCode,
        accountId: caller?.identity.accountId ?? null,
        quota: caller?.quota ?? null,
      }));
    };
    const { accept } = route.methods.includes(exchange.method) ? route : withoutMethod(route);
    return attempt(
      () => andThen(accept(exchange), handleAccepted),
      (error) => {
        const refused = refuse(error, exchange, route);
        return caller ? { ...refused, accountId: caller.identity.accountId, quota: caller.quota } : refused;
      },
    );
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

  async function notFound(url: URL): Promise<Refusal> {
    const message = 'There is nothing at this path.';
    const hasTrailingSlash = /[^/]\/$/.test(url.pathname);
    const withoutSlash = hasTrailingSlash ? url.pathname.slice(0, -1) : url.pathname;
    const name = hasTrailingSlash ? await findRouteName(url, [withoutSlash]) : null;
    if (name !== null) return new Refusal('not_found', `${message} Remove the trailing slash: ${name}.`);
    const similar = options.doors.flatMap(({ similarPathsOf }) => similarPathsOf?.(withoutSlash) ?? []);
    const meant = await findRouteName(url, similar);
    return new Refusal('not_found', meant === null ? message : `${message} Did you mean ${meant}?`);
  }

  /** Returns the name of the first route at one of the paths. */
  async function findRouteName(url: URL, pathnames: readonly string[]): Promise<string | null> {
    const other = new URL(url);
    for (const pathname of pathnames) {
      other.pathname = pathname;
      for (const { findRoute } of bulkheads) {
        const route = await findRoute(other);
        if (route) return route.name;
      }
    }
    return null;
  }

  let openStreams = 0;

  function logStream(body: Readable, exchange: Exchange, startedAt: number, { reply, accountId }: Handled): void {
    onOpenStreamsChange?.(++openStreams);
    body.once('close', () => {
      onOpenStreamsChange?.(--openStreams);
      logRequest(log, exchange, { status: reply.status, accountId, seconds: secondsSince(startedAt) });
    });
  }

  function complete(exchange: Exchange, startedAt: number, handled: Handled): Reply {
    const { reply: sent, routeName, refusalCode, accountId, quota } = handled;
    const { request } = exchange;
    addCommonHeaders(sent, exchange.id, quota);
    addCorsHeaders(sent, request, corsOrigins);
    const seconds = secondsSince(startedAt);
    const { body, status } = sent;
    if (body instanceof Readable) logStream(body, exchange, startedAt, handled);
    else logRequest(log, exchange, { status, accountId, seconds });
    onReply?.({ method: request.method, requestId: exchange.id, routeName, refusalCode, status, seconds });
    return request.method === 'HEAD' ? withoutBody(sent) : sent;
  }

  return (request) => {
    const startedAt = performance.now();
    const { exchange, fault } = createExchange(request, clientAddressOf);
    const handled = attempt(
      () => (fault ? refuse(fault, exchange, null) : handleFrom(0, exchange)),
      (error) => refuse(error, exchange, null),
    );
    return andThen(handled, (each) => complete(exchange, startedAt, each));
  };
}

function createBulkhead({ findRoute, maxInFlight }: Door) {
  let inFlight = 0;
  return {
    findRoute,
    /** @param work must not throw */
    run<T>(work: () => Awaitable<T>, refuse: (error: Refusal) => T): Awaitable<T> {
      if (inFlight >= maxInFlight) {
        return refuse(new Refusal('unavailable', 'Too many requests are in flight; try again.'));
      }
      const result = work();
      if (!(result instanceof Promise)) return result;
      inFlight++;
      return result.finally(() => {
        inFlight--;
      });
    },
  };
}

function withoutMethod(route: Route): Route {
  const allow = allowedMethods(route);
  const handle = ({ method }: Exchange) => {
    if (method === 'OPTIONS') return reply(null, { status: 204, headers: { allow } });
    throw new TransportRefusal('method_not_allowed', `This path answers ${allow}.`, { allow });
  };
  return { ...route, accept: (exchange) => acceptPublicly(exchange, handle) };
}

function secondsSince(timeMs: number): number {
  return (performance.now() - timeMs) / 1_000;
}

/** Logs one line, as a warning for 5xx. The query string is left out, since it may contain private data. */
function logRequest(
  log: Log,
  { id, request, url, address }: Exchange,
  { status, accountId, seconds }: Completion,
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

/** The `X-Request-Id` values that are accepted from a proxy. */
export const REQUEST_ID = /^[\w.-]{8,64}$/;

const UNKNOWN_URL = new URL('http://localhost/');

function createExchange(
  request: IncomingRequest,
  clientAddressOf: ClientAddressOf,
): { readonly exchange: Exchange; readonly fault: Error | undefined } {
  const proxyId = request.headers.get('x-request-id') ?? '';
  const url = URL.parse(request.href ?? request.url);
  const exchange = {
    id: REQUEST_ID.test(proxyId) ? proxyId : randomUUID(),
    request,
    url: url ?? UNKNOWN_URL,
    address: clientAddressOf(request.ip, request.headers),
    method: request.method === 'HEAD' ? 'GET' : request.method,
  };
  return { exchange, fault: request.fault ?? findUrlFault(url) };
}

function findUrlFault(url: URL | null): Error | undefined {
  if (!url) return new Refusal('malformed', 'The Host header and the path do not form a URL.');
  if (url.href.length <= MAX_URL_LENGTH) return undefined;
  return new TransportRefusal('uri_too_long', `The URL must be at most ${MAX_URL_LENGTH} characters.`);
}
