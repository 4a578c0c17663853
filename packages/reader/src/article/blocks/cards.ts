import { resolveWebUrl, siteOf } from '../links.ts';
import { toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { createElement, isBlank, replaceElement, SUBSTANCE, wrap } from './tree.ts';

/** Cards and buttons of editors in the text: files, buttons, bookmarks of pages, products. */
const CARDS = `.kg-file-card, .kg-button-card, .kg-bookmark-card, .wp-block-file, .wp-block-button, figure:has(> a.bookmark), .ltag__link`;
const LINK_CARD = /(?:^|[\s_-])(?:link|bookmark|file)-card(?:$|[\s_-])/;
/** Boxes around several cards, and around a card with a text and a picture of its own. */
const BOXES = '.wp-block-buttons, .kg-product-card, .kg-product-card-container';
const TITLE = '[class*="title"], h2, h3, h4';
const DESCRIPTION = '[class*="description"], [class*="caption"]';
/** Links around the heading and the description of a page: of another site they are cards, of this site teasers. */
const OTHER_PAGES = ':is(article, main) a[href]:has(h2, h3):has(p, h3)';
const NO_TEXT = 'aside, nav, footer, header, li';
const MAX_CARDS = 300;
/** In characters. */
const MAX_LENGTH = 300;

/** Turns cards and buttons of editors into a line with a link, which Readability keeps. */
export function convertCards(document: Document, url: string): void {
  for (const button of selectAll(document, '.kg-product-card-button'))
    for (const part of selectAll(wrap(button, 'p'), 'div')) replaceElement(part, 'span');
  for (const box of selectAll(document, BOXES).slice(0, MAX_CARDS)) box.replaceWith(...box.childNodes);
  const cards = selectAll(document, `${CARDS}, a[class*="-card"]`).filter(
    (card) => isMatch(card, CARDS) || LINK_CARD.test(card.className),
  );
  for (const card of cards.slice(0, MAX_CARDS)) {
    const [link] = isMatch(card, 'a') ? [card] : selectAll(card, 'a[href]').reverse();
    if (link && document.body.contains(card)) convert(card, findLink(card, link));
  }
  for (const card of selectAll(document, OTHER_PAGES).slice(0, MAX_CARDS)) {
    const target = resolveWebUrl(card.getAttribute('href'), url);
    if (target && siteOf(target) !== siteOf(url) && selectClosest(card, NO_TEXT) === null && isWholeInLine(card))
      convert(card, card);
  }
}

/** The first link of a card, unless that one is only around a portrait. */
function findLink(card: Element, last: Element): Element {
  return selectAll(card, 'a[href]').find(({ textContent }) => textContent.trim()) ?? last;
}

function textOf(element: Element | null): string {
  return toLine(element?.textContent);
}

function titleOf(card: Element): string {
  return textOf(selectFirst(card, TITLE));
}

/** Without a name, the description is the first paragraph, or the first `h3` behind an `h2`. */
function descriptionOf(card: Element): string {
  const lines = selectAll(card, 'h2, h3, p');
  const start = lines.findIndex(({ localName }) => localName === 'h2');
  const isDescription = ({ localName }: Element, i: number) =>
    localName === 'p' || (localName === 'h3' && start >= 0 && i > start);
  return textOf(selectFirst(card, DESCRIPTION)) || textOf(lines.find(isDescription) ?? null);
}

/** Detects a card that has nothing besides its title, its description and the host of its page. */
function isWholeInLine(card: Element): boolean {
  if (card.textContent.length > MAX_LENGTH * 2 || selectFirst(card, SUBSTANCE)) return false;
  const description = descriptionOf(card);
  const rest = textOf(card).replace(titleOf(card), '').replace(description, '');
  return description.length <= MAX_LENGTH && /^(?:[\w-]+(?:\.[\w-]+)+)?$/.test(rest.trim());
}

function convert(card: Element, link: Element): void {
  const title = titleOf(card) || textOf(link);
  const href = link.getAttribute('href');
  if (title === '' || title.length > MAX_LENGTH || !href) return;
  const { ownerDocument } = card;
  const paragraph = selectClosest(card, 'p');
  if (paragraph && !isAlone(card, paragraph)) return;
  const line = createElement(ownerDocument, 'p', {}, createElement(ownerDocument, 'a', { href }, title));
  const description = descriptionOf(card).slice(0, MAX_LENGTH);
  if (description !== '' && description !== title) line.append(ownerDocument.createElement('br'), description);
  (paragraph ?? card).replaceWith(line);
}

/** Detects a card beside which its paragraph has nothing. */
function isAlone(card: Element, paragraph: Element): boolean {
  for (let node = card; node !== paragraph && node.parentElement; node = node.parentElement)
    if ([...node.parentElement.childNodes].some((other) => other !== node && !isBlank(other))) return false;
  return true;
}
