import { compact } from '../plain-text.ts';

/** Separates the title from the site's name, as in "Bread | The Baker". */
const SEPARATOR = /\s+(?:::|--|[|\-–—·•»«:/])\s+|\s*[｜：]\s*|(?<=\p{Script=Han}[)）”》]?)_(?=\p{Script=Han})/gu;

/** The last part of a title that ends with a domain, as in "sutta on dhamma.example.org". */
const DOMAIN_TAIL = /^(?:[\p{L}\p{N}'’-]+ ){0,3}((?:[a-z\d-]+\.)+[a-z]{2,})$/iu;

/** The author at the end of a title, as in "Bread by Ada". */
const AUTHOR_TAIL = / (?:by|von|par|por|di) \S{1,40}(?: \S{1,40}){0,2}$/;

/** The number of a paper or a section before a title, and a page of a wiki that is named by its path. */
const NUMBER = /^(?:\[[^\]]{1,20}\]|\d{1,3}(?:\.\d{1,3})*\.)\s+/;
const PATH = /^[a-z\d.-]+(?:[:_]+[a-z\d.-]+)+$/i;

/** The host of another name of the site. Names such as Node.js, ASP.NET and Booking.com belong to the title. */
const OTHER_HOST = /^[a-z\d.-]+\.(?:com|org|net|info|edu|gov|io|dev|co)$/;

/** The number of unread messages before a title. */
const COUNT = /^\(\d{1,4}\+?\)\s+/;

/** A note in brackets behind a title, such as the year of an old article. */
const NOTE = / \([^()]{1,40}\)$/;

const ISSUE_NUMBER = /\s(?:[#!]\d{1,7}|\([#!]\d{1,7}\))$/;

/** Up to four words with capital letters, or the like in another script. */
const SITE_NAME = /^(?=.{2,30}$)(?!\p{Ll})[\p{L}\p{M}\p{N}.&'’!-]+(?: [\p{L}\p{M}\p{N}.&'’!-]+){0,3}$/u;

/** Names of parts of sites. */
const GENERAL_NAME = /^(?:press|news|blog|home|docs|documentation|changelog|articles?|about)$/i;

/** Share of the words of the shorter text that two titles of one page have in common. */
const MIN_SHARED_WORDS = 0.34;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

interface TitleContext {
  /** Names by which the site calls itself. */
  readonly names: readonly (string | null)[];
  readonly author: string | null;
  readonly host: string;
  readonly heading: string | null;
}

/** Chooses the first title that is not only the name of the site, if there is one, and shortens it. */
export function chooseTitle(titles: readonly (string | null)[], context: TitleContext): string | null {
  const known = knownNames(context);
  const given = titles.filter((title) => title !== null);
  const author = compact(context.author ?? '');
  const isName = (title: string) => known.has(compact(title)) || compact(title) === author;
  const title = given.find((one) => !isName(one)) ?? given[0];
  if (title === undefined) return null;
  const count = COUNT.exec(title)?.[0] ?? '';
  const short = removeSiteName(context.heading?.startsWith(count) ? title : title.slice(count.length), context);
  return context.heading !== null && compact(context.heading) === compact(short) ? short : removeSection(short, given);
}

/** Removes what stands before a title with which another title of the page begins, such as the name of a group. */
function removeSection(title: string, others: readonly string[]): string {
  const [first, second] = partsOf(title);
  const rest = first && second ? title.slice(second.start) : '';
  return rest !== '' && others.some((other) => other !== rest && partsOf(other)[0]?.text === rest) ? rest : title;
}

/** Removes the site's name from either end of a title, and then a section if the first heading is without it. */
function removeSiteName(full: string, context: TitleContext): string {
  const { host, heading } = context;
  if (heading !== null && compact(heading) === compact(full)) return full;
  const known = knownNames(context);
  const title = full.replace(/\s\[([^[\]]+)\]$/, (tail, name: string) => (known.has(compact(name)) ? '' : tail));
  if (heading !== null && title !== full && !known.has(compact(heading)) && PATH.test(title)) return heading;
  const labels = labelsOf(host);
  const isHost = (domain: string) => `.${host}`.endsWith(`.${domain.toLowerCase().replace(/^www\./, '')}`);
  const isDomain = (domain = '.') => known.has(compact(domain)) || OTHER_HOST.test(domain) || isHost(domain);
  const isName = (part: string, isLast: boolean) =>
    known.has(compact(part)) || (isLast && (labels.has(compact(part)) || isDomain(DOMAIN_TAIL.exec(part)?.[1])));
  // Blogger writes the name before a colon
  const name = /^(.{2,80}?): (?=\S)/.exec(title)?.[0] ?? '';
  const short = known.has(compact(name)) && name !== '' ? title.slice(name.length) : removeEnd(title, isName);
  const headed = heading === null ? '' : compact(heading.replace(ISSUE_NUMBER, ''));
  const parts = [short, ...partsOf(short).map(({ text }) => text)].flatMap((text) => [
    text,
    text.replace(AUTHOR_TAIL, ''),
    text.replace(ISSUE_NUMBER, ''),
    text.replace(NUMBER, ''),
    text.replace(NOTE, ''),
  ]);
  const part = parts.find((text) => headed !== '' && compact(text) === headed) ?? short;
  return known.has(compact(part)) ? title : part;
}

/**
 * Finds the name of a site at the end of a title, or at the start if it is in the host. The rest must be another title of the
 * page, unless a vertical line, which hardly any title has, separates one short name from the end.
 */
export function findSiteName(title: string | null, others: readonly (string | null)[], host: string): string | null {
  const parts = partsOf(title ?? '');
  const [last, beforeLast] = [parts.at(-1), parts.at(-2)];
  const [first, second] = parts;
  if (!title || !first || !second || !last || !beforeLast) return null;
  const isTitle = (text: string) => others.some((other) => other !== null && compact(other) === compact(text));
  if (labelsOf(host).has(compact(first.text)) && isTitle(title.slice(second.start))) return first.text;
  if (GENERAL_NAME.test(last.text) || !(SITE_NAME.test(last.text) || isNameOfHost(last.text, host))) return null;
  const head = title.slice(0, beforeLast.end);
  if (isTitle(head) || isTitle(head.replace(NUMBER, ''))) return last.text;
  const isAfterLine = /^\s*[|｜]/.test(title.slice(beforeLast.end));
  return parts.length === 2 && isAfterLine && last.text.length < beforeLast.text.length ? last.text : null;
}

/** Returns the heading of a site if the title begins or ends with it. */
export function findHeadedName(title: string | null, heading: string | null): string | null {
  const parts = partsOf(title ?? '').map(({ text }) => compact(text));
  const isEnd = heading !== null && parts.length > 1 && [parts[0], parts.at(-1)].includes(compact(heading));
  return isEnd || (heading && (title?.startsWith(`${heading}: `) || title?.endsWith(` [${heading}]`))) ? heading : null;
}

function knownNames({ names, host }: TitleContext): ReadonlySet<string> {
  return new Set([...names, host].map((name) => compact(name ?? '')).filter((name) => name !== ''));
}

/** Detects the name under which a host is registered, such as Wikipedia, and not "Blog" or "Docs" before it. */
export function isNameOfHost(name: string, host: string): boolean {
  const registered = /([^.]+)(?:\.(?:ac|co|com|edu|gov|net|org))?\.[^.]+$/.exec(host)?.[1] ?? '';
  return registered !== '' && compact(registered) === compact(name);
}

function labelsOf(host: string): ReadonlySet<string> {
  return new Set(host.split('.').slice(0, -1).map(compact));
}

/** Compares two titles by their words, or by their characters if they are in Chinese, Japanese or Korean. */
export function isSimilarTitle(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared > 0 && shared >= Math.min(a.size, b.size) * MIN_SHARED_WORDS;
}

function removeEnd(title: string, isName: (part: string, isLast: boolean) => boolean): string {
  const parts = partsOf(title);
  for (const [i, part] of parts.entries()) {
    const previous = parts[i - 1];
    if (previous && isName(title.slice(part.start), true)) return title.slice(0, previous.end);
  }
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (next && isName(title.slice(0, part.end), false)) return title.slice(next.start);
  }
  return title;
}

function partsOf(title: string): readonly { readonly text: string; readonly start: number; readonly end: number }[] {
  const separators = [...title.matchAll(SEPARATOR)].map(({ 0: text, index }) => ({ index, end: index + text.length }));
  const starts = [0, ...separators.map(({ end }) => end)];
  const ends = [...separators.map(({ index }) => index), title.length];
  return starts
    .map((start, i) => ({ text: title.slice(start, ends[i]), start, end: ends[i] ?? title.length }))
    .filter(({ text }) => text !== '');
}

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.flatMap((word) => (CJK.test(word) ? [...word] : [word])));
}
