import { selectAll } from '../tree/select.ts';

const NOTES = 'section[data-embed="footnotes"]';
const MAX_SECTIONS = 50;

/** Copies the notes of a document, which may be lost when its text is found. */
export function copyNotes(document: Document): readonly Element[] {
  return selectAll(document, NOTES)
    .slice(0, MAX_SECTIONS)
    .map((section) => section.cloneNode(true) as Element);
}

/** Appends the notes that a text links to and does not have. */
export function restoreNotes(root: Element, notes: readonly Element[]): void {
  for (const section of notes) {
    const ids = [section, ...selectAll(section, '[id]')].map(({ id }) => id).filter((id) => id !== '');
    const links = new Set(selectAll(root, 'a[href^="#"]').map((link) => link.getAttribute('href')?.slice(1)));
    const isKnown = selectAll(root, '[id]').some(({ id }) => ids.includes(id));
    if (!isKnown && ids.some((id) => links.has(id))) root.append(section);
  }
}
