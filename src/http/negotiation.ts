import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The content codings of replies (RFC 9110 section 8.4.1), smallest first. */
const COMPRESSED = ['br', 'gzip'] as const;
export type Coding = (typeof COMPRESSED)[number] | 'identity';

/** Shorter texts are sent as `identity`. */
const MIN_COMPRESSED_BYTES = 1_024;
/** Nearly as small as the best quality, in a hundredth of the time. */
const BROTLI_QUALITY = 5;
/** A window of n bits spans 2^n - 16 bytes. */
const WINDOW_MARGIN_BYTES = 16;

/** Prefers the highest weight, then the smallest coding (RFC 9110 section 12.5.3). If none is acceptable: `identity`. */
export function chooseCoding(acceptEncoding: string | null): Coding {
  if (acceptEncoding === null) return 'identity';
  const weights = parseWeights(acceptEncoding);
  let best: Coding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of COMPRESSED) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    const isBetter = best === 'identity' ? weight >= bestWeight : weight > bestWeight;
    if (weight > 0 && isBetter) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** Prefers the highest weight, then the first type (RFC 9110 section 12.5.1). Null if none is acceptable. */
export function chooseMediaType<Type extends string>(accept: string | null, types: readonly Type[]): Type | null {
  const weights = parseWeights(accept ?? '*/*');
  const weightOf = (type: string) =>
    weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0;
  const best = types.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return best !== undefined && weightOf(best) > 0 ? best : null;
}

/** Browsers that open a page name HTML; other clients accept it by a wildcard at most. */
export function isBrowserNavigation(accept: string | null): boolean {
  return accept?.includes('text/html') ?? false;
}

export async function encode(bytes: Uint8Array<ArrayBuffer>, coding: Coding) {
  if (coding === 'identity' || bytes.length < MIN_COMPRESSED_BYTES) return { body: bytes, coding: 'identity' as const };
  // a copy, because zlib returns parts of buffers of 16 kB, which a cache would keep
  return { body: new Uint8Array(await compress[coding](bytes)), coding };
}

const compress = {
  gzip: promisify<Uint8Array, Buffer>(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        // the default window takes 10 MB for each text that is being compressed
        [constants.BROTLI_PARAM_LGWIN]: windowBitsOf(bytes.length),
      },
    }),
};

/** Returns the smallest window of Brotli (RFC 7932 section 9.1) that spans a text of this length. */
function windowBitsOf(length: number): number {
  const bits = Math.ceil(Math.log2(length + WINDOW_MARGIN_BYTES));
  return Math.min(Math.max(bits, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}

/** Returns weights from 0 to 1 by coding or media type. An invalid weight counts as 0: not acceptable. */
function parseWeights(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // RFC 9110 section 8.4.1.3
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (coding !== '') weights.set(coding, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  return weights;
}

/** Returns a strong entity tag (RFC 9110 section 8.8.3). */
export function etagOf(representation: string | Uint8Array): string {
  return `"${hash('sha256', representation, 'base64url').slice(0, 27)}"`;
}

/** Compares `If-None-Match` (RFC 9110 section 13.1.2). */
export function matchesWeakly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || parseTags(condition).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Compares `If-Match` (RFC 9110 section 13.1.1). */
export function matchesStrongly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || parseTags(condition).includes(etag);
}

function parseTags(condition: string): readonly string[] {
  return condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
