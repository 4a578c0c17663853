import { lengthOf } from './plain-text.ts';
import { selectAll, selectFirst } from './tree/select.ts';

/** In characters, and as a share of the text of a block. Lists of links have no structure of their own. */
const MIN_LENGTH = 2;
const MAX_LINK_SHARE = 0.5;
const MIN_PARTS = 3;
const MAX_PARTS = 50;
const TEXT = /^(?:p|pre|div|section|ul|ol|dl|table|blockquote)$/;

/**
 * Detects a short text that is made of at least three parts: questions with their answers, sections, rows of a table, terms,
 * lines of a poem or of a manual, pictures with captions.
 */
export function hasStructure(root: Element): boolean {
  const countOf = (selector: string, isPart: (one: Element) => boolean) =>
    selectAll(root, selector).slice(0, MAX_PARTS).filter(isPart).length;
  const counts = [
    countOf('h1, h2, h3, h4, h5, summary', isTitle),
    countOf('tr', ({ children }) => [...children].filter(isText).length > 1),
    countOf('dt', ({ nextElementSibling }) => nextElementSibling?.localName === 'dd' && isText(nextElementSibling)),
    countOf('figcaption', isText),
    countOf('br', ({ previousSibling }) => isText(previousSibling)),
    countOf('pre', isText),
  ];
  return counts.reduce((sum, count) => sum + count) >= MIN_PARTS;
}

/** Detects a heading without a link, with a text of its own below it. */
function isTitle(heading: Element): boolean {
  const next = heading.nextElementSibling ?? heading.parentElement?.nextElementSibling;
  return selectFirst(heading, 'a[href]') === null && next != null && TEXT.test(next.localName) && isText(next);
}

function isText(node: Node | null): boolean {
  const length = lengthOf(node);
  const links = node && 'querySelectorAll' in node ? selectAll(node as Element, 'a[href]') : [];
  return length >= MIN_LENGTH && links.reduce((sum, link) => sum + lengthOf(link), 0) <= length * MAX_LINK_SHARE;
}
