import { parseHTML } from 'linkedom';
import { isHidden, KEPT_ELEMENTS, SKIPPED_ELEMENTS, selectAttributes } from './elements.ts';
import { isLargeImage } from './images.ts';

/** Below this depth only the text is kept. */
const MAX_DEPTH = 120;
/** Browsers flatten deeper nesting at 512. */
const MAX_NESTING = 1_000;
const MAX_ELEMENTS = 30_000;
/** Sum over the page, in characters: a long base URL makes every short reference long. */
const MAX_ATTRIBUTES_LENGTH = 8 * 1024 * 1024;
/** Characters times depth: Readability reads the text again for every level. */
const MAX_TEXT_WORK = 24_000_000;

type Attributes = Readonly<Record<string, string>>;

/** Builds the DOM of a possible article from the events of a parser, after which its methods are named. */
export class PageTree {
  readonly document: Document = parseHTML('<!doctype html><html><head></head><body></body></html>').document;
  /** Set when a limit is exceeded. The tree is then incomplete. */
  isTooLarge = false;
  largeImage: string | null = null;
  readonly #parents: { readonly node: Element; readonly depth: number }[] = [];
  #node: Element = this.document.body;
  #depth = 2;
  #skippedDepth = 0;
  #elementCount = 0;
  #work = 0;
  #attributesLength = 0;
  #text = '';
  #noscriptDepth = 0;
  /** The preceding image, which an image in a `noscript` may repeat. */
  #lastImage: Element | null = null;
  readonly #readsNoscript: boolean;

  /** @param readsNoscript keeps the content of `noscript` elements, of which otherwise only images are read */
  constructor({ readsNoscript = false } = {}) {
    this.#readsNoscript = readsNoscript;
  }

  onopentag(name: string, attributes: Attributes, base: string): void {
    if (this.#parents.length + this.#skippedDepth > MAX_NESTING) this.isTooLarge = true;
    if (this.isTooLarge || this.#skippedDepth > 0 || SKIPPED_ELEMENTS.has(name)) {
      this.#skippedDepth++;
      return;
    }
    if (isHidden(name, attributes)) {
      this.#skippedDepth++;
      // a `noscript` that follows repeats an image in here, not the preceding one
      this.#lastImage = null;
      return;
    }
    this.#flushText();
    this.#parents.push({ node: this.#node, depth: this.#depth });
    if (name === 'noscript' && !this.#readsNoscript) this.#noscriptDepth++;
    if (!KEPT_ELEMENTS.has(name)) return;
    if (this.#noscriptDepth > 0 && name !== 'img') return;
    const kept = selectAttributes(name, attributes, { base, parentName: this.#node.localName });
    if (kept === null || (name === 'img' && this.#mergeRepeatedImage(kept))) return;
    this.#append(name, kept);
  }

  ontext(data: string): void {
    if (this.#skippedDepth === 0 && this.#noscriptDepth === 0 && !this.isTooLarge) this.#text += data;
  }

  onclosetag(name: string): void {
    if (this.#skippedDepth > 0) {
      this.#skippedDepth--;
      return;
    }
    this.#flushText();
    if (name === 'noscript' && !this.#readsNoscript) this.#noscriptDepth--;
    const parent = this.#parents.pop();
    if (!parent) return;
    this.#node = parent.node;
    this.#depth = parent.depth;
  }

  #append(name: string, attributes: Attributes): void {
    this.#elementCount++;
    this.#addWork(16);
    for (const value of Object.values(attributes)) this.#attributesLength += value.length;
    const exceedsLimit = this.#elementCount > MAX_ELEMENTS || this.#attributesLength > MAX_ATTRIBUTES_LENGTH;
    if (exceedsLimit) this.isTooLarge = true;
    if (this.isTooLarge || this.#depth >= MAX_DEPTH) return;
    const element = this.document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    this.#node.appendChild(element);
    this.#node = element;
    this.#depth++;
    if (name !== 'img') return;
    this.#lastImage = this.#noscriptDepth === 0 ? element : null;
    if (isLargeImage(attributes)) this.largeImage ??= attributes.src ?? null;
  }

  #flushText(): void {
    if (this.#text === '') return;
    this.#addWork(this.#text.length);
    this.#node.appendChild(this.document.createTextNode(this.#text));
    if (this.#lastImage && this.#text.trim() !== '') this.#lastImage = null;
    this.#text = '';
  }

  #addWork(characters: number): void {
    this.#work += characters * this.#depth;
    if (this.#work > MAX_TEXT_WORK) this.isTooLarge = true;
  }

  /** Returns true if an image in a `noscript` repeats the preceding one, which gets its source if it has none. */
  #mergeRepeatedImage(attributes: Attributes): boolean {
    const preceding = this.#lastImage;
    if (this.#noscriptDepth === 0 || preceding === null) return false;
    this.#lastImage = null;
    if (preceding.hasAttribute('src') || preceding.hasAttribute('srcset')) return true;
    for (const [key, value] of Object.entries(attributes)) preceding.setAttribute(key, value);
    return true;
  }
}
