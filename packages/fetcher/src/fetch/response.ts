import type { IncomingMessage } from 'node:http';
import type { SourceFile } from '../../../reader/src/article-reader.ts';
import { decodeText } from '../../../reader/src/charset.ts';
import { isHtmlType, isPictureType, isTextType, mediaTypeOf, SNIFFED_BYTES } from '../../../reader/src/media-type.ts';
import { type Body, MAX_PAGE_BYTES, openBody } from './body.ts';
import { FetchFailure } from './failure.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import { type Validators, validatorsOf } from './validators.ts';

/** The use of a resource, in the terms of the Fetch standard (section 2.2.5): a page of its own, or a picture in a page. */
export type Destination = 'document' | 'image';

interface Fetched extends Validators {
  /** The URL after all redirects. */
  readonly url: string;
  readonly robots: string | null;
}

export interface FetchedPage extends Fetched {
  readonly kind: 'page';
  readonly html: string;
}

export interface FetchedFile extends Fetched, SourceFile {
  readonly kind: 'file';
}

export interface UnchangedPage {
  readonly kind: 'unchanged';
  readonly robots: string | null;
}

interface Redirect {
  readonly kind: 'redirect';
  readonly target: URL;
  /** The resource has another URL from now on (RFC 9110 sections 15.4.2 and 15.4.9). */
  readonly isPermanent: boolean;
}

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const PERMANENT_STATUSES = [301, 308];
/** RFC 9110 section 4.1 recommends support for at least 8,000 octets. */
const MAX_URL_LENGTH = 8_192;
/** The rest of a longer text is ignored. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Of pictures, whose size may follow other metadata. */
const MAX_PICTURE_BYTES = 256 * 1024;
/** Of PDFs, whose title is often at their end. */
const MAX_PDF_BYTES = 4 * 1024 * 1024;

interface ResponseRules {
  readonly url: URL;
  readonly isConditional: boolean;
  readonly destination: Destination;
}

/** @throws {FetchFailure} if the response is an error, an unexpected 304, or cannot be read */
export async function readResponse(
  response: IncomingMessage,
  { url, isConditional, destination }: ResponseRules,
  signal: AbortSignal,
): Promise<FetchedPage | FetchedFile | UnchangedPage | Redirect> {
  const status = response.statusCode ?? 0;
  if (REDIRECT_STATUSES.includes(status)) {
    return {
      kind: 'redirect',
      target: requireRedirectTarget(response, url),
      isPermanent: PERMANENT_STATUSES.includes(status),
    };
  }
  const robots = response.headersDistinct['x-robots-tag']?.join('\n') ?? null;
  if (status === 304 && isConditional) return { kind: 'unchanged', robots };
  const { etag, 'last-modified': lastModified, 'retry-after': retryAfter, date } = response.headers;
  // a part that was not requested is not the page
  if (status < 200 || status > 299 || status === 206) {
    throw new FetchFailure('http-error', { status, retryAfterMs: parseRetryAfterMs(retryAfter, date) ?? undefined });
  }
  const fetched = { url: url.href, ...validatorsOf(etag, lastModified), robots };
  return { ...fetched, ...(await readContent(response, destination, signal)) };
}

/** Returns an http(s) URL without credentials, or null. */
export function findFetchableUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > MAX_URL_LENGTH) return null;
  return url.username === '' && url.password === '' ? url : null;
}

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function requireRedirectTarget(response: IncomingMessage, url: URL): URL {
  // as in browsers, the bytes of UTF-8 and of Latin-1 stay what they are; Node decodes all of them as Latin-1
  const location = (response.headers.location ?? '').replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const target = location === '' ? null : findFetchableUrl(location, url);
  if (!target) throw new FetchFailure('bad-redirect');
  return target;
}

type Content<Kind extends Fetched> = Omit<Kind, keyof Fetched>;

/**
 * Downloads a page or picture for its destination as a whole, and other resources as far as they are needed. Like
 * browsers, recognises pictures in a page by their first bytes even with `X-Content-Type-Options: nosniff`.
 */
async function readContent(
  response: IncomingMessage,
  destination: Destination,
  signal: AbortSignal,
): Promise<Content<FetchedPage> | Content<FetchedFile>> {
  const contentType = response.headers['content-type'] ?? null;
  const noSniff =
    destination === 'document' &&
    response.headersDistinct['x-content-type-options']?.[0]?.split(',')[0]?.trim().toLowerCase() === 'nosniff';
  const body = openBody(response, signal);
  const start = await body.read(SNIFFED_BYTES);
  const mediaType = mediaTypeOf(start.bytes, { contentType, noSniff });
  if (destination === 'document' && isHtmlType(mediaType)) {
    const bytes = await readWhole(body);
    return { kind: 'page', html: decodeText(bytes, { contentType, isMarkup: true, isWhole: true }) };
  }
  const isNeededWhole = destination === 'image' && isPictureType(mediaType);
  const { bytes, isWhole } = isNeededWhole
    ? { bytes: await readWhole(body), isWhole: true }
    : await body.read(destination === 'image' ? SNIFFED_BYTES : maxBytesOf(mediaType));
  return {
    kind: 'file',
    mediaType,
    disposition: response.headers['content-disposition'] ?? null,
    size: isWhole ? bytes.length : body.declaredSize,
    content: isTextType(mediaType)
      ? decodeText(bytes, { contentType, isMarkup: mediaType.endsWith('xml'), isWhole })
      : bytes,
    isWhole,
  };
}

/** @throws {FetchFailure} `too-large` above {@link MAX_PAGE_BYTES} */
export async function readWhole(body: Body): Promise<Uint8Array> {
  if ((body.declaredSize ?? 0) > MAX_PAGE_BYTES) throw new FetchFailure('too-large');
  const { bytes, isWhole } = await body.read(MAX_PAGE_BYTES);
  if (!isWhole) throw new FetchFailure('too-large');
  return bytes;
}

function maxBytesOf(mediaType: string): number {
  if (isTextType(mediaType)) return MAX_TEXT_BYTES;
  if (mediaType.startsWith('image/')) return MAX_PICTURE_BYTES;
  return mediaType === 'application/pdf' ? MAX_PDF_BYTES : SNIFFED_BYTES;
}
