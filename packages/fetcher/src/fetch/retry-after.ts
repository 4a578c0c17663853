/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3), seconds or a date. A date counts from the `Date` of the response, so the clock of
 * this machine does not matter. Returns null without a time ahead.
 */
export function parseRetryAfterMs(retryAfter = '', date = ''): number | null {
  const text = retryAfter.trim();
  const sentAt = Date.parse(date) || Date.now();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - sentAt;
  return waitMs > 0 ? waitMs : null;
}
