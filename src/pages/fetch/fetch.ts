import type { PagePolicy } from '../../domain/page/url.ts';
import { ACCEPT_ENCODING } from './body.ts';
import { type Dial, dialDirectly, openConnection, sendRequest } from './connect.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './dns.ts';
import { type FailureReason, FetchFailure } from './failure.ts';
import { type FetchedPage, findFetchableUrl, HTML_MEDIA_TYPES, readResponse, type UnchangedPage } from './response.ts';
import { type OwnAddresses, requireTarget } from './target.ts';
import { conditionalHeaders, type KnownVersion } from './validators.ts';

/** For the whole fetch, including DNS and all redirects. */
const FETCH_TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 5;

export interface FetchOptions {
  readonly timeoutMs?: number;
  readonly known?: KnownVersion | null;
  readonly signal?: AbortSignal;
  /** The accepted media types, without parameters; those of HTML unless given. */
  readonly mediaTypes?: readonly string[];
}

export type FetchResult =
  | FetchedPage
  | UnchangedPage
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number };

export interface PageFetcher {
  /** Fetches a page. Never rejects: failures and timeouts are results. */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

interface FetchRules {
  readonly known: KnownVersion | null;
  readonly mediaTypes: readonly string[];
  readonly signal: AbortSignal;
}

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
  const targetRules = { policy, ownAddresses, resolve };
  const headers = {
    'user-agent': userAgent,
    'accept-encoding': ACCEPT_ENCODING,
  };

  async function fetchOnce(url: URL, { known, mediaTypes, signal }: FetchRules) {
    const target = await requireTarget(url, targetRules, signal);
    const connection = await openConnection(target, dial, signal);
    try {
      const conditions = conditionalHeaders(known, url);
      const accept = `${mediaTypes.join(',')},*/*;q=0.1`;
      const response = await sendRequest(connection, target, { ...headers, accept, ...conditions }, signal);
      const isConditional = Object.keys(conditions).length > 0;
      return await readResponse(response, { url, isConditional, mediaTypes }, signal);
    } finally {
      connection.destroy();
    }
  }

  async function followRedirects(start: URL, rules: FetchRules): Promise<FetchResult> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const result = await fetchOnce(url, rules);
      if (!(result instanceof URL)) return result;
      url = result;
    }
    throw new FetchFailure('too-many-redirects');
  }

  return {
    async fetch(text, options = {}) {
      const { timeoutMs = FETCH_TIMEOUT_MS, known = null, signal, mediaTypes = HTML_MEDIA_TYPES } = options;
      const controller = new AbortController();
      const abort = () => controller.abort(new FetchFailure('aborted'));
      const timer = setTimeout(() => controller.abort(new FetchFailure('timeout')), timeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        if (signal?.aborted) throw new FetchFailure('aborted');
        const url = findFetchableUrl(text);
        if (!url) throw new FetchFailure('bad-url');
        return await followRedirects(url, { known, mediaTypes, signal: controller.signal });
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
