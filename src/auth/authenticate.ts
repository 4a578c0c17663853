import { LRUCache } from 'lru-cache';
import { type Awaitable, andThen, joinOrStart, loadOnce } from '../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES, entriesIn } from '../cache-bytes.ts';
import { DEFAULT_ACCOUNT, type Identity, OPERATOR_TOKEN_ID, type Person, ROLES } from '../domain/identity/account.ts';
import { hashOfOperatorToken, hashOfSession } from '../domain/identity/session.ts';
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
import type { SessionStore } from '../store/sessions.ts';
import type { TokenStore } from '../store/tokens.ts';
import { findSessionOf } from './session-cookie.ts';

/** A token that was looked up earlier than this is looked up again, */
const FRESH_MS = 2_000;
/** after this time, so that one statement finds all tokens that became old meanwhile, */
const REFRESH_DELAY_MS = 100;
/** and a request waits for the lookup if it is older than this: a revocation must take effect within 5 s. */
const MAX_AGE_MS = 4_000;
/** A token, its times and its hash. */
const LOOKUP_BYTES = 4 * ENTRY_BYTES;
/** The precision of `lastUsedAt`. */
const USE_INTERVAL_MS = 60_000;
/** Over this limit, uses are recorded later. */
const MAX_PENDING_USES = 100;

/** Waits only for the database. @throws {Refusal} `unauthenticated`, `invalid_token`, `unavailable` */
export type Authenticate = (authorization: string | null) => Awaitable<Identity>;

/** A token, or what stands for one in a session. */
type Credential = Pick<Token, 'id' | 'accountId' | 'scopes' | 'expiresAt'> &
  Partial<Token> & { readonly person?: Person };

interface Lookup {
  readonly hash: string;
  readonly token: Credential | null;
  /** The start of the lookup by the monotonic clock, which nobody can set back. ACCESS_TOKEN never becomes old. */
  readonly at: number;
}

interface Sources {
  readonly tokens: TokenStore;
  readonly sessions: Pick<SessionStore, 'findByHash'>;
  readonly accessToken: string | null;
  /** The provider whose sessions count; null for none. */
  readonly issuer: string | null;
  /** The clock of the database, by which tokens and sessions end. */
  readonly now: () => Date;
}

