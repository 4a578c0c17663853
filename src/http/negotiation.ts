import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The content codings that answers come in (RFC 9110 section 8.4.1), best first. */
const COMPRESSED = ['br', 'gzip'] as const;
export type Coding = (typeof COMPRESSED)[number] | 'identity';

/** Below this a compressed answer saves nothing that a network would notice. */
const MIN_BYTES = 1_024;
/** Brotli's middle: nearly as small as its best, in a hundredth of the time. */
const BROTLI_QUALITY = 5;

/**
 * The coding that a request wants most (RFC 9110 section 12.5.3), and of equals the smallest. A request that says
 * nothing, or forbids all that there is, gets the body as it is.
 */
export function chooseCoding(acceptEncoding: string | null): Coding {
  if (acceptEncoding === null) return 'identity';
  const weights = weightsOf(acceptEncoding);
  let best: Coding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of COMPRESSED) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    const isBetter = best === 'identity' ? weight >= bestWeight : weight > bestWeight;
    if (weight > 0 && isBetter) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** A text in a coding, as bytes: a string would be encoded again for each answer. */
export interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly coding: Coding;
}

/** Without a coding when the text is too short to gain by it. */
export async function encode(text: string, coding: Coding): Promise<Encoded> {
  const bytes = Buffer.from(text);
  if (coding === 'identity' || bytes.length < MIN_BYTES) return { body: bytes, coding: 'identity' };
  return { body: (await compress[coding](bytes)) as Buffer<ArrayBuffer>, coding };
}

const compress = {
  gzip: promisify<Uint8Array, Buffer>(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

/** The weight of each coding that the field names, from 0 to 1. One that cannot be read is 0: not acceptable. */
function weightsOf(field: string): ReadonlyMap<string, number> {
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

/** A strong entity tag (RFC 9110 section 8.8.3) of a representation. */
export function etagOf(representation: string): string {
  return `"${hash('sha256', representation, 'base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` names the tag; weak comparison (RFC 9110 section 13.1.2). */
export function matchesWeakly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || listed(condition).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Match` names the tag; strong comparison (RFC 9110 section 13.1.1). */
export function matchesStrongly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || listed(condition).includes(etag);
}

function listed(condition: string): readonly string[] {
  return condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
