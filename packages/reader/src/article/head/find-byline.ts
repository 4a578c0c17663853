import { textLengthBefore } from '../blocks/tree.ts';
import { joinParts, toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { isNameLike, PHOTOGRAPHER } from './byline.ts';
import { removeDateTail } from './date-words.ts';
import { parsePublished } from './published.ts';

/** In characters. */
const MAX_LINE_LENGTH = 80;
const MAX_LINES = 1_500;
const BY =
  /^(?:by|(?:written|words|story|report|posted|submitted) by|(?:an? )?(?:analysis|opinion|essay|review|column|commentary) by|von|ein(?:e)? (?:(?:gast)?(?:beitrag|kommentar)|analyse|essay|kolumne|reportage|rezension|interview) von|par|por|di|door|(?:skrevet |skriven )?a[vf]|автор|текст|oleh|מאת|بقلم|โดย|(?:te(?:xte?|kst|sto|xto)(?: (?:und|and|&|et|\+) (?:fotos?|photos?|bilder))?|authors?|autora?|autorka|auteure?|yaz(?:an|ar)|kirjoittaja|penulis|tác giả|författare|forfatter|כתבה?|كتبت?|लेखक)(?=\s*:))(?:\s*:)?\s+(?=\p{L})/iu;
/** A name of two words, alone or before another one, that begins like a line of an author. */
const NAMED_LIKE_BY = /^(?:von|par|por|di|av|af|oleh)\s[^\s,;&]+(?:$|,|\s(?:and|und|et|y|e|og|och|&)\s)/i;
/** Chinese, Japanese and Korean names with the label of an author, and no kinds of work. */
const LABELLED_NAME =
  /^(?:(?:(?:取材・)?文|글)\s?[:：／/|＝=]|(?:作者|撰文|记者|記者)\s?[:：／/|＝=\s])\s?(?!(?:사진|그림|写真|撮影|摄影)$)([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}·]{2,8})$|^(?!(?:취재|사진|본지|수습|선임|전문|시민|本报|本報|本刊|实习|特约)\s?(?:기자|記者|记者))([\p{Script=Han}\p{Script=Hangul}]{2,5})\s?(?:기자|記者|记者)(?:\s+\S{1,40}@\S{1,40})?$/u;
/** Separate names, dates and others in a line. */
const PARTS = /\s+[|·•–—/-]\s+|\s+(?=\d)|(?<=\d{4}),?\s+(?=\p{L})/u;
/** The word before a date. */
const DATE_WORD = /\s(?:on|am|le|el|em|il|op)$/;
/** The label of an author, such as "Autor: ". */
const LABELLED = /^[^:\s]+(?: [^:\s]+)?\s*:/;
/** Facts about a book, whose author is not that of the page. */
const BOOK =
  /(?:ISBN|Publisher|Verlag|Éditeur|Editorial|Editor[ae]|Yayınevi|Wydawnictwo|Förlag|Forlag|Kustantaja|Penerbit|Nhà xuất bản|Licen[cs]e)\s*:/u;
/** A fact of a line besides its date and its name. */
const FACT =
  /^(?:\d{1,6} (?:min(?:ute)?s?(?: read)?|words|wörter|mots|palabras)|suggest changes|edit (?:this )?(?:page|post))$/i;
