import type { IncomingMessage } from 'node:http';
import type { PagePolicy } from '../../../reader/src/page-url.ts';
import { ACCEPT_ENCODING, openBody } from './body.ts';
import { type Dial, dialDirectly, type Message, openConnection, sendRequest } from './connect.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './dns.ts';
import { type FailedFetch, FetchFailure } from './failure.ts';
import { type FetchedResource, type ResourceRequest, readResource } from './resource.ts';
import {
  type Destination,
  type FetchedFile,
  type FetchedPage,
  findFetchableUrl,
  readResponse,
  type UnchangedPage,
} from './response.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import { type OwnAddresses, requireTarget } from './target.ts';
import { conditionalHeaders, type KnownVersion } from './validators.ts';

/** For the whole fetch, including DNS and all redirects. */
export const FETCH_TIMEOUT_MS = 5_000;
/** The checks before the requests of one fetch take no more in all. */
export const CHECKS_TIMEOUT_MS = 2_000;
/** For the requests of a page that a browser renders. */
export const RESOURCE_TIMEOUT_MS = 8_000;
export const MAX_REDIRECTS = 5;

export interface FetchOptions {
  readonly timeoutMs?: number;
  readonly known?: KnownVersion | null;
  /** Redirects that led to this URL, and count towards the limit of 5. */
  readonly redirects?: number;
  /** A page unless given. A picture is a file with all of its bytes, or with the start of another resource. */
  readonly destination?: Destination;
  /** Called before each request, also those of redirects, for {@link CHECKS_TIMEOUT_MS} at most. False aborts the fetch. */
  readonly mayRequest?: (url: URL) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** The URL to which permanent redirects lead from the start; null without one. */
interface Move {
  readonly movedTo: string | null;
}

export type FetchResult =
  | ((FetchedPage | FetchedFile) & Move & { readonly redirects: number })
  | (UnchangedPage & Move)
  | FailedFetch;

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** The rest of the response is ignored. */
  readonly maxBytes: number;
}

interface PostResponse {
  readonly kind: 'response';
  readonly status: number;
  /** The beginning, or all of it. Empty if it cannot be decoded. */
  readonly text: string;
  /** `Retry-After`; null if the response has none. */
  readonly retryAfterMs: number | null;
}

/** Fetches from other sites. Never rejects: failures and timeouts are results. */
export interface PageFetcher {
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
  /** Sends one request of a page that a browser renders. A redirect is a result: the browser requests its target. */
  fetchResource(request: ResourceRequest, signal: AbortSignal): Promise<FetchedResource | FailedFetch>;
  /** Sends a message. A response of any status is a result; a redirect is not followed. */
  post(request: PostRequest, signal: AbortSignal): Promise<PostResponse | FailedFetch>;
}

/** As browsers do: some sites choose between a page, a feed and a picture, and between formats of pictures. */
const ACCEPT: Readonly<Record<Destination, string>> = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  image: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
};

type Request = Required<Pick<FetchOptions, 'known' | 'redirects' | 'destination' | 'mayRequest'>>;

const mayRequestAny = async () => true;

/** Codes of errors if the process, or the whole system, may open no further connection. */
const OUT_OF_DESCRIPTORS = ['EMFILE', 'ENFILE'];

interface Options {
  readonly policy: PagePolicy;
  readonly ownAddresses: OwnAddresses;
  readonly userAgent: string;
  /** Defaults to DNS, or to the system's resolver where private pages are allowed. */
  readonly resolve?: Resolve;
  readonly dial?: Dial;
}

