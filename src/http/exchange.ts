import type { Readable } from 'node:stream';
import type { Quota } from '../errors.ts';
import type { Reply } from './reply.ts';

/** A request as the listener passes it on. Everything besides `Request` is optional, so that tests can send plain ones. */
export interface IncomingRequest extends Request {
  /** The network address of the sender. */
  readonly ip?: string | undefined;
  /** The body as a Node stream. Reading it costs less than reading `body`. */
  readonly source?: Readable;
  /** Sends `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1). Called before `source` is read. */
  readonly askForBody?: () => void;
  /** What the listener found wrong with the message itself; the request is refused with it. */
  readonly fault?: Error;
}

/** One request on its way through the service. Nothing is written to it. */
export interface Exchange {
  /** `X-Request-Id` of the reply, and the request id of all log lines. */
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** The method; HEAD reads as GET, and the pipeline leaves the body out. */
  readonly method: string;
  /** The network address that the request came from; null when it is not known. */
  readonly address: string | null;
}

/** The sender of a request, once identified: for the log, and for the RateLimit headers. */
export interface KnownCaller {
  readonly identity: { readonly accountId: string };
  readonly quota: Quota | null;
}

/** A request that a route has accepted. */
export interface Accepted {
  /** Null where the route needs no token. */
  readonly caller: KnownCaller | null;
  /** Does the work. A rejection becomes the reply of {@link Route.refuse}. */
  handle(): Reply | Promise<Reply>;
}

/** A path of one door. */
export interface Route {
  /** The path for logs and metrics, with placeholders for its variable parts. */
  readonly name: string;
  /** For `Allow`. HEAD is implied by GET, and OPTIONS is always allowed. */
  readonly methods: readonly string[];
  /** Identifies the caller, where the route needs a token. */
  accept(exchange: Exchange): Accepted | Promise<Accepted>;
  /** The reply to an error that {@link accept} or {@link Accepted.handle} rejected with, in the format of the door. */
  refuse(error: unknown, exchange: Exchange): Reply;
}

interface PublicRoute extends Omit<Route, 'accept'> {
  handle(exchange: Exchange): Reply | Promise<Reply>;
}

/** Creates a route that needs no token. */
export function createPublicRoute({ handle, ...route }: PublicRoute): Route {
  return { ...route, accept: (exchange) => ({ caller: null, handle: () => handle(exchange) }) };
}

/** A way into the service. */
export interface Door {
  /** The route of a URL; null when the door has none. */
  readonly findRoute: (url: URL) => Route | null;
  /** How many of its requests may be in flight, so that a crowd at one door does not block the others. */
  readonly maxInFlight: number;
}

/** A request that has been replied to, for metrics and traces. */
export interface CompletedRequest {
  readonly method: string;
  readonly requestId: string;
  /** Undefined when no route was found. */
  readonly routeName: string | undefined;
  /** The code of the refusal in the reply, if any. */
  readonly refusalCode: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** The methods of a path, as `Allow` names them (RFC 9110 section 10.2.1). */
export function allowedMethods({ methods }: Pick<Route, 'methods'>): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