/** The category of an article after its author. */
const CATEGORY = / (?:in|dans|en|em) (\S.*)$/;
/** One to three people, each of two to four words. */
const NAMES =
  /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]*(?:\s+[\p{L}\p{M}.'’-]+){1,3}(?:(?:,|\s(?:and|und|et|y|e|og|och|en|&))\s+\p{Lu}[\p{L}.'’-]*(?:\s+[\p{L}.'’-]+){1,3}){0,2}$/u;
/** A name of one word. */
const NAME = /^\p{L}[\p{L}\p{M}\p{N}._'’-]{1,30}$/u;

/** Elements that name the author of the page. */
const DECLARED = '[itemprop~="author"] [itemprop~="name"]';
const AUTHORS = `${DECLARED}, [rel~="author"], [itemprop~="author"], .vcard .fn:not(.org), .h-card .p-name, .author, a[href*="/author/"]`;
const NOT_OF_ARTICLE = 'aside, nav, li article, blockquote, [class*="comment"], [id*="comment"], [class*="related"]';
const NOT_OF_PAGE = `footer, ${NOT_OF_ARTICLE}`;
/** Text of links to all that an author has written. */
const LINK_TEXT = /\b(?:posts?|articles?|stories|authors?|archives?|more|profile)\b/i;
/** In characters, between the start of an article and the line of its author. */
const MAX_TEXT_BEFORE = 300;
const AUTHOR_LABEL = /^(?:authors?|written by|autor(?:in)?|verfasser(?:in)?|auteure?|autora?|autore)\s?:?$/i;
const MAX_AUTHORS = 20;
const MAX_PEOPLE = 5;

/** Finds the only author that elements name, or a line such as "By Ada Holm", which names the author without a mark. */
export function findByline(document: Document): string | null {
  return (
    findNamedAuthor(document) ?? findBylineText(document) ?? findDatedAuthor(document) ?? findLabelledAuthor(document)
  );
}

function findNamedAuthor(document: Document): string | null {
  const people = selectAll(document, '.ltx_personname').slice(0, MAX_PEOPLE);
  if (people.length > 0)
    return (
      people
        .map(({ firstChild }) => firstChild?.textContent?.trim() ?? '')
        .filter((name) => NAMES.test(name))
        .join(', ') || null
    );
  const named = [...selectAll(document, AUTHORS), ...findAddressedNames(document)]
    .slice(0, MAX_AUTHORS)
    .filter((one) => selectClosest(one, NOT_OF_PAGE) === null);
  const names = named
    .map((element) => ({ element, text: toLine(element.textContent) }))
    .filter(({ text }) => findLabelledName(text) === null)
    .map(({ element, text }) => ({ element, name: NAMED_LIKE_BY.test(text) ? text : text.replace(BY, '') }))
    .filter(({ element, name }) => NAMES.test(name) || (isMatch(element, DECLARED) && NAME.test(name)))
    .map(({ name }) => name);
  const [name, ...others] = new Set(names.filter((one) => isNameLike(one) && !LINK_TEXT.test(one)));
  return others.length === 0 ? (name ?? null) : null;
}

/** Finds names in bold before an address, as in archives of mails. A selector of the next sibling would look at all siblings of each. */
export function findAddressedNames(document: Document): readonly Element[] {
  return selectAll(document, 'b').filter(({ nextElementSibling: next }) => isMatch(next, 'a[href^="mailto:"]'));
}

/** Maps the text of boxes that are named for the author, without blanks, to their first parts, such as the name before a profession. */
export function mapAuthorBoxes(document: Document): ReadonlyMap<string, string> {
  return new Map(
    findAuthorBoxes(document).flatMap((box) => {
      const [first, ...others] = partsOf(box);
      return first === undefined || others.length === 0 ? [] : [[withoutBlanks(box.textContent), first]];
    }),
  );
}

export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

function findAuthorBoxes(document: Document): readonly Element[] {
  return selectAll(document, '[class*="author"]')
    .slice(0, MAX_AUTHORS)
    .filter((box) => box.textContent.length <= MAX_LINE_LENGTH * 2 && selectClosest(box, NOT_OF_PAGE) === null);
}

/** Returns the texts of the boxes in a box, and of their lines. */
function partsOf(box: Element): readonly string[] {
  return [...selectAll(box, 'div, p, li, h3, h4, h5, h6'), box]
    .filter((part) => selectFirst(part, 'div, p, li, h3, h4, h5, h6') === null)
    .flatMap(linesOf)
    .map(toLine)
    .filter((text) => text !== '');
}

/** Returns the texts between line breaks. */
function linesOf({ childNodes }: Element): readonly string[] {
  const lines = [''];
  for (const { nodeName, textContent } of childNodes) {
    if (nodeName === 'BR') lines.push('');
    else lines.push(`${lines.pop()}${textContent}`);
  }
  return lines;
}

/** Finds the name at the start of a box that is named for the author and also has a date. Testimonials have none. */
function findDatedAuthor(document: Document): string | null {
  const lists = findAuthorBoxes(document).map(partsOf);
  const dated = lists.filter((texts) => texts.some((text) => parsePublished(text) !== null));
  const [name, ...others] = new Set(dated.map(([first]) => first));
  return name !== undefined && isPeople(name) && others.length === 0 && parsePublished(name) === null ? name : null;
}

/** Finds the name in the element behind one that is only a label, such as those of a list of definitions before the text. */
function findLabelledAuthor(document: Document): string | null {
  const label = selectAll(document, 'dt, div, span, p')
    .slice(0, MAX_LINES)
    .find((one) => one.childElementCount === 0 && AUTHOR_LABEL.test(one.textContent.trim()));
  if (!label || selectClosest(label, 'table') !== null || isElsewhere(label)) return null;
  const article = selectClosest(label, 'article, main') ?? document.body;
  if (textLengthBefore(label, article, MAX_TEXT_BEFORE) > MAX_TEXT_BEFORE) return null;
  if ([...(label.parentElement?.children ?? [])].some(({ textContent }) => BOOK.test(`${toLine(textContent)}:`)))
    return null;
  const name = toLine(label.nextElementSibling?.textContent);
  return isPeople(name) ? name : null;
}

function isPeople(text: string): boolean {
  return NAMES.test(text) && isNameLike(text) && !LINK_TEXT.test(text);
}

function findBylineText(document: Document): string | null {
  for (const line of selectAll(document, 'p, span, div, address, h6, h5, h4, small, em').slice(0, MAX_LINES)) {
    const text = line.childElementCount > 3 ? '' : toLine(joinParts(line));
    if (text.length < 4 || text.length > MAX_LINE_LENGTH) continue;
    const named = selectClosest(line, NOT_OF_PAGE) === null ? (findLabelledName(text) ?? findNameInFacts(text)) : null;
    if (named !== null) return named;
    const start = text.split(PARTS).find((one) => BY.test(one) && !NAMED_LIKE_BY.test(one));
    const [part = ''] = start === undefined ? [] : removeDateTail(text.slice(text.indexOf(start))).split(PARTS);
    const names = part
      .trim()
      .replace(BY, '')
      .replace(DATE_WORD, '')
      .replace(PHOTOGRAPHER, '')
      .replace(/[,;]$/, '')
      .replace(CATEGORY, (tail, category: string) => (beginsWithLink(category, line) ? '' : tail));
    if (!NAMES.test(names) || !isNameLike(names) || isElsewhere(line)) continue;
    if (!LABELLED.test(part.trim())) return names;
    return BOOK.test((selectClosest(line, 'article, main') ?? document.body).textContent) ? null : names;
  }
  return null;
}

/** Detects a line of a comment, of another article, or of the foot of a page. Drupal writes the author into a footer before the text. */
function isElsewhere(line: Element): boolean {
  const box = selectClosest(line, `article li, figure, ${NOT_OF_ARTICLE}`);
  if (box !== null && box.localName !== 'body') return true;
  const footer = selectClosest(line, 'footer');
  const article = selectClosest(footer, 'article') ?? null;
  if (footer === null || article === null) return footer !== null;
  return textLengthBefore(footer, article, MAX_TEXT_BEFORE) > MAX_TEXT_BEFORE;
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
  const isFacts =
    name !== undefined &&
    /^\p{Lu}/u.test(name) &&
    names.length === 1 &&
    parts.length > 2 &&
    parts.some((part) => FACT.test(part));
  return isFacts && isPeople(name) ? name : null;
}

function beginsWithLink(text: string, line: Element): boolean {
  const links = selectAll(line, 'a').map(({ textContent }) => textContent.trim());
  return links.some((link) => link !== '' && text.startsWith(link));
}
