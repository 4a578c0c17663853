import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES, entriesIn } from '../cache-bytes.ts';
import { DEFAULT_ACCOUNT, type Identity, OPERATOR_TOKEN_ID } from '../domain/identity/account.ts';
import {
  createSecretCheck,
  hashOfToken,
  isTokenLive,
  isTokenText,
  SCOPES,
  TOKEN_PREFIX,
  type Token,
} from '../domain/identity/token.ts';
import { Refusal } from '../errors.ts';
import type { TokenStore } from '../store/tokens.ts';

/** A token that was looked up earlier than this is looked up again, */
const FRESH_MS = 2_000;
/** and a request waits for the lookup if it is older than this: a revocation must take effect within 5 s. */
const MAX_AGE_MS = 4_000;
/** A token, its times and its hash. */
const LOOKUP_BYTES = 4 * ENTRY_BYTES;
/** One token has few spellings of its header. */
const MAX_OPERATOR_HEADERS = 10;
/** The precision of `lastUsedAt`. */
const USE_INTERVAL_MS = 60_000;
/** Over this limit, uses are recorded later. */
const MAX_PENDING_USES = 100;

/** Waits only for the database. @throws {Refusal} `unauthenticated`, `invalid_token`, `unavailable` */
export type Authenticate = (authorization: string | null) => Awaitable<Identity>;

interface Lookup {
  readonly hash: string;
  readonly token: Token | null;
  /** The start of the lookup by the monotonic clock, which nobody can set back. */
  readonly at: number;
}

/** Accepts bearer tokens (RFC 6750 section 2.1) of the database, and ACCESS_TOKEN. */
export function createAuthenticate(tokens: TokenStore, accessToken: string | null): Authenticate {
  /** By the Authorization header, so that a request with a known token computes no hash. */
  const lookups = new LRUCache<string, Lookup>({
    maxSize: CACHE_BYTES.tokenLookups,
    sizeCalculation: (_, authorization) => LOOKUP_BYTES + bytesOfEntry(authorization),
  });
  const recordUse = createUseRecorder(tokens);
  const inFlight = new Map<string, Promise<Token | null>>();
  const operator: Identity = { tokenId: OPERATOR_TOKEN_ID, accountId: DEFAULT_ACCOUNT, scopes: SCOPES };
  const isOperator = accessToken === null ? () => false : createSecretCheck(accessToken);
  /** Authorization headers with the access token that were accepted after the account was created. */
  const operatorHeaders = new LRUCache<string, true>({ max: MAX_OPERATOR_HEADERS });
  let accountCreated: Promise<boolean> | undefined;

  async function ensureOperator(authorization: string): Promise<Identity> {
    accountCreated ??= tokens.ensureAccount(operator.accountId, new Date());
    accountCreated.catch(() => {
      accountCreated = undefined;
    });
    await accountCreated;
    operatorHeaders.set(authorization, true);
    return operator;
  }

  function lookUp(authorization: string, hash: string): Promise<Token | null> {
    const current = inFlight.get(hash);
    if (current) return current;
    const at = performance.now();
    const started = tokens.findByHash(hash).then((token) => {
      lookups.set(authorization, { hash, token, at });
      if (token) recordUse(token);
      return token;
    });
    inFlight.set(hash, started);
    const end = () => inFlight.delete(hash);
    started.then(end, end);
    return started;
  }

  /** Returns undefined if the token must be looked up first. */
  function findKnown(authorization: string): Token | null | undefined {
    const known = lookups.get(authorization);
    if (!known) return undefined;
    const ageMs = performance.now() - known.at;
    if (ageMs < FRESH_MS) return known.token;
    if (ageMs >= MAX_AGE_MS || !known.token) return undefined;
    // if it fails, a request soon waits for the next lookup, and gets its error
    lookUp(authorization, known.hash).catch(() => {});
    return known.token;
  }

  return (authorization) => {
    if (authorization === null)
      throw new Refusal('unauthenticated', 'Send an access token in the header Authorization: Bearer <token>.');
    const token = findKnown(authorization);
    if (token !== undefined) return identityOf(token);
    if (operatorHeaders.has(authorization)) return operator;
    const text = findBearerToken(authorization);
    if (text === null) throw new Refusal('unauthenticated', 'The Authorization header must be: Bearer <token>.');
    if (isOperator(text)) return ensureOperator(authorization);
    if (isTokenText(text)) return lookUp(authorization, hashOfToken(text)).then(identityOf);
    if (text.startsWith(TOKEN_PREFIX)) throw new Refusal('invalid_token', INCOMPLETE);
    return identityOf(null);
  };
}

const INCOMPLETE = 'The token is not complete or was changed: its checksum is wrong. Copy all 53 characters again.';

function identityOf(token: Token | null): Identity {
  if (!token || !isTokenLive(token, new Date())) {
    throw new Refusal('invalid_token', 'The token is unknown, expired or revoked.');
  }
  return { tokenId: token.id, accountId: token.accountId, scopes: token.scopes };
}

/**
 * Creates a function that stores the time of a use at most once a minute per token, after a look-up. No request waits for
 * it. A failed write is not repeated before the next minute.
 */
function createUseRecorder(tokens: TokenStore): (token: Token) => void {
  /** By token id, the times by the monotonic clock. The use of a token that is evicted is recorded twice in a minute. */
  const recordedAt = new LRUCache<string, number>({ max: entriesIn(CACHE_BYTES.tokenUses) });
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
