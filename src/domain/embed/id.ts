import { randomBytes } from 'node:crypto';
import { hashText } from './text-hash.ts';

/** Crockford's base32 in lower case, because an id is also a DNS label (RFC 1035 section 2.3.1). */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 14;
const RANDOM_LIMIT = 1n << 70n;
/** The first 10 bits of the hash of the account, in the last characters of an id. */
const CODE_LENGTH = 2;
const CODE_SHIFT = 32 - 5 * CODE_LENGTH;
/** Hashes of the accounts with the same code. */
export const HASHES_OF_CODE = 2 ** CODE_SHIFT;
const MAX_TIME_MS = 2 ** 48 - 1;

export const EMBED_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function isEmbedId(value: unknown): boolean {
  return typeof value === 'string' && EMBED_ID.test(value);
}

export interface EmbedIdentity {
  readonly id: string;
  /** The time in the id, so that both give the same order. */
  readonly createdAt: Date;
}

/** Returns the identity of a new embed of an account. */
export type NewEmbedIdentity = (accountId: string) => EmbedIdentity;

/**
 * Creates a generator of increasing ULIDs, also when the clock goes back. Within a millisecond the step is random, up to
 * 2^64, instead of 1 as in the ULID specification: `embed_url` shows an id, and neighbours must not be guessable.
 */
export function createEmbedIdGenerator(now: () => number = Date.now): NewEmbedIdentity {
  let time = 0;
  let random = 0n;
  return (accountId) => {
    const clock = now();
    if (clock > time) {
      time = clock;
      random = newRandom();
    } else {
      random += randomBits(8) + 1n;
      if (random >= RANDOM_LIMIT) {
        time += 1;
        random = newRandom();
      }
    }
    const id = encode(BigInt(time), TIME_LENGTH) + encode(random, RANDOM_LENGTH) + accountCodeOf(accountId);
    return { id, createdAt: new Date(time) };
  };
}

/** Returns the end of all ids of an account. Accounts with the same code are on the same shard of a Citus cluster. */
export function accountCodeOf(accountId: string): string {
  return encode(BigInt(hashText(accountId) >>> CODE_SHIFT), CODE_LENGTH);
}

/** Returns the lowest hash of the accounts whose embeds may have this id. In ids of older versions it is random. */
export function accountHashIn(id: string): number {
  return (decode(id.slice(-CODE_LENGTH)) << CODE_SHIFT) >>> 0;
}

/** Returns false for ids of older versions. */
export function namesAccount(id: string, accountId: string): boolean {
  return id.endsWith(accountCodeOf(accountId));
}

/** Returns a text that sorts after all ids before this millisecond, and before all others. */
export function idBoundAt(timeMs: number): string {
  return encode(BigInt(Math.min(Math.max(timeMs, 0), MAX_TIME_MS)), TIME_LENGTH);
}

/** Returns the time in an id. */
export function timeOfId(id: string): Date {
  return new Date(decode(id.slice(0, TIME_LENGTH)));
}

/** Characters of an id that its prefix number has. The result is a safe integer until the year 2109, also if it is doubled. */
const PREFIX_LENGTH = TIME_LENGTH + 2;

/** Returns a number in the order of ids, which similar ids share: 1,024 times the time in ms, and 10 random bits. */
export function prefixNumberOf(id: string): number {
  return decode(id.slice(0, PREFIX_LENGTH));
}

function newRandom(): bigint {
  return randomBits(9) >> 2n;
}

function randomBits(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`);
}

function encode(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ID_DIGITS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** @param digits at most {@link PREFIX_LENGTH} */
function decode(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 32 + ID_DIGITS.indexOf(digit);
  return value;
}
