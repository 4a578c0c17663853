import { LRUCache } from 'lru-cache';
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
/** Keys that are counted at once. Past this bound the key that asked longest ago starts again. */
const MAX_KEYS = 10_000;

interface Window {
  used: number;
  /** By the monotonic clock, which nobody can move. */
  readonly endsAt: number;
}

/** What a key has after a take that was the so many-th of its minute. */
export function takeOf(state: { policy: string; limit: number; used: number; msLeft: number }): Take {
  const { policy, limit, used, msLeft } = state;
  // fractions of a millisecond add up to a little more than the window
  const resetS = Math.min(WINDOW_S, Math.max(1, Math.ceil(msLeft / 1_000)));
  const quota = { policy, limit, windowS: WINDOW_S, remaining: Math.max(0, limit - used), resetS };
  return { quota, isExceeded: used > limit };
}

/** Counts in the memory of this process. */
export function createQuotas(policy: string, limit: number): Quotas {
  const windows = new LRUCache<string, Window>({ max: MAX_KEYS });

  function windowOf(key: string, now: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > now) return known;
    const window = { used: 0, endsAt: now + WINDOW_S * 1_000 };
    windows.set(key, window);
    return window;
  }

  return {
    async take(key) {
      const now = performance.now();
      const window = windowOf(key, now);
      window.used++;
      return takeOf({ policy, limit, used: window.used, msLeft: window.endsAt - now });
    },
  };
}
