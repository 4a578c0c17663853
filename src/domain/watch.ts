export const WATCHES = {
  OFF: 'The page is checked when it is viewed.',
  DAILY: 'The page is checked once a day.',
  HOURLY: 'The page is checked once an hour.',
  ADAPTIVE:
    'The page is checked after 4 hours at first. The interval doubles while the page is unchanged, up to a day, and halves when it has changed, down to 1 hour.',
} as const;

export type Watch = keyof typeof WATCHES;

/** Watched embeds of an account. */
export const MAX_WATCHES = 10_000;

/** Gateways wait no longer between two watched pages of a host, whatever the host asks for. */
export const MAX_HOST_PAUSE_MS = 3_600_000;

/** The last check of a watched page. */
export interface PageCheck {
  /** A digest of what the page shows. */
  readonly digest: string;
  readonly isUnreachable: boolean;
  /** The reason why the page may not be checked; null if it was. */
  readonly refusal: string | null;
}

const HOUR_MS = 3_600_000;
/** Checks are never further apart: a little less than a day, so that a check precedes the end of an article, which is 24 hours. */
export const MAX_INTERVAL_MS = 23 * HOUR_MS;
/** Checks are spread over this share of their interval. */
const SPREAD = 0.1;

/**
 * @param watch the content of the column
 * @param isChanged null if the page was not checked before
 */
export function intervalAfter(watch: string, intervalMs: number, isChanged: boolean | null): number {
  if (watch === 'HOURLY') return HOUR_MS;
  if (watch !== 'ADAPTIVE') return MAX_INTERVAL_MS;
  if (isChanged === null) return intervalMs;
  return isChanged ? Math.max(intervalMs / 2, HOUR_MS) : Math.min(intervalMs * 2, MAX_INTERVAL_MS);
}

/** Returns the time of the next check. A page that cannot be reached is checked again within an hour. */
export function nextCheckAt(now: Date, intervalMs: number, isUnreachable: boolean): Date {
  const delayMs = isUnreachable ? Math.min(intervalMs, HOUR_MS) : intervalMs;
  return new Date(now.getTime() + Math.round(delayMs * (1 - SPREAD * Math.random())));
}
