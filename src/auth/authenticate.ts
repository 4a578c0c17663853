import { DEFAULT_ACCOUNT, type Identity } from '../domain/identity/account.ts';
import {
  createSecretCheck,
  hashOfToken,
  isTokenLive,
  isTokenText,
  SCOPES,
  type Token,
} from '../domain/identity/token.ts';
import { Refusal } from '../errors.ts';
import type { TokenStore } from '../store/tokens.ts';

/** A revocation must take effect within 5 s. */
const LOOKUP_TTL_MS = 2_000;
const MAX_LOOKUPS = 10_000;

/** @throws {Refusal} `unauthenticated`, `invalid_token`, `unavailable` */
export type Authenticate = (authorization: string | null) => Promise<Identity>;

interface Lookup {
  readonly token: Promise<Token | null>;
  /** By the monotonic clock, which nobody can set back. */
  readonly expiresAt: number;
}

/** Accepts bearer tokens (RFC 6750 section 2.1) of the database, and ACCESS_TOKEN. */
export function createAuthenticate(tokens: TokenStore, accessToken: string | null): Authenticate {
  const lookups = new Map<string, Lookup>();
  const operator: Identity = { tokenId: 'ACCESS_TOKEN', accountId: DEFAULT_ACCOUNT, scopes: SCOPES };
  const isOperator = accessToken === null ? () => false : createSecretCheck(accessToken);
  let accountCreated: Promise<boolean> | undefined;

  async function ensureOperator(): Promise<Identity> {
    accountCreated ??= tokens.ensureAccount(operator.accountId, new Date());
    accountCreated.catch(() => {
      accountCreated = undefined;
    });
    await accountCreated;
    return operator;
  }

  function findToken(hash: string): Promise<Token | null> {
    const now = performance.now();
    const cached = lookups.get(hash);
    if (cached && cached.expiresAt > now) return cached.token;
    if (lookups.size >= MAX_LOOKUPS) lookups.clear();
    const token = tokens.findByHash(hash);
    lookups.set(hash, { token, expiresAt: now + LOOKUP_TTL_MS });
    token.catch(() => lookups.delete(hash));
    return token;
  }

  return async (authorization) => {
    if (authorization === null)
      throw new Refusal('unauthenticated', 'Send an Authorization header with a bearer token.');
    const text = findBearerToken(authorization);
    if (text === null) throw new Refusal('unauthenticated', 'The Authorization header must be: Bearer <token>.');
    if (isOperator(text)) return ensureOperator();
    if (!isTokenText(text)) throw invalidToken();
    const token = await findToken(hashOfToken(text));
    if (!token || !isTokenLive(token, new Date())) throw invalidToken();
    return { tokenId: token.id, accountId: token.accountId, scopes: token.scopes };
  };
}

/** Returns null for another scheme than Bearer. */
export function findBearerToken(authorization: string): string | null {
  return /^Bearer +(\S.*?) *$/i.exec(authorization)?.[1] ?? null;
}

function invalidToken(): Refusal {
  return new Refusal('invalid_token', 'The token is unknown, expired or revoked.');
}
