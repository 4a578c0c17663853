import { v5 as uuidv5 } from 'uuid';
import { isPublicHostname } from './public-address.ts';

export const MAX_URL_LENGTH = 2_048;

/** A page id at the end of a text, unless it is the end of a longer run of hex digits. */
const TRAILING_ID = /(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
export const WHOLE_ID = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;

const RFC3986_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/** Lines in the fragments of code hosts: `#L10`, `#L10-L20`, `#L10-20`, `#L10C1-L20C5`, `#lines-10:20`. */
export const LINES_FRAGMENT = /^#(?:L|lines-)(\d{1,6})(?:C\d{1,6})?(?:[-:]L?(\d{1,6})(?:C\d{1,6})?)?$/;
/** An application shows another page for it, such as `#/settings`, `#!/settings` or `#map=10/51.5/0`. */
const VIEW_FRAGMENT = /^#(?:[!/]|.*=)/;
/** Common names of all that a page shows. */
const WHOLE_PAGE = /^#(?:top|main|content|main-content|readme)?$/i;

export interface PagePolicy {
  /** Allows pages on private hosts, for local work and tests. */
  readonly allowPrivatePages: boolean;
}

export function checkPageUrl(value: unknown, policy: PagePolicy): string | null {
  if (typeof value !== 'string') return 'must be one string';
  if (value.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule rejects them
  if (/[\s\u0000-\u001f\u007f\\]/.test(value)) return 'must not contain spaces, control characters or backslashes';
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return 'must be an absolute http or https URL';
  // also empty ones, which the URL parser drops
  if (/^https?:\/\/[^/?#]*@/i.test(value)) return 'must not contain credentials';
  const url = new URL(value);
  if (url.href.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters after percent-encoding`;
  if (!policy.allowPrivatePages && !isPublicHostname(url.hostname)) {
    return 'must be on a public host, not a local, private or reserved one';
  }
  return null;
}

export function checkPageId(value: unknown): string | null {
  if (typeof value === 'string' && WHOLE_ID.test(value)) return null;
  return 'must be a UUID, with or without its hyphens';
}

/** Percent-encodes a valid page URL (RFC 3987 section 3.1) if it has characters that RFC 3986 does not allow. */
export function encodePageUrl(value: string): string {
  return RFC3986_CHARACTERS.test(value) ? value : new URL(value).href;
}

/** Returns a page id as a hyphenated lower-case UUID, or null if it is invalid. */
export function parsePageId(value: string): string | null {
  if (!WHOLE_ID.test(value)) return null;
  const hex = value.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

interface PageIdMatch {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the page id in a URL: at the end of the last path segment, or else the query parameter `p`. */
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

/** Returns the page id in the normalised URL, or else the UUIDv5 (RFC 9562 section 5.5) of that URL. */
export function pageIdOf(pageUrl: string): string {
  const normal = normalisePageUrl(pageUrl);
  const match = findPageId(normal);
  return (match && parsePageId(match.id)) ?? uuidv5(normal, uuidv5.URL);
}

/** Replaces the page id in a URL, with hyphens if the old one has them. Returns null if the URL contains none. */
export function replacePageId(pageUrl: string, pageId: string): string | null {
  const match = findPageId(pageUrl);
  if (!match) return null;
  const replacement = match.id.includes('-') ? pageId : pageId.replaceAll('-', '');
  const replaced = pageUrl.slice(0, match.start) + replacement + pageUrl.slice(match.end);
  // next to percent-encoded hex digits, the normalised URL may contain another id
  return pageIdOf(replaced) === pageId ? replaced : null;
}

/**
 * Normalises case, default port, dot segments and percent-encoding (RFC 3986 sections 6.2.2 and 6.2.3), and removes the
 * fragment and the final dot of the host.
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

/** Returns the URL under which a page is fetched and stored: without its fragment, unless that selects another page. */
export function sourceUrlOf(pageUrl: string): string {
  const start = pageUrl.indexOf('#');
  if (start < 0) return pageUrl;
  const [withoutText = ''] = pageUrl.split(':~:', 1);
  return VIEW_FRAGMENT.test(withoutText.slice(start)) ? withoutText : pageUrl.slice(0, start);
}

/** Returns the fragment that names a part of a page, without `#`; null if the URL names the whole page. */
export function partFragmentOf(pageUrl: string): string | null {
  const start = pageUrl.indexOf('#');
  if (start < 0) return null;
  const fragment = pageUrl.slice(start);
  if (fragment.includes(':~:text=')) return fragment.slice(1);
  const [anchor = ''] = fragment.split(':~:', 1);
  return [VIEW_FRAGMENT, WHOLE_PAGE, LINES_FRAGMENT].some((pattern) => pattern.test(anchor)) ? null : anchor.slice(1);
}

export function findTitleInUrl(pageUrl: string): string | null {
  const segment = lastSegmentOf(new URL(pageUrl));
  return TRAILING_ID.test(segment) ? wordsOf(segment) || null : null;
}

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

/** Returns one line of at most 200 characters, without control characters and lone surrogates. */
export function cleanTitle(title: string): string {
  const line = title.toWellFormed().replace(/[\p{Cc}\p{Z}]+/gu, ' ');
  return [...line].slice(0, 200).join('').trim();
}

/** Decodes a part of a URL, if its percent-encoding is valid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
