import { textLengthBefore } from '../blocks/tree.ts';
import { siteOf } from '../links.ts';

const CARDS = 'article, li, div, section';
/** Elements of figures that are no cards. */
const CONTENT = 'img, picture, video, audio, table, pre, blockquote, math, [data-embed-part]';
/** In characters. Longer parts are sections of the text. */
const MAX_CARD_LENGTH = 600;
const MIN_CARDS = 2;
/** Share of the text that all cards together may have; if they have more, they are the content. */
const MAX_SHARE = 0.5;

/**
 * Removes rows of cards whose headings link to other pages of the site, and single cards within a text that are such a link
 * around a heading. An article may list pages of other sites.
 */
export function removeTeaserCards(root: Element, url: string): void {
  const total = lengthOf(root);
  const rows = new Map<Element, Set<Element>>();
  const headings = root.querySelectorAll('h1, h2, h3, h4, h5');
  const counts = new Map<Element, number>();
  for (const heading of headings)
    for (let box = heading.parentElement; box && box !== root; box = box.parentElement)
      counts.set(box, (counts.get(box) ?? 0) + 1);
  for (const heading of headings) {
    const card = isLinked(heading, url) ? findCard(heading, counts) : null;
    const parent = card?.parentElement;
    if (card && parent) rows.set(parent, (rows.get(parent) ?? new Set()).add(card));
  }
  for (const [parent, cards] of rows) {
    const length = [...cards].reduce((sum, card) => sum + lengthOf(card), 0);
    const isRow = cards.size >= MIN_CARDS || [...cards].every((card) => isLinkAlone(card, parent));
    if (!isRow || length > total * MAX_SHARE || length === 0) continue;
    for (const card of cards) card.remove();
    if (parent !== root && parent.querySelector('p, img, table, pre') === null) parent.remove();
  }
}

/** Removes figures that are a card with a heading, covered by a link without text. Readability removes such links. */
export function removeCoveredCards(document: Document): void {
  for (const figure of document.querySelectorAll('figure:has(h2, h3, h4, h5, h6)'))
    if (figure.querySelector(CONTENT) === null && lengthOf(figure) <= MAX_CARD_LENGTH && isCovered(figure))
      figure.remove();
}

/** Detects a card with an empty link to another page. */
function isCovered(card: Element): boolean {
  return [...card.querySelectorAll('a[href]:not([href*="#"])')].some((link) => lengthOf(link) === 0);
}

/** Detects a card whose text is that of a link around its heading. One before all text of its parent is the heading of a section. */
function isLinkAlone(card: Element, parent: Element): boolean {
  const link = card.querySelector('a[href]:has(h2, h3, h4, h5)');
  return link !== null && lengthOf(link) === lengthOf(card) && textLengthBefore(card, parent, 0) > 0;
}

/** Detects a heading that is wholly a link to another page of the site. */
function isLinked(heading: Element, url: string): boolean {
  const link = heading.closest('a[href]') ?? heading.querySelector('a[href]');
  if (link === null || siteOf(link.getAttribute('href') ?? '') !== siteOf(url)) return false;
  return link.contains(heading) || lengthOf(link) >= lengthOf(heading) * 0.9;
}

/** Climbs to the outermost box with this heading alone. */
function findCard(heading: Element, counts: ReadonlyMap<Element, number>): Element | null {
  let card: Element | null = null;
  for (let box = heading.parentElement; box && counts.get(box) === 1; box = box.parentElement) {
    if (lengthOf(box) > MAX_CARD_LENGTH) break;
    if (box.matches(CARDS)) card = box;
  }
  return card;
}

function lengthOf(element: Element): number {
  return element.textContent?.trim().length ?? 0;
}
