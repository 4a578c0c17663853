import { createElement } from '../blocks/tree.ts';
import { measureText } from '../plain-text.ts';
import { isElement, selectAll, selectFirst } from '../tree/select.ts';

/** The mark at the start of a note that is a paragraph: a number in brackets, a symbol, or a raised number. */
const LABEL = /^\s*(\[\d{1,3}\]|[*†‡§]{1,3}|[¹²³⁰⁴-⁹]{1,3})(?=\s*[\p{L}\p{N}“"'(])/u;
const NOT_TEXT = ['a', 'code', 'pre', 'sup', 'figcaption'];
const MAX_BLOCKS = 3_000;
const MAX_NOTES = 100;

export interface TextNote {
  readonly label: string;
  readonly note: Element;
  /** The raised marks in the text, in its order. */
  readonly marks: readonly Element[];
}

/** Finds notes that only a mark in their text relates to its place, such as "[1]" or "*". Raises the marks, and removes those of the notes. */
export function findTextNotes(document: Document): readonly TextNote[] {
  const blocks = selectAll(document, 'p, li').slice(0, MAX_BLOCKS);
  const labelled = blocks.flatMap((note, i) => {
    const label = LABEL.exec(note.textContent)?.[1];
    return label === undefined || selectFirst(note, 'p, li') !== null ? [] : [{ label, note, i }];
  });
  const counts = new Map<string, number>();
  for (const { label } of labelled) counts.set(label, (counts.get(label) ?? 0) + 1);
  const single = labelled.filter(({ label }) => counts.get(label) === 1);
  if (single.length === 0) return [];
  const texts = blocks.map((block) => [...textsIn([block])]);
  return single.slice(0, MAX_NOTES).flatMap(({ label, note, i }) => {
    const marks = texts.slice(0, i).flatMap((own) => raiseIn(own, label, document));
    const start = texts[i]?.find((text) => measureText(text.nodeValue) > 0);
    if (marks.length === 0 || !start?.nodeValue?.trimStart().startsWith(label)) return [];
    start.nodeValue = start.nodeValue.trimStart().slice(label.length).trimStart();
    return [{ label, note, marks }];
  });
}

/** Raises the marks in brackets of notes in a list, whose items have no marks. */
export function raiseMarks(numbers: readonly number[], document: Document): readonly Element[] {
  const blocks = selectAll(document, 'p, li').slice(0, MAX_BLOCKS);
  const texts = [...textsIn(blocks)];
  return numbers.slice(0, MAX_NOTES).flatMap((number) => {
    const label = `[${number}]`;
    const text = texts.find(({ nodeValue, parentNode }) => parentNode !== null && nodeValue?.includes(label));
    const raised = text ? raise(text, label, document) : null;
    // it may have the next mark
    if (raised?.nextSibling) texts.push(raised.nextSibling);
    return raised ?? [];
  });
}

function textsIn(elements: readonly Element[]): readonly Node[] {
  const textsOf = (node: Node): readonly Node[] => {
    if (!isElement(node)) return [node];
    return NOT_TEXT.includes(node.localName) ? [] : [...node.childNodes].flatMap(textsOf);
  };
  return elements.filter((element) => selectFirst(element, 'p, li') === null).flatMap(textsOf);
}

/** Raises the first mark of each text. In the list, the texts around it take the place of the text. */
function raiseIn(texts: Node[], label: string, document: Document): readonly Element[] {
  const marks: Element[] = [];
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    const raised = text?.nodeValue?.includes(label) ? raise(text, label, document) : null;
    if (!raised) continue;
    marks.push(raised);
    texts.splice(i++, 1, ...[raised.previousSibling, raised.nextSibling].filter((node) => node !== null));
  }
  return marks;
}

/** Puts the first mark of a text, which follows a word, into an element. */
function raise(text: Node, label: string, document: Document): Element | null {
  const value = text.nodeValue ?? '';
  const at = value.indexOf(label);
  const before = value.slice(0, at).trimEnd();
  const after = value.slice(at + label.length);
  const isSymbol = !label.startsWith('[');
  if (!/[\p{L}\p{N}.,;:!?)”"]$/u.test(before) || (isSymbol && (before.length < at || /^[\p{L}*†‡§]/u.test(after))))
    return null;
  const raised = createElement(document, 'sup', {}, label.normalize('NFKC').replace(/[[\]]/g, ''));
  (text as ChildNode).replaceWith(document.createTextNode(before), raised, document.createTextNode(after));
  return raised;
}
