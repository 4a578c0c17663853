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
  /** Who asked, for the log; set when it was found out. */
  accountId?: string;
  /** What is left of the caller's quota, for the headers; set when it was counted. */
  quota?: { readonly limit: number; readonly remaining: number; readonly resetS: number };
}

/** What one door does at one path. */
export interface Route {
  /** For `Allow`; HEAD goes with GET, and OPTIONS with all. */
  readonly methods: readonly string[];
  handle(exchange: Exchange): Promise<Response>;
  /** The answer to an error that {@link handle} rejected with, in the door's own shape. */
  refuse(error: unknown, exchange: Exchange): Response;
}

/** The methods that a path answers, as `Allow` names them (RFC 9110 section 10.2.1). */
export function allowedMethods({ methods }: Pick<Route, 'methods'>): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
