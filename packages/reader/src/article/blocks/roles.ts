import { compact } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { hasClass, mark, replaceElement } from './tree.ts';

const STANDFIRST =
  /(?:^|[-_])(?:standfirst|dek|subheadline|subhead|(?:post|article|entry)[-_]?(?:description|subtitle|excerpt|summary|intro|lead|lede)|pw-subtitle)(?:$|[-_])/i;
const PULL_QUOTE = /pull-?_?quote/i;
/** A text in quotation marks. */
const QUOTED = /^\s*["“„«‘「『].*["”“»’」』]\s*$/s;
const SPEAKER = /(?:^|[\s_-])(?:attribution|quote-?(?:author|source|cite)|citation|cite)(?:$|[\s_-])/i;
/** Names in quotes. */
const SPEAKERS =
  ':is(blockquote, [class*="quote"]) :is([class*="author"], [class*="byline"], [rel~="author"], [itemprop~="author"])';
const MAX_SPEAKER_LENGTH = 150;
const MAX_STANDFIRST_LENGTH = 500;
const MAX_PULL_QUOTE_LENGTH = 300;
const MAX_PULL_QUOTES = 100;
/** Shorter words in quotation marks, such as a term, are often in the text. In characters without signs. */
const MIN_REPEATED_LENGTH = 20;
/** Longer first paragraphs, such as coordinates, are rare. */
const MIN_PARAGRAPH_LENGTH = 60;

/** Marks the standfirst, pull quotes that do not repeat the text, and the speakers of quotes by their elements and class names. */
export function markRoles(document: Document): void {
  const standfirst = selectAll(document, 'p[class], h2[class], div[class]').find(
    (element) => hasClass(element, STANDFIRST) && isText(element, MAX_STANDFIRST_LENGTH),
  );
  if (standfirst && selectClosest(standfirst, 'article, main')) mark(replaceElement(standfirst, 'p'), 'standfirst');
  const quotes = selectAll(document, 'figure[class], aside, blockquote[class], p[class], div[class]').filter(
    (quote) => (hasClass(quote, PULL_QUOTE) || isQuotedAside(quote)) && isText(quote, MAX_PULL_QUOTE_LENGTH),
  );
  let text = quotes.length === 0 ? '' : compact(document.body.textContent);
  for (const quote of quotes.slice(0, MAX_PULL_QUOTES)) {
    if (!document.body.contains(quote)) continue;
    const [speaker] = selectAll(quote, 'cite, footer, figcaption');
    const said = compact(quote.textContent).replace(speaker ? compact(speaker.textContent) : '', '');
    const isNamed = hasClass(quote, PULL_QUOTE);
    if (said.length >= (isNamed ? 1 : MIN_REPEATED_LENGTH) && text.indexOf(said) !== text.lastIndexOf(said)) {
      quote.remove();
      text = text.replace(said, '');
    } else if (isNamed) mark(selectFirst(quote, 'blockquote') ?? replaceElement(quote, 'blockquote'), 'pullquote');
  }
  for (const quote of selectAll(document, 'blockquote')) markSpeaker(quote);
  // Readability takes them for authors of the page
  for (const name of selectAll(document, SPEAKERS))
    for (const key of ['class', 'id', 'rel', 'itemprop']) name.removeAttribute(key);
}

function isQuotedAside({ localName, textContent }: Element): boolean {
  return localName === 'aside' && QUOTED.test(textContent);
}

/** Readability removes footers, and figures with little text. */
function markSpeaker(quote: Element): void {
  const next = quote.nextElementSibling;
  if (next && isSpeaker(next)) quote.append(next);
  const figure = quote.parentElement;
  if (figure?.localName === 'figure' && figure.textContent.trim() === quote.textContent.trim())
    figure.replaceWith(quote);
  const last = quote.lastElementChild;
  if (last && (last === next || /^(?:footer|cite)$/.test(last.localName))) mark(replaceElement(last, 'p'), 'speaker');
}

/** Detects who said a quote, in the element behind it. */
function isSpeaker(next: Element): boolean {
  const text = next.textContent.trim();
  if (text === '' || text.length > MAX_SPEAKER_LENGTH || selectFirst(next, 'img, p + p, ul, ol, h2, h3') !== null)
    return false;
  if (next.localName === 'figcaption') return true;
  return (
    /^(?:p|div|cite|footer)$/.test(next.localName) && (SPEAKER.test(next.className) || /^[—―–]\s?\p{L}/u.test(text))
  );
}

/** Moves a table of facts about the subject behind the first paragraph, if it stands before all text. Runs on wrapped tables. */
export function moveInfobox(root: Element): void {
  const blocks = selectAll(root, 'table, p').filter((each) => !selectClosest(each.parentElement, 'table'));
  const [table] = blocks.filter(({ localName }) => localName === 'table');
  const paragraph = blocks.find((each) => each.localName === 'p' && isLongText(each));
  const wrapper = table?.parentElement;
  if (!table || !wrapper || !paragraph || blocks.indexOf(table) > blocks.indexOf(paragraph)) return;
  if (!isInfobox(table)) return;
  mark(wrapper, 'embed-table infobox');
  paragraph.after(wrapper);
}

function isLongText({ textContent }: Element): boolean {
  return textContent.trim().length >= MIN_PARAGRAPH_LENGTH;
}

/** Detects a table of at most two columns with a title or a picture above them. */
function isInfobox(table: Element): boolean {
  const rows = selectAll(table, 'tr').map((row) => [...row.children]);
  return rows.length > 2 && rows.every((cells) => cells.length <= 2) && rows.slice(0, 3).some(spansBoth);
}

function spansBoth(cells: readonly Element[]): boolean {
  return cells.length === 1 && cells[0]?.getAttribute('colspan') === '2';
}

/** Detects elements with a short text and no structure. */
function isText(element: Element, maxLength: number): boolean {
  const length = element.textContent.trim().length;
  return (
    length > 0 && length <= maxLength && selectFirst(element, 'img, ul, ol, table, h1, h3, form, div div') === null
  );
}
