import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import zlib from 'node:zlib';

/** None implies another one. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a token that the command line creates without `--scope`: all before `admin` existed. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

/** A stored token, without its text. */
export interface Token {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To about a minute. */
  readonly lastUsedAt: Date | null;
}

export const TOKEN_PREFIX = 'emb_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
/** Ids only name tokens. Embeds have ids of another length. */
const TOKEN_ID_LENGTH = 12;
export const TOKEN_ID = /^[0-9A-Za-z]{12}$/;
export const TOKEN_FORM = /^emb_[0-9A-Za-z]{49}$/;

export type NewToken = Pick<Token, 'accountId' | 'name' | 'scopes' | 'expiresAt'>;

/** Creates a token and its text, which is stored nowhere. */
export function createToken(options: NewToken, now: Date): { readonly text: string; readonly token: Token } {
  const text = createTokenText();
  const id = randomBase62(TOKEN_ID_LENGTH);
  const token = { ...options, id, hash: hashOfToken(text), createdAt: now, revokedAt: null, lastUsedAt: null };
  return { text, token };
}

export function isTokenId(text: string): boolean {
  return TOKEN_ID.test(text);
}

/** Returns `emb_`, 43 random base62 characters (256 bits) and a checksum of both. */
function createTokenText(): string {
  const body = TOKEN_PREFIX + randomBase62(SECRET_LENGTH);
  return body + checksum(body);
}

/** Checks form and checksum, which detects mistyped tokens without a query. */
export function isTokenText(text: string): boolean {
  return TOKEN_FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the SHA-256 in hex. A slow hash is not needed: 256 random bits cannot be guessed. */
export function hashOfToken(text: string): string {
  return hash('sha256', text);
}

/** Creates a function that compares texts with a secret. Comparing digests takes the same time for all texts. */
export function createSecretCheck(secret: string): (text: string) => boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}

export function isTokenLive(token: Pick<Token, 'expiresAt'> & Partial<Token>, at: Date): boolean {
  return !token.revokedAt && (token.expiresAt === null || token.expiresAt > at);
}

/** Returns the CRC-32 as six base62 digits. */
function checksum(text: string): string {
  let rest = zlib.crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
