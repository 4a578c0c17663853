import type { SharedCounts } from '../store/postgresql/shared-counts.ts';
import { type Quotas, takeOf, WINDOW_S } from './quota.ts';

/** What others have counted is asked for again after this long... */
const TRUST_MS = 1_000;
/** ... or when this part of what is left was taken here: what each gateway may let through too much at most. */
const UNTOLD_PART = 0.02;
/** Minutes that are over are forgotten when there are so many. */
const MAX_WINDOWS = 10_000;

/** The minute of a key, as this gateway knows it. */
interface Window {
  /** Taken here so far... */
  taken: number;
  /** ... of which so many belong to an earlier minute, */
  past: number;
  /** and so many the others can see. */
  told: number;
  /** Taken elsewhere, as far as is known. */
  others: number;
  toldAt: number;
  /** The end by the clock of the database; null when it was not asked yet. */
  sharedEnd: number | null;
  /** The end by the monotonic clock of this process. */
  endsAt: number;
  telling: Promise<void> | null;
}

/**
 * Quotas that count for all gateways on one database. Each counts by itself and tells the others now and then, the more
 * often the less is left: a write of the database for each second or each 2 % of the limit, not for each request. Where the
 * database does not answer, each counts for itself.
 */
export function createSharedQuotas(policy: string, limit: number, counts: SharedCounts): Quotas {
  const windows = new Map<string, Window>();
  /** Until then the database is not asked: it did not answer. */
  let quietUntil = 0;

  function windowOf(key: string, now: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > now) return known;
    if (windows.size >= MAX_WINDOWS) {
      for (const [name, { endsAt }] of windows) if (endsAt <= now) windows.delete(name);
    }
    const endsAt = now + WINDOW_S * 1_000;
    const window: Window = {
      taken: 0,
      past: 0,
      told: 0,
      others: 0,
      toldAt: Number.NEGATIVE_INFINITY,
      sharedEnd: null,
      endsAt,
      telling: null,
    };
    windows.set(key, window);
    return window;
  }

  function isTold({ taken, past, told, others, toldAt }: Window): boolean {
    const now = performance.now();
    if (now < quietUntil) return true;
    const left = Math.max(0, limit - others - (told - past));
    return now - toldAt < TRUST_MS && taken - told < Math.max(1, left * UNTOLD_PART);
  }

  async function tell(key: string, window: Window): Promise<void> {
    const amount = window.taken - window.told;
    try {
      const { used, endsAt, msLeft } = await counts.add(`${policy} ${key}`, amount);
      if (window.sharedEnd !== null && window.sharedEnd !== endsAt) {
        // another minute has begun: what was told before belongs to the last one
        window.past = window.told;
      }
      window.told += amount;
      window.others = used - (window.told - window.past);
      window.sharedEnd = endsAt;
      window.endsAt = performance.now() + msLeft;
    } catch {
      // the database is away: the requests find out by themselves
      quietUntil = performance.now() + TRUST_MS;
    } finally {
      window.toldAt = performance.now();
      window.telling = null;
    }
  }

  return {
    async take(key) {
      const window = windowOf(key, performance.now());
      const isOver = window.others + window.taken - window.past >= limit;
      // what is refused anyway is not counted
      const mine = isOver ? window.taken + 1 : ++window.taken;
      for (let tries = 0; tries < 2 && !isOver && !isTold(window); tries++) {
        window.telling ??= tell(key, window);
        await window.telling;
      }
      return takeOf({
        policy,
        limit,
        used: window.others + mine - window.past,
        msLeft: window.endsAt - performance.now(),
      });
    },
  };
}
