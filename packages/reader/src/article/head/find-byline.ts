import { toLine } from '../plain-text.ts';
import { isNameLike, PHOTOGRAPHER } from './byline.ts';
import { parsePublished } from './published.ts';

/** In characters. */
const MAX_LINE_LENGTH = 80;
const MAX_LINES = 1_500;
const BY =
  /^(?:by|written by|(?:an? )?(?:analysis|opinion|essay|review|column|commentary) by|von|ein(?:e)? (?:(?:gast)?(?:beitrag|kommentar)|analyse|essay|kolumne|reportage|rezension|interview) von|par|por|di|door|av|af|автор|текст|te(?:xte?|kst|sto|xto)(?: (?:und|and|&|et|\+) (?:fotos?|photos?|bilder))?(?=\s*:))(?:\s*:)?\s+(?=\p{Lu})/iu;
/** A name of two words that begins like a line of an author. */
const NAMED_LIKE_BY = /^(?:von|par|por|di|av|af)\s\S+$/i;
/** Chinese, Japanese and Korean names with the label of an author, and no kinds of work. */
const LABELLED_NAME =
  /^(?:(?:(?:取材・)?文|글)\s?[:：／/|＝=]|(?:作者|撰文|记者|記者)\s?[:：／/|＝=\s])\s?(?!(?:사진|그림|写真|撮影|摄影)$)([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}·]{2,8})$|^(?!(?:취재|사진|본지|수습|선임|전문|시민|本报|本報|本刊|实习|特约)\s?(?:기자|記者|记者))([\p{Script=Han}\p{Script=Hangul}]{2,5})\s?(?:기자|記者|记者)(?:\s+\S{1,40}@\S{1,40})?$/u;
/** Separate names, dates and others in a line. */
const PARTS = /\s+[|·•–—-]\s+|\s+(?=\d)|(?<=\d{4}),?\s+(?=\p{L})/u;
/** A fact of a line besides its date and its name. */
const FACT = /^\d{1,6} (?:min(?:ute)?s?(?: read)?|words|wörter|mots|palabras)$/i;
/** The category of an article after its author. */
const CATEGORY = / (?:in|dans|en|em) (\S.*)$/;
/** One to three people, each of two to four words. */
const NAMES =
  /^\p{Lu}[\p{L}.'’-]*(?:\s+[\p{L}.'’-]+){1,3}(?:(?:,|\s(?:and|und|et|y|e|og|och|en|&))\s+\p{Lu}[\p{L}.'’-]*(?:\s+[\p{L}.'’-]+){1,3}){0,2}$/u;

/** Elements that name the author of the page. */
const AUTHORS = `[itemprop~="author"] [itemprop~="name"], [rel~="author"], [itemprop~="author"], .vcard .fn, .h-card .p-name, .author, a[href*="/author/"],
  b:has(+ a[href^="mailto:"])`;
const NOT_OF_PAGE =
  'aside, nav, footer, li article, blockquote, [class*="comment"], [id*="comment"], [class*="related"]';
/** Text of links to all that an author has written. */
const LINK_TEXT = /\b(?:posts?|articles?|stories|authors?|archives?|more|profile)\b/i;
const MAX_AUTHORS = 20;
const MAX_PEOPLE = 5;

/** Finds the only author that elements name, or a line such as "By Ada Holm", which names the author without a mark. */
export function findByline(document: Document): string | null {
  return findNamedAuthor(document) ?? findBylineText(document);
}

function findNamedAuthor(document: Document): string | null {
  const people = [...document.querySelectorAll('.ltx_personname')].slice(0, MAX_PEOPLE);
  if (people.length > 0)
    return (
      people
        .map(({ firstChild }) => firstChild?.textContent?.trim() ?? '')
        .filter((name) => NAMES.test(name))
        .join(', ') || null
    );
  const named = [...document.querySelectorAll(AUTHORS)]
    .slice(0, MAX_AUTHORS)
    .filter((one) => one.closest(NOT_OF_PAGE) === null);
  const texts = named
    .map(({ textContent }) => toLine(textContent))
    .map((text) => (NAMED_LIKE_BY.test(text) ? text : text.replace(BY, '')));
  const [name, ...others] = new Set(
    texts.filter((text) => NAMES.test(text) && isNameLike(text) && !LINK_TEXT.test(text)),
  );
  return others.length === 0 ? (name ?? null) : null;
}

function findBylineText(document: Document): string | null {
  for (const line of [...document.querySelectorAll('p, span, div, address, h6, h5, h4, small, em')].slice(
    0,
    MAX_LINES,
  )) {
    const text = line.childElementCount > 3 ? '' : toLine(line.textContent);
    if (text.length < 4 || text.length > MAX_LINE_LENGTH) continue;
    const named = line.closest(NOT_OF_PAGE) === null ? (findLabelledName(text) ?? findNameInFacts(text)) : null;
    if (named !== null) return named;
    const part = text.split(PARTS).find((one) => BY.test(one)) ?? '';
    const names = part
      .replace(BY, '')
      .replace(PHOTOGRAPHER, '')
      .replace(/[,;]$/, '')
      .replace(CATEGORY, (tail, category: string) => (beginsWithLink(category, line) ? '' : tail));
    if (NAMES.test(names) && isNameLike(names) && line.closest('article li, footer, figure, blockquote') === null)
      return names;
  }
  return null;
}

function findLabelledName(text: string): string | null {
  const [, name, other] = LABELLED_NAME.exec(text) ?? [];
  return name ?? other ?? null;
}

/** Finds the name in a line such as "March 12, 2026 · 5 min · Ada Holm". */
function findNameInFacts(text: string): string | null {
  const parts = text.split(/\s*[|·•]\s*/);
  const names = parts.filter((part) => !FACT.test(part) && parsePublished(part) === null);
  const [name] = names;
  const isFacts = name !== undefined && names.length === 1 && parts.length > 2 && parts.some((part) => FACT.test(part));
  return isFacts && NAMES.test(name) && isNameLike(name) ? name : null;
}

function beginsWithLink(text: string, line: Element): boolean {
  const links = [...line.querySelectorAll('a')].map(({ textContent }) => textContent?.trim() ?? '');
  return links.some((link) => link !== '' && text.startsWith(link));
}
