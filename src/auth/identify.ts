import ipaddr from 'ipaddr.js';
import type { Identity } from '../domain/identity/account.ts';
import { Refusal } from '../errors.ts';
import type { SharedCounts } from '../store/postgresql/shared-counts.ts';
import type { Authenticate } from './authenticate.ts';
import { createQuotas, type Quota, type Quotas, rateLimited } from './quota.ts';
import { createSharedQuotas } from './shared-quota.ts';

/** What a request brings that tells who asks, and what is noted of it on the way. */
export interface Asker {
  readonly request: { readonly headers: Headers };
  /** The network address that the request came from, where it is known. */
  readonly address: string | null;
  accountId?: string;
  quota?: Quota;
}

/** Turns a request into an identity that may go on, or refuses. */
export type Identify = (asker: Asker) => Promise<Identity>;

/** Requests without a good token that an address may send in a minute: more than a client in error, few for a guesser. */
const MAX_FAILURES = 600;

/**
 * @param rateLimit requests a minute for each token; 0 is off, for failures too
 * @param counts where gateways count together; null where one counts by itself
 */
export function createIdentify(
  authenticate: Authenticate,
  rateLimit: number,
  counts: SharedCounts | null = null,
): Identify {
  const requests = openQuotas('token', rateLimit);
  const failures = openQuotas('address', rateLimit === 0 ? 0 : MAX_FAILURES);

  /** @param limit how many a key may do in a minute; 0 for any number */
  function openQuotas(policy: string, limit: number): Quotas {
    if (limit === 0) return { take: async () => null };
    return counts ? createSharedQuotas(policy, limit, counts) : createQuotas(policy, limit);
  }

  /** Failures are counted, but a good token is good from any address: many people may share one. */
  async function refuseFailure(asker: Asker, refusal: Refusal): Promise<never> {
    const taken = await failures.take(networkOf(asker.address));
    if (!taken?.isExceeded) throw refusal;
    asker.quota = taken.quota;
    throw rateLimited(taken.quota, 'requests without a good token from this address');
  }

  return async (asker) => {
    const identity = await authenticate(asker.request.headers.get('authorization')).catch((error: unknown) => {
      if (error instanceof Refusal && FAILURES.includes(error.code)) return refuseFailure(asker, error);
      throw error;
    });
    asker.accountId = identity.accountId;
    const taken = await requests.take(identity.tokenId);
    if (!taken) return identity;
    asker.quota = taken.quota;
    if (taken.isExceeded) throw rateLimited(taken.quota, 'requests with this token');
    return identity;
  };
}

const FAILURES: readonly string[] = ['unauthenticated', 'invalid_token'];

/** What one sender has: an IPv4 address, or the /64 of an IPv6 one (RFC 6177). */
function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
