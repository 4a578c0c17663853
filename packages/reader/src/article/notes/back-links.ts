import { createElement, wrap } from '../blocks/tree.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { findArrows, isMark, MAX_MARKS } from './note.ts';

/** Raises links to notes with an arrow, and adds a link to the notes that marks link to, and that have no links in the page. */
export function addLinksBack(document: Document): void {
  const targets = new Map(selectAll(document, 'li[id], li [id], dd[id]').map((one) => [one.id, one]));
  const arrows = findArrows(document);
  for (const link of selectAll(document, 'a[href^="#"]').slice(0, MAX_MARKS)) {
    const note = selectClosest(targets.get(link.getAttribute('href')?.slice(1) ?? ''), 'li, dd');
    if (note && arrows.has(note) && !note.contains(link)) raiseLink(link);
  }
  for (const [i, raised] of selectAll(document, 'sup').slice(0, MAX_MARKS).entries()) {
    const link = selectFirst(raised, 'a[href*="#"]') ?? selectClosest(raised, 'a[href*="#"]');
    const target = targets.get(link?.getAttribute('href')?.replace(/^.*#/, '') ?? '');
    const note = selectClosest(target, 'li, dd') ?? null;
    if (!link || !note || note.contains(link) || !isMark(raised)) continue;
    const back = selectFirst(note, 'a[href*="#"]');
    // its arrow comes from a style sheet
    if (back && !back.textContent.trim() && back.childElementCount === 0) back.textContent = '↩';
    if (back) continue;
    link.id ||= `embed-note-link-${i + 1}`;
    note.append(' ', createElement(document, 'a', { href: `#${link.id}` }, '↩'));
  }
}

/** Raises a number that is a link to a note, and stands behind a word without a space or a bracket. */
function raiseLink(link: Element): void {
  if (!isMark(link) || selectClosest(link, 'sup') || selectFirst(link, 'sup')) return;
  const before =
    link.previousSibling ?? (link.parentElement?.localName === 'span' && link.parentElement.previousSibling);
  if (!before || !/[^\s([{“„–—-]$/.test(before.textContent ?? '')) return;
  wrap(link, 'sup');
}
