import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../awaitable.ts';
import { entriesIn } from '../cache-bytes.ts';
import type { Quota } from '../errors.ts';

export interface Quotas {
  /** Counts one event of the key; null without a limit. */
  take(key: string): Awaitable<Take | null>;
}

export interface Take {
  readonly quota: Quota;
  readonly isExceeded: boolean;
}

export const WINDOW_S = 60;

export function createTake(policy: string, limit: number, used: number, msLeft: number): Take {
  // rounding may add up to more than the window
  const resetS = Math.min(WINDOW_S, Math.max(1, Math.ceil(msLeft / 1_000)));
  const quota = { policy, limit, windowS: WINDOW_S, remaining: Math.max(0, limit - used), resetS };
  return { quota, isExceeded: used > limit };
}

/**
 * Creates quotas in the memory of this process. Over `maxBytes`, the least recently used key is forgotten, so it starts a
 * new window.
 */
export function createQuotas(policy: string, limit: number, maxBytes: number): { take(key: string): Take } {
  const windows = new LRUCache<string, { used: number }>({
    max: entriesIn(maxBytes),
    ttl: WINDOW_S * 1_000,
  });
  return {
    take(key) {
      const window = windows.get(key) ?? { used: 0 };
      if (window.used++ === 0) windows.set(key, window);
      return createTake(policy, limit, window.used, windows.getRemainingTTL(key));
    },
  };
}
