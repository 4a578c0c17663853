import { textLengthBefore } from '../blocks/tree.ts';

const ISO_DATE =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
/** English dates such as "12 March 2026", "Mar 12, 2026" and "Thu, 12 Mar 2026 10:00:00 GMT". */
const WORDED_DATE =
  /^(?:[a-z]{3,9},? )?(?:\d{1,2} [a-z]{3,9}|[a-z]{3,9}\.? \d{1,2}),? \d{4}(?: \d{2}:\d{2}(?::\d{2})?(?: GMT| UTC)?)?$/i;
const MAX_DATE_LENGTH = 40;

/** Ancestors of the first heading in which its date is searched. */
const MAX_LEVELS = 3;
/** In characters, from the start of such an ancestor. A later date belongs to the text. */
const MAX_TEXT_BEFORE_DATE = 600;

/** Parses a date into ISO 8601: a date, or a time in UTC. A time without a zone counts as UTC. Null if it is not valid. */
export function parsePublished(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length > MAX_DATE_LENGTH) return null;
  const match = ISO_DATE.exec(trimmed);
  if (match) return isoDateOf(match);
  if (!WORDED_DATE.test(trimmed)) return null;
  const time = Date.parse(/(?:GMT|UTC)$/i.test(trimmed) ? trimmed : `${trimmed} UTC`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

function isoDateOf([, year = '', month = '', day = '', hours, minutes, seconds = '00', zone = 'Z']: readonly (
  | string
  | undefined
)[]): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // a day that the month does not have, such as 31 April, would become the first of May
  if (new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) !== date) return null;
  if (hours === undefined) return date;
  const offset = /^[+-]\d{4}$/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3)}`
    : zone.replace(/utc/i, 'Z').toUpperCase();
  return new Date(`${date}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset}`).toJSON();
}

/** Finds the date of an article near its first heading, in a `time` element or an element with `datePublished`. */
export function findPublished(document: Document): string | null {
  const heading = document.querySelector('h1') ?? document.querySelector('article > *, main > *');
  let ancestor = heading?.parentElement ?? null;
  for (let level = 0; level < MAX_LEVELS && ancestor && ancestor !== document.body; level++) {
    for (const element of ancestor.querySelectorAll('[itemprop~="datePublished"], time[datetime]')) {
      if (textLengthBefore(element, ancestor, MAX_TEXT_BEFORE_DATE) > MAX_TEXT_BEFORE_DATE) break;
      const date = parsePublished(element.getAttribute('datetime')) ?? parsePublished(element.textContent);
      if (date !== null) return date;
    }
    ancestor = ancestor.parentElement;
  }
  return null;
}
