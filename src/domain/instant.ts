/** RFC 3339 section 5.6. */
const INSTANT =
  /^\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Of a time in UTC with a year of four digits. */
const UTC_LENGTH = 24;

/** The milliseconds before and after an instant; equal if it falls on a millisecond. */
export interface Instant {
  readonly floorMs: number;
  readonly ceilMs: number;
}

export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [, day, fraction = ''] = match;
  const floorMs = Date.parse(text.replace(fraction, fraction.slice(0, 4)).toUpperCase());
  // Date.parse reads 31 April as 1 May
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(floorMs) || !isDay) return null;
  // an offset may lead to a year before 0 or after 9999
  if (new Date(floorMs).toISOString().length !== UTC_LENGTH) return null;
  return { floorMs, ceilMs: /[1-9]/.test(fraction.slice(4)) ? floorMs + 1 : floorMs };
}

/** Returns the time of an instant to the millisecond; an invalid date for other text. */
export function toDate(text: string): Date {
  return new Date(parseInstant(text)?.floorMs ?? Number.NaN);
}

export function checkInstant(value: unknown): string | null {
  if (typeof value === 'string' && parseInstant(value) !== null) return null;
  return 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00.000Z';
}
