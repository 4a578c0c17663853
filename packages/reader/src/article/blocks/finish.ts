import { nameHeadings } from './headings.ts';
import { highlightCode } from './highlight.ts';
import { markUnsizedPictures, nameLinks } from './pictures.ts';
import { moveInfobox } from './roles.ts';
import { restoreTasks } from './tasks.ts';
import { mark } from './tree.ts';

/** Removes the repeated title and media without a source, and brings blocks into their final form. Runs after Readability. */
export function finishBlocks(root: Element, title: string): void {
  const heading = root.querySelector('h1, h2, h3, h4, h5, h6');
  if (heading && isSameText(heading.textContent, title)) heading.remove();
  for (const image of root.querySelectorAll('img:not([src]):not([srcset])')) image.remove();
  for (const media of root.querySelectorAll('video, audio')) {
    if (!media.hasAttribute('src') && media.querySelector('source[src]') === null) media.remove();
  }
  nameHeadings(root);
  restoreTasks(root);
  highlightCode(root);
  nameLinks(root);
  markUnsizedPictures(root);
  wrapTables(root);
  moveInfobox(root);
}

/** Wraps tables so that they can scroll. */
function wrapTables(root: Element): void {
  for (const table of root.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue;
    const wrapper = root.ownerDocument.createElement('div');
    mark(wrapper, 'embed-table');
    table.replaceWith(wrapper);
    wrapper.append(table);
  }
}

function isSameText(heading: string | null, title: string): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return words(heading?.slice(0, 1_000) ?? '') === words(title);
}
