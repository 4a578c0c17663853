import type { PagePolicy } from '#reader/page-url';
import { type SpelledParameters, spellParameters } from './embed/input.ts';
import { InputReader, type SentParameters } from './input/input-reader.ts';
import type { Spelling } from './input/parameters.ts';

/** Views are kept for so long, and a range has at most so many days. */
export const MAX_VIEW_DAYS = 400;

/** The key of views without a site: the embed is open by itself, or its page has no host. */
export const DIRECT = 'direct';
/** The key of views on further sites. */
export const OTHER = 'other';

/** The views of an account are stored with this as the id of their embed. */
export const ALL_EMBEDS = '';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const VIEW_GROUPINGS = {
  DAY: 'By day in UTC, oldest first. The key is the date. Days without views are left out.',
  SITE: `By site, the one with the most views first: at most 100, and \`${OTHER}\` for all others. The key is the host of the page with the iframe, or \`${DIRECT}\` if there is none.`,
} as const;

export interface ViewRange {
  /** The first and the last day, such as 2026-01-31. */
  readonly from: string;
  readonly to: string;
  readonly by: keyof typeof VIEW_GROUPINGS;
}

/** Views and reads of an embed on one day and site. */
export interface ViewCount {
  readonly accountId: string;
  readonly embedId: string;
  readonly day: string;
  readonly site: string;
  readonly views: number;
  readonly reads: number;
}

export interface ViewGroup {
  readonly key: string;
  readonly views: number;
  readonly reads: number;
}

/** The sums over all groups, and the groups. */
export interface ViewStatistics {
  readonly views: number;
  readonly reads: number;
  readonly groups: readonly ViewGroup[];
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Creates a function that returns the day of a clock. It formats each day once. */
export function createDayClock(now: () => Date): () => string {
  let today = { number: Number.NaN, text: '' };
  return () => {
    const time = now();
    const number = Math.floor(time.getTime() / DAY_MS);
    if (number !== today.number) today = { number, text: dayOf(time) };
    return today.text;
  };
}

/** Returns the day some days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS));
}

export function daysIn({ from, to }: Pick<ViewRange, 'from' | 'to'>): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function checkDay(value: unknown): string | null {
  const timeMs = typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse reads other forms too, and 31 April as 1 May
  const isDay = !Number.isNaN(timeMs) && dayOf(new Date(timeMs)) === value;
  return isDay ? null : 'must be a date such as 2026-01-31';
}

export const VIEW_PARAMETERS: SpelledParameters = spellParameters([
  { name: 'from', restName: 'from', type: 'text', isRequired: true, check: checkDay },
  { name: 'to', restName: 'to', type: 'text', isRequired: true, check: checkDay },
  { name: 'by', restName: 'by', type: 'enum', values: VIEW_GROUPINGS },
]);

/** @throws {Refusal} `invalid`, with all faults */
export function parseViewRange(sent: SentParameters, policy: PagePolicy, spelling: Spelling): ViewRange {
  const reader = new InputReader(sent, VIEW_PARAMETERS[spelling], policy);
  reader.readAll();
  const { from, to, by = 'DAY' } = reader.values as Partial<ViewRange>;
  if (from !== undefined && to !== undefined) {
    if (to < from) reader.addFault('to', 'must not be before from');
    if (daysIn({ from, to }) > MAX_VIEW_DAYS)
      reader.addFault('to', `must be at most ${MAX_VIEW_DAYS - 1} days after from`);
  }
  reader.requireNoFaults();
  return { from: from as string, to: to as string, by };
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST_NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** Returns a host as URLs of browsers have it, in lower case and without a dot at its end; null for any other text. */
export function parseSite(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, '');
  const isHost = HOST_NAME.test(host) || (host.startsWith('[') && URL.parse(`http://${host}`)?.host === host);
  return isHost ? host : null;
}
