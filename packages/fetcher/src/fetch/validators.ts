/** Validators of a page version, for the next conditional request (RFC 9110 sections 8.8 and 13.1). */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface KnownVersion extends Validators {
  readonly url: string;
}

/** RFC 9110 section 8.8.3, with a limit on the length. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,500}"$/;
const PRINTABLE = /^[\x20-\x7e]{1,60}$/;

/** Replaces invalid validators with null. */
export function validatorsOf(etag: string | null | undefined, lastModified: string | null | undefined): Validators {
  const isDate = lastModified && PRINTABLE.test(lastModified) && Number.isFinite(Date.parse(lastModified));
  return { etag: etag && ETAG.test(etag) ? etag : null, lastModified: isDate ? lastModified : null };
}

/** Empty for other URLs than that of the known version: validators go only to the URL that issued them. */
export function conditionalHeaders(known: KnownVersion | null, url: URL): Record<string, string> {
  if (known?.url !== url.href) return {};
  const { etag, lastModified } = validatorsOf(known.etag, known.lastModified);
  return { ...(etag && { 'if-none-match': etag }), ...(lastModified && { 'if-modified-since': lastModified }) };
}
