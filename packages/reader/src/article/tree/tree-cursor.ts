import { parseHTML } from 'linkedom/worker';
import { createElement } from '../blocks/tree.ts';

/** Below this depth only the text is kept. */
const MAX_DEPTH = 120;
const MAX_ELEMENTS = 30_000;
/** Sum over the page, in characters: a long base URL makes every short reference long. */
const MAX_ATTRIBUTES_LENGTH = 8 * 1024 * 1024;
/** Characters times depth: Readability reads the text again for every level. */
const MAX_TEXT_WORK = 24_000_000;

type Attributes = Readonly<Record<string, string>>;

/** The place in a document at which the next node is appended. */
export interface Place {
  readonly node: Element;
  readonly depth: number;
}

/** Appends nodes to a new document within its limits. */
export class TreeCursor {
  readonly document: Document = parseHTML('<!doctype html><html><head></head><body></body></html>').document;
  /** Set when a limit is exceeded. The tree is then incomplete. */
  isTooLarge = false;
  #node: Element = this.document.body;
  #depth = 2;
  #elementCount = 0;
  #work = 0;
  #attributesLength = 0;

  get node(): Element {
    return this.#node;
  }

  get place(): Place {
    return { node: this.#node, depth: this.#depth };
  }

  moveTo({ node, depth }: Place): void {
    this.#node = node;
    this.#depth = depth;
  }

  /** Appends an element, whose content follows. */
  open(name: string, attributes: Attributes): void {
    const element = this.append(name, attributes);
    if (element === null) return;
    this.#node = element;
    this.#depth++;
  }

  /** Appends an element without opening it; returns null if a limit is exceeded. */
  append(name: string, attributes: Attributes, text = ''): Element | null {
    this.#elementCount++;
    this.#addWork(16 + text.length);
    for (const value of Object.values(attributes)) this.#attributesLength += value.length;
    const exceedsLimit = this.#elementCount > MAX_ELEMENTS || this.#attributesLength > MAX_ATTRIBUTES_LENGTH;
    if (exceedsLimit) this.isTooLarge = true;
    if (this.isTooLarge || this.#depth >= MAX_DEPTH) return null;
    const element = createElement(this.document, name, attributes, ...(text === '' ? [] : [text]));
    return this.#node.appendChild(element);
  }

  appendText(text: string): void {
    this.#addWork(text.length);
    this.#node.appendChild(this.document.createTextNode(text));
  }

  #addWork(characters: number): void {
    this.#work += characters * this.#depth;
    if (this.#work > MAX_TEXT_WORK) this.isTooLarge = true;
  }
}
