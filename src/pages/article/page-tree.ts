import { parseHTML } from 'linkedom';
import { isHidden, KEPT, keptAttributes, SKIPPED } from './elements.ts';
import { isBigImage } from './images.ts';

/** Deeper than this the content counts, but no longer the elements. */
const MAX_DEPTH = 120;
/** A browser stops at 512. */
const MAX_NESTING = 1_000;
const MAX_ELEMENTS = 30_000;
/** All attributes together: a long base makes many short references long. */
const MAX_ATTRIBUTES_LENGTH = 8 * 1024 * 1024;
/** Readability reads the text of every level over again: characters times depth. */
const MAX_WORK = 24_000_000;

type Attributes = Readonly<Record<string, string>>;

/**
 * The part of a page that may be an article, as a tree of known elements and attributes with absolute URLs, built
 * while a parser walks over the page. Methods are named as the parser's events; each element that is opened is closed.
 */
export class PageTree {
  readonly document: Document = parseHTML('<!doctype html><html><head></head><body></body></html>').document;
  /** Whether the page is too large or too deep to be worth reading; it is incomplete then. */
  isTooLarge = false;
  bigImage: string | null = null;
  readonly #baseOf: () => string;
  readonly #parents: { readonly node: Element; readonly depth: number }[] = [];
  #node: Element = this.document.body;
  #depth = 2;
  #skipped = 0;
  #elements = 0;
  #work = 0;
  #attributesLength = 0;
  #text = '';
  /** How many `noscript` elements are open: only the images in them count. */
  #noscript = 0;
  /** The image just before, for which a `noscript` would stand in. */
  #lastImage: Element | null = null;

  constructor(baseOf: () => string) {
    this.#baseOf = baseOf;
  }

  onopentag(name: string, attributes: Attributes): void {
    if (this.#parents.length + this.#skipped > MAX_NESTING) this.isTooLarge = true;
    if (this.isTooLarge || this.#skipped > 0 || SKIPPED.has(name)) {
      this.#skipped++;
      return;
    }
    if (isHidden(name, attributes)) {
      this.#skipped++;
      // the `noscript` that may follow stands in for an image in here
      this.#lastImage = null;
      return;
    }
    this.#flush();
    this.#parents.push({ node: this.#node, depth: this.#depth });
    if (name === 'noscript') this.#noscript++;
    if (!KEPT.has(name)) return;
    if (this.#noscript > 0 && name !== 'img') return;
    const kept = keptAttributes(name, attributes, { base: this.#baseOf(), parentName: this.#node.localName });
    if (kept === null || (name === 'img' && this.#isStandIn(kept))) return;
    this.#append(name, kept);
  }

  ontext(data: string): void {
    if (this.#skipped === 0 && this.#noscript === 0 && !this.isTooLarge) this.#text += data;
  }

  onclosetag(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#flush();
    if (name === 'noscript') this.#noscript--;
    const parent = this.#parents.pop();
    if (!parent) return;
    this.#node = parent.node;
    this.#depth = parent.depth;
  }

  #append(name: string, attributes: Attributes): void {
    this.#elements++;
    this.#spend(16);
    for (const value of Object.values(attributes)) this.#attributesLength += value.length;
    const isTooMuch = this.#elements > MAX_ELEMENTS || this.#attributesLength > MAX_ATTRIBUTES_LENGTH;
    if (isTooMuch) this.isTooLarge = true;
    if (this.isTooLarge || this.#depth >= MAX_DEPTH) return;
    const element = this.document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    this.#node.appendChild(element);
    this.#node = element;
    this.#depth++;
    if (name !== 'img') return;
    this.#lastImage = this.#noscript === 0 ? element : null;
    if (isBigImage(attributes)) this.bigImage ??= attributes.src ?? null;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#spend(this.#text.length);
    this.#node.appendChild(this.document.createTextNode(this.#text));
    if (this.#lastImage && this.#text.trim() !== '') this.#lastImage = null;
    this.#text = '';
  }

  #spend(characters: number): void {
    this.#work += characters * this.#depth;
    if (this.#work > MAX_WORK) this.isTooLarge = true;
  }

  /** Whether an image in a `noscript` only repeats the one before it; lends its source to one that had none. */
  #isStandIn(attributes: Attributes): boolean {
    const before = this.#lastImage;
    if (this.#noscript === 0 || before === null) return false;
    this.#lastImage = null;
    if (before.hasAttribute('src') || before.hasAttribute('srcset')) return true;
    for (const [key, value] of Object.entries(attributes)) before.setAttribute(key, value);
    return true;
  }
}
