/** Tolerance for clocks that differ or are corrected. */
export const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * Returns the time until a stored deadline; 0 if it has passed. A deadline further ahead than `longestMs`, the longest
 * time for which deadlines are set, was set before the clock was moved back. It counts as passed.
 */
export function msUntil(deadline: Date, now: Date, longestMs: number): number {
  const ms = deadline.getTime() - now.getTime();
  return ms <= longestMs + MAX_CLOCK_SKEW_MS ? Math.min(Math.max(ms, 0), longestMs) : 0;
}
