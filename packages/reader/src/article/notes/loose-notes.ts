import { textLengthBefore } from '../blocks/tree.ts';
import { LEADING_MARK, NOTES_LABEL, NOTES_NAME, type Note } from './note.ts';

const HEADINGS = 'h2, h3, h4, h5, h6, p, strong';
const BOXES = 'aside[class], div[class], section[class], aside[id], div[id], section[id]';
/** The number at the start of a note without an element of its own. */
const LEADING_NUMBER = /^\s*(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])\s+(?=\S)/;
const MAX_STARTS = 20;

/**
 * Finds the paragraphs that begin with a number: raised after the last line across the page, or in any form in a box that
 * is named as notes or after such a heading.
 */
export function findLooseNotes(document: Document): readonly Note[] {
  const rule = [...document.querySelectorAll('hr')].at(-1);
  const headings = [...document.querySelectorAll(HEADINGS)].filter(({ textContent }) =>
    NOTES_LABEL.test(textContent?.trim() ?? ''),
  );
  const boxes = [...document.querySelectorAll(BOXES)].filter(
    (box) =>
      NOTES_NAME.test(`${box.getAttribute('class') ?? ''} ${box.id}`) && box.querySelector('ol, a[href]') === null,
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
    const note = next.localName === 'p' ? readNote(next, isNamed) : null;
    if (note) notes.push({ ...note, more: [] });
    else if (notes.length > 0 && /^(?:p|ul|ol|blockquote)$/.test(next.localName)) notes.at(-1)?.more?.push(next);
    else if (notes.length > 0 || !isNamed) break;
  }
  return notes;
}

function readNote(element: Element, isNamed: boolean): Note | null {
  const first = element.querySelector('sup, strong, b');
  const label = first && textLengthBefore(first, element, 0) === 0 ? first : null;
  const number = LEADING_MARK.exec(label?.textContent ?? '')?.[1];
  if (label && number !== undefined) return { number: Number(number), element, label };
  const text = element.firstChild;
  const match = isNamed && text?.nodeType === text?.TEXT_NODE ? LEADING_NUMBER.exec(text?.nodeValue ?? '') : null;
  if (!text || !match) return null;
  const [whole, ...numbers] = match;
  const span = element.ownerDocument.createElement('span');
  span.textContent = whole.trim();
  text.nodeValue = text.nodeValue?.slice(whole.length) ?? '';
  element.prepend(span);
  return { number: Number(numbers.find((one) => one !== undefined)), element, label: span };
}
