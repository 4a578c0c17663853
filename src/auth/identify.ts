import type { Identity } from '../domain/account.ts';
import { Refusal } from '../errors.ts';
import type { Authenticate } from './authenticate.ts';
import { createQuotas, type Quota } from './quota.ts';

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

/** Wrong tokens that an address may send in a minute: more than a misconfigured client, far fewer than a guesser. */
const MAX_WRONG_TOKENS = 120;

/** @param rateLimit requests a minute for each token; 0 is off, for wrong tokens too */
export function createIdentify(authenticate: Authenticate, rateLimit: number): Identify {
  const requests = createQuotas(rateLimit);
  const wrongTokens = createQuotas(rateLimit === 0 ? 0 : MAX_WRONG_TOKENS);
  return async (asker) => {
    const identity = await authenticate(asker.request.headers.get('authorization')).catch(async (error) => {
      const isWrong = error instanceof Refusal && error.code === 'invalid_token';
      if (isWrong && asker.address !== null) await wrongTokens.take(asker.address);
      throw error;
    });
    asker.accountId = identity.accountId;
    const quota = await requests.take(identity.tokenId);
    if (quota) asker.quota = quota;
    return identity;
  };
}
