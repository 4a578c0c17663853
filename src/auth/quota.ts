import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../errors.ts';

/** How much is left of what a window allows. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}

/** Counts what each key does within windows of a minute. */
export interface Quotas {
  /**
   * Takes one from what the key has left; null where there is no limit.
   * @throws {Refusal} `rate_limited` when nothing is left
   */
  take(key: string): Promise<Quota | null>;
  /** As {@link take}, but takes nothing. */
  check(key: string): Promise<void>;
}

export const WINDOW_S = 60;

/** @param limit how many a key may do in a minute; 0 for any number */
export function createQuotas(limit: number): Quotas {
  if (limit === 0) return { take: async () => null, check: async () => {} };
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
  return {
    async take(key) {
      try {
        const { remainingPoints, msBeforeNext } = await limiter.consume(key);
        return { limit, remaining: remainingPoints, resetS: Math.ceil(msBeforeNext / 1_000) };
      } catch (error) {
        throw error instanceof RateLimiterRes ? rateLimited(limit, error) : error;
      }
    },
    async check(key) {
      const state = await limiter.get(key);
      if (state && state.consumedPoints > limit) throw rateLimited(limit, state);
    },
  };
}

function rateLimited(limit: number, { msBeforeNext }: RateLimiterRes): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new Refusal(
    'rate_limited',
    `More than ${limit} requests in a minute; try again in ${retryAfterS} s.`,
    [],
    retryAfterS,
  );
}
