import { randomBytes } from 'node:crypto';

/** Crockford's base32, in lower case: an id is also a DNS label (RFC 1035 section 2.3.1). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const RANDOM_LIMIT = 1n << 80n;
/** The time of an id has 48 bits. */
const MAX_TIME = 2 ** 48 - 1;

/** A ULID in lower case. */
export const EMBED_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an embed id: a ULID in lower case. */
export function isEmbedId(text: string): boolean {
  return EMBED_ID.test(text);
}

export interface EmbedIdentity {
  readonly id: string;
  /** The instant that the id carries, so that ordering by id and by time are one. */
  readonly createdAt: Date;
}

/**
 * Makes ULIDs that never go backwards, whatever the clock does. Within a millisecond the next id is the last one plus
 * a random step of up to 2^64, not plus one as in the ULID specification: whoever knows an id, and `embed_url` shows
 * it, still cannot guess its neighbours.
 */
export function createEmbedIdGenerator(now: () => number = Date.now): () => EmbedIdentity {
  let time = 0;
  let random = 0n;
  return () => {
    const clock = now();
    if (clock > time) {
      time = clock;
      random = randomBits(10);
    } else {
      random += randomBits(8) + 1n;
      if (random >= RANDOM_LIMIT) {
        time += 1;
        random = randomBits(10);
      }
    }
    return { id: encode(BigInt(time), TIME_LENGTH) + encode(random, RANDOM_LENGTH), createdAt: new Date(time) };
  };
}

/**
 * A bound among ids: the ids of embeds made at this millisecond or later are above it, all others below.
 * @param time milliseconds since 1970; what ids cannot tell is the nearest that they can
 */
export function idBoundAt(time: number): string {
  return encode(BigInt(Math.min(Math.max(time, 0), MAX_TIME)), TIME_LENGTH);
}

function randomBits(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`);
}

function encode(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
