import { linkFootnotes } from '../notes/footnotes.ts';
import { convertCallouts } from './callouts.ts';
import { gatherCaptions } from './captions.ts';
import { simplifyCode } from './code.ts';
import { markColumns } from './columns.ts';
import { simplifyHeadings } from './headings.ts';
import { replaceLayoutTables } from './layout-tables.ts';
import { convertPictures } from './pictures.ts';
import { convertPosts } from './posts.ts';
import { markRoles } from './roles.ts';
import { convertTasks } from './tasks.ts';
import { mark, replaceElement } from './tree.ts';

/** Lists of footnotes, which Readability removes if they have many links. */
const FOOTNOTES =
  'div.footnotes, div.footnote, div.endnotes, div.reflist, div.references, div[role="doc-endnotes"], section.footnotes';

/** Boxes of page builders: Readability scores the words `widget` and `media` against their text. */
const BUILDER_BOXES = '[class*="elementor-widget"], .wp-block-media-text';

/** Brings blocks into forms that Readability keeps. Runs before it. */
export function prepareBlocks(document: Document): void {
  simplifyHeadings(document);
  simplifyCode(document);
  replaceLayoutTables(document);
  linkFootnotes(document);
  convertPosts(document);
  markRoles(document);
  convertCallouts(document);
  markColumns(document);
  convertTasks(document);
  convertPictures(document);
  gatherCaptions(document);
  for (const box of document.querySelectorAll(BUILDER_BOXES)) box.removeAttribute('class');
  for (const list of document.querySelectorAll(FOOTNOTES)) mark(replaceElement(list, 'section'), 'footnotes');
}
