import { spacedTextOf } from '../blocks/tree.ts';
import { plainText } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { isDateWords, removeDateTail } from './date-words.ts';
import { isPlaceholder } from './placeholder.ts';
import { parsePublished } from './published.ts';

/** In characters, also of files and players. */
export const MAX_BYLINE_LENGTH = 120;
const BY =
  /^(?:(?:written|posted|published|reported|story|words|text|photos?|article|submitted|created|edited|compiled) (?:and \w+ )?by|by|door|przez|autore?a?|auteur|author|verfasser|text|texto?|texte|testo|tekst|текст|автор|作者|文|記者|记者|interview by|كتب|بقلم|लेखक)(?:(?<=\p{Script=Han})|(?!\p{L}))[\s:：]*/iu;
/** Prepositions before an author. They also begin names such as Di Zhang, so two words must follow, or a colon. */
const FROM =
  /^(?:[Vv]on|VON|[Pp]ar|PAR|[Pp]or|POR|[Dd]i|DI|[Aa]v|AV|[Aa]f|AF|[Oo]leh|OLEH)(?:\s*[:：]\s*|\s*$|\s+(?=\p{Lu}[^\s,;&]*\s+(?:(?!(?:and|und|et|y|e|og|och|en|i)\s)\p{Ll}+\s+){0,2}\p{Lu}))/u;
/** The same in lines of the text, where small letters, and words that are no given names, begin no name. */
const FROM_IN_LINE =
  /^(?:(?:von|di|av|af|[Pp]ar|PAR|[Pp]or|POR)(?!\p{L})[\s:：]*|(?:Von|Di|Av|Af)\s+(?=\p{Lu}{2,5}(?!\p{L})|(?:\p{Ll}+\s+)?[Rr][eé]da[ckz]\p{Ll}+))/u;
