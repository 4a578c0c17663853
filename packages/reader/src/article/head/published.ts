import { textLengthBefore } from '../blocks/tree.ts';
import { joinParts, toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { parseWordedDate } from './date-words.ts';

const ISO_DATE =
  /^(\d{4})(?:[-/.]|\. )(\d{1,2})(?:[-/.]|\. )(\d{1,2})(?:\.?$|\.?[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$)/i;
/** The day of a time with a zone that only people know, such as "2026-03-12 10:00 AM EST". */
const ISO_DAY = /^\d{4}-\d{2}-\d{2}(?=[T ]\d{1,2}:\d{2})/;
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T\d{4,6}Z?)?$/;
/** The zone of a time again, as JavaScript and Java write it. */
const ZONE_NAME = /\s*(?:\([^()]*\)|\[[^[\]]*\])$/;
/** Times as Unix writes them: "Thu Mar 12 10:00:00 UTC 2026". */
const UNIX_TIME = /^[a-z]{3} ([a-z]{3} {1,2}\d{1,2}) [\d:]{8} [A-Z]{3,5} (\d{4})$/i;
const HYPHENATED_DATE = /^(\d{1,2})-(\p{L}{3,9})-(?=\d{4}\b)/u;
const MAX_DATE_LENGTH = 40;

const MIN_YEAR = 1900;
/** Elements that are searched for a date, and the length of a line with one, in characters. */
const MAX_LINES = 1_500;
const MAX_DATE_LINE_LENGTH = 60;
const DATE_NAME =
  /(?:^|[\s_-])(?:date(?:line)?|datetime|pub-?date|published?|post-?date|timestamp)(?:$|[\s_-])|(?:publish|post|entry|article)[a-z]{0,3}[-_]{0,2}date/i;
const DATE_LABEL =
  /^(?:(?:first |originally )?(?:published|posted|released|created|written|date)(?: on| at)?|on|am|vom|(?:veröffentlicht|publiziert)(?: am)?|stand|publié le|le|publicado (?:el|em)|el|pubblicato il|il|gepubliceerd op|op|opublikowano|опубликовано|发布于|发布时间|发布日期|公開日?|掲載日?|投稿日?|配信|입력|등록|승인|작성|발행|đăng(?: ngày| lúc)?|ngày đăng|xuất bản|เผยแพร่(?:เมื่อ)?)[\s:：]+/i;
/** The time of the day before a date, as in "9:14 AM EST, Tue March 12, 2024". */
const CLOCK = /^\d{1,2}[:.h]\d{2}\s?(?:[ap]\.?m\.?)?\s?(?:[A-Z]{2,4})?(?:,|\s[·|•])?\s+(?=\p{L}|\d{1,2}\/\d)/iu;
/** Languages in which the month comes before the day, or the year first; in English, both orders are usual. */
const NOT_DAY_FIRST = /^(?:en(?!-(?:GB|AU|NZ|IE|IN|ZA))|zh|ja|ko|hu|fil)\b/i;
/** Separate a date from the author before it. */
const PARTS =
  /\s+[|·•–—-]\s+|,\s+(?=\d{1,2}\.?\s+\p{L})|(?<=^(?:(?:[Ww]ritten|[Pp]osted|[Ss]ubmitted) by|[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor)\s\p{Lu}.{1,50})\s+(?=(?:on|am|le|el|em|il|op)\s+(?:\p{L}{3,12}\.?,?\s+){0,2}\d)/u;
const DATE_END = /\s+[|·•–—-]$|[.,]?\s+(?:(?:at|um|à|a las|às|alle|ore|om)\s.*|\d{1,2}[:h]\d{2}.*)$|\s*\(.*$/i;

const CHANGE_LABEL =
  /(?:last |zuletzt )?(?:updated|modified|revised|edited|aktualisiert|geändert|mis à jour|modifié|actualizado|atualizado|aggiornato|bijgewerkt|обновлено|(?:最終|最后)?(?:更新|修改)(?:日時?|[于时時]間?|时间)?|(?:최종 ?)?수정|cập nhật|อัปเดต)(?: on| am| le| el| em| il| op)?[\s:：]+(?=\p{L}|\d)/iu;
const DECLARED =
  '[itemprop~="datePublished"], time.published, time.entry-date, time.dt-published, .post-date time, .entry-date time, .date-header';
const MODIFIED = '[itemprop~="dateModified"], time.updated:not(.published), time.dt-updated';
/** Lines of the last change, at the end of a page. */
const CHANGE_LINES = '[class*="last-modified"], [class*="last-updated"], [class*="lastmod"], [id*="lastmod"], .docInfo';
const ASIDE = 'aside, nav, li article, [class*="comment"], [id*="comment"], [class*="related"]';
const NOT_OF_PAGE = `footer, ${ASIDE}`;
const DATELINE =
  /^(?:\p{Lu}[\p{L}.'’ -]{1,40},\s){1,3}(\p{L}{3,9}\.? \d{1,2}, \d{4}|\d{1,2}\.? \p{L}{3,9} \d{4})\s?(?:[(/]|--|[—–-]\s)/u;
const MAX_PARAGRAPHS = 5;
const DAY_MS = 86_400_000;
/** Ancestors of the first heading in which its date is searched. */
const MAX_LEVELS = 3;
/** In characters, from the start of such an ancestor. A later date belongs to the text. */
const MAX_TEXT_BEFORE_DATE = 600;

/** Parses a date into ISO 8601: a date, or a time in UTC. A time without a zone counts as UTC. Null if it is not valid. */
export function parsePublished(text: string | null | undefined, isDayFirst = false): string | null {
  const trimmed =
    text
      ?.trim()
      .slice(0, MAX_DATE_LENGTH * 2)
      .replace(ZONE_NAME, '') ?? '';
  if (trimmed.length > MAX_DATE_LENGTH) return null;
  const match = ISO_DATE.exec(trimmed) ?? COMPACT_DATE.exec(trimmed);
  if (match) return isoDateOf(match);
  const words = trimmed.replace(UNIX_TIME, '$1 $2').replace(HYPHENATED_DATE, '$1 $2 ');
  const day = ISO_DAY.exec(trimmed)?.[0] ?? parseWordedDate(words, isDayFirst);
  return day !== null && isRealDay(day) ? day : null;
}

/** Finds the date in addresses such as `/2026/03/12/bread`. */
export function dateInUrl(url: string): string | null {
  const [, year, month, day] =
    /\/(20\d\d|19\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)/.exec(new URL(url).pathname) ?? [];
  return day === undefined ? null : parsePublished(`${year}-${month}-${day}`);
}

/** A day that exists, in a year of which pages can be. */
function isRealDay(date: string): boolean {
  const year = Number(date.slice(0, 4));
  if (year < MIN_YEAR || year > new Date().getUTCFullYear() + 1) return false;
  // a day that the month does not have, such as 31 April, would become the first of May
  return new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) === date;
}

function isoDateOf([, year = '', month = '', day = '', hours, minutes, seconds = '00', zone = 'Z']: readonly (
  | string
  | undefined
)[]): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isRealDay(date)) return null;
  // midnight of a place says no time
  const isMidnight = /^0{1,2}$/.test(hours ?? '') && Number(minutes) + Number(seconds) === 0;
  if (hours === undefined || (isMidnight && /[1-9]/.test(zone))) return date;
  const offset = /^[+-]\d{4}$/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3)}`
    : zone.replace(/utc/i, 'Z').toUpperCase();
  return new Date(`${date}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset}`).toJSON();
}

/** Finds the date of an article near its first heading, or in an element that is named as its date. */
export function findPublished(document: Document, language: string | null): string | null {
  const heading = selectFirst(document, 'h1') ?? selectFirst(document, 'article > *, main > *');
  let ancestor = heading?.parentElement ?? null;
  for (let level = 0; level < MAX_LEVELS && ancestor && ancestor !== document.body; level++) {
    for (const element of selectAll(ancestor, '[itemprop~="datePublished"], time[datetime]')) {
      if (textLengthBefore(element, ancestor, MAX_TEXT_BEFORE_DATE) > MAX_TEXT_BEFORE_DATE) break;
      const date = dateOf(element);
      if (date !== null && !isOfChange(element)) return date;
    }
    ancestor = ancestor.parentElement;
  }
  return findDeclared(document) ?? findDateLine(document, heading, language) ?? findDateline(document);
}

function dateOf(element: Element | null): string | null {
  return parsePublished(element?.getAttribute('datetime')) ?? parsePublished(element?.textContent);
}

/** Finds the date behind the place with which a press release begins: "GHENT, Belgium, March 7, 2024 (NEWSWIRE) --". */
function findDateline(document: Document): string | null {
  for (const paragraph of selectAll(document, 'p').slice(0, MAX_PARAGRAPHS)) {
    if (selectClosest(paragraph, `blockquote, ${NOT_OF_PAGE}`) !== null) continue;
    const date = parsePublished(DATELINE.exec(toLine(paragraph.textContent).slice(0, MAX_TEXT_BEFORE_DATE))?.[1]);
    if (date !== null) return date;
  }
  return null;
}

/** Detects the date of a change, by its element or by the start of its line. */
function isOfChange(element: Element): boolean {
  const modified = isMatch(element, MODIFIED) ? element : selectFirst(element, MODIFIED);
  const isWhole = modified?.textContent.trim() === element.textContent.trim();
  if (isWhole && !isMatch(modified, '[itemprop~="datePublished"]')) return true;
  const line = selectClosest(element, 'p, li, div, span')?.textContent.trim() ?? '';
  return line.length <= MAX_DATE_LINE_LENGTH * 2 && line.search(CHANGE_LABEL) === 0;
}

/** Finds the date of the last change near the first heading, by the name of its element or the words before it. */
export function findModified(document: Document, publishedAt: string | null): string | null {
  const named = selectFirst(document, MODIFIED);
  const date = dateOf(named);
  if (date !== null) return date;
  const heading = selectFirst(document, 'h1');
  const near = boxAround(heading);
  const lines = [
    ...[...(selectAll(near, 'time, p, span, div, li, small, em') ?? [])].slice(0, MAX_LINES),
    ...selectAll(document, CHANGE_LINES).filter((line) => selectClosest(line, ASIDE) === null),
  ];
  // the day of a place and the time in UTC may differ by one
  const earliest = publishedAt === null ? 0 : Date.parse(publishedAt) - DAY_MS;
  for (const line of lines) {
    const text = toLine(line.textContent);
    if (text.length > MAX_DATE_LINE_LENGTH * 2 || !CHANGE_LABEL.test(text)) continue;
    const time = selectAll(line, 'time[datetime]').at(text.search(CHANGE_LABEL) === 0 ? 0 : -1);
    const said = parsePublished(time?.getAttribute('datetime')) ?? dateAfter(text);
    if (said !== null && Date.parse(said) >= earliest) return said;
  }
  return null;
}

/** Returns the box two levels around a heading, unless that is the whole page. */
function boxAround(heading: Element | null): Element | null {
  const box = heading?.parentElement ?? null;
  const outer = box?.parentElement;
  return outer && outer.localName !== 'body' && outer.localName !== 'html' ? outer : box;
}

function dateAfter(text: string): string | null {
  const after = text.replace(new RegExp(`^.*?${CHANGE_LABEL.source}`, 'iu'), '');
  return parsePublished(after.replace(DATE_END, '').replace(/[.,;]$/, ''));
}

/** Finds the only date that elements declare as that of the page. */
function findDeclared(document: Document): string | null {
  const declared = selectAll(document, DECLARED).filter((one) => selectClosest(one, NOT_OF_PAGE) === null);
  const dates = declared.map(dateOf);
  const [date, ...others] = dates.filter((one) => one !== null);
  if (date === undefined) return null;
  // the day of a place and the time in UTC may differ by one
  const isNear = (one: string) => Math.abs(Date.parse(one) - Date.parse(date)) <= 2 * DAY_MS;
  return others.every(isNear) ? date : null;
}

/** Finds a line that is a date, with or without a label and an author, near the first heading or in an element named as a date. */
function findDateLine(document: Document, heading: Element | null, language: string | null): string | null {
  const isDayFirst = language !== null && !NOT_DAY_FIRST.test(language);
  const lines = selectAll(document, 'time, p, span, div, h6, h5, li, small, em, i, address, td, dd').slice(
    0,
    MAX_LINES,
  );
  const near = boxAround(heading);
  for (const line of lines) {
    if (line.childElementCount > 2) continue;
    // other dates are facts of what the page is about, such as a birth
    const term = line.localName === 'dd' ? toLine(line.previousElementSibling?.textContent) : 'Published';
    if (!DATE_LABEL.test(`${term}:`)) continue;
    const text = toLine(joinParts(line));
    if (text.length < 8 || text.length > MAX_DATE_LINE_LENGTH || !/\d{4}/.test(text)) continue;
    const isNamed = DATE_NAME.test(line.className) && selectClosest(line, 'aside, nav, footer, li article') === null;
    if (
      !isNamed &&
      !(near?.contains(line) && textLengthBefore(line, near, MAX_TEXT_BEFORE_DATE) <= MAX_TEXT_BEFORE_DATE)
    )
      continue;
    for (const part of text.split(PARTS)) {
      const label = DATE_LABEL.exec(part)?.[0] ?? '';
      const date = parsePublished(
        part
          .slice(label.length)
          .replace(/^\((.+)\)$/, '$1')
          .replace(CLOCK, '')
          .replace(DATE_END, '')
          .replace(/(?<=\d)\.$/, ''),
        isDayFirst,
      );
      if (date !== null && !isOfChange(line)) return date;
    }
  }
  return null;
}
