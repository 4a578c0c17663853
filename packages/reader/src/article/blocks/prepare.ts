import { convertCallouts } from './callouts.ts';
import { simplifyCode } from './code.ts';
import { simplifyHeadings } from './headings.ts';
import { convertPictures } from './pictures.ts';
import { convertPosts } from './posts.ts';
import { convertTasks } from './tasks.ts';
import { replaceElement } from './tree.ts';

/** Lists of footnotes, which Readability removes if they have many links. */
const FOOTNOTES = 'div.footnotes, div.footnote, div.endnotes, div.reflist, div.references, div[role="doc-endnotes"]';

/** Brings blocks into forms that Readability keeps. Runs before it. */
export function prepareBlocks(document: Document): void {
  simplifyHeadings(document);
  simplifyCode(document);
  convertPosts(document);
  convertCallouts(document);
  convertTasks(document);
  convertPictures(document);
  for (const list of document.querySelectorAll(FOOTNOTES)) replaceElement(list, 'section');
}
