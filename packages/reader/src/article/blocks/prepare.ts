import { isNamedClutter } from '../clutter/names.ts';
import { openManualBoxes } from '../manuals/boxes.ts';
import { linkFootnotes } from '../notes/footnotes.ts';
import { findArrows } from '../notes/note.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { labelTabs } from '../waiting/tabs.ts';
import { convertCallouts, isCallout } from './callouts.ts';
import { gatherCaptions } from './captions.ts';
import { convertCards } from './cards.ts';
import { simplifyCode } from './code.ts';
import { keepTargets, simplifyHeadings } from './headings.ts';
import { markLayouts, replaceLayoutTables } from './layout-tables.ts';
import { joinLines, joinLists, removeItemSigns, separateLabels, unwrapInLine } from './lists.ts';
import { convertPictures } from './pictures.ts';
import { convertPosts } from './posts.ts';
import { markRoles } from './roles.ts';
import { convertTasks } from './tasks.ts';
import { hasOwnText, mark, replaceElement, SUBSTANCE, wrap } from './tree.ts';

/** Lists of footnotes, which Readability removes if they have many links. */
const FOOTNOTES =
  'div.footnotes, div.footnote, div.endnotes, div.reflist, div.references, div[role="doc-endnotes"], section.footnotes, aside.footnotes';

/** Further lists of references stay as they are. */
const MAX_REFERENCES = 50;
const REFERENCES =
  'ol[class*="references"], ul[class*="references"], ol[class*="bibliography"], ol[class*="ref-list"], ol.wp-block-footnotes';

/** Readability scores the words `widget` and `media` against their text. */
const MISNAMED_BOXES = '[class*="elementor-widget"], .wp-block-media-text';
/** Names of styles. Readability scores words such as `hidden` and `scroll` against the text. */
const STYLE_NAMES =
  /(?<=^|\s)(?:[\w-]{1,20}:)*(?:overflow(?:-[xy])?-(?:hidden|scroll)|scroll-[mp][trblxyse]?-\S+)(?=\s|$)/g;
/** Boxes of page builders around each block. Readability takes the neighbours of the one with the most text for parts of the site. */
const BUILDER_BOXES = `.elementor-widget, .elementor-widget-container, .sqs-block, .sqs-block-content, .sqs-html-content, .et_pb_module,
  .et_pb_text_inner, .wpb_text_column, .wpb_content_element, .wpb_wrapper, .fl-module, .fl-module-content, .fl-rich-text, .fusion-text,
  [id^="_idContainer"]`;

/** The text of a summary that has none, or only what rustdoc writes for screen readers. */
const EMPTY_SUMMARY = /^\s*(?:expand description\s*)?$/i;
const TEXT_BLOCK = /^(?:p|h[2-5]|ul|ol|blockquote|figure|pre)$/;
/** In characters. Boxes with less text are teasers and labels. */
const MIN_TEXT_LENGTH = 140;

/** Removes boxes around blocks of the text: those of page builders, and boxes of equal names that have nothing but text. */
function unwrapBlocks(document: Document): void {
  for (const box of selectAll(document, BUILDER_BOXES)) {
    if (box.localName === 'div' && !isNamedClutter(box)) box.replaceWith(...box.childNodes);
  }
  // with a standfirst in it, Readability may take it for the article, and lose the headings and pictures of the rest
  for (const header of selectAll(document, 'article > header, #title-block-header'))
    if (selectFirst(header, 'h1, h2') !== null) header.replaceWith(...header.childNodes);
  // the properties of a page that Notion exports
  for (const table of selectAll(document, 'table.properties'))
    selectFirst(document, 'table.properties ~ .page-body')?.prepend(table);
  const boxes = selectAll(document, 'div').filter(isTextBox);
  const keyOf = (box: Element) => box.getAttribute('class') ?? '';
  for (const siblings of Map.groupBy(boxes, ({ parentElement }) => parentElement).values()) {
    const groups = Map.groupBy(siblings, keyOf);
    for (const group of groups.values())
      if (group.length > 1) for (const box of group) box.replaceWith(...box.childNodes);
  }
}

function isTextBox(box: Element): boolean {
  if (box.id !== '' || box.firstElementChild === null || isNamedClutter(box)) return false;
  const blocks = [...box.children];
  return (
    blocks.every(({ localName }) => TEXT_BLOCK.test(localName)) &&
    blocks.some(({ localName }) => localName === 'p') &&
    box.textContent.length >= MIN_TEXT_LENGTH &&
    !hasOwnText(box) &&
    !isCallout(box) &&
    selectFirst(box, 'a[href] h2, a[href] h3, h2 a[href], h3 a[href]') === null
  );
}

/** Detects a list in which each item has an arrow to a mark of its own. */
function isNotes({ localName, children }: Element, arrows: ReadonlyMap<Element, string>): boolean {
  const targets = new Set([...children].map((item) => arrows.get(item)));
  return localName === 'ol' && children.length > 0 && targets.size === children.length && !targets.has(undefined);
}

/** Opens details without a summary, and removes names of parts of a summary: Readability takes parts named "header" for those of a site. */
function simplifySummaries(document: Document): void {
  for (const part of selectAll(document, 'summary, summary *')) {
    part.removeAttribute('class');
    part.removeAttribute('id');
  }
  for (const summary of selectAll(document, 'details > summary')) {
    if (!EMPTY_SUMMARY.test(summary.textContent) || selectFirst(summary, SUBSTANCE)) continue;
    const details = summary.parentElement;
    summary.remove();
    details?.replaceWith(...details.childNodes);
  }
}

/** Brings blocks into forms that Readability keeps. Runs before it. */
export function prepareBlocks(document: Document, url: string): void {
  convertCards(document, url);
  openManualBoxes(document);
  unwrapBlocks(document);
  unwrapInLine(document);
  joinLines(document);
  labelTabs(document);
  joinLists(document);
  removeItemSigns(document);
  separateLabels(document);
  simplifyHeadings(document);
  simplifySummaries(document);
  simplifyCode(document);
  replaceLayoutTables(document);
  linkFootnotes(document);
  keepTargets(document);
  convertPosts(document);
  markRoles(document);
  convertCallouts(document);
  markLayouts(document);
  convertTasks(document);
  convertPictures(document);
  gatherCaptions(document);
  for (const box of selectAll(document, MISNAMED_BOXES)) box.removeAttribute('class');
  for (const box of selectAll(document, '[class*="overflow-"], [class*="scroll-"]'))
    box.className = box.className.replace(STYLE_NAMES, '');
  for (const list of selectAll(document, FOOTNOTES)) mark(replaceElement(list, 'section'), 'footnotes');
  const arrows = findArrows(document);
  const lists = selectAll(document, 'ol, ul').filter((list) => isMatch(list, REFERENCES) || isNotes(list, arrows));
  for (const list of lists.slice(0, MAX_REFERENCES)) {
    if (!selectClosest(list, '[data-embed="footnotes"]')) mark(wrap(list, 'section'), 'footnotes');
  }
}
