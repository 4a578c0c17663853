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

export type Send = <Result>(attempt: Attempt) => Promise<Reply<Result>>;

/** A longer `Retry-After` ends the repetitions. */
const MAX_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const REPEATABLE_STATUSES: readonly number[] = [0, 408, 502, 503, 504];

/**
 * Creates the function that sends requests and repeats them. It throws errors of the service, or the reason of the signal.
 * @throws {TypeError} if the URL or the token cannot be used
 */
export function createSend(options: ClientOptions): Send {
  const { baseUrl, token, maxRetries = 3, timeoutMs = 30_000, fetch = globalThis.fetch } = options;
  if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) throw new TypeError(BASE_URL_RULE);
  if (!token) throw new TypeError('token must be an access token. Is an environment variable not set?');
  const origin = baseUrl.replace(/\/+$/, '');

  return async function send<Result>(attempt: Attempt): Promise<Reply<Result>> {
    for (let retries = 0; ; retries++) {
      try {
        return await sendOnce<Result>(attempt);
      } catch (thrown) {
        attempt.signal?.throwIfAborted();
        const error = thrown as EmbedGatewayError;
        const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries * (0.5 + Math.random() / 2);
        if (retries >= maxRetries || pauseMs > MAX_PAUSE_MS || !mayRepeat(error, attempt)) throw error;
        await pause(pauseMs, attempt.signal);
      }
    }
  };

  async function sendOnce<Result>({ method, path, body, headers = {}, signal }: Attempt): Promise<Reply<Result>> {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const sent = new Headers({ authorization: `Bearer ${token}`, accept: 'application/graphql-response+json, */*' });
    if (body !== undefined) sent.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
    let response: Response;
    let text: string;
    try {
      response = await fetch(origin + path, {
        method,
        headers: sent,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (cause) {
      const reason = timeout.aborted ? `within ${timeoutMs} ms` : `(${reasonOf(cause)})`;
      throw createError(`No response from ${origin} ${reason}.`, { code: 'network' }, { cause });
    }
    const parsed = parse(text) as (Result & FailureBody) | null;
    if (!response.ok || parsed === null || parsed.errors?.length) throw readError(response, parsed);
    return { body: parsed, headers: response.headers };
  }
}

const BASE_URL_RULE = 'baseUrl must be the absolute URL of the service, such as https://embeds.example.com.';

/** Describes a failure of `fetch`. Node has the reason in its cause; browsers do not tell it. */
function reasonOf(thrown: unknown): string {
  const { message, cause } = thrown as Error;
  return (cause as Error | undefined)?.message || message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A request that was rejected with 429 had no effect. 409 with `Retry-After`: the first request with the key still runs. */
function mayRepeat({ code, status, retryAfterMs }: EmbedGatewayError, { isRepeatable }: Attempt): boolean {
  if (code === 'rate_limited' || status === 429) return true;
  const isTransient = code === 'unavailable' || (code === 'conflict' && retryAfterMs !== null);
  return isRepeatable && (isTransient || REPEATABLE_STATUSES.includes(status));
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