/** Creates a fetcher that sends no cookies, credentials or referrer, and opens a connection for each request. */
export function createPageFetcher(options: Options): PageFetcher {
  const { policy, ownAddresses, userAgent, dial = dialDirectly } = options;
  const { resolve = policy.allowPrivatePages ? resolveBySystem : resolveByDns } = options;
  const rules = { policy, ownAddresses, resolve };
  const ownHeaders = { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING };

  async function exchange<T>(
    url: URL,
    message: Message,
    read: (response: IncomingMessage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const target = await requireTarget(url, rules, signal);
    const connection = await openConnection(target, dial, signal);
    try {
      return await read(await sendRequest(connection, target, message, signal));
    } finally {
      connection.destroy();
    }
  }

  async function fetchOnce(url: URL, { known, destination, mayRequest }: Request, signal: AbortSignal) {
    if (!(await mayRequest(url))) throw new FetchFailure('aborted');
    const conditions = conditionalHeaders(known, url);
    const isConditional = Object.keys(conditions).length > 0;
    const read = (response: IncomingMessage) => readResponse(response, { url, isConditional, destination }, signal);
    return exchange(url, { headers: { ...ownHeaders, accept: ACCEPT[destination], ...conditions } }, read, signal);
  }

  async function followRedirects(start: URL, request: Request, signal: AbortSignal): Promise<FetchResult> {
    let url = start;
    let movedTo: string | null = null;
    let isMoved = true;
    for (let redirects = request.redirects; redirects <= MAX_REDIRECTS; redirects++) {
      const result = await fetchOnce(url, request, signal);
      if (result.kind === 'unchanged') return { ...result, movedTo };
      if (result.kind !== 'redirect') return { ...result, movedTo, redirects };
      url = result.target;
      isMoved &&= result.isPermanent;
      if (isMoved) movedTo = url.href;
    }
    throw new FetchFailure('too-many-redirects');
  }

  return {
    fetch(text, options = {}) {
      const { timeoutMs = FETCH_TIMEOUT_MS, signal } = options;
      const { known = null, redirects = 0, destination = 'document', mayRequest = mayRequestAny } = options;
      const checksMs = options.mayRequest ? CHECKS_TIMEOUT_MS : 0;
      return withTimeout(timeoutMs + checksMs, signal, async (ended) =>
        followRedirects(requireUrl(text), { known, redirects, destination, mayRequest }, ended),
      );
    },
    fetchResource({ url, method, headers: given, body }, signal) {
      const message = { method, headers: { accept: '*/*', ...given, ...ownHeaders }, body };
      return withTimeout(RESOURCE_TIMEOUT_MS, signal, (ended) =>
        exchange(requireUrl(url), message, (response) => readResource(response, method, ended), ended),
      );
    },
    post({ url, headers: given, body, timeoutMs, maxBytes }, signal) {
      const message = { method: 'POST', headers: { ...given, ...ownHeaders }, body: Buffer.from(body) };
      return withTimeout(timeoutMs, signal, (ended) =>
        exchange(requireUrl(url), message, (response) => readStart(response, maxBytes, ended), ended),
      );
    },
  };
}

/** The status decides, so a body that is broken or slow is no failure. */
async function readStart(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<PostResponse> {
  const read = async () => (await openBody(response, signal).read(maxBytes)).bytes;
  const bytes = await read().catch(() => new Uint8Array());
  const { statusCode = 0, headers } = response;
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], headers.date);
  return { kind: 'response', status: statusCode, text: new TextDecoder().decode(bytes), retryAfterMs };
}

/** Aborts the work after the timeout, or when the caller does. */
async function withTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T | FailedFetch> {
  // what is left of a time may have a fraction, or be negative
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    ended.throwIfAborted();
    return await work(ended);
  } catch (error) {
    if (!ended.aborted) return toFailedFetch(error);
    return { kind: 'failed', reason: ended.reason === timeout.reason ? 'timeout' : 'aborted' };
  }
}

function requireUrl(text: string): URL {
  const url = findFetchableUrl(text);
  if (!url) throw new FetchFailure('bad-url');
  return url;
}

/** Treats every other error as a network error. A lack of descriptors says nothing about the page. */
function toFailedFetch(error: unknown): FailedFetch {
  if (error instanceof FetchFailure) return error.result;
  const { code = '' } = error as NodeJS.ErrnoException;
  return { kind: 'failed', reason: OUT_OF_DESCRIPTORS.includes(code) ? 'aborted' : 'unreachable' };
}
