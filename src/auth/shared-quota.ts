import { LRUCache } from 'lru-cache';
import { ENTRY_BYTES } from '../cache-bytes.ts';
import type { SharedCounts } from '../store/postgresql/shared-counts.ts';
import { createTake, type Quotas, WINDOW_S } from './quota.ts';

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
  /** of them in earlier windows of the database, */
  countedBefore: number;
  /** and of them added to the database. */
  synced: number;
  /** Events of other gateways at the last synchronisation. */
  countedElsewhere: number;
  syncedAt: number;
  /** The end by the clock of the database; null before the first synchronisation. */
  databaseEndsAt: number | null;
  /** The end by the monotonic clock of this process. */
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
    const window: Window = {
      counted: 0,
      countedBefore: 0,
      synced: 0,
      countedElsewhere: 0,
      syncedAt: now,
      databaseEndsAt: null,
      endsAt: now + WINDOW_S * 1_000,
      inFlight: null,
    };
    windows.set(key, window);
    return window;
  }

  /** The number of events that this gateway may count before it waits for the database. */
  function maxUnsynced({ countedBefore, synced, countedElsewhere }: Window): number {
    const remaining = Math.max(0, limit - countedElsewhere - (synced - countedBefore));
    return Math.max(1, remaining * MAX_UNSYNCED_PART);
  }

  async function sync(key: string, window: Window): Promise<void> {
    const amount = window.counted - window.synced;
    try {
      const { used, endsAt, msLeft } = await counts.add(`${policy} ${key}`, amount);
      const isNewWindow = window.databaseEndsAt !== null && window.databaseEndsAt !== endsAt;
      if (isNewWindow) window.countedBefore = window.synced;
      window.synced += amount;
      window.countedElsewhere = used - (window.synced - window.countedBefore);
      window.databaseEndsAt = endsAt;
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
      const isExceeded = window.countedElsewhere + window.counted - window.countedBefore >= limit;
      const counted = isExceeded ? window.counted + 1 : ++window.counted;
      if (!isExceeded && performance.now() >= retryAt) await syncIfDue(key, window);
      const used = window.countedElsewhere + counted - window.countedBefore;
      return createTake(policy, limit, used, window.endsAt - performance.now());
    },
  };
}
