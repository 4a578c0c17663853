import type { Readable } from 'node:stream';
import type { Answer } from './answer.ts';

/** A request as a listener hands it over; to what reads nothing else it is any `Request`. */
export interface Arrival extends Request {
  /** The network address that it came from. */
  readonly ip?: string | undefined;
  /** The body as it comes from the socket; else it is read from `body`, which costs more. */
  readonly source?: Readable;
  /** Sends `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1). Called before `source` is read. */
  readonly askForBody?: () => void;
  /** Why it is refused whatever it asks: what the listener saw wrong with the message itself. */
  readonly fault?: Error;
}

/** One request on its way through the service. */
export interface Exchange {
  /** The request id: `X-Request-Id` of the answer, and what the log lines of the request have in common. */
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** The method, with HEAD read as GET: the transport leaves the body out. */
  readonly method: string;
  /** The network address that the request came from, where it is known. */
  readonly address: string | null;
  /** What was found to answer, for the log; set when it was found. */
  routeName?: string;
  /** The code of the refusal that is the answer, or the first in it; set when there is one. */
  refusalCode?: string;
  /** Who asked, for the log; set when it was found out. */
  accountId?: string;
  /** What is left of the caller's quota, for the headers; set when it was counted. */
  quota?: Quota;
}

/** How much is left of what a window of time allows. */
export interface Quota {
  /** What is counted: the requests of a token, or the failures of an address. */
  readonly policy: string;
  readonly limit: number;
  readonly windowS: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}

/** What a request has been, by the time that it is answered. */
export interface Answered {
  readonly routeName: string | undefined;
  readonly refusalCode: string | undefined;
  readonly method: string;
  readonly requestId: string;
  readonly status: number;
  readonly seconds: number;
}

/** What one door does at one path. */
export interface Route {
  /** For the log and the metrics: the path, with placeholders where it varies. */
  readonly name: string;
  /** For `Allow`; HEAD goes with GET, and OPTIONS with all. */
  readonly methods: readonly string[];
  handle(exchange: Exchange): Answer | Promise<Answer>;
  /** The answer to an error that {@link handle} rejected with, in the door's own shape. */
  refuse(error: unknown, exchange: Exchange): Answer;
}

/** One way into the service. */
export interface Door {
  /** What answers at a URL; null when the door has nothing there. */
  readonly findRoute: (url: URL) => Route | null;
  /** How many of its requests may be under way at once, so that a crowd at one door does not shut the others. */
  readonly maxInFlight: number;
}

/** The methods that a path answers, as `Allow` names them (RFC 9110 section 10.2.1). */
export function allowedMethods({ methods }: Pick<Route, 'methods'>): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
