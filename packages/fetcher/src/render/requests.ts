import type { PageFetcher } from '../fetch/fetch.ts';
import { RESOURCE_METHODS, type ResourceRequest, selectRequestHeaders } from '../fetch/resource.ts';
import { findFetchableUrl, withoutFragment } from '../fetch/response.ts';
import type { Values } from './devtools.ts';

// not imported, like `request` in `fetch/connect.ts`
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Requests of one page. Further ones are refused. */
const MAX_REQUESTS = 400;
/** Sum of all bodies that one page receives. Further requests are refused. */
const MAX_RECEIVED_BYTES = 30 * 1024 * 1024;
const MAX_SENT_BODY_BYTES = 64 * 1024;
/** Of the same URL. Further ones ask again and again for what is new, and say nothing of the text that is still to come. */
const MAX_EQUAL_REQUESTS = 3;
/** Like the connections of a browser to a few sites. Further requests wait. */
const MAX_PARALLEL_FETCHES = 12;

/** Requests with other resource types are refused: fonts, media, beacons, reports and so on. */
const ANSWERED_TYPES = ['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch', 'Preflight', 'Other'];

/**
 * Pictures of one page. Each costs about 2 ms of processor time, and so would a refusal. Further requests get no answer: many
 * answers at once block the page.
 */
const MAX_PICTURES = 500;
/**
 * Stands for each picture: scripts wait until a picture has loaded, remove one that has not, and write its size into the page.
 * It has 320 x 200 pixels. Larger ones take too much memory.
 */
const PICTURE = Buffer.from('R0lGODlhQAHIAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PICTURE_HEADERS = [
  ['content-type', 'image/gif'],
  ['access-control-allow-origin', '*'],
] as const;

/** A page as its site sent it. */
export interface PageSource {
  readonly url: string;
  readonly html: string;
  readonly robots: string | null;
}

/** A request as `Fetch.requestPaused` describes it. */
export interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly hasPostData?: boolean;
    readonly postDataEntries?: readonly { readonly bytes?: string }[];
  };
}

/** A command that answers a paused request. */
interface RequestAnswer {
  readonly method: 'Fetch.fulfillRequest' | 'Fetch.failRequest';
  readonly params: Values;
}

/** `type`: a kind of request that no page gets. `limit`: the page made too many. `address`: the safe fetcher refused it. */
export type RequestRefusal = 'type' | 'limit' | 'address';

interface Options {
  readonly fetcher: Pick<PageFetcher, 'fetchResource'>;
  /** The document that was fetched already, and the frame that shows it. */
  readonly document: PageSource;
  readonly mainFrameId: string;
  readonly signal: AbortSignal;
  readonly onRefusal: (reason: RequestRefusal) => void;
}

const BLOCKED_REASONS = ['bad-url', 'own-host', 'blocked-port', 'blocked-address'];

