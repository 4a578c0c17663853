import { createElement, textIn, textLengthBefore } from '../blocks/tree.ts';
import { isElement, selectAll, selectFirst } from '../tree/select.ts';
import { isNamedNotes, isNotesLabel, LEADING_MARK, type Note } from './note.ts';

const HEADINGS = 'h2, h3, h4, h5, h6, p, strong';
const BOXES = 'aside[class], div[class], section[class], aside[id], div[id], section[id]';
/** The number at the start of a note without an element of its own. */
const LEADING_NUMBER = /^\s*(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])\s+(?=\S)/;
const MAX_STARTS = 20;
const MAX_BREAKS = 2_000;
/** The start of a line that is a note. */
const LEADING_NOTE = /^(?:\[\d{1,3}\]|[¹²³⁰⁴-⁹]{1,3})\s?\S/;

/**
 * Finds the paragraphs that begin with a number: raised after the last line across the page, or in any form in a box that
 * is named as notes or after such a heading.
 */
export function findLooseNotes(document: Document): readonly Note[] {
  const rule = selectAll(document, 'hr').at(-1);
  const headings = selectAll(document, HEADINGS).filter(isNotesLabel);
  const boxes = selectAll(document, BOXES).filter(
    (box) => isNamedNotes(box) && selectFirst(box, 'ol, a[href]') === null,
  );
  const starts = [
    ...headings.map(
      (heading) => (heading.localName === 'strong' ? heading.parentElement : heading)?.nextElementSibling,
    ),
    ...boxes.map((box) => box.firstElementChild),
  ];
  return [
    ...starts.slice(-MAX_STARTS).flatMap((start) => readNotes(start ?? null, true)),
    ...readNotes(rule?.nextElementSibling ?? null, false),
  ];
}

function readNotes(start: Element | null, isNamed: boolean): readonly Note[] {
  const notes: Note[] = [];
  for (let next = start; next; next = next.nextElementSibling) {
    const note = isLine(next) ? readNote(next, isNamed) : null;
    if (note) notes.push({ ...note, more: [] });
    else if (notes.length > 0 && /^(?:p|ul|ol|blockquote)$/.test(next.localName)) notes.at(-1)?.more?.push(next);
    else if (notes.length > 0 || !isNamed) break;
  }
  return notes;
}

function isLine(element: Element): boolean {
  return element.localName === 'p' || (element.localName === 'div' && selectFirst(element, 'p, div, ul, ol') === null);
}

/** Makes paragraphs of notes that stand in one, with a line break before each. */
export function splitNotes(document: Document): void {
  const breaks = selectAll(document, 'p > br').slice(0, MAX_BREAKS);
  for (const paragraph of new Set(breaks.map(({ parentElement }) => parentElement))) {
    const lines = paragraph === null ? [] : linesOf(paragraph);
    if (lines.length < 2 || !lines.every((line) => LEADING_NOTE.test(textOf(line)))) continue;
    const [first = [], ...others] = lines;
    const parts = others.map((line) => createElement(document, 'p', {}, ...line));
    paragraph?.replaceChildren(...first);
    paragraph?.after(...parts);
  }
}

function linesOf(paragraph: Element): readonly (readonly Node[])[] {
  const lines: Node[][] = [[]];
  for (const node of paragraph.childNodes) {
    if (node.nodeName.toLowerCase() === 'br') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines.filter((line) => textOf(line) !== '');
}

function textOf(line: readonly Node[]): string {
  const text = line
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
  // also in the target of its mark
  const raised = line
    .filter(isElement)
    .map((element) => (element.localName === 'sup' ? element : selectFirst(element, 'sup')))
    .find((one) => one !== null);
  return raised && text.startsWith(raised.textContent.trim()) ? text.replace(/^\d{1,3}/, '[$&]') : text;
}

function readNote(element: Element, isNamed: boolean): Note | null {
  const first = selectFirst(element, 'sup, strong, b');
  const label = first && textLengthBefore(first, element, 0) === 0 ? first : null;
  const number = LEADING_MARK.exec(label?.textContent ?? '')?.[1];
  if (label && number !== undefined) return { number: Number(number), element, label };
  const text = element.firstChild;
  const match = isNamed ? LEADING_NUMBER.exec(textIn(text)) : null;
  if (!text || !match) return null;
  const [whole, ...numbers] = match;
  const span = createElement(element.ownerDocument, 'span', {}, whole.trim());
  text.nodeValue = text.nodeValue?.slice(whole.length) ?? '';
  element.prepend(span);
  return { number: Number(numbers.find((one) => one !== undefined)), element, label: span };
}
