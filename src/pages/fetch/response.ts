import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import { decodePage } from './charset.ts';
import { FetchFailure } from './failure.ts';
import { type Validators, validatorsOf } from './validators.ts';

export interface FetchedPage extends Validators {
  readonly kind: 'page';
  /** The URL of the page after all redirects. */
  readonly url: string;
  readonly html: string;
  readonly robots: string | null;
}

export interface UnchangedPage {
  readonly kind: 'unchanged';
  readonly robots: string | null;
}

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
/** RFC 9110 section 4.1 recommends support for at least 8,000 octets. */
const MAX_URL_LENGTH = 8_192;
export const HTML_MEDIA_TYPES = ['text/html', 'application/xhtml+xml'];
/** For pages without a media type; a subset of WHATWG MIME Sniffing section 7.1. */
const LOOKS_LIKE_HTML =
  /^\s*(?:<\?xml[^>]*>\s*)?<(?:!--|!doctype html|(?:html|head|body|title|meta|script|style|div|p|h1)[\s/>])/i;

interface ResponseRules {
  readonly url: URL;
  readonly isConditional: boolean;
  readonly mediaTypes: readonly string[];
}

/** @throws {FetchFailure} if the response is not a page, a redirect or an expected 304 */
export async function readResponse(
  response: IncomingMessage,
  { url, isConditional, mediaTypes }: ResponseRules,
  signal: AbortSignal,
): Promise<FetchedPage | UnchangedPage | URL> {
  const status = response.statusCode ?? 0;
  if (REDIRECT_STATUSES.includes(status)) return requireRedirect(response, url);
  const robots = response.headersDistinct['x-robots-tag']?.join('\n') ?? null;
  if (status === 304 && isConditional) return { kind: 'unchanged', robots };
  if (status < 200 || status > 299) throw new FetchFailure('http-error', status);
  const { etag, 'last-modified': lastModified } = response.headers;
  const html = await readText(response, mediaTypes, signal);
  return { kind: 'page', url: url.href, html, ...validatorsOf(etag, lastModified), robots };
}

/** Returns an http(s) URL without credentials, or null. */
export function findFetchableUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > MAX_URL_LENGTH) return null;
  return url.username === '' && url.password === '' ? url : null;
}

function requireRedirect(response: IncomingMessage, url: URL): URL {
  // Node decodes headers as Latin-1, but sites write them in UTF-8
  const location = Buffer.from(response.headers.location ?? '', 'latin1').toString();
  const target = location === '' ? null : findFetchableUrl(location, url);
  if (!target) throw new FetchFailure('bad-redirect');
  return target;
}

async function readText(
  response: IncomingMessage,
  mediaTypes: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const contentType = response.headers['content-type'] ?? null;
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() || null;
  if (mediaType && !mediaTypes.includes(mediaType)) throw new FetchFailure('not-html');
  const html = decodePage(await readBody(response, signal), contentType);
  if (!mediaType && !LOOKS_LIKE_HTML.test(html)) throw new FetchFailure('not-html');
  return html;
}
