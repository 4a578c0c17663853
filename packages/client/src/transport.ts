import { createError, type EmbedGatewayError, type FailureBody, readError } from './errors.ts';

export interface ClientOptions {
  /** The URL of the service, such as `https://embeds.example.com`. */
  readonly baseUrl: string;
  /** An access token. In a browser, everyone who opens the page can read it. */
  readonly token: string;
  /** Repetitions of a request that failed; 3 by default, 0 for none. */
  readonly maxRetries?: number;
  /** Milliseconds until an attempt counts as failed; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /** Stops the request, its repetitions, and the pauses between them. */
  readonly signal?: AbortSignal | undefined;
}

interface Attempt extends RequestOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A repetition has the same effect as one request. Other requests are repeated only if they were rejected with 429. */
  readonly isRepeatable: boolean;
}

interface Reply<Result> {
  readonly body: Result;
  readonly headers: Headers;
}

export interface Transport {
  send<Result>(attempt: Attempt): Promise<Reply<Result>>;
  /** Opens a stream of events. `signal` ends it too. */
  open(attempt: Attempt): Promise<Response>;
}

/** A longer `Retry-After` ends the repetitions. */
const MAX_PAUSE_MS = 60_000;
export const FIRST_PAUSE_MS = 250;
const REPEATABLE_STATUSES: readonly number[] = [0, 408, 502, 503, 504];

/**
 * Creates the functions that send requests and repeat them. They throw errors of the service, or the reason of the signal.
 * @throws {TypeError} if the URL or the token cannot be used
 */
export function createTransport(options: ClientOptions): Transport {
  const { baseUrl, token, maxRetries = 3, timeoutMs = 30_000, fetch = globalThis.fetch } = options;
  if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) throw new TypeError(BASE_URL_RULE);
  if (!/^[\t\r\n ]*[!-~](?:[ -~]*[!-~])?[\t\r\n ]*$/.test(token ?? '')) throw new TypeError(TOKEN_RULE);
  const origin = baseUrl.replace(/\/+$/, '');

  return {
    send: <Result>(attempt: Attempt) => repeat(attempt, () => sendOnce<Result>(attempt)),
    open: (attempt) => repeat(attempt, () => openOnce(attempt)),
  };

  async function repeat<Result>(attempt: Attempt, run: () => Promise<Result>): Promise<Result> {
    for (let retries = 0; ; retries++) {
      try {
        return await run();
      } catch (thrown) {
        attempt.signal?.throwIfAborted();
        const error = thrown as EmbedGatewayError;
        const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries * (0.5 + Math.random() / 2);
        if (retries >= maxRetries || pauseMs > MAX_PAUSE_MS || !mayRepeat(error, attempt)) throw error;
        await pause(pauseMs, attempt.signal);
      }
    }
  }

  async function sendOnce<Result>(attempt: Attempt): Promise<Reply<Result>> {
    const { response, body } = await request(attempt);
    if (!response.ok || body === null || body.errors?.length) throw readError(response, body);
    return { body: body as Result, headers: response.headers };
  }

  async function openOnce(attempt: Attempt): Promise<Response> {
    const { response, body } = await request(attempt);
    if (!isStream(response)) throw readError(response, body);
    return response;
  }

  /** Reads the body of a response that is no stream of events. Only the response has to be there in time for a stream. */
  async function request({ method, path, body, headers = {}, signal }: Attempt) {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const sent = new Headers({
      authorization: `Bearer ${token.trim()}`,
      accept: 'application/graphql-response+json, */*',
    });
    if (body !== undefined) sent.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
    try {
      const response = await fetch(origin + path, {
        method,
        headers: sent,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { response, body: isStream(response) ? null : parse(await response.text()) };
    } catch (cause) {
      const reason = timeout.signal.aborted ? `within ${timeoutMs} ms` : `(${reasonOf(cause)})`;
      throw createError(`No response from ${origin} ${reason}.`, { code: 'network' }, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

const TOKEN_RULE = 'token must be an access token, all in ASCII. Is an environment variable not set?';
const BASE_URL_RULE = 'baseUrl must be the absolute URL of the service, such as https://embeds.example.com.';

/** Describes a failure of `fetch`. Node has the reason in its cause; browsers do not tell it. */
function reasonOf(thrown: unknown): string {
  const { message, cause } = thrown as Error;
  return (cause as Error | undefined)?.message || message;
}

function parse(text: string): FailureBody | null {
  try {
    return JSON.parse(text) as FailureBody;
  } catch {
    return null;
  }
}

/** A document whose first mutations ran is never repeated. A request that was rejected with 429 had no effect. 409 with `Retry-After`: the first request with the key still runs. */
function mayRepeat({ code, status, retryAfterMs, completed }: EmbedGatewayError, { isRepeatable }: Attempt): boolean {
  if (completed !== null) return false;
  if (status === 429 || code === 'rate_limited') return true;
  const isTransient = code === 'unavailable' || (code === 'conflict' && retryAfterMs !== null);
  return isRepeatable && (isTransient || REPEATABLE_STATUSES.includes(status));
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
