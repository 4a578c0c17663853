import { hash, randomBytes } from 'node:crypto';
import type { Person } from './account.ts';

/** The sign-in of a browser to the console. */
export interface Session {
  /** SHA-256 of the secret in the cookie, in hex. */
  readonly hash: string;
  readonly accountId: string;
  /** `token:<id>`, `person:<subject>`, or `login:<hash>` of a sign-in that is finished, and no session. */
  readonly holder: string;
  /** The hash of the token that was exchanged for the session; null for a person and a sign-in. */
  readonly tokenHash: string | null;
  /** Null for a token and a sign-in. */
  readonly person: Person | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The session of a token also ends with the token. */
export const TOKEN_SESSION_MS = 30 * 24 * 3_600_000;

/** The session of a person. A role that the provider has changed counts from the next sign-in. */
export const PERSON_SESSION_MS = 12 * 3_600_000;

/** From the begin of a sign-in by the provider to its end. */
export const LOGIN_MS = 10 * 60_000;

/** 256 random bits as base64url. */
export const SESSION_SECRET = /^[\w-]{43}$/;

export function createSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 in hex, as for tokens. */
export function hashOfSession(secret: string): string {
  return hash('sha256', secret);
}

/** `ACCESS_TOKEN` may be easy to guess: with the secret of the session, its hash is of no use to a reader of the database. */
export function hashOfOperatorToken(secret: string, accessToken: string): string {
  return hash('sha256', `${secret} ${accessToken}`);
}