/** Accepts bearer tokens (RFC 6750 section 2.1) of the database, ACCESS_TOKEN, and sessions of the console. */
export function createAuthenticate({ tokens, sessions, accessToken, issuer, now }: Sources): Authenticate {
  /** By the Authorization header, so that a request with a known token computes no hash. */
  const lookups = new LRUCache<string, Lookup>({
    maxSize: CACHE_BYTES.tokenLookups,
    sizeCalculation: ({ token }, authorization) =>
      LOOKUP_BYTES + bytesOfEntry(authorization, ...Object.keys(token?.person?.accounts ?? {})),
  });
  const recordUse = createUseRecorder(tokens, now);
  const inFlight = new Map<string, Promise<Credential | null>>();
  /** The hashes of tokens that are to be looked up again, by the Authorization header. */
  let refreshed = new Map<string, string>();
  const operator: Credential = { id: OPERATOR_TOKEN_ID, accountId: DEFAULT_ACCOUNT, scopes: SCOPES, expiresAt: null };
  const isOperator = accessToken === null ? () => false : createSecretCheck(accessToken);
  const ensureOperator = loadOnce(async () => {
    await tokens.ensureAccount(operator.accountId, now());
    return operator;
  });

  function lookUp(authorization: string, hash: string): Promise<Credential | null> {
    return joinOrStart(inFlight, hash, async () => {
      const at = performance.now();
      const session = findSessionOf(authorization);
      const token: Credential | null = await (session === null ? tokens.findByHash(hash) : findTokenOf(session));
      lookups.set(authorization, { hash, token, at });
      // neither a person nor ACCESS_TOKEN is a token of the database
      if (token?.lastUsedAt !== undefined) recordUse(token);
      return token;
    });
  }

  /** Returns what a session allows: that of its token, or that of its person. Null if one of them is unknown. */
  async function findTokenOf(secret: string): Promise<Credential | null> {
    const session = await sessions.findByHash(hashOfSession(secret));
    if (!session) return null;
    const { tokenHash, expiresAt, accountId, holder, person } = session;
    if (person) {
      const role = person.issuer === issuer ? person.accounts[accountId] : undefined;
      return role === undefined ? null : { id: holder, accountId, scopes: ROLES[role], expiresAt, person };
    }
    if (tokenHash === null) return null;
    const isOfOperator = accessToken !== null && tokenHash === hashOfOperatorToken(secret, accessToken);
    if (isOfOperator) return { ...operator, expiresAt };
    const token = await tokens.findByHash(tokenHash);
    const isShorter = token?.expiresAt && token.expiresAt < expiresAt;
    return token && { ...token, expiresAt: isShorter ? token.expiresAt : expiresAt };
  }

  /** Returns undefined if the token must be looked up first. */
  function findKnown(authorization: string): Credential | null | undefined {
    const known = lookups.get(authorization);
    if (!known) return undefined;
    const ageMs = performance.now() - known.at;
    if (ageMs < FRESH_MS) return known.token;
    if (ageMs >= MAX_AGE_MS || !known.token) return undefined;
    if (!inFlight.has(known.hash)) refreshSoon(authorization, known.hash);
    return known.token;
  }

  function refreshSoon(authorization: string, hash: string): void {
    if (refreshed.size === 0) setTimeout(refresh, REFRESH_DELAY_MS).unref();
    refreshed.set(authorization, hash);
  }

  function refresh(): void {
    const due = refreshed;
    refreshed = new Map();
    // if it fails, a request soon waits for the next lookup, and gets its error
    for (const [authorization, hash] of due) lookUp(authorization, hash).catch(() => {});
  }

  return (authorization) => {
    if (authorization === null)
      throw new Refusal('unauthenticated', 'Send an access token in the header Authorization: Bearer <token>.');
    const token = findKnown(authorization);
    if (token !== undefined) return identityOf(token, authorization, now());
    const session = findSessionOf(authorization);
    if (session !== null) {
      return lookUp(authorization, hashOfSession(session)).then((found) => identityOf(found, authorization, now()));
    }
    const text = findBearerToken(authorization);
    if (text === null) throw new Refusal('unauthenticated', 'The Authorization header must be: Bearer <token>.');
    if (isOperator(text)) {
      return andThen(ensureOperator(), () => {
        lookups.set(authorization, { hash: '', token: operator, at: Number.POSITIVE_INFINITY });
        return identityOf(operator, authorization, now());
      });
    }
    if (isTokenText(text)) {
      return lookUp(authorization, hashOfToken(text)).then((found) => identityOf(found, authorization, now()));
    }
    if (text.startsWith(TOKEN_PREFIX)) throw new Refusal('invalid_token', INCOMPLETE);
    return identityOf(null, authorization, now());
  };
}

const INCOMPLETE = 'The token is not complete or was changed: its checksum is wrong. Copy all 53 characters again.';

const UNKNOWN = 'The token is unknown, expired or revoked.';
const ENDED = 'The session has ended: it was signed out, has expired, or its token was revoked.';

function identityOf(token: Credential | null, authorization: string, now: Date): Identity {
  if (!token || !isTokenLive(token, now)) {
    throw new Refusal('invalid_token', findSessionOf(authorization) === null ? UNKNOWN : ENDED);
  }
  return { tokenId: token.id, accountId: token.accountId, scopes: token.scopes, person: token.person };
}

/**
 * Creates a function that stores the time of a use at most once a minute per token, after a look-up. No request waits for
 * it. A failed write is not repeated before the next minute.
 */
function createUseRecorder(tokens: TokenStore, clock: () => Date): (token: Credential) => void {
  /** By token id, the times by the monotonic clock. The use of a token that is evicted is recorded twice in a minute. */
  const recordedAt = new LRUCache<string, number>({ max: entriesIn(CACHE_BYTES.tokenUses) });
  let pending = 0;
  return (token) => {
    const now = clock();
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
  return /^Bearer +\S/i.test(authorization) ? authorization.slice('Bearer'.length).trim() : null;
}
