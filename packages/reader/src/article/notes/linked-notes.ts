import { createElement, textLengthBefore } from '../blocks/tree.ts';
import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { isInNotes, isMark, LEADING_MARK, type Mark, type Note } from './note.ts';

const MARK_LINK = /(?:^|[\s_-])(?:foot-?note|note-?ref|fn-?ref|foot-?ref|fn)(?:$|[\s_-])/i;
/** Links of Word to its footnotes and endnotes. */
const WORD_LINK = /^#_?(?:ftn|edn)\d{1,4}$/;
const BLOCKS = 'li, aside, p, dd, dt, td, div';
const LABELS = 'a, sup, span, b, strong';
/** In characters. Longer blocks are sections. */
const MAX_NOTE_LENGTH = 3_000;
const MAX_LINKS = 500;

/** Finds notes outside of lists by the links of their marks: paragraphs, boxes, rows of tables and definitions. */
export function findLinkedNotes(document: Document): readonly { mark: Mark; note: Note }[] {
  const marks = selectAll(document, 'a[href^="#"]').filter(isMark);
  const targets = new Map<string, Element>(
    marks.length === 0 ? [] : selectAll(document, '[id]').map((one) => [`#${one.id}`, one]),
  );
  const links = marks.filter((link) => isMarkLink(link) || isMutual(link, targets)).slice(0, MAX_LINKS);
  const pairs = links.flatMap((element) => {
    const target = targets.get(element.getAttribute('href') ?? '');
    const note = target && findNote(target);
    return note && !note.contains(element) ? [{ element, note, number: numberOf(element) }] : [];
  });
  const notes = new Map(pairs.map(({ note, number }) => [note, number]));
  // a box of several notes is none
  const isWhole = (note: Element) => ![...notes.keys()].some((other) => other !== note && note.contains(other));
  return pairs.flatMap(({ element, note, number }) => {
    if (notes.get(note) !== number || !isWhole(note) || !isNote(note, number)) return [];
    const raised = selectClosest(element, 'sup') ?? replaceLink(element);
    const label = findLabel(note);
    return [
      {
        mark: { number, element: raised, id: element.id || raised.id },
        note: { number, element: note, ...(label && { label }) },
      },
    ];
  });
}

function replaceLink(link: Element): Element {
  const raised = createElement(link.ownerDocument, 'sup', {}, link.textContent.trim().replace(/^\((\d+)\)$/, '$1'));
  link.replaceWith(raised);
  return raised;
}

/** Detects a link behind words, and one with the same number that links back. Numbers of chapters begin their lines. */
function isMutual(link: Element, targets: ReadonlyMap<string, Element>): boolean {
  const target = targets.get(link.getAttribute('href') ?? '');
  if (!target || !isMatch(target, 'a') || link.id === '' || !isMark(target) || numberOf(target) !== numberOf(link))
    return false;
  const block = selectClosest(link, BLOCKS);
  return target.getAttribute('href') === `#${link.id}` && block !== null && textLengthBefore(link, block, 0) > 0;
}

function isMarkLink(link: Element): boolean {
  const isRaised = selectClosest(link, 'sup') !== null || selectFirst(link, 'sup') !== null;
  if (isRaised || link.getAttribute('role') === 'doc-noteref' || MARK_LINK.test(link.className)) return true;
  return WORD_LINK.test(link.getAttribute('href') ?? '');
}

function numberOf({ textContent }: Element): number {
  return Number(/\d+/.exec(textContent)?.[0] ?? 0);
}

function findNote(target: Element): Element | null {
  const block = selectClosest(target, BLOCKS);
  if (block?.localName === 'dt') return block.nextElementSibling?.localName === 'dd' ? block.nextElementSibling : null;
  if (block?.localName === 'td') return selectClosest(block, 'tr');
  if (block === null || /^(?:li|aside)$/.test(block.localName) || selectClosest(block, 'li') !== null) return null;
  const box = block.parentElement;
  // Word gives each note a box
  return box && /^(?:ftn|edn|sdfootnote|fn)\d{1,3}$/i.test(box.id) ? box : block;
}

/** Detects a block that begins with the number of its mark, or that is named as a note. */
function isNote(note: Element, number: number): boolean {
  const text = note.textContent.trim();
  if (text === '' || text.length > MAX_NOTE_LENGTH || selectFirst(note, 'h1, h2, h3, h4') !== null) return false;
  if (new RegExp(`^[\\[(]?${number}(?!\\d)`).test(text)) return true;
  return isInNotes(note);
}

/** Finds the element with the number at the start of a note. */
function findLabel(note: Element): Element | undefined {
  const term = note.localName === 'dd' ? note.previousElementSibling : null;
  if (term?.localName === 'dt' && LEADING_MARK.test(term.textContent)) return term;
  const found = selectAll(note, LABELS)
    .slice(0, 4)
    .find((one) => LEADING_MARK.test(one.textContent) && textLengthBefore(one, note, 0) === 0);
  const cell = selectClosest(found, 'td');
  return cell && LEADING_MARK.test(cell.textContent) ? cell : found;
}
