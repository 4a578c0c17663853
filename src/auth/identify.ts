import ipaddr from 'ipaddr.js';
import { type Awaitable, andThen, runOrRecover } from '../awaitable.ts';
import { CACHE_BYTES } from '../cache-bytes.ts';
import type { Identity } from '../domain/identity/account.ts';
import { type Quota, RateLimited, Refusal, type RefusalCode } from '../errors.ts';
import type { SharedCounts } from '../store/postgresql/shared-counts.ts';
import type { Authenticate } from './authenticate.ts';
import { createQuotas, type Quotas } from './quota.ts';
import { createSharedQuotas } from './shared-quota.ts';

export interface Credentials {
  readonly authorization: string | null;
  readonly address: string | null;
}

export interface Identified {
  readonly identity: Identity;
  /** Null without a rate limit. */
  readonly quota: Quota | null;
}

/** Identifies the caller and counts the request. @throws {Refusal} like {@link Authenticate}, or {@link RateLimited} */
export type Identify = (credentials: Credentials) => Awaitable<Identified>;

/** Requests without a valid token per address and minute: more than a misconfigured client sends, too few to guess a token. */
const MAX_FAILURES = 600;

const AUTHENTICATION_FAILURES: readonly RefusalCode[] = ['unauthenticated', 'invalid_token'];

/** @param rateLimit requests per minute and token; 0 turns off both limits */
export function createIdentify(
  authenticate: Authenticate,
  rateLimit: number,
  counts: SharedCounts | null = null,
): Identify {
  const requests = createLimit('token', rateLimit, CACHE_BYTES.tokenQuotas);
  const failures = createLimit('address', rateLimit === 0 ? 0 : MAX_FAILURES, CACHE_BYTES.addressQuotas);

  function createLimit(policy: string, limit: number, maxBytes: number): Quotas {
    if (limit === 0) return { take: () => null };
    return counts ? createSharedQuotas(policy, limit, counts, maxBytes) : createQuotas(policy, limit, maxBytes);
  }

  /**
   * Throws the error again, or {@link RateLimited} after too many failures of the address. Failures do not affect valid tokens
   * from the same address, since people share addresses.
   */
  function countFailure(error: unknown, address: string | null): Awaitable<never> {
    if (!(error instanceof Refusal && AUTHENTICATION_FAILURES.includes(error.code))) throw error;
    return andThen(failures.take(networkOf(address)), (taken) => {
      if (taken?.isExceeded) throw new RateLimited('requests without a good token from this address', taken.quota);
      throw error;
    });
  }

  function countRequest(identity: Identity): Awaitable<Identified> {
    return andThen(requests.take(identity.tokenId), (taken) => {
      if (!taken) return { identity, quota: null };
      if (taken.isExceeded) throw new RateLimited('requests with this token', taken.quota, identity.accountId);
      return { identity, quota: taken.quota };
    });
  }

  return ({ authorization, address }) => {
    const identified = runOrRecover(
      () => authenticate(authorization),
      (error) => countFailure(error, address),
    );
    return andThen(identified, countRequest);
  };
}

/** Returns an IPv4 address, or the /64 of an IPv6 address (RFC 6177). @param address in the form of `ClientAddressOf` */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  return address.includes(':') ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;
}