/** Answers the requests of one page through the service's own fetcher, with all its checks. */
export function createPageRequests({ fetcher, document, mainFrameId, signal, onRefusal }: Options) {
  const eventSources = new Set<string>();
  const equalRequests = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let fetchCount = 0;
  let requestCount = 0;
  let pictureCount = 0;
  let receivedBytes = 0;
  let inFlight = 0;
  let lastActivityMs = performance.now();
  let robots = document.robots ?? '';
  let isDocumentAnswered = false;
  let isStaying = false;

  function refuse(paused: PausedRequest, reason: RequestRefusal): RequestAnswer {
    onRefusal(reason);
    return fail(paused, 'BlockedByClient');
  }

  function isPoll({ request: { method, url } }: PausedRequest): boolean {
    const count = (equalRequests.get(url) ?? 0) + 1;
    if (count > 1 || equalRequests.size < MAX_REQUESTS) equalRequests.set(url, count);
    return method === 'GET' && count > MAX_EQUAL_REQUESTS;
  }

  function answerPicture(paused: PausedRequest): RequestAnswer | null {
    if (++pictureCount <= MAX_PICTURES) return fulfill(paused, 200, PICTURE_HEADERS, PICTURE);
    onRefusal('limit');
    return null;
  }

  async function fetchInTurn(request: ResourceRequest) {
    if (fetchCount < MAX_PARALLEL_FETCHES) fetchCount++;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await fetcher.fetchResource(request, signal);
    } finally {
      const startNext = waiting.shift();
      if (startNext) startNext();
      else fetchCount--;
    }
  }

  async function answer(paused: PausedRequest): Promise<RequestAnswer> {
    if (!isAnswered(paused, mainFrameId, document.url)) return refuse(paused, 'type');
    if (++requestCount > MAX_REQUESTS || receivedBytes > MAX_RECEIVED_BYTES) return refuse(paused, 'limit');
    const isMainDocument = paused.resourceType === 'Document' && paused.frameId === mainFrameId;
    if (isMainDocument && isStaying) return refuse(paused, 'type');
    if (isMainDocument && !isDocumentAnswered && paused.request.url === withoutFragment(document.url)) {
      isDocumentAnswered = true;
      const headers = [['content-type', 'text/html; charset=utf-8']] as const;
      return fulfill(paused, 200, headers, Buffer.from(openShadowRoots(document.html)));
    }
    if (isEventSource(paused)) {
      // it connects again at the end of what was read, unless it gets this status (HTML, section 9.2)
      if (eventSources.has(paused.request.url)) return fulfill(paused, 204, [], Buffer.alloc(0));
      eventSources.add(paused.request.url);
    }
    const request = readRequest(paused);
    if (!request) return refuse(paused, 'type');
    const fetched = await fetchInTurn(request);
    if (fetched.kind === 'failed') {
      return BLOCKED_REASONS.includes(fetched.reason) ? refuse(paused, 'address') : fail(paused, 'Failed');
    }
    receivedBytes += fetched.body.length;
    if (receivedBytes > MAX_RECEIVED_BYTES) return refuse(paused, 'limit');
    if (isMainDocument)
      robots += fetched.headers.map(([name, value]) => (name === 'x-robots-tag' ? `\n${value}` : '')).join('');
    return fulfill(paused, fetched.status, fetched.headers, fetched.body);
  }

  return {
    /** Answers a request of the page. Null for one that stays open until the page ends. Never rejects. */
    async answer(paused: PausedRequest): Promise<RequestAnswer | null> {
      // such as one that is too long to be remembered
      if (!findFetchableUrl(paused.request.url)) return refuse(paused, 'address');
      if (paused.resourceType === 'Image') return answerPicture(paused);
      const isActivity = !isPoll(paused);
      if (isActivity) {
        inFlight++;
        lastActivityMs = performance.now();
      }
      try {
        return await answer(paused);
      } catch {
        return fail(paused, 'Failed');
      } finally {
        if (isActivity) {
          inFlight--;
          lastActivityMs = performance.now();
        }
      }
    },
    /** From now on, refuses to navigate to another document. */
    stay(): void {
      isStaying = true;
    },
    get inFlight() {
      return inFlight;
    },
    /** By the monotonic clock: the time of the last request or answer. */
    get lastActivityMs() {
      return lastActivityMs;
    },
    /** `X-Robots-Tag` values of the documents that the page navigated to, separated by line breaks. */
    get robots() {
      return robots;
    },
  };
}

/** A closed root cannot be read from outside. */
function openShadowRoots(html: string): string {
  return html.replace(/(<template\b[^<>]{0,500}\bshadowrootmode\s{0,9}=\s{0,9}["']?)closed/gi, '$1open');
}

/** Frames inside the page get the documents of its own site. Those of others cannot be read. */
function isAnswered({ resourceType, frameId, request }: PausedRequest, mainFrameId: string, pageUrl: string): boolean {
  if (!ANSWERED_TYPES.includes(resourceType)) return false;
  if (resourceType === 'Document') {
    const isOwn = frameId === mainFrameId || URL.parse(request.url)?.origin === new URL(pageUrl).origin;
    return isOwn && request.method === 'GET';
  }
  // Chromium reads values as UTF-8, which `Headers` rejects
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (headers.has('sec-purpose') || headers.has('purpose') || headers.has('service-worker')) return false;
  // scripts of workers have the type of icons
  return resourceType !== 'Other' || (headers.get('accept') ?? '*/*') === '*/*';
}

/** Chromium gives the requests of an `EventSource` the type of those of `XMLHttpRequest`. */
function isEventSource({ resourceType, request }: PausedRequest): boolean {
  return resourceType === 'XHR' && request.headers.Accept === 'text/event-stream';
}

function readRequest({ request }: PausedRequest): ResourceRequest | null {
  const method = RESOURCE_METHODS.find((allowed) => allowed === request.method);
  const headers = selectRequestHeaders(request.headers);
  const entries = request.postDataEntries ?? [];
  const body = Buffer.concat(entries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')));
  // the browser leaves out bodies that are long or come from files
  const isComplete = !request.hasPostData || entries.length > 0;
  if (!method || !headers || !isComplete || body.length > MAX_SENT_BODY_BYTES) return null;
  return { url: request.url, method, headers, body: method === 'POST' ? body : null };
}

/** A document that fails leaves the page as it is. Otherwise the browser would replace it by an error page. */
function fail({ requestId, resourceType }: PausedRequest, reason: 'BlockedByClient' | 'Failed'): RequestAnswer {
  const errorReason = resourceType === 'Document' ? 'Aborted' : reason;
  return { method: 'Fetch.failRequest', params: { requestId, errorReason } };
}

function fulfill(
  { requestId }: PausedRequest,
  responseCode: number,
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
): RequestAnswer {
  const responseHeaders = headers.map(([name, value]) => ({ name, value }));
  // Chromium answers with no code for which it has no phrase, such as 522 and 999
  const responsePhrase = STATUS_CODES[responseCode] ?? 'Unknown';
  const encoded = Buffer.from(body).toString('base64');
  const params = { requestId, responseCode, responsePhrase, responseHeaders, body: encoded };
  return { method: 'Fetch.fulfillRequest', params };
}
