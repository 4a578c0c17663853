import { LRUCache } from 'lru-cache';
import { ENTRY_BYTES } from '../cache-bytes.ts';
import type { SharedCounts } from '../store/postgresql/shared-counts.ts';
import { createTake, type Quotas, type Take, WINDOW_S } from './quota.ts';

/** A gateway waits for the database once it has used this part of the remaining quota: the most that it may allow over the limit. */
const MAX_UNSYNCED_PART = 0.02;
/** A gateway synchronises in the background after half of that, or after this time. */
const SYNC_INTERVAL_MS = 5_000;
/** While the database does not answer, it is asked once in this time. */
const RETRY_INTERVAL_MS = 1_000;
const WINDOW_BYTES = 2 * ENTRY_BYTES;

interface Window {
  /** Events that this gateway counted, */
  counted: number;
  /** and of them added to the database. */
  synced: number;
  /** Events of all gateways in the minute, as far as this one knows. */
  used: number;
  syncedAt: number;
  /** By the monotonic clock of this process. */
  endsAt: number;
  inFlight: Promise<void> | null;
}

/**
 * Creates quotas that all gateways on one database share. While the database does not answer, each gateway counts alone.
 * Over `maxBytes`, the least recently used key is forgotten, with the events that are not in the database.
 */
export function createSharedQuotas(policy: string, limit: number, counts: SharedCounts, maxBytes: number): Quotas {
  const windows = new LRUCache<string, Window>({ max: Math.floor(maxBytes / WINDOW_BYTES) });
  let retryAt = 0;

  function windowOf(key: string, now: number): Window {
    const current = windows.get(key);
    if (current && current.endsAt > now) return current;
    const fresh = { counted: 0, synced: 0, used: 0, syncedAt: now, inFlight: null };
    const window: Window = { ...fresh, endsAt: now + WINDOW_S * 1_000 };
    windows.set(key, window);
    return window;
  }

  /** The number of events that this gateway may count before it waits for the database. */
  function maxUnsynced({ counted, synced, used }: Window): number {
    return Math.max(1, (limit - used + counted - synced) * MAX_UNSYNCED_PART);
  }

  async function sync(key: string, window: Window): Promise<void> {
    const amount = window.counted - window.synced;
    try {
      const { used, msLeft } = await counts.add(`${policy} ${key}`, amount);
      window.synced += amount;
      window.used = used + window.counted - window.synced;
      window.endsAt = performance.now() + msLeft;
    } catch {
      retryAt = performance.now() + RETRY_INTERVAL_MS;
    } finally {
      window.syncedAt = performance.now();
      window.inFlight = null;
    }
  }

  /** Resolves at once unless too many events are not in the database. */
  async function syncIfDue(key: string, window: Window): Promise<void> {
    const unsynced = () => window.counted - window.synced;
    const isOld = performance.now() - window.syncedAt >= SYNC_INTERVAL_MS;
    if (isOld || unsynced() >= maxUnsynced(window) / 2) window.inFlight ??= sync(key, window);
    // the second synchronisation adds the events that came after the start of the first
    for (let tries = 0; tries < 2 && performance.now() >= retryAt && unsynced() >= maxUnsynced(window); tries++) {
      window.inFlight ??= sync(key, window);
      await window.inFlight;
    }
  }

  return {
    async take(key) {
      const window = windowOf(key, performance.now());
      if (window.used >= limit) return takeOf(window, window.used + 1);
      window.used++;
      const number = ++window.counted;
      if (performance.now() >= retryAt) await syncIfDue(key, window);
      return takeOf(window, window.used - (window.counted - number));
    },
  };

  function takeOf({ endsAt }: Window, used: number): Take {
    return createTake(policy, limit, used, endsAt - performance.now());
  }
}
