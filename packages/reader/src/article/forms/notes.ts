import type { Element, ElementContent, Root } from 'hast';
import { decodeSegment } from '../../page-url.ts';
import { anchorOf, elementsOf, isElement, type Parent, rewrite, textNode, textOf } from './tree.ts';

/** The text of a link to a note, such as 1, [2], *, [a] or [note 3]. */
const REFERENCE = /^\[?(?:\d{1,4}|[\p{L}*†‡§]{1,2}|(?:note|nb|n) ?\d{1,3})\]?$/iu;
/** The text of a link from a note back to the text. */
const BACK_LINK = /^[\s\d.,^↩↑↵⏎[\]\p{Ll}]{0,5}$/u;

/** Follows an arrow that is shown as text, or as a picture. */
const VARIATION = /[\ufe0e\ufe0f]/g;

/** Replaces the links to notes by `note-reference` elements, and the notes by `note-definition` elements at the end. */
export function prepareNotes(content: Root): void {
  const items = findItems(content);
  const names = new Map<Element, string>();
  for (const link of items.size === 0 ? [] : elementsOf(content)) {
    const item = items.get(targetOf(link) ?? '');
    if (!item || !REFERENCE.test(textOf(link).trim()) || elementsOf(item).includes(link)) continue;
    const name = names.get(item) ?? String(names.size + 1);
    names.set(item, name);
    // an element without text would join the blanks around it
    Object.assign(link, { tagName: 'note-reference', properties: { name }, children: [textNode(`[${name}]`)] });
  }
  if (names.size === 0) return;
  rewrite(content, (node) => replaceInText(node, names));
  for (const [{ children }, name] of names) {
    const body: Element = { type: 'element', tagName: 'note-definition', properties: { name }, children };
    rewrite(body, (node) => (isBackLink(node) ? [] : [node]));
    trimStart(body);
    content.children.push(body);
  }
}

/** Finds the list items that are notes if something refers to an id in them. */
function findItems(content: Root): ReadonlyMap<string, Element> {
  const items = new Map<string, Element>();
  for (const item of elementsOf(content).filter(({ tagName }) => tagName === 'li')) {
    const inside = elementsOf(item);
    // an id in an item without a link back may be anything
    for (const { properties } of [item, ...(inside.some(isBackLink) ? inside : [])]) {
      const anchor = anchorOf(properties.id);
      // the innermost item comes last
      if (anchor !== null) items.set(anchor, item);
    }
  }
  return items;
}

/** Removes the blanks and arrows that links back leave at the start. Returns false if nothing is left. */
function trimStart(parent: Parent): boolean {
  while (parent.children.length > 0) {
    const [first] = parent.children;
    if (first?.type === 'text') first.value = first.value.replace(/^[\s^↑]+/, '');
    const isKept =
      first?.type === 'text' ? first.value !== '' : !isElement(first) || isMedia(first) || trimStart(first);
    if (isKept) return true;
    parent.children.shift();
  }
  return false;
}

function isMedia({ tagName }: Element): boolean {
  return /^(?:img|math|video|audio|input|note-reference|hr)$/.test(tagName);
}

function targetOf({ tagName, properties }: Element): string | null {
  return tagName === 'a' ? anchorOf(decodeSegment(String(properties.href ?? ''))) : null;
}

/** Removes the notes and the lists that they leave empty, and the raised text that is only around references. */
function replaceInText(node: ElementContent, names: ReadonlyMap<Element, string>): readonly ElementContent[] {
  if (!isElement(node)) return [node];
  if (names.has(node)) return [];
  const { tagName, children } = node;
  const elements = children.filter(isElement);
  if (tagName === 'ol' && elements.length === 0) return [];
  const isAround = elements.length > 0 && elements.every((child) => child.tagName === 'note-reference');
  return tagName === 'sup' && isAround ? elements : [node];
}

function isBackLink(node: ElementContent): boolean {
  return isElement(node) && targetOf(node) !== null && BACK_LINK.test(textOf(node).replaceAll(VARIATION, ''));
}
