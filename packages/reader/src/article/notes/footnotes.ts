import { createElement, MARKER, NOTE_REFERENCE, replaceElement, textIn, textLengthBefore } from '../blocks/tree.ts';
import { REFERENCES } from '../clutter/labels.ts';
import { toLine } from '../plain-text.ts';
import { isElement, isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { addLinksBack } from './back-links.ts';
import { findLinkedNotes } from './linked-notes.ts';
import { findLooseNotes, splitNotes } from './loose-notes.ts';
import {
  BACK,
  isInNotes,
  isMark,
  isNotesLabel,
  LEADING_MARK,
  MARK,
  MAX_MARKS,
  type Mark,
  type Note,
  nextNumber,
} from './note.ts';
import { findTextNotes, raiseMarks } from './text-notes.ts';

/** Notes beside the text, where they are mentioned (Tufte CSS, Org mode). */
const SIDE_NOTES =
  'span.sidenote, span.marginnote, small.sidenote, aside.sidenote, .modern-footnotes-footnote__note, .footnote_tooltip, .ltx_note_outer';
/** Share of the notes that a mark must refer to, so that a list counts as notes. */
const MIN_SHARE = 0.5;

/** Gathers notes without links at the end of their article, and links them with their marks both ways. */
export function linkFootnotes(document: Document): void {
  addLinksBack(document);
  splitNotes(document);
  const raisedNumbers = findMarks(document);
  // replaces the links of its marks
  const linked = findLinkedNotes(document);
  const taken = new Set(linked.map(({ note }) => note.number));
  const unlinked = raisedNumbers.filter(({ number }) => !taken.has(number));
  const numbered = [...unlinked, ...linked.map(({ mark }) => mark)];
  const references = findReferences(document, numbered);
  const opened = new Set(references.map(({ note }) => note.element));
  const referred = [
    ...references,
    ...findSideNotes(document, numbered, opened),
    ...findMarkedNotes(document, numbered),
  ];
  const listed = findListedNotes(document);
  const raised = [...numbered, ...referred.map(({ mark }) => mark)];
  if (raised.length === 0) raised.push(...findBracketMarks(document, listed));
  if (raised.length === 0) return;
  const notes = [
    ...linked.map(({ note }) => note),
    ...referred.map(({ note }) => note),
    ...listed,
    ...findAsideNotes(document),
    ...findLooseNotes(document),
  ];
  const marks = raised.filter(({ element }) => !notes.some((note) => note.element.contains(element)));
  const numbers = new Set(marks.map(({ number }) => number));
  const known = new Map<number, Note>();
  for (const note of notes) if (numbers.has(note.number) && !known.has(note.number)) known.set(note.number, note);
  if (known.size === 0 || known.size < numbers.size * MIN_SHARE) return;
  const boxes = new Set([...known.values()].map(({ element }) => element.parentElement));
  removeLead([...known.values()].find(({ label }) => label !== undefined)?.element);
  const list = document.createElement('ol');
  for (const note of [...known.values()].sort((a, b) => a.number - b.number)) {
    const own = marks.filter(({ number }) => number === note.number);
    if (own.length > 0) list.append(createItem(note, own));
  }
  const section = createElement(document, 'section', { [MARKER]: 'footnotes' }, list);
  const start = list.firstElementChild?.getAttribute('value');
  if (start && start !== '1') list.setAttribute('start', start);
  for (const item of list.children) item.removeAttribute('value');
  homeOf(marks.at(-1)?.element)?.append(section);
  removeEmptied(document, notes);
  for (const box of boxes) removeEmptiedBox(box);
}

/** Finds the smallest element around a mark that has most paragraphs of its article. */
function homeOf(mark: Element | undefined): Element | null {
  const article = selectClosest(mark, 'article, main, [itemprop~="articleBody"], body') ?? null;
  const half = (selectAll(article, 'p').length ?? 0) / 2;
  let home = selectClosest(mark, 'div, section, article, main, body') ?? null;
  while (home && home !== article && selectAll(home, 'p').length < half) home = home.parentElement;
  return home;
}

/** Removes the line across the page, and the heading, before the first note. */
function removeLead(note: Element | undefined): void {
  for (let before = note?.previousElementSibling ?? null; before; before = note?.previousElementSibling ?? null) {
    if (before.localName !== 'hr' && !isNotesLabel(before)) return;
    before.remove();
  }
}

/** Removes a box from which all notes were taken, and those around it. */
function removeEmptiedBox(start: Element | null): void {
  for (let box = start; box && !/^(?:body|article|main)$/.test(box.localName) && isEmptied(box); ) {
    if (selectFirst(box, 'img, [data-embed-part]') !== null) return;
    const parent: Element | null = box.parentElement;
    const before = box.previousElementSibling;
    if (before && (isNotesLabel(before) || REFERENCES.test(before.textContent.trim()))) before.remove();
    box.remove();
    box = parent;
  }
}

/** Finds raised numbers that are not linked yet. */
function findMarks(document: Document): readonly Mark[] {
  return selectAll(document, 'sup')
    .slice(0, MAX_MARKS)
    .flatMap((element) => {
      if (selectClosest(element, SIDE_NOTES) || isMatch(element.nextElementSibling, SIDE_NOTES)) return [];
      if (selectFirst(element, `[${NOTE_REFERENCE}]`)) return [];
      const number = Number(MARK.exec(element.textContent.trim())?.[1] ?? Number.NaN);
      const link = selectFirst(element, 'a[href]') ?? selectClosest(element, 'a[href]');
      const isLinked = link !== null && !isBroken(link.getAttribute('href') ?? '', document);
      return Number.isNaN(number) || isLinked ? [] : [{ number, element }];
    });
}

/** Detects a link to nothing, such as those that Word writes. */
function isBroken(href: string, document: Document): boolean {
  return (
    /^#?$/.test(href) || (/^#_?(?:ftn|edn|fn)\w{0,20}$/i.test(href) && document.getElementById(href.slice(1)) === null)
  );
}

/** Finds marks such as "[1]" of notes in a list. */
function findBracketMarks(document: Document, notes: readonly Note[]): readonly Mark[] {
  const numbers = notes
    .filter(({ element }) => selectFirst(element, 'a[href^="#"]') === null)
    .map(({ number }) => number);
  return raiseMarks(numbers, document).map((element) => ({ number: Number(element.textContent), element }));
}

/** Finds marks that refer to their notes by an attribute, and numbers them behind the other marks. */
function findReferences(document: Document, marks: readonly Mark[]): readonly { mark: Mark; note: Note }[] {
  const asides = new Set(selectAll(document, 'aside[id]').map(({ id }) => `#${id}`));
  // of notes that are beside the text, or were hidden
  const isNoteLink = (link: Element) => asides.has(link.getAttribute('href') ?? '') && isMark(link);
  const links = asides.size === 0 ? [] : selectAll(document, 'a[href^="#"]').filter(isNoteLink);
  const named = selectAll(document, `[${NOTE_REFERENCE}]`);
  const pairs = [...links, ...named].slice(0, MAX_MARKS).flatMap((element) => {
    const id = element.getAttribute(NOTE_REFERENCE) ?? element.getAttribute('href')?.slice(1);
    const note = document.getElementById(id ?? '');
    return note === null || note.contains(element) || !note.textContent.trim() ? [] : [{ element, note }];
  });
  const notes = [...new Set(pairs.map(({ note }) => note))];
  const others = marks.filter(({ element }) => !notes.some((note) => note.contains(element)));
  const first = nextNumber(others);
  return pairs.map(({ element, note }) => {
    const number = first + notes.indexOf(note);
    const raised = createElement(document, 'sup', {}, String(number));
    const around = element.parentElement;
    (around?.localName === 'sup' && around.childElementCount === 1 ? around : element).replaceWith(raised);
    const label = selectFirst(note, '.label, [role="doc-backlink"], sup');
    const isLead = label !== null && LEADING_MARK.test(label.textContent) && textLengthBefore(label, note, 0) === 0;
    const id = element.id || (around?.id ?? '');
    return { mark: { number, element: raised, id }, note: { number, element: note, ...(isLead && { label }) } };
  });
}

/** Finds notes by the marks in their text, and numbers those with symbols behind the other marks. */
function findMarkedNotes(document: Document, marks: readonly Mark[]): readonly { mark: Mark; note: Note }[] {
  const first = nextNumber(marks);
  return findTextNotes(document).flatMap(({ label, note, marks: own }, i) => {
    const number = Number(/\d+/.exec(label.normalize('NFKC'))?.[0] ?? first + i);
    return own.map((element) => ({ mark: { number, element }, note: { number, element: note } }));
  });
}

/** Finds notes beside the text, and puts a mark in their places. */
function findSideNotes(
  document: Document,
  marks: readonly Mark[],
  opened: ReadonlySet<Element>,
): readonly { mark: Mark; note: Note }[] {
  const first = nextNumber(marks);
  const notes = selectAll(document, SIDE_NOTES)
    .filter((note) => !opened.has(note))
    .slice(0, MAX_MARKS);
  removeRepeated(document, notes);
  return notes.map((element, i) => {
    const number = first + i;
    const [label] = selectAll(element, 'sup');
    const own = label && textLengthBefore(label, element, 0) === 0 ? label : undefined;
    // the box whose check shows the note on a phone, and the mark that the note has in the page
    const shown = element.previousElementSibling;
    const isMarked = shown?.localName === 'sup' && isMark(shown);
    if (isMarked || isMatch(shown, 'input')) shown?.remove();
    for (const tag of selectAll(element, '.ltx_tag_note')) tag.remove();
    const before = element.previousSibling;
    const said = own?.textContent.trim();
    const text = before?.nodeValue?.trimEnd() ?? '';
    // the sign that shows a note without a number on a phone
    const sign = ['⊕', said ?? ''].find((one) => one !== '' && text.endsWith(one));
    if (before && sign) before.nodeValue = text.slice(0, -sign.length);
    const raised = createElement(document, 'sup', {}, String(number));
    element.before(raised);
    return { mark: { number, element: raised }, note: { number, element, ...(own && { label: own }) } };
  });
}

/** Removes the list of the notes that also stand beside the text. */
function removeRepeated(document: Document, notes: readonly Element[]): void {
  const textOf = ({ textContent }: Element) => textContent.replace(/\s+/g, '').replace(/^[[↑^]*\d{1,3}\]?[.:]?/, '');
  const texts = new Set(notes.map(textOf));
  if (texts.size === 0) return;
  for (const item of selectAll(document, 'li, tr, div[class*="foot"], [role="doc-footnote"]')) {
    if (!document.body.contains(item) || !texts.has(textOf(item))) continue;
    const box = item.parentElement;
    item.remove();
    removeEmptiedBox(box);
  }
}

/** Detects a box without text besides a heading. */
function isEmptied(box: Element): boolean {
  return box.textContent.trim() === (selectFirst(box, 'h2, h3, h4')?.textContent.trim() ?? '');
}

/** Finds the items of lists that their name or their heading calls notes, besides those to which marks lead already. */
function findListedNotes(document: Document): readonly Note[] {
  const items = selectAll(document, 'ol').filter(isNotesList).flatMap(itemsOf);
  const elements = new Set<Element | null>(items.map(({ element }) => element));
  const isOther = (link: Element) => isMark(link) && !elements.has(selectClosest(link, 'li'));
  const links = items.length === 0 ? [] : selectAll(document, 'a[href^="#"]').filter(isOther);
  const targets = new Set(links.map((link) => link.getAttribute('href')));
  const isTarget = ({ id }: Element) => id !== '' && targets.has(`#${id}`);
  return items.filter(({ element }) => ![element, ...selectAll(element, '[id]')].some(isTarget));
}

function isNotesList(list: Element): boolean {
  const before = list.previousElementSibling;
  return isInNotes(list) || (before !== null && isNotesLabel(before));
}

function findAsideNotes(document: Document): readonly Note[] {
  return selectAll(document, 'aside > ol')
    .filter((list) => list.parentElement?.childElementCount === 1)
    .flatMap(itemsOf);
}

function itemsOf(list: Element): readonly Note[] {
  const start = Number(list.getAttribute('start') ?? 1) || 1;
  return [...list.children]
    .filter(({ localName }) => localName === 'li')
    .map((element, i) => ({ number: start + i, element }));
}

function createItem({ number, element, label, more = [] }: Note, marks: readonly Mark[]): Element {
  const wrapper = label?.parentElement;
  const next = label?.nextSibling;
  if (next && !isElement(next)) next.nodeValue = textIn(next).replace(/^[\s.:)]+/, '');
  label?.remove();
  if (wrapper !== element && wrapper?.localName === 'span') wrapper.replaceWith(...wrapper.childNodes);
  for (const paragraph of more) {
    if (paragraph.localName !== 'p') element.append(paragraph);
    else element.append(element.ownerDocument.createElement('br'), ...paragraph.childNodes);
    if (paragraph.localName === 'p') paragraph.remove();
  }
  for (const cell of element.localName === 'tr' ? [...element.children] : []) cell.replaceWith(...cell.childNodes);
  const item = element.localName === 'li' ? element : replaceElement(element, 'li');
  item.id ||= `embed-note-${number}`;
  item.setAttribute('value', String(number));
  const ids = marks.map((mark) => mark.id || mark.element.id).filter((id) => id !== '');
  for (const link of selectAll(item, 'a[href^="#"]')) {
    const [note, text] = [toLine(item.textContent), toLine(link.textContent)];
    const href = link.getAttribute('href')?.slice(1) ?? '';
    // a script may lead back
    if (!ids.includes(href) && !(href === '' && BACK.test(text))) continue;
    // a link of words within the note is a part of its text
    if (/\p{L}{2}/u.test(text) && (note === text || !note.endsWith(text))) link.replaceWith(...link.childNodes);
    else link.remove();
  }
  for (const [i, { element: raised }] of marks.entries()) {
    const id = `embed-note-mark-${number}${i === 0 ? '' : `-${i + 1}`}`;
    const text = raised.textContent.trim();
    raised.replaceChildren(createElement(item.ownerDocument, 'a', { id, href: `#${item.id}` }, text));
    const last = item.lastElementChild;
    const home = last?.localName === 'p' && !last.nextSibling?.textContent?.trim() ? last : item;
    home.append(' ', createElement(item.ownerDocument, 'a', { href: `#${id}` }, '↩'));
  }
  return item;
}

/** Removes the boxes from which all notes were taken, with their headings. */
function removeEmptied(document: Document, notes: readonly Note[]): void {
  if (notes.length === 0) return;
  for (const box of selectAll(document, 'ol, aside')) {
    if (box.textContent.trim() || selectFirst(box, 'img, [data-embed-part]')) continue;
    const before = box.previousElementSibling;
    if (before && isNotesLabel(before)) before.remove();
    box.remove();
  }
}
