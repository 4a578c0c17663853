import { isElement, isMatch, selectFirst } from '../tree/select.ts';

const MAX_BOX_CHILDREN = 10;

/** Gives an element a class of the hosted page, for the sanitiser. The parser drops this attribute from pages, except for times. */
export const MARKER = 'data-embed';
/** Elements that an element without text may be there for. */
export const SUBSTANCE = 'img, picture, video, audio, iframe, hr, input, table, math, [data-embed-part]';
/** The names of the elements that are headings. */
export const HEADING = /^h[1-6]$/;
/** Marks headings that are named like boxes of a site. */
export const NAMED = 'data-named';
/** The id of the note of a mark. */
export const NOTE_REFERENCE = 'data-note';

export function mark(element: Element, value: string): void {
  element.setAttribute(MARKER, value);
}

export function createElement(
  document: Document,
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): Element {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Puts an element into a new one. */
export function wrap(element: Element, name: string): Element {
  const wrapper = element.ownerDocument.createElement(name);
  element.replaceWith(wrapper);
  wrapper.append(element);
  return wrapper;
}

/** Creates an element with the children of another one, and with its id, language and direction. */
export function replaceElement(element: Element, name: string): Element {
  const replacement = element.ownerDocument.createElement(name);
  for (const key of ['id', 'lang', 'dir']) {
    const value = element.getAttribute(key);
    if (value !== null) replacement.setAttribute(key, value);
  }
  replacement.append(...element.childNodes);
  element.replaceWith(replacement);
  return replacement;
}

/** Returns the text of a text node, and an empty text for other nodes. */
export function textIn(node: Node | null | undefined): string {
  return node?.nodeType === 3 ? (node.nodeValue ?? '') : '';
}

/** Detects an element one of whose class names matches. */
export function hasClass({ classList }: Element, pattern: RegExp): boolean {
  return [...classList].some((name) => pattern.test(name));
}

/** Detects text that is in no element in a box. */
export function hasOwnText({ childNodes }: Element): boolean {
  return [...childNodes].some((node) => textIn(node).trim() !== '');
}

/** Blanks, and characters without a width, which editors leave in empty paragraphs. */
const EMPTY = /^[\s\u200b-\u200d\u2060\ufeff]*$/;

/** Detects nodes without text, pictures and other content. */
export function isBlank(node: Node): boolean {
  if (!EMPTY.test(node.textContent ?? '')) return false;
  return !isElement(node) || !(isMatch(node, SUBSTANCE) || selectFirst(node, SUBSTANCE));
}

/** Counts the characters of text before an element in one of its ancestors, and stops above `max`. */
export function textLengthBefore(element: Element, ancestor: Element, max: number): number {
  let length = 0;
  for (let node: Element = element; node !== ancestor && node.parentElement; node = node.parentElement) {
    for (let before = node.previousSibling; before; before = before.previousSibling) {
      length += before.textContent?.trim().length ?? 0;
      if (length > max) return length;
    }
  }
  return length;
}

/** Returns the text of an element with a space between those of its parts. */
export function spacedTextOf(node: Node): string {
  const texts = node.childNodes.length === 0 ? [node.nodeValue ?? ''] : [...node.childNodes].map(spacedTextOf);
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** Detects elements that are no box around one thing, without a look at all that they contain. */
export function hasManyChildren(element: Element): boolean {
  let child = element.firstChild;
  for (let i = 0; i < MAX_BOX_CHILDREN; i++) child = child?.nextSibling ?? null;
  return child !== null;
}

/** Counts the given elements in each of them and of their ancestors. */
export function countWithin(elements: Iterable<Element>): ReadonlyMap<Element, number> {
  const counts = new Map<Element, number>();
  for (const element of elements)
    for (let box: Element | null = element; box; box = box.parentElement) counts.set(box, (counts.get(box) ?? 0) + 1);
  return counts;
}
