import type { PageReading } from '../article/article.ts';
import { renderTime } from '../article/described/things.ts';
import { directionOfText } from '../article/head/direction.ts';
import { resolveLinkUrl } from '../article/links.ts';
import { MAX_TITLE } from '../article/metadata.ts';
import { plainText } from '../article/plain-text.ts';
import { html, Markup } from '../html.ts';
import { createReading, renderMarkup, type SourceFile, wordsOfFrame } from './file.ts';

const MAX_EVENTS = 100;
/** Events that are read, of which the first {@link MAX_EVENTS} by time are shown. */
const MAX_READ_EVENTS = 5_000;
const MAX_LINE_LENGTH = 10_000;
const MAX_DESCRIPTION = 2_000;

/** A line with its name, parameters and value (RFC 5545 section 3.1). */
const LINE = /^([\w-]{1,60})((?:;[\w-]{1,40}=(?:"[^"]{0,200}"|[^";:]{0,200})){0,10}):(.*)$/s;
const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
/** The seconds are not shown. */
const DURATION = /^\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:\d{1,6}S)?)?$/;
const FREQUENCIES = new Map(
  Object.entries({
    DAILY: 'every day',
    WEEKLY: 'every week',
    MONTHLY: 'every month',
    YEARLY: 'every year',
  }),
);

interface Property {
  readonly parameters: string;
  readonly value: string;
}

type Properties = ReadonlyMap<string, Property>;

/** Shows the events of a calendar (iCalendar, RFC 5545) in the order of their beginnings. Returns null for any other text. */
export function readCalendar(file: SourceFile, text: string): PageReading | null {
  if (!/^\s*BEGIN:VCALENDAR\s/i.test(text)) return null;
  const { calendar, events } = readEvents(text);
  if (events.length === 0) return null;
  const begin = (event: Properties) => event.get('DTSTART')?.value ?? '';
  const sorted = events.sort((a, b) => begin(a).localeCompare(begin(b))).slice(0, MAX_EVENTS);
  const title = readText(calendar, 'X-WR-CALNAME', MAX_TITLE) ?? readText(sorted[0], 'SUMMARY', MAX_TITLE);
  const markup = html`${sorted.map((event) => renderEvent(event, file.url))}`.text;
  const content = renderMarkup(file, markup);
  const direction = directionOfText(sorted.map((event) => event.get('SUMMARY')?.value ?? '').join(' '));
  return createReading(file, content, { headTitle: title, direction });
}

function readEvents(text: string): { readonly calendar: Properties; readonly events: Properties[] } {
  const calendar = new Map<string, Property>();
  const events: Map<string, Property>[] = [];
  /** The components around a line, such as an alarm in an event. */
  const open: string[] = [];
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, name = '', parameters = '', value = ''] = LINE.exec(line.slice(0, MAX_LINE_LENGTH)) ?? [];
    const key = name.toUpperCase();
    if (key === 'BEGIN') open.push(value.trim().toUpperCase());
    if (key === 'BEGIN' && open.at(-1) === 'VEVENT') events.push(new Map());
    if (key === 'END') open.pop();
    if (events.length > MAX_READ_EVENTS) break;
    const target = open.at(-1) === 'VEVENT' ? events.at(-1) : open.length === 1 ? calendar : null;
    if (name !== '' && target && !target.has(key)) target.set(key, { parameters, value });
  }
  return { calendar, events };
}

function renderEvent(event: Properties, base: string): Markup {
  const name = readText(event, 'SUMMARY', MAX_TITLE) ?? '…';
  const link = resolveLinkUrl(event.get('URL')?.value.trim() || null, base);
  const place = readText(event, 'LOCATION', MAX_TITLE);
  const description = readText(event, 'DESCRIPTION', MAX_DESCRIPTION);
  const rule = event.get('RRULE')?.value ?? '';
  const isEach = !/INTERVAL=(?!1\b)/.test(rule);
  const repetition = (isEach && FREQUENCIES.get(/FREQ=(\w{1,20})/.exec(rule)?.[1] ?? '')) || null;
  const isCancelled = event.get('STATUS')?.value.trim().toUpperCase() === 'CANCELLED';
  const heading = link ? html`<a href="${link}">${name}</a>` : name;
  return html`<h3>${isCancelled ? html`<del>${heading}</del>` : heading}</h3><p>${renderPeriod(event)}${repetition && html`, ${new Markup(wordsOfFrame(repetition))}`}${place && html`<br>${place}`}</p>${description && html`<p>${description}</p>`}`;
}

function renderPeriod(event: Properties): Markup | null {
  const start = event.get('DTSTART');
  const from = readTime(start);
  if (start === undefined || from === null) return null;
  const to = readTime(event.get('DTEND')) ?? addDuration(from, event.get('DURATION'));
  // the end of whole days is the day after
  const last = to && !to.hasTime ? new Date(to.date.getTime() - 86_400_000) : to?.date;
  const zone = from.hasTime
    ? from.isUtc
      ? 'UTC'
      : (/;TZID="?([^";:]{1,60})/i.exec(start.parameters)?.[1] ?? null)
    : null;
  const isLong = last && last > from.date;
  const isSameDay = from.hasTime && last?.toISOString().slice(0, 10) === from.date.toISOString().slice(0, 10);
  const end = isLong && html` – ${renderPoint({ ...from, date: last }, isSameDay ? 'clock' : 'moment')}`;
  return html`${renderPoint(from, 'moment')}${end || null}${zone && ` ${zone}`}`;
}

/** Renders a time by the clock of its place, as a moment with its day or as the time of the day. */
function renderPoint({ date, hasTime, isUtc }: PointInTime, form: 'moment' | 'clock'): Markup {
  const iso = date.toISOString();
  const datetime = hasTime ? (isUtc ? iso : iso.slice(0, 16)) : iso.slice(0, 10);
  return new Markup(renderTime({ date, hasTime, datetime }, form, 'en'));
}

interface PointInTime {
  readonly date: Date;
  readonly hasTime: boolean;
  readonly isUtc: boolean;
}

/** Reads a date, or a time by the clock of its place. */
function readTime(property: Property | undefined): PointInTime | null {
  const [, year, month, day, hours, minutes, seconds, utc] = TIME.exec(property?.value.trim() ?? '') ?? [];
  const date = new Date(`${year}-${month}-${day}T${hours ?? '00'}:${minutes ?? '00'}:${seconds ?? '00'}Z`);
  return Number.isNaN(date.getTime()) ? null : { date, hasTime: hours !== undefined, isUtc: utc === 'Z' };
}

/** Adds a duration (RFC 5545 section 3.3.6). Returns null if there is none. */
function addDuration(from: PointInTime, property: Property | undefined): PointInTime | null {
  const [found, ...numbers] = DURATION.exec(property?.value.trim() ?? '') ?? [];
  if (found === undefined) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0] = numbers.map((number) => Number(number ?? 0));
  const durationMs = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000;
  return { ...from, date: new Date(from.date.getTime() + durationMs) };
}

function readText(properties: Properties | undefined, name: string, max: number): string | null {
  const value = properties?.get(name)?.value ?? '';
  const text = value.replace(/\\(n|.)/gi, (_, character: string) => (/n/i.test(character) ? '\n' : character));
  return plainText(text.replace(/<[^<>]{0,500}>/g, ' '), max);
}
