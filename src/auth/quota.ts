import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Quota } from '../errors.ts';

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

export const WINDOW_S = 60;

/** What a key has after a take that was the so many-th of its minute. */
export function takeOf(state: { policy: string; limit: number; used: number; msLeft: number }): Take {
  const { policy, limit, used, msLeft } = state;
  const resetS = Math.max(1, Math.ceil(msLeft / 1_000));
  const quota = { policy, limit, windowS: WINDOW_S, remaining: Math.max(0, limit - used), resetS };
  return { quota, isExceeded: used > limit };
}

/** Counts in the memory of this process. */
export function createQuotas(policy: string, limit: number): Quotas {
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
  const takeFrom = ({ consumedPoints: used, msBeforeNext: msLeft }: RateLimiterRes): Take =>
    takeOf({ policy, limit, used, msLeft });
  return {
    async take(key) {
      try {
        return takeFrom(await limiter.consume(key));
      } catch (error) {
        if (error instanceof RateLimiterRes) return takeFrom(error);
        throw error;
      }
    },
  };
}
