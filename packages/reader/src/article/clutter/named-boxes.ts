import { isNamedClutter } from './names.ts';

/** In characters. Longer boxes, or those with a larger share of the article, are part of it, whatever their name. */
const MAX_LENGTH = 1_500;
const MAX_SHARE = 0.25;
/** Elements that a box of a site does not have. */
const CONTENT = 'h1, pre, table, blockquote, math, [data-embed-part], [data-embed]';

/** Removes boxes that their names describe as parts of the site: share buttons, newsletters, teasers, biographies. */
export function removeNamedBoxes(root: Element): void {
  const total = lengthOf(root);
  for (const element of root.querySelectorAll('[class], [id]')) {
    if (!isNamedClutter(element) || !root.contains(element)) continue;
    const length = lengthOf(element);
    if (length > MAX_LENGTH || length > total * MAX_SHARE) continue;
    if (element.matches(CONTENT) || element.querySelector(CONTENT) !== null || isInContent(element, root)) continue;
    element.remove();
  }
}

function isInContent(element: Element, root: Element): boolean {
  const holder = element.closest('pre, table, blockquote, [data-embed]');
  return holder !== null && root.contains(holder);
}

function lengthOf(element: Element): number {
  return element.textContent?.trim().length ?? 0;
}
