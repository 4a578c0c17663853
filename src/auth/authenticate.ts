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

/** How long a look-up is trusted. A revocation elsewhere takes effect within it; the promise is 5 seconds. */
const LOOKUP_TTL_MS = 2_000;
const MAX_LOOKUPS = 10_000;

/** Turns the value of an Authorization header into an identity, or refuses. */
export type Authenticate = (authorization: string | null) => Promise<Identity>;

interface Lookup {
  readonly token: Promise<Token | null>;
  /** By the monotonic clock: a wall clock that is moved back must not prolong it. */
  readonly trustedUntil: number;
}

/** Reads bearer tokens (RFC 6750 section 2.1): those of the database, and the operator's own from the environment. */
export function createAuthenticate(tokens: TokenStore, accessToken: string | null): Authenticate {
  const lookups = new Map<string, Lookup>();
  const operator: Identity = { tokenId: 'ACCESS_TOKEN', accountId: DEFAULT_ACCOUNT, scopes: SCOPES };
  const isOperator = accessToken === null ? () => false : createSecretCheck(accessToken);
  let operatorsAccount: Promise<boolean> | undefined;

  async function admitOperator(): Promise<Identity> {
    operatorsAccount ??= tokens.ensureAccount(operator.accountId, new Date());
    operatorsAccount.catch(() => {
      operatorsAccount = undefined;
    });
    await operatorsAccount;
    return operator;
  }

  function find(hash: string): Promise<Token | null> {
    const now = performance.now();
    const known = lookups.get(hash);
    if (known && known.trustedUntil > now) return known.token;
    if (lookups.size >= MAX_LOOKUPS) lookups.clear();
    const token = tokens.findByHash(hash);
    lookups.set(hash, { token, trustedUntil: now + LOOKUP_TTL_MS });
    token.catch(() => lookups.delete(hash));
    return token;
  }

  return async (authorization) => {
    if (authorization === null)
      throw new Refusal('unauthenticated', 'Send an Authorization header with a bearer token.');
    const text = findBearerToken(authorization);
    if (text === null) throw new Refusal('unauthenticated', 'The Authorization header must be: Bearer <token>.');
    if (isOperator(text)) return admitOperator();
    if (!isTokenText(text)) throw invalidToken();
    const token = await find(hashOfToken(text));
    if (!token || !isTokenLive(token, new Date())) throw invalidToken();
    return { tokenId: token.id, accountId: token.accountId, scopes: token.scopes };
  };
}

/** The token in an Authorization header; null when it is of another scheme. */
export function findBearerToken(authorization: string): string | null {
  return /^Bearer +(\S.*?) *$/i.exec(authorization)?.[1] ?? null;
}

function invalidToken(): Refusal {
  return new Refusal('invalid_token', 'The token is unknown, expired or revoked.');
}
