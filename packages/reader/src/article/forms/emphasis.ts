import type { Element, ElementContent } from 'hast';
import { isElement, type Parent, textNode, textOf } from './tree.ts';

/** Elements without signs at their ends that may be the end of emphasis. */
const OTHERS = ['a', 'span'];
const EMPHASIS = ['b', 'del', 'em', 'i', 'mark', 's', 'strong', 'u'];

/**
 * Moves blanks at the ends of emphasis and links out of them, and signs at the ends of emphasis beside letters: Markdown
 * would need character references (CommonMark, section 6.2). Joins emphasis and code with what follows of the same kind.
 */
export function moveEnds(parent: Parent): void {
  for (const child of parent.children) if (isElement(child)) moveEnds(child);
  const children = joinEqual(parent.children as readonly ElementContent[]);
  const isWord = (node: ElementContent | undefined, end: RegExp) => node !== undefined && end.test(textOf(node));
  parent.children = children.flatMap((child, i) => {
    if (!isElement(child) || !(EMPHASIS.includes(child.tagName) || OTHERS.includes(child.tagName))) return [child];
    const isEmphasis = EMPHASIS.includes(child.tagName);
    const [before, after] = [takeBlanks(child, 0), takeBlanks(child, -1)];
    const isAtWord =
      isEmphasis &&
      ((before.length === 0 && isWord(children[i - 1], /[\p{L}\p{N}]$/u)) ||
        (after.length === 0 && isWord(children[i + 1], /^[\p{L}\p{N}]/u)));
    // both, because they may be quotation marks
    if (isAtWord && before.length === 0) before.push(...takeText(child, 0, /^\p{P}+/u));
    if (isAtWord && after.length === 0) after.push(...takeText(child, -1, /(?<!\p{P})\p{P}+$/u));
    const isEmpty = isEmphasis && child.children.length === 0;
    return [...before, ...(isEmpty ? [] : [child]), ...after.reverse()];
  });
}

/** Cuts blanks and line breaks from one end of an element, from outside to inside. */
function takeBlanks(element: Element, at: 0 | -1): ElementContent[] {
  const taken: ElementContent[] = [];
  let count: number;
  do {
    count = taken.length;
    taken.push(...takeText(element, at, at === 0 ? /^\s+/ : /(?<!\s)\s+$/), ...takeBreak(element, at));
  } while (taken.length > count);
  return taken;
}

function takeBreak({ children }: Element, at: 0 | -1): ElementContent[] {
  const end = children.at(at);
  return isElement(end) && end.tagName === 'br' ? children.splice(at, 1) : [];
}

/** Cuts a match from the first or the last text of an element. */
function takeText({ children }: Element, at: 0 | -1, pattern: RegExp): ElementContent[] {
  const text = children.at(at);
  const end = text?.type === 'text' ? (pattern.exec(text.value)?.[0] ?? '') : '';
  if (text?.type !== 'text' || end === '') return [];
  text.value = at === 0 ? text.value.slice(end.length) : text.value.slice(0, -end.length);
  if (text.value === '') children.splice(at, 1);
  return [textNode(end)];
}

function joinEqual(nodes: readonly ElementContent[]): readonly ElementContent[] {
  const joined: ElementContent[] = [];
  for (const node of nodes) {
    const before = joined.at(-1);
    const isSame = isElement(node) && isElement(before) && node.tagName === before.tagName;
    if (isSame && (node.tagName === 'code' || EMPHASIS.includes(node.tagName))) before.children.push(...node.children);
    else joined.push(node);
  }
  return joined;
}
