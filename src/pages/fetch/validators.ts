/** What a site said of the version that it sent, to be shown to it the next time (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A version of a page that the caller has. */
export interface KnownVersion extends Validators {
  /** Where it was found, after all redirects. */
  readonly url: string;
}

/** RFC 9110 section 8.8.3, and short enough to be kept. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,500}"$/;
const PRINTABLE = /^[\x20-\x7e]{1,60}$/;

/** The validators of an answer's headers, or of what was kept of them; null for what is none. */
export function validatorsOf(etag: string | null | undefined, lastModified: string | null | undefined): Validators {
  const isDate = lastModified && PRINTABLE.test(lastModified) && Number.isFinite(Date.parse(lastModified));
  return { etag: etag && ETAG.test(etag) ? etag : null, lastModified: isDate ? lastModified : null };
}

/**
 * The headers that let a site answer "unchanged" (RFC 9110 section 13.1), for the very URL that gave the version:
 * what one site said of its page is nobody else's business.
 */
export function conditionsOf(known: KnownVersion | null, url: URL): Record<string, string> {
  if (known?.url !== url.href) return {};
  const { etag, lastModified } = validatorsOf(known.etag, known.lastModified);
  return { ...(etag && { 'if-none-match': etag }), ...(lastModified && { 'if-modified-since': lastModified }) };
}
