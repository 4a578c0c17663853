import { v5 as uuidv5 } from 'uuid';
import { isPublicHostname } from './address.ts';

export const MAX_URL_LENGTH = 2_048;

/** 32 hex digits, with or without the hyphens of a UUID, that end a text and are not the tail of a longer run. */
const TRAILING_ID = /(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** A page id in any form that is taken. */
export const WHOLE_ID = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;

/** The characters that RFC 3986 allows in a URI. */
const RFC3986 = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/** What an operator allows pages to be. */
export interface PagePolicy {
  /** Lifts the rule that a page's host is public. For local work and tests. */
  readonly allowPrivatePages: boolean;
}

/**
 * Returns the rule that a page URL breaks, or null. A page URL is an absolute http(s) URL of at most 2,048 characters,
 * without credentials, on a public host.
 */
export function checkPageUrl(value: unknown, policy: PagePolicy): string | null {
  if (typeof value !== 'string') return 'must be one string';
  if (value.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\s\u0000-\u001f\u007f\\]/.test(value)) return 'must not contain spaces, control characters or backslashes';
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return 'must be an absolute http or https URL';
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(value)) {
    return 'must not carry credentials';
  }
  if (url.href.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters once encoded`;
  if (!policy.allowPrivatePages && !isPublicHostname(url.hostname)) {
    return 'must be on a public host, not a local, private or reserved one';
  }
  return null;
}

/** Returns the rule that a page id breaks, or null. */
export function checkPageId(value: unknown): string | null {
  if (typeof value === 'string' && WHOLE_ID.test(value)) return null;
  return 'must be a UUID, with or without its hyphens';
}

/** A valid page URL as it is kept: as it came when it is plain RFC 3986, encoded (RFC 3987 section 3.1) when not. */
export function encodePageUrl(value: string): string {
  return RFC3986.test(value) ? value : new URL(value).href;
}

/** A page id in any accepted form as a hyphenated lower-case UUID, or null when it is none. */
export function parsePageId(value: string): string | null {
  if (!WHOLE_ID.test(value)) return null;
  const hex = value.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

interface PageIdMatch {
  readonly id: string;
  /** Where the id stands in the URL. */
  readonly start: number;
  readonly end: number;
}

/** The page id that a URL carries: at the end of the last path segment, else as the `p` query parameter. */
export function findPageId(pageUrl: string): PageIdMatch | null {
  const pathEnd = pageUrl.search(/[?#]|$/);
  const path = pageUrl.slice(0, pathEnd).replace(/\/+$/, '');
  const inPath = TRAILING_ID.exec(path);
  if (inPath) return { id: inPath[0], start: inPath.index, end: inPath.index + inPath[0].length };
  const query = /^\?[^#]*/.exec(pageUrl.slice(pathEnd))?.[0] ?? '';
  const inQuery = /[?&]p=([^&]*)/.exec(query);
  const value = inQuery?.[1];
  if (!inQuery || value === undefined || !WHOLE_ID.test(value)) return null;
  const start = pathEnd + inQuery.index + '?p='.length;
  return { id: value, start, end: start + value.length };
}

/**
 * The id of a page: the one that its normalised URL carries, else the UUIDv5 (RFC 9562 section 5.5) of that. All
 * spellings of a URL have the same.
 */
export function pageIdOf(pageUrl: string): string {
  const normal = normalisePageUrl(pageUrl);
  const carried = findPageId(normal);
  return (carried && parsePageId(carried.id)) ?? uuidv5(normal, uuidv5.URL);
}

/** The URL with its page id replaced, in the form that the old one had; null when the URL carries none that can be. */
export function replacePageId(pageUrl: string, pageId: string): string | null {
  const carried = findPageId(pageUrl);
  if (!carried) return null;
  const replacement = carried.id.includes('-') ? pageId : pageId.replaceAll('-', '');
  const replaced = pageUrl.slice(0, carried.start) + replacement + pageUrl.slice(carried.end);
  // an id beside percent-encoding may not be what the normalised URL carries
  return pageIdOf(replaced) === pageId ? replaced : null;
}

/**
 * One spelling for every URL that names the same page (RFC 3986 section 6.2.2 and 6.2.3): case of scheme and host,
 * default port, dot segments, percent-encoding, no final dot of the host, no fragment.
 */
export function normalisePageUrl(pageUrl: string): string {
  const url = new URL(pageUrl);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded.toUpperCase();
  });
}

/** The title that a page's URL carries: the words before the id that ends its last path segment. */
export function findTitleInUrl(pageUrl: string): string | null {
  const segment = lastSegmentOf(new URL(pageUrl));
  return TRAILING_ID.test(segment) ? wordsOf(segment) || null : null;
}

/** What to call a page of which only the URL is known: its last path segment without an id, else its host. */
export function fallbackTitleOf(pageUrl: string): string {
  const url = new URL(pageUrl);
  return wordsOf(lastSegmentOf(url)) || url.hostname;
}

function lastSegmentOf({ pathname }: URL): string {
  return decodeSegment(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '');
}

function wordsOf(segment: string): string {
  return cleanTitle(segment.replace(TRAILING_ID, '').replace(/[-_\s]+/g, ' '));
}

/** A title fit to be kept: one line, no control characters, no lone surrogates, at most 200 characters. */
export function cleanTitle(title: string): string {
  const line = title.toWellFormed().replace(/[\p{Cc}\p{Z}]+/gu, ' ');
  return [...line].slice(0, 200).join('').trim();
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const MAX_SLUG = 80;

/** A title as the readable part of `embed_url`: letters and digits of any script, case kept, at most 80 characters. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const short = slug.length > MAX_SLUG ? [...slug].slice(0, MAX_SLUG).join('') : slug;
  return short.replace(/-$/, '') || 'page';
}
