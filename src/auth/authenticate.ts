import { LRUCache } from 'lru-cache';
import { DEFAULT_ACCOUNT, type Identity, OPERATOR_TOKEN_ID } from '../domain/identity/account.ts';
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
/** The precision of `lastUsedAt`. */
const USE_INTERVAL_MS = 60_000;
/** Over these limits, uses are recorded later or twice in a minute. */
const MAX_RECORDED_USES = 10_000;
const MAX_PENDING_USES = 100;

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
  const recordUse = createUseRecorder(tokens);
  const operator: Identity = { tokenId: OPERATOR_TOKEN_ID, accountId: DEFAULT_ACCOUNT, scopes: SCOPES };
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
    const token = tokens.findByHash(hash).then((found) => {
      if (found) recordUse(found);
      return found;
    });
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

/**
 * Creates a function that stores the time of a use at most once a minute per token, after a look-up. No request waits for
 * it. A failed write is not repeated before the next minute.
 */
function createUseRecorder(tokens: TokenStore): (token: Token) => void {
  /** By token id, the times by the monotonic clock. */
  const recordedAt = new LRUCache<string, number>({ max: MAX_RECORDED_USES });
  let pending = 0;
  return (token) => {
    const now = new Date();
    const isRecent =
      performance.now() - (recordedAt.get(token.id) ?? Number.NEGATIVE_INFINITY) < USE_INTERVAL_MS ||
      Math.abs(now.getTime() - (token.lastUsedAt?.getTime() ?? 0)) < USE_INTERVAL_MS;
    if (isRecent || !isTokenLive(token, now) || pending >= MAX_PENDING_USES) return;
    recordedAt.set(token.id, performance.now());
    pending++;
    const done = () => {
      pending--;
    };
    tokens.markUsed(token.id, now).then(done, done);
  };
}

/** Returns null for another scheme than Bearer. */
export function findBearerToken(authorization: string): string | null {
  return /^Bearer +(\S.*?) *$/i.exec(authorization)?.[1] ?? null;
}

function invalidToken(): Refusal {
  return new Refusal('invalid_token', 'The token is unknown, expired or revoked.');
}
