/** How far two clocks, or one clock before and after its correction, may be apart without a consequence. */
export const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * The milliseconds until a stored deadline; 0 when it is over. A deadline that is further ahead than it can have been set
 * was set before the clock was moved back: it counts as over, or it would last for as long as the clock was moved.
 * @param longestMs how far ahead the deadline was set at most
 */
export function msUntil(deadline: Date, now: Date, longestMs: number): number {
  const ms = deadline.getTime() - now.getTime();
  return ms <= longestMs + MAX_CLOCK_SKEW_MS ? Math.min(Math.max(ms, 0), longestMs) : 0;
}
