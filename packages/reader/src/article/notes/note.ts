import { selectAll, selectClosest } from '../tree/select.ts';

/** Names of boxes of notes, as parts of classes and ids. */
const NOTES_NAME = /(?:^|[\s_-])(?:foot-?notes?|end-?notes?|fn-?(?:list|group)|doc-endnotes)(?:$|[\s_-])/i;
/** Headings of notes in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese and Japanese. */
const NOTES_LABEL =
  /^(?:foot ?notes?|notes?|end ?notes?|notes and references|fu(?:ß|ss)noten?|anmerkungen|einzelnachweise|notes? de bas de page|notas?(?: al pie| de rodapé)?|note(?: a piè di pagina)?|voetnoten|noten|przypisy|примечания|сноски|注释|脚注|注|catatan kaki)\s*:?$/i;
/** The text of a mark. */
export const MARK = /^[[(]?(\d{1,3})[\])]?$/;
export const LEADING_MARK = /^\s*[[(]?(\d{1,3})[\])]?[.:)]?\s*$/;

/** Boxes around a note that may be named as its list. */
const MAX_LEVELS = 3;

/** Further marks of an article stay as they are. */
export const MAX_MARKS = 500;

/** The text of a link from a note to its mark. */
export const BACK = /^(?:[↩↑⏎↵^]\ufe0e?)$/;

/** Finds the notes in lists with an arrow to their mark, and its target. An arrow to the top of the page is none. */
export function findArrows(document: Document): ReadonlyMap<Element, string> {
  const arrows = new Map<Element, string>();
  for (const link of selectAll(document, 'li a[href^="#"], dd a[href^="#"]')) {
    const href = link.getAttribute('href') ?? '';
    const note = BACK.test(link.textContent.trim()) && !/^#(?:top)?$/i.test(href) && selectClosest(link, 'li, dd');
    if (note) arrows.set(note, href);
  }
  return arrows;
}

export interface Mark {
  readonly number: number;
  readonly element: Element;
  /** The id of the link that it replaces. */
  readonly id?: string;
}

export interface Note extends Mark {
  /** The number at the start of the note. */
  readonly label?: Element;
  /** Further paragraphs of the note. */
  readonly more?: Element[];
}

export function isMark({ textContent }: Element): boolean {
  return MARK.test(textContent.trim());
}

/** Detects a heading of notes. */
export function isNotesLabel({ textContent }: Element): boolean {
  return NOTES_LABEL.test(textContent.trim());
}

/** Detects a box that is named as notes. */
export function isNamedNotes({ className, id }: Element): boolean {
  return NOTES_NAME.test(`${className} ${id}`);
}

/** Detects an element that is, or is in, a box that is named as notes. */
export function isInNotes(element: Element): boolean {
  for (let box: Element | null = element, level = 0; box && level < MAX_LEVELS; box = box.parentElement, level++) {
    if (/^(?:body|article|main)$/.test(box.localName)) return false;
    if (isNamedNotes(box)) return true;
  }
  return false;
}

/** Returns the number behind those of all marks. */
export function nextNumber(marks: readonly Mark[]): number {
  return Math.max(0, ...marks.map(({ number }) => number)) + 1;
}
