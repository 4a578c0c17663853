import type { PagePolicy } from '../../domain/page/url.ts';
import { ACCEPT_ENCODING } from './body.ts';
import { type Dial, dialDirectly, openConnection, sendRequest } from './connect.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './dns.ts';
import { type FailureReason, FetchFailure } from './failure.ts';
import {
  type Destination,
  type FetchedFile,
  type FetchedPage,
  findFetchableUrl,
  readResponse,
  type UnchangedPage,
} from './response.ts';
import { type OwnAddresses, requireTarget } from './target.ts';
import { conditionalHeaders, type KnownVersion } from './validators.ts';

/** For the whole fetch, including DNS and all redirects. */
export const FETCH_TIMEOUT_MS = 5_000;
export const MAX_REDIRECTS = 5;

export interface FetchOptions {
  readonly timeoutMs?: number;
  readonly known?: KnownVersion | null;
  /** Redirects that led to this URL, and count towards the limit of 5. */
  readonly redirects?: number;
  /** A page unless given. A picture is a file with all of its bytes, or with the start of another resource. */
  readonly destination?: Destination;
  readonly signal?: AbortSignal;
}

export type FetchResult =
  | ((FetchedPage | FetchedFile) & { readonly redirects: number })
  | UnchangedPage
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number };

export interface PageFetcher {
  /** Fetches a page. Never rejects: failures and timeouts are results. */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

/** As browsers do: some sites choose between a page, a feed and a picture, and between formats of pictures. */
const ACCEPT: Readonly<Record<Destination, string>> = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  image: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
};

type Request = Required<Pick<FetchOptions, 'known' | 'redirects' | 'destination'>>;

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
  const headers = {
    'user-agent': userAgent,
    'accept-encoding': ACCEPT_ENCODING,
  };

  async function fetchOnce(url: URL, { known, destination }: Request, signal: AbortSignal) {
    const target = await requireTarget(url, rules, signal);
    const connection = await openConnection(target, dial, signal);
    try {
      const conditions = conditionalHeaders(known, url);
      const sent = { ...headers, accept: ACCEPT[destination], ...conditions };
      const response = await sendRequest(connection, target, sent, signal);
      const isConditional = Object.keys(conditions).length > 0;
      return await readResponse(response, { url, isConditional, destination }, signal);
    } finally {
      connection.destroy();
    }
  }

  async function followRedirects(start: URL, request: Request, signal: AbortSignal): Promise<FetchResult> {
    let url = start;
    for (let redirects = request.redirects; redirects <= MAX_REDIRECTS; redirects++) {
      const result = await fetchOnce(url, request, signal);
      if (!(result instanceof URL)) return result.kind === 'unchanged' ? result : { ...result, redirects };
      url = result;
    }
    throw new FetchFailure('too-many-redirects');
  }

  return {
    async fetch(text, options = {}) {
      const { timeoutMs = FETCH_TIMEOUT_MS, signal } = options;
      const { known = null, redirects = 0, destination = 'document' } = options;
      const controller = new AbortController();
      const abort = () => controller.abort(new FetchFailure('aborted'));
      const timer = setTimeout(() => controller.abort(new FetchFailure('timeout')), timeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        if (signal?.aborted) throw new FetchFailure('aborted');
        const url = findFetchableUrl(text);
        if (!url) throw new FetchFailure('bad-url');
        return await followRedirects(url, { known, redirects, destination }, controller.signal);
      } catch (error) {
        return toFailedResult(controller.signal.aborted ? controller.signal.reason : error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}

/** Treats every error except {@link FetchFailure} as a network error. */
function toFailedResult(error: unknown): FetchResult {
  if (!(error instanceof FetchFailure)) return { kind: 'failed', reason: 'unreachable' };
  const { reason, status } = error;
  return { kind: 'failed', reason, ...(status !== null && { status }) };
}
