/** A page id at the end of a text, unless it is the end of a longer run of hex digits. */
export const TRAILING_ID = /(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

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

/** Decodes a part of a path, if its percent-encoding is valid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
