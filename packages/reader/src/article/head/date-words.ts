/** Languages whose names of months and weekdays are known. */
const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'ru',
  'sv',
  'da',
  'nb',
  'tr',
  'id',
  'uk',
  'cs',
  'ar',
  'hi',
  'fi',
  'hu',
  'el',
  'ro',
  'he',
  'th',
];
/** Names of months and weekdays; shorter ones in Latin and Cyrillic script are words of other kinds, too. Thai has dots in short ones. */
const NAME =
  /^(?:[\p{L}\p{M}]{3,}|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Thai}])[\p{L}\p{M}]+|[\p{Script=Thai}.]{3,})$/u;

/** Month numbers by their names, long and short, in lower case. */
const MONTHS: ReadonlyMap<string, number> = collectMonths();
const WEEKDAYS: ReadonlySet<string> = collectWeekdays();

const MONTH_WORDS = alternativesOf(MONTHS.keys());
const WEEKDAY_WORDS = alternativesOf(WEEKDAYS);
const START = '(?:^|(?<=[\\s,(|·•–—-]))';
const END = '(?=$|[\\s,.)|·•–—-])';

/** A day of the week or of a month with all that follows. */
const DATE_TAIL = new RegExp(
  `${START}(?:(?:${WEEKDAY_WORDS})${END}\\.?,?\\s*)?(?:(?:${MONTH_WORDS})\\.?\\s+\\d|\\d{1,2}\\.?\\s+(?:de\\s+)?(?:${MONTH_WORDS})${END}|(?<=(?:${WEEKDAY_WORDS})\\.?,?\\s*)\\d).*$`,
  'isu',
);
const DAY_MONTH_YEAR = new RegExp(
  `^(\\d{1,2})(?:\\.|st|nd|rd|th|er|º)?\\s+(?:de\\s+|of\\s+|ב)?(${MONTH_WORDS})\\.?,?\\s+(?:de\\s+|พ\\.ศ\\.\\s*)?(\\d{4})`,
  'iu',
);
const MONTH_DAY_YEAR = new RegExp(`^(${MONTH_WORDS})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})`, 'iu');
const YEAR_MONTH_DAY = new RegExp(`^(\\d{4})\\.?\\s+(${MONTH_WORDS})\\.?\\s+(\\d{1,2})(?!\\d)`, 'iu');
/** The October of Croatian, which writes days with a dot, is the November of Polish, which does not. */
const CROATIAN_OCTOBER = /^\d{1,2}\.\s+listopada\s/i;
/** Vietnamese months have numbers. */
const VIETNAMESE_DATE = /^(\d{1,2})\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(\d{4})/i;
/** The year 2567 of the Buddhist calendar is 2024. */
const BUDDHIST_YEARS = 543;
const MIN_BUDDHIST_YEAR = 2_443;
const CJK_DATE = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/;
const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/;
const SLASHED_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/;
const LEADING = new RegExp(
  `^(?:(?:(?:${WEEKDAY_WORDS})(?:ที่)?|วันที่|thứ\\s\\p{L}{2,4}|chủ nhật)${END}\\.?,?\\s*)?(?:ngày\\s+)?`,
  'iu',
);

/** Removes a date, and all that follows it, from a line. */
export function removeDateTail(line: string): string {
  return /\d/.test(line) ? line.replace(DATE_TAIL, '') : line;
}

/** Detects lines that consist of names of months and weekdays only. */
export function isDateWords(line: string): boolean {
  const words = line.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => MONTHS.has(word) || WEEKDAYS.has(word));
}

/**
 * Parses a date at the start of a text, written with a month's name or in the order of day, month and year.
 * @param isDayFirst the language of the text writes the day before the month, also between slashes
 */
export function parseWordedDate(text: string, isDayFirst = false): string | null {
  const line = text.trim();
  // a month of one language, such as "Mar", is a weekday of another
  return parseDay(line, isDayFirst) ?? parseDay(line.replace(LEADING, ''), isDayFirst);
}

function parseDay(line: string, isDayFirst: boolean): string | null {
  const dayFirst = DAY_MONTH_YEAR.exec(line);
  if (dayFirst) {
    const month = CROATIAN_OCTOBER.test(line) ? 10 : MONTHS.get(dayFirst[2]?.toLowerCase() ?? '');
    return isoOf(dayFirst[3], month, dayFirst[1]);
  }
  const monthFirst = MONTH_DAY_YEAR.exec(line);
  if (monthFirst) return isoOf(monthFirst[3], MONTHS.get(monthFirst[1]?.toLowerCase() ?? ''), monthFirst[2]);
  const yearFirst = YEAR_MONTH_DAY.exec(line);
  if (yearFirst) return isoOf(yearFirst[1], MONTHS.get(yearFirst[2]?.toLowerCase() ?? ''), yearFirst[3]);
  const cjk = CJK_DATE.exec(line);
  if (cjk) return isoOf(cjk[1], Number(cjk[2]), cjk[3]);
  const vietnamese = VIETNAMESE_DATE.exec(line);
  if (vietnamese) return isoOf(vietnamese[3], Number(vietnamese[2]), vietnamese[1]);
  const dotted = DOTTED_DATE.exec(line);
  if (dotted) return isoOf(dotted[3], Number(dotted[2]), dotted[1]);
  const [, one, other, year] = SLASHED_DATE.exec(line) ?? [];
  if (year === undefined) return null;
  // otherwise either may be the month
  if (Number(one) > 12 || (isDayFirst && Number(other) <= 12)) return isoOf(year, Number(other), one);
  return Number(other) > 12 ? isoOf(year, Number(one), other) : null;
}

function alternativesOf(names: Iterable<string>): string {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  return longestFirst.join('|').replaceAll('.', '\\.');
}

function isoOf(year = '', month = 0, day = ''): string {
  const common = Number(year) < MIN_BUDDHIST_YEAR ? year : Number(year) - BUDDHIST_YEARS;
  return `${common}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function collectMonths(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const language of LANGUAGES) {
    for (const options of [{ month: 'long' }, { month: 'short' }, { day: 'numeric', month: 'long' }] as const) {
      const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) {
        const part = format.formatToParts(Date.UTC(2001, month, 15)).find(({ type }) => type === 'month')?.value ?? '';
        const name = part.toLowerCase().replace(/\.$/, '');
        if (NAME.test(name) && !months.has(name)) months.set(name, month + 1);
      }
    }
  }
  // Hindi: without the dot below its first letter, as many sites write it
  return months.set('sept', 9).set('फरवरी', 2);
}

function collectWeekdays(): ReadonlySet<string> {
  const names = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
      return Array.from({ length: 7 }, (_, i) =>
        format
          .format(Date.UTC(2001, 0, 1 + i))
          .toLowerCase()
          .replace(/\.$/, ''),
      );
    }),
  );
  return new Set([...names.filter((name) => NAME.test(name)), 'tues', 'weds', 'thur', 'thurs']);
}