/** Manuals have sections with the heading "2.1 Author". */
const SECTION_NUMBER = /^\s*\d{1,3}(?:\.\d{1,3})+\.?\s+(?=\S+\s*$)/;
/** The end of a sentence, not of a date or of the time of the day. */
const SENTENCE_END = /[\p{L})”"»’'](?<!\b[ap]\.m)[.!?…。！？।؟]["”»’')]*$/u;
const PARTS = /\s+[|·•—–]\s+|\s+[-–]\s*(?:$|https?:)|\s+\d|\s*https?:\/\/|\s*<|\s*\(?[\w.+-]+@[\w-]+\.|[\r\n]/;
/** Names of accounts, not of people. */
const NOT_AN_AUTHOR =
  /^(?:admin|administrator|editor|staff|webmaster|root|guest|unknown|anonymous|null|undefined|user|authors?|contributors?|\w{0,12}admin|site|team|posted|published|updated|posted on|published on|updated on|last (?:updated|modified)|by|share|comments?|follow|print|news|blog|home)$/i;
/** Lines beside an author, such as "8 min read" and "Posted on". */
const NOT_A_NAME =
  /\b(?:min(?:ute)?s? read|reading time|read time|lesezeit|minutos? de lectura|tempo de leitura|temps de lecture|minuti di lettura|posted (?:on|in)|published (?:on|in|at)|updated (?:on|at)|last (?:updated|modified)|filed under|comments?|shares?|views?|ago|subscribe|newsletter|all rights|copyright|read more|(?:popular|recent|related|latest|more) (?:posts?|articles?|stories)|privacy|cookies?)\b|[©{}<>]|\?$|\.{3}|…/i;
/** The profession of a person, behind the name. */
const ROLE =
  /,\s+(?:(?:senior|staff|chief|special|guest|lead|associate|assistant|political|science|health|sports?|technology|business|foreign|managing|deputy|contributing|executive)\s+){0,3}(?:reporter|writer|editor|correspondent|contributor|author|journalist|columnist|critic|producer|redakteur(?:in)?|korrespondent(?:in)?|journaliste|periodista)\b.*$/iu;
/** The photographer behind the author. */
export const PHOTOGRAPHER =
  /(?<=\S)[,;|]?\s+(?:fotos?|photos?|photography|bilder|illustrations?)(?: (?:by|von))?\s*:.*$|\s\(te(?:xt|kst)e?\)(?:,|\sund|\sand|\s&|\set)\s.*$/iu;
/** An address with the name behind it, as in feeds. */
const NAMED_ADDRESS = /^\S{1,80}@\S{1,80}\s*\((.{2,80})\)$/;
const MAX_NAME_WORDS = 6;
/** Words of names that begin with a small letter. */
const PARTICLES =
  /^(?:de|da|do|dos|das|di|del|della|der|den|des|du|la|le|les|el|al|bin|ibn|ben|van|von|vom|zu|zur|zum|ter|ten|te|y|e|i|et|und|and|en|og|och|of|the|for|in|af|av)$/;

/** Characters of text at the start of an article among which its byline is searched. */
const MAX_TEXT_BEFORE_BYLINE = 600;
const MAX_LINE_LENGTH = 160;
/** Elements at the start of an article that are compared with its head. */
const MAX_ELEMENTS = 60;
/** Letters that a line may have besides the author and the date, such as "Published by" and "5 min read". */
const MAX_OTHER_LETTERS = 24;
const PORTRAIT = /avatar|author|profile|headshot|portrait/i;
const MAX_PORTRAIT_WIDTH = 128;

/** More times are those of the parts of a report. */
const MAX_TIMES = 3;
/** A time of the day. */
export const CLOCK = /^\d{1,2}[:.h]\d{2}(?: ?[ap]\.?m\.?| Uhr)?(?: [A-Z]{2,4})?$/i;

const LINES = 'p, div, ul, address, section, h4, h5, h6, span, time';

/** The zones of most places, in hours before and after UTC. */
const ZONE_HOURS = [0, -8, 10];
const HOUR_MS = 3_600_000;
const DATE_STYLES = ['full', 'long', 'medium', 'short'] as const;
const ENGLISH = ['en-US', 'en-GB'];
/** Creating a format takes as long as a thousand uses of it. */
const ENGLISH_FORMATS = ENGLISH.flatMap(dateFormatsOf);

export interface ArticleHead {
  readonly byline: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
}

/**
 * Reduces a byline to its names, without the date of the article; null if it names nobody.
 * @param isDeclared data of the page, not a line of its text
 */
export function parseByline(
  text: string | null | undefined,
  head: Omit<ArticleHead, 'byline'>,
  isDeclared = false,
): string | null {
  const withoutLabel = (said: string) =>
    (isDeclared ? said : said.replace(FROM_IN_LINE, '')).replace(FROM, '').replace(BY, '');
  let line = (plainText(text, MAX_BYLINE_LENGTH * 4) ?? '')
    .replace(SECTION_NUMBER, '')
    .replace(NAMED_ADDRESS, '$1')
    .replace(ROLE, '')
    .replace(PHOTOGRAPHER, '');
  if (/\d/.test(line)) for (const phrase of datePhrases(head)) line = line.replace(phrase, ' · ');
  const first = removeDateTail(withoutLabel(line.trim())).split(PARTS)[0] ?? '';
  const names = plainText(withoutLabel(first).replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/g, ''), MAX_BYLINE_LENGTH);
  if (names === null || isPlaceholder(names) || isDateWords(names)) return null;
  if (NOT_AN_AUTHOR.test(names) || NOT_A_NAME.test(names) || names.includes('://')) return null;
  return /\p{L}/u.test(names) ? names : null;
}

/** Detects names of people and organisations by the capital letters of their words. Other scripts have none. */
export function isNameLike(names: string): boolean {
  if (/[.!?。]\s+\p{Lu}\p{Ll}{3,}.*[.!?。]$/u.test(names)) return false;
  return names.split(/\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b|\/)\s*/u).every((name) => {
    const words = name.split(/\s+/).filter((word) => word !== '');
    return words.length <= MAX_NAME_WORDS && words.every((word) => PARTICLES.test(word) || !/^\p{Ll}/u.test(word));
  });
}

