import type { IncomingMessage } from 'node:http';
import type { PagePolicy } from '../domain/page.ts';
import { ACCEPT_ENCODING, readBody } from './body.ts';
import { decodePage } from './charset.ts';
import { ask, type Dial, dialDirectly, openConnection } from './connect.ts';
import { type FailureReason, FetchFailure } from './failure.ts';
import { type Resolve, requireTarget, resolveBySystem } from './target.ts';
import { conditionsOf, type Validators, validatorsOf } from './validators.ts';

export type { Validators } from './validators.ts';

/** For a whole fetch: all its redirects, names, connections and bytes. */
const FETCH_TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

export interface FetchOptions {
  readonly timeoutMs?: number;
  readonly validators?: Validators;
  readonly signal?: AbortSignal;
}

export interface FetchedPage extends Validators {
  readonly kind: 'page';
  /** Where the page was found, after all redirects. */
  readonly url: string;
  readonly html: string;
  /** Every `X-Robots-Tag`, joined by commas. */
  readonly robots: string | null;
}

export type FetchResult =
  | FetchedPage
  /** The validators still hold. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number };

export interface PageFetcher {
  /** A public page. Whatever the outside does is a result, never an error, and comes in time. */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

interface Options {
  readonly policy: PagePolicy;
  /** Whether `hostname:port`, in lower case and always with its port, is a host of this service. */
  readonly isOwnHost: (host: string) => boolean;
  readonly version?: string;
  /** The addresses of a name; the system's by default. */
  readonly resolve?: Resolve;
  /** The way to a checked address; directly by default. */
  readonly dial?: Dial;
}

/** Fetches pages like a stranger would: no cookies, no credentials, no referrer, one connection for each request. */
export function createPageFetcher(options: Options): PageFetcher {
  const { policy, isOwnHost, version, resolve = resolveBySystem, dial = dialDirectly } = options;
  const rules = { policy, isOwnHost, resolve };
  const headers = {
    'user-agent': `EmbedGateway${version === undefined ? '' : `/${version}`} (+page embeds)`,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.1',
    'accept-encoding': ACCEPT_ENCODING,
  };

  /** One hop: the page, or where it is instead. */
  async function visit(url: URL, validators: Validators | null, signal: AbortSignal): Promise<FetchResult | URL> {
    const target = await requireTarget(url, rules, signal);
    const connection = await openConnection(target, dial, signal);
    try {
      const conditions = conditionsOf(validators);
      const response = await ask(connection, target, { ...headers, ...conditions }, signal);
      const status = response.statusCode ?? 0;
      if (REDIRECT_STATUSES.includes(status)) return requireRedirect(response, url);
      if (status === 304 && Object.keys(conditions).length > 0) return { kind: 'unchanged' };
      if (status < 200 || status > 299) throw new FetchFailure('http-error', status);
      return await readPage(response, url, signal);
    } finally {
      connection.destroy();
    }
  }

  async function follow(start: URL, validators: Validators | null, signal: AbortSignal): Promise<FetchResult> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      // What one site said of its page is nobody else's business.
      const answer = await visit(url, url.origin === start.origin ? validators : null, signal);
      if (!(answer instanceof URL)) return answer;
      url = answer;
    }
    throw new FetchFailure('too-many-redirects');
  }

  return {
    async fetch(text, { timeoutMs = FETCH_TIMEOUT_MS, validators, signal } = {}) {
      const stop = new AbortController();
      const abort = () => stop.abort(new FetchFailure('aborted'));
      const timer = setTimeout(() => stop.abort(new FetchFailure('timeout')), timeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        if (signal?.aborted) throw new FetchFailure('aborted');
        const url = parseFetchableUrl(text);
        if (!url) throw new FetchFailure('bad-url');
        return await follow(url, validators ?? null, stop.signal);
      } catch (error) {
        return failed(stop.signal.aborted ? stop.signal.reason : error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}

/** An http(s) URL without credentials, or null. */
function parseFetchableUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.username === '' && url.password === '' ? url : null;
}

function requireRedirect(response: IncomingMessage, url: URL): URL {
  // Node reads headers as Latin-1, sites write them in UTF-8.
  const location = Buffer.from(response.headers.location ?? '', 'latin1').toString();
  const next = location === '' ? null : parseFetchableUrl(location, url);
  if (!next) throw new FetchFailure('bad-redirect');
  return next;
}

async function readPage(response: IncomingMessage, url: URL, signal: AbortSignal): Promise<FetchedPage> {
  const contentType = response.headers['content-type'] ?? null;
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() || null;
  if (mediaType && !HTML_MEDIA_TYPES.includes(mediaType)) throw new FetchFailure('not-html');
  const html = decodePage(await readBody(response, signal), contentType);
  if (!mediaType && !LOOKS_LIKE_HTML.test(html)) throw new FetchFailure('not-html');
  return {
    kind: 'page',
    url: url.href,
    html,
    ...validatorsOf(response.headers.etag, response.headers['last-modified']),
    robots: response.headersDistinct['x-robots-tag']?.join(', ') ?? null,
  };
}

const HTML_MEDIA_TYPES = ['text/html', 'application/xhtml+xml'];

/** For a page without a media type: WHATWG MIME Sniffing section 7.1, in short. */
const LOOKS_LIKE_HTML =
  /^\s*(?:<\?xml[^>]*>\s*)?<(?:!--|!doctype html|(?:html|head|body|title|meta|script|style|div|p|h1)[\s/>])/i;

/** Every error that is none of ours comes from the network. */
function failed(error: unknown): FetchResult {
  if (!(error instanceof FetchFailure)) return { kind: 'failed', reason: 'unreachable' };
  const { reason, status } = error;
  return { kind: 'failed', reason, ...(status !== null && { status }) };
}
