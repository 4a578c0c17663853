import { countWithin, textLengthBefore } from '../blocks/tree.ts';
import { siteOf } from '../links.ts';
import { lengthOf } from '../plain-text.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';

const CARDS = 'article, li, div, section';
/** Elements of figures that are no cards. */
const CONTENT = 'img, picture, video, audio, table, pre, blockquote, math, [data-embed-part]';
/** In characters. Longer parts are sections of the text. */
const MAX_CARD_LENGTH = 600;
const MIN_CARDS = 2;
/** Share of the text that all cards together may have; if they have more, they are the content. */
const MAX_SHARE = 0.5;

/**
 * Removes rows of cards with a linked heading each, which lead to other pages, and single cards within a text that are a link
 * around a heading, to the site of the page. Without linked pictures, cards of other sites are a list of the text.
 * @param urls of the page, as it was asked for and as it declares
 */
export function removeTeaserCards(root: Element, urls: readonly string[]): void {
  const sites = urls.map(siteOf);
  const isOwn = (link: Element) => sites.includes(siteOf(link.getAttribute('href') ?? ''));
  const total = lengthOf(root);
  const rows = new Map<Element, Set<Element>>();
  const headings = selectAll(root, 'h1, h2, h3, h4, h5');
  const counts = countWithin(headings);
  for (const heading of headings) {
    const link = findLink(heading);
    const card = link && findCard(heading, { root, counts });
    const parent = card?.parentElement;
    if (link && card && parent && (isOwn(link) || hasLinkedPicture(card)))
      rows.set(parent, (rows.get(parent) ?? new Set()).add(card));
  }
  for (const [parent, cards] of rows) {
    const length = [...cards].reduce((sum, card) => sum + lengthOf(card), 0);
    const isRow = cards.size >= MIN_CARDS || [...cards].every((card) => isLinkAlone(card, parent, isOwn));
    if (!isRow || length > total * MAX_SHARE || length === 0) continue;
    for (const card of cards) card.remove();
    if (parent !== root && selectFirst(parent, 'p, img, table, pre') === null) parent.remove();
  }
}

/** Removes figures that are a card with a heading, covered by a link without text. Readability removes such links. */
export function removeCoveredCards(document: Document): void {
  for (const figure of selectAll(document, 'figure:has(h2, h3, h4, h5, h6)'))
    if (selectFirst(figure, CONTENT) === null && lengthOf(figure) <= MAX_CARD_LENGTH && isCovered(figure))
      figure.remove();
}

/** Detects a card with an empty link to another page. */
function isCovered(card: Element): boolean {
  return selectAll(card, 'a[href]:not([href*="#"])').some((link) => lengthOf(link) === 0);
}

/** Detects a card whose text is that of a link around its heading. One before all text of its parent is the heading of a section. */
function isLinkAlone(card: Element, parent: Element, isOwn: (link: Element) => boolean): boolean {
  const link = selectFirst(card, 'a[href]:has(h2, h3, h4, h5)');
  if (link === null || lengthOf(link) !== lengthOf(card) || textLengthBefore(card, parent, 0) === 0) return false;
  return isOwn(link);
}

/** Finds the link to another page that a heading wholly is. */
function findLink(heading: Element): Element | null {
  const link = selectClosest(heading, 'a[href]') ?? selectFirst(heading, 'a[href]');
  if (link === null || (link.getAttribute('href') ?? '#').startsWith('#')) return null;
  return link.contains(heading) || lengthOf(link) >= lengthOf(heading) * 0.9 ? link : null;
}

/** Detects a card outside a list whose picture is a link, such as those of pages that collect news of other sites. */
function hasLinkedPicture(card: Element): boolean {
  return card.localName !== 'li' && selectFirst(card, 'a[href] :is(img, picture)') !== null;
}

/** Climbs to the outermost box with this heading alone. */
function findCard(
  heading: Element,
  { root, counts }: { root: Element; counts: ReadonlyMap<Element, number> },
): Element | null {
  let card: Element | null = null;
  for (let box = heading.parentElement; box && box !== root && counts.get(box) === 1; box = box.parentElement) {
    if (lengthOf(box) > MAX_CARD_LENGTH) break;
    if (isMatch(box, CARDS)) card = box;
  }
  return card;
}
