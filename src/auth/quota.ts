import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../errors.ts';

/** How much is left of what a window of time allows. */
export interface Quota {
  readonly policy: string;
  readonly limit: number;
  readonly windowS: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}

/** Counts what each key does within windows of a minute. */
export interface Quotas {
  /** Takes one from what the key has left; null where there is no limit. */
  take(key: string): Promise<Take | null>;
}

interface Take {
  readonly quota: Quota;
  /** Whether there was nothing left to take. */
  readonly isExceeded: boolean;
}

const WINDOW_S = 60;

/** @param limit how many a key may do in a minute; 0 for any number */
export function createQuotas(policy: string, limit: number): Quotas {
  if (limit === 0) return { take: async () => null };
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
  const takeFrom = (state: RateLimiterRes, isExceeded: boolean): Take => {
    const resetS = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
    return { quota: { policy, limit, windowS: WINDOW_S, remaining: state.remainingPoints, resetS }, isExceeded };
  };
  return {
    async take(key) {
      try {
        return takeFrom(await limiter.consume(key), false);
      } catch (error) {
        if (error instanceof RateLimiterRes) return takeFrom(error, true);
        throw error;
      }
    },
  };
}

/** @param what is counted, as in "requests" */
export function rateLimited({ limit, resetS }: Quota, what: string): Refusal {
  const message = `More than ${limit} ${what} in a minute; try again in ${resetS} s.`;
  return new Refusal('rate_limited', message, [], resetS);
}
