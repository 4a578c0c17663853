const NOTES = 'section[data-embed="footnotes"]';
const MAX_SECTIONS = 50;

/** Copies the notes of a document, which may be lost when its text is found. */
export function copyNotes(document: Document): readonly Element[] {
  return [...document.querySelectorAll(NOTES)]
    .slice(0, MAX_SECTIONS)
    .map((section) => section.cloneNode(true) as Element);
}

/** Appends the notes that a text links to and does not have. */
export function restoreNotes(root: Element, notes: readonly Element[]): void {
  for (const section of notes) {
    const ids = [section, ...section.querySelectorAll('[id]')].map(({ id }) => id).filter((id) => id !== '');
    const links = new Set(
      [...root.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')?.slice(1)),
    );
    const isKnown = [...root.querySelectorAll('[id]')].some(({ id }) => ids.includes(id));
    if (!isKnown && ids.some((id) => links.has(id))) root.append(section);
  }
}
