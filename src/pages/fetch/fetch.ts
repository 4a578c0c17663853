import type { PagePolicy } from '../../domain/page/url.ts';
import { ACCEPT_ENCODING } from './body.ts';
import { ask, type Dial, dialDirectly, openConnection } from './connect.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './dns.ts';
import { type FailureReason, FetchFailure } from './failure.ts';
import { type FetchedPage, parseFetchableUrl, readAnswer, type UnchangedPage } from './response.ts';
import { requireTarget } from './target.ts';
import { conditionsOf, type KnownVersion } from './validators.ts';

/** For a whole fetch: all its redirects, names, connections and bytes. */
const FETCH_TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 5;

export interface FetchOptions {
  readonly timeoutMs?: number;
  /** Asks the site whether this version still holds. */
  readonly known?: KnownVersion | null;
  readonly signal?: AbortSignal;
}

export type FetchResult =
  | FetchedPage
  | UnchangedPage
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number };

export interface PageFetcher {
  /** A public page. Whatever the outside does is a result, never an error, and comes in time. */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

interface Options {
  readonly policy: PagePolicy;
  /** Whether `hostname:port`, in lower case and always with its port, is a host of this service. */
  readonly isOwnHost: (host: string) => boolean;
  /** What sites learn of who asks. */
  readonly userAgent: string;
  /** The addresses of a name; by default those of the DNS, or of the system where private pages are allowed. */
  readonly resolve?: Resolve;
  /** The way to a checked address; directly by default. */
  readonly dial?: Dial;
}

/** Fetches pages like a stranger would: no cookies, no credentials, no referrer, one connection for each request. */
export function createPageFetcher(options: Options): PageFetcher {
  const { policy, isOwnHost, userAgent, dial = dialDirectly } = options;
  const { resolve = policy.allowPrivatePages ? resolveBySystem : resolveByDns } = options;
  const rules = { policy, isOwnHost, resolve };
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.1',
    'accept-encoding': ACCEPT_ENCODING,
  };

  /** One hop: the page, or where it is instead. */
  async function visit(url: URL, known: KnownVersion | null, signal: AbortSignal) {
    const target = await requireTarget(url, rules, signal);
    const connection = await openConnection(target, dial, signal);
    try {
      const conditions = conditionsOf(known, url);
      const response = await ask(connection, target, { ...headers, ...conditions }, signal);
      return await readAnswer(response, { url, isConditional: Object.keys(conditions).length > 0 }, signal);
    } finally {
      connection.destroy();
    }
  }

  async function follow(start: URL, known: KnownVersion | null, signal: AbortSignal): Promise<FetchResult> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await visit(url, known, signal);
      if (!(answer instanceof URL)) return answer;
      url = answer;
    }
    throw new FetchFailure('too-many-redirects');
  }

  return {
    async fetch(text, { timeoutMs = FETCH_TIMEOUT_MS, known = null, signal } = {}) {
      const stop = new AbortController();
      const abort = () => stop.abort(new FetchFailure('aborted'));
      const timer = setTimeout(() => stop.abort(new FetchFailure('timeout')), timeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        if (signal?.aborted) throw new FetchFailure('aborted');
        const url = parseFetchableUrl(text);
        if (!url) throw new FetchFailure('bad-url');
        return await follow(url, known, stop.signal);
      } catch (error) {
        return failed(stop.signal.aborted ? stop.signal.reason : error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}

/** Every error that is none of ours comes from the network. */
function failed(error: unknown): FetchResult {
  if (!(error instanceof FetchFailure)) return { kind: 'failed', reason: 'unreachable' };
  const { reason, status } = error;
  return { kind: 'failed', reason, ...(status !== null && { status }) };
}