/** Removes the lines at the start of an article that say its author and its date, which the head shows. */
export function removeByline(root: Element, head: ArticleHead): void {
  const names = head.byline === null ? [] : wordsOf(head.byline);
  const dates = datePhrases(head).map(wordsOf);
  if (names.length + dates.length === 0) return;
  const [portrait] = selectAll(root, 'img');
  const depicted = wordsOf(portrait?.getAttribute('alt') ?? '');
  if (portrait && depicted.length > 0 && isPortrait(portrait) && depicted.join() === names.join()) portrait.remove();
  const isReport = selectAll(root, 'time[datetime]').length > MAX_TIMES;
  let length = 0;
  for (const element of selectAll(root, LINES).slice(0, MAX_ELEMENTS)) {
    if (length > MAX_TEXT_BEFORE_BYLINE) return;
    const isInline = element.localName === 'span' || element.localName === 'time';
    if (!root.contains(element) || (isInline && selectClosest(element, 'p, li, dd, td, blockquote, figcaption')))
      continue;
    const text = spacedTextOf(element);
    const isOfPart = isReport && (CLOCK.test(text) || selectClosest(element, 'li') !== null);
    if (text === '' || hasPicture(element) || isOfPart) continue;
    const isLine = text.length <= MAX_LINE_LENGTH && !isSentence(element, text);
    if (isLine && isBylineText(text, { names, dates, hasDate: hasDate(element, head, dates) })) element.remove();
    else if (element.localName === 'p') length += text.length;
  }
}

/** Ignores portraits of the author. */
function hasPicture(element: Element): boolean {
  if (selectFirst(element, 'figure, picture, video, audio') !== null) return true;
  return selectAll(element, 'img').some((image) => !isPortrait(image));
}

function isPortrait(image: Element): boolean {
  const isSmall = Number(image.getAttribute('width') ?? Number.NaN) <= MAX_PORTRAIT_WIDTH;
  return isSmall || PORTRAIT.test(`${image.className} ${image.getAttribute('src')}`);
}

/** Detects the first sentences of the text, in which the author may name themselves. */
function isSentence(element: Element, text: string): boolean {
  const isParagraph = element.localName === 'p' || selectFirst(element, 'p') !== null;
  return isParagraph && SENTENCE_END.test(text) && !BY.test(text) && !FROM.test(text);
}

function hasDate(element: Element, { publishedAt }: ArticleHead, dates: readonly (readonly string[])[]): boolean {
  const times = element.localName === 'time' ? [element] : selectAll(element, 'time[datetime]');
  return times.some((time) => {
    // a day without its year
    const said = wordsOf(time.textContent);
    if (said.length === 2 && dates.some((words) => said.every((word) => words.includes(word)))) return true;
    const date = parsePublished(time.getAttribute('datetime'));
    return date !== null && date.slice(0, 10) === publishedAt?.slice(0, 10);
  });
}

interface HeadWords {
  readonly names: readonly string[];
  readonly dates: readonly (readonly string[])[];
  readonly hasDate: boolean;
}

function isBylineText(text: string, { names, dates, hasDate }: HeadWords): boolean {
  const words = wordsOf(text);
  // Readability takes the name itself away
  if (names.length > 0 && words.length > 0 && wordsOf(text.replace(FROM, '').replace(BY, '')).length === 0) return true;
  const saysName = names.length > 0 && names.every((name) => words.includes(name));
  const saysDate = dates.some((date) => date.every((word) => words.includes(word)));
  if (!saysName && !saysDate && !hasDate) return false;
  const said = new Set([...(saysName ? names : []), ...dates.flat()]);
  const others = words.filter((word) => !said.has(word) && !/^\d+$/.test(word));
  return others.join('').length <= MAX_OTHER_LETTERS && !/(?<!\d)[.!?。]\s+\p{Lu}/u.test(text);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/\p{L}+|\p{N}+/gu) ?? []
  );
}

/** Creates the formats of the usual ways to write a date. */
function dateFormatsOf(locale: string): readonly Intl.DateTimeFormat[] {
  return DATE_STYLES.map((dateStyle) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }));
}

/** Writes the date in the ways that are usual in English and in the language of the page. */
function datePhrases({ publishedAt, language }: Omit<ArticleHead, 'byline'>): readonly string[] {
  if (publishedAt === null) return [];
  const date = new Date(publishedAt);
  // the day of a place and that of a time in UTC may differ by one
  const days = publishedAt.length > 10 ? ZONE_HOURS.map((hours) => new Date(date.getTime() + hours * HOUR_MS)) : [date];
  const ownFormats = language === null || ENGLISH.includes(language) ? [] : dateFormatsOf(language);
  const phrases = [...ownFormats, ...ENGLISH_FORMATS].flatMap((format) => days.map((day) => format.format(day)));
  return [...new Set([...phrases, ...days.map((day) => day.toISOString().slice(0, 10))])];
}
