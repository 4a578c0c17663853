/** RFC 3339 section 5.6. */
const INSTANT =
  /^\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** An instant between two milliseconds lies behind the first and before the second; both are the same where it is on one. */
export interface Instant {
  readonly floorMs: number;
  readonly ceilMs: number;
}

/** An instant as RFC 3339 writes it; null when it is none. */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [, day, fraction = ''] = match;
  const floorMs = Date.parse(text.replace(fraction, fraction.slice(0, 4)).toUpperCase());
  // a day that its month does not have is taken for one of the next
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(floorMs) || !isDay) return null;
  return { floorMs, ceilMs: /[1-9]/.test(fraction.slice(4)) ? floorMs + 1 : floorMs };
}
