import { INLINE_ELEMENTS } from '../allow-list.ts';
import { addId } from '../blocks/headings.ts';
import { createElement, isBlank, SUBSTANCE, textLengthBefore } from '../blocks/tree.ts';
import { isNamedClutter } from '../clutter/names.ts';
import { lengthOf } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { convertDeclarations } from './declarations.ts';

/** Heads and feet of the pages of DocBook and Publican. */
const HEADS = 'div.navheader, div.navfooter, ul.docnav, p#title > :is(a.left, a.right)';
/** Paragraphs of Publican. */
const PARAGRAPHS = 'div.para';
/** Boxes of DocBook, Doxygen and AsciiDoc around the text of an example, a definition, a section or a paragraph. */
const BOXES =
  'div.example-contents, div.memitem, div.memproto, div.memdoc, div.textblock, div.sectionbody, div.paragraph';
/** Names of sections by DocBook, Texinfo, Sphinx, Pandoc and AsciiDoc. */
const SECTION_NAME =
  /^(?:(?:(?:sub)*section|chapter|appendix|preface)(?:-level-extent)?|sect(?:ion)?-?\d|refsect(?:ion|\d)|simplesect|level\d)$/;
const HEADINGS = 'h1, h2, h3, h4, h5, h6';
const LINKED_HEADINGS = 'a[href]:has(h2, h3, h4, h5, h6), :is(h1, h2, h3, h4, h5, h6) a[href]:not([href*="#"])';
/** Links to the neighbours of a page or of a section. */
const NEIGHBOURS = 'a[rel], a > img[alt]';
const NEIGHBOUR_RELATION = /(?:^|\s)(?:next|prev|previous|up)(?:\s|$)/i;
const NEIGHBOUR_PICTURE = /^(?:next|prev(?:ious)?|up|home|top|contents|index)$/i;
/** In characters, for the labels beside such links: "Next:", "Previous:", "Up:". */
const MAX_LABELS_LENGTH = 40;

/**
 * Opens the boxes of tools that make manuals: paragraphs, sections, and those around examples and definitions. Readability
 * would remove those with many links, and what stands before the longest section.
 */
export function openManualBoxes(document: Document): void {
  for (const head of selectAll(document, HEADS)) head.remove();
  const links = selectAll(document, NEIGHBOURS).filter(isNeighbour);
  const lines = links.map((link) => selectClosest(link, 'table, p, ul, div'));
  for (const line of new Set(lines)) if (line && isLineOfLinks(line)) line.remove();
  convertDeclarations(document);
  for (const box of selectAll(document, PARAGRAPHS)) openParagraph(box);
  for (const box of selectAll(document, BOXES)) openBox(box);
  for (const box of selectAll(document, 'div[class]')) if (isSection(box)) openSection(box);
  // Readability takes the box of a heading for a page by its name
  for (const box of selectAll(document, 'div.titlepage'))
    if (lengthOf(selectFirst(box, HEADINGS)) === lengthOf(box)) box.removeAttribute('class');
}

function isNeighbour(one: Element): boolean {
  if (one.localName === 'a') return NEIGHBOUR_RELATION.test(one.getAttribute('rel') ?? '');
  return /^(?:next|prev)$/i.test(one.getAttribute('alt') ?? '');
}

/** Detects a line of links and their labels, such as "Next: Steam, Up: Heat". */
function isLineOfLinks(line: Element): boolean {
  const links = selectAll(line, 'a[href]').reduce((sum, link) => sum + lengthOf(link), 0);
  if (lengthOf(line) - links > MAX_LABELS_LENGTH) return false;
  return selectAll(line, `${HEADINGS}, ${SUBSTANCE}`).every((one) =>
    NEIGHBOUR_PICTURE.test(one.getAttribute('alt') ?? ''),
  );
}

/** Opens a box, and that of an example around its contents. */
function openBox(box: Element): void {
  const isExample = isMatch(box, '.example-contents') && isMatch(box.parentElement, 'div.example');
  const outer = isExample ? box.parentElement : null;
  for (const one of [box, outer]) {
    if (one && one.id !== '') addId(one, one.id);
    one?.replaceWith(...one.childNodes);
  }
}

/** Puts the lines of a box into paragraphs, and keeps lists and code between them. */
function openParagraph(box: Element): void {
  let line: Element | null = null;
  for (const node of [...box.childNodes]) {
    if (isElement(node) && !INLINE_ELEMENTS.includes(node.localName)) line = null;
    else if (line !== null || !isBlank(node)) {
      if (line === null) {
        line = createElement(box.ownerDocument, 'p');
        node.before(line);
      }
      line.append(node);
    }
  }
  box.replaceWith(...box.childNodes);
}

function isSection(box: Element): boolean {
  return [...box.classList].every((name) => SECTION_NAME.test(name)) && !isNamedClutter(box);
}

/** Detects the heading of a box that only has the name "section", on which Sphinx, DocBook or Texinfo write more. */
function isOfManual(heading: Element): boolean {
  return selectFirst(heading, 'a[href^="#"]') !== null || isMatch(heading, '.section, .titlepage *');
}

/** Detects a line that is a link, and nothing else. */
function isLink(line: Element): boolean {
  return lengthOf(selectFirst(line, 'a[href]')) === lengthOf(line);
}

/** Opens a section that begins with a heading, and to which links can point. Headings that are links are those of teasers. */
function openSection(box: Element): void {
  const heading = selectFirst(box, HEADINGS);
  if (!heading || textLengthBefore(heading, box, 0) > 0 || selectFirst(box, LINKED_HEADINGS)) return;
  if (box.className.trim() === 'section' && !isOfManual(heading)) return;
  if ((selectFirst(box, '[id]') === null && box.id === '') || selectAll(box, 'p, pre, dd').every(isLink)) return;
  if (box.id !== '') addId(heading, box.id);
  box.replaceWith(...box.childNodes);
}
