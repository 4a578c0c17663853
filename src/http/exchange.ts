import type { Readable } from 'node:stream';
import type { Awaitable } from '../awaitable.ts';
import type { Quota } from '../errors.ts';
import type { Reply } from './reply.ts';

export interface RequestHeaders {
  get(name: Lowercase<string>): string | null;
}

/** The parts of a request that the doors read. A `Request` has the required ones, so that tests can pass it. */
export interface IncomingRequest {
  readonly method: string;
  /** An absolute URL that is not parsed and may be invalid. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: Readable | ReadableStream<Uint8Array> | null;
  /** The address at the other end of the connection. */
  readonly ip?: string | undefined;
  readonly fault?: Error | null;
  /** Sends `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1). Called before `body` is read. */
  askForBody?(): void;
}

export interface Exchange {
  /** `X-Request-Id` of the reply, and the request id of all log lines. */
  readonly id: string;
  readonly request: IncomingRequest;
  readonly url: URL;
  /** GET for HEAD: the pipeline leaves the body out. */
  readonly method: string;
  /** The caller's: that of the connection, or what trusted proxies forward. */
  readonly address: string | null;
}

export interface KnownCaller {
  readonly identity: { readonly accountId: string };
  readonly quota: Quota | null;
}

export interface Accepted {
  /** Null if the route needs no token. */
  readonly caller: KnownCaller | null;
  handle(exchange: Exchange): Awaitable<Reply>;
}

export interface Route {
  /** Path for logs and metrics, with placeholders for variable parts. */
  readonly name: string;
  /** GET includes HEAD, and OPTIONS is always allowed. */
  readonly methods: readonly string[];
  readonly accept: (exchange: Exchange) => Awaitable<Accepted>;
  /** By default an error is a problem in JSON. */
  readonly refuse?: ((error: unknown, exchange: Exchange) => Reply) | undefined;
}

type Handle = (exchange: Exchange) => Awaitable<Reply>;

/** Creates a route for GET that needs no token. */
export function createPublicRoute(name: string, handle: Handle, refuse?: Route['refuse']): Route {
  return { name, methods: ['GET'], accept: acceptPublicly(handle), refuse };
}

export function acceptPublicly(handle: Handle): Route['accept'] {
  const accepted = { caller: null, handle };
  return () => accepted;
}

export interface Door {
  /** Returns a promise while the code of the door loads. */
  readonly findRoute: (url: URL) => Awaitable<Route | null>;
  /** Returns paths that a client may have meant by an unknown one. */
  readonly similarPathsOf?: (pathname: string) => readonly string[];
  /** Requests over this limit are refused at once: a queue would slow all of them. */
  readonly maxInFlight: number;
}

export interface CompletedRequest {
  readonly method: string;
  readonly requestId: string;
  readonly routeName: string | undefined;
  readonly refusalCode: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

export function allowedMethods({ methods }: Pick<Route, 'methods'>): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
