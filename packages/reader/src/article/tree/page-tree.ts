import { HEADING, isBlank } from '../blocks/tree.ts';
import { MESSAGE_LEVEL, nameTurn } from '../conversation/attributes.ts';
import { type FramedDocument, findFrame, findObject, isPlayerScript, renderPlayer } from '../embedded/frame.ts';
import { PART_MARKER, Parts, PLAYER_SOURCE } from '../embedded/parts.ts';
import {
  type Embedded,
  isSubtreeRoot,
  readDataImage,
  readMathAttribute,
  readSubtree,
  readTex,
} from '../embedded/read.ts';
import { SubtreeBuilder } from '../embedded/subtree.ts';
import { TexDetector } from '../embedded/tex-detector.ts';
import { findTexOfElement, findTexOfImage } from '../embedded/tex-sources.ts';
import { isLargeImage } from '../images.ts';
import { isTabLabel } from '../waiting/tabs.ts';
import { WaitingText } from '../waiting/waiting.ts';
import {
  isFormulaImage,
  isHidden,
  isPlaceOfPicture,
  KEPT_ELEMENTS,
  renameElement,
  SKIPPED_ELEMENTS,
  selectAttributes,
} from './elements.ts';
import { selectClosest } from './select.ts';
import { type Place, TreeCursor } from './tree-cursor.ts';

/** Browsers flatten deeper nesting at 512. */
const MAX_NESTING = 1_000;

/** Elements that MathJax renders. Only their MathML is kept, which is for screen readers. */
const RENDERED_FORMULA = /(?:^|\s)(?:MathJax(?:_Display|_CHTML|_SVG|_MathML|_Preview)?|mjx-chtml)(?:\s|$)/;

/** What a heading has besides its number and the sign of its link. */
const WORDS = /\p{L}|\d{3}/u;

const UNSELECTABLE = /(?:^|[;\s])(?:-webkit-)?user-select\s{0,9}:\s{0,9}none/i;

type Attributes = Readonly<Record<string, string>>;

const PARAGRAPHS = 'p, a, span, li, dt, pre, h1, h2, h3, h4, h5, h6, summary, figcaption';

interface Ancestor extends Place {
  /** The document of an `object`, which is shown if the element has no content. */
  readonly object: FramedDocument | null;
  /** The picture that is shown if the element has no content. */
  readonly picture: Attributes | null;
}

export interface TreeOptions {
  /** Keeps the content of `noscript` elements, of which otherwise only images are read. */
  readonly readsNoscript?: boolean;
  /** Keeps blocks that are visible, but hidden from screen readers. */
  readonly readsAriaHidden?: boolean;
}

/** Builds the DOM of a possible article from the events of a parser, after which its methods are named. */
export class PageTree {
  readonly #cursor = new TreeCursor();
  readonly document = this.#cursor.document;
  readonly parts = new Parts();
  readonly tex = new TexDetector();
  largeImage: string | null = null;
  readonly #parents: Ancestor[] = [];
  #skippedDepth = 0;
  #text = '';
  /** The last heading has words so far. */
  #hasHeadingWords = false;
  #noscriptDepth = 0;
  #subtree: SubtreeBuilder | null = null;
  /** The number of elements around the rendering of a formula; null outside of one. */
  #formulaDepth: number | null = null;
  #isAfterFormula = false;
  /** The formula of an attribute, whose TeX may follow. */
  #provisional: Element | null = null;
  /** The preceding image, which an image in a `noscript` may repeat. */
  #lastImage: Element | null = null;
  readonly #playerUrls = new Set<string>();
  readonly #waiting = new WaitingText();
  readonly #place = {
    isInHeading: () => this.#isInHeading(),
    startsSection: () =>
      this.#isInHeading() && selectClosest(this.#cursor.node, 'h1') === null && !this.#hasWordsInHeading(),
  };
  readonly #readsNoscript: boolean;
  readonly #readsAriaHidden: boolean;

  constructor({ readsNoscript = false, readsAriaHidden = false }: TreeOptions = {}) {
    this.#readsNoscript = readsNoscript;
    this.#readsAriaHidden = readsAriaHidden;
  }

  /** A limit is exceeded. The tree is then incomplete. */
  get isTooLarge(): boolean {
    return this.#cursor.isTooLarge;
  }

  onopentag(original: string, attributes: Attributes, base: string): void {
    this.tex.onopentag(original, attributes);
    if (this.#subtree) {
      this.#subtree.onopentag(original, attributes);
      return;
    }
    const isTab = isTabLabel(original, this.#cursor.node);
    const renamed = isTab ? 'span' : renameElement(original, attributes);
    const name = this.#waiting.onopentag(renamed, attributes, this.#place);
    const isSubtree = isSubtreeRoot(name, attributes) && !(name === 'svg' && this.#formulaDepth !== null);
    if (this.#parents.length + this.#skippedDepth > MAX_NESTING) this.#cursor.isTooLarge = true;
    const isRead =
      isSubtree || isPlayerScript(name, attributes) || (name === 'button' && this.#isHeadingText(attributes));
    const isSkipped = SKIPPED_ELEMENTS.has(name) && !isRead;
    if (this.isTooLarge || this.#skippedDepth > 0 || isSkipped) {
      this.#skippedDepth++;
      return;
    }
    if (this.#isHidden(name, attributes)) {
      this.#skippedDepth++;
      // links point to hidden anchors in headings
      if (attributes.id && HEADING.test(this.#cursor.node.localName)) this.#cursor.append('a', { id: attributes.id });
      // a `noscript` that follows repeats an image in here, not the preceding one
      this.#lastImage = null;
      return;
    }
    this.#flushText();
    if (isSubtree) this.#subtree = new SubtreeBuilder(name, attributes);
    else if (this.#formulaDepth === null && this.#appendTexSource(name, attributes)) this.#skippedDepth++;
    else if (this.#formulaDepth === null && this.#appendFrame(original, attributes, base)) this.#skippedDepth++;
    else this.#openElement(name, isTab ? { ...attributes, role: 'tab' } : nameTurn(original, attributes), base);
  }

  ontext(data: string): void {
    this.tex.ontext(data);
    if (this.#subtree) this.#subtree.ontext(data);
    else if (this.#skippedDepth === 0 && this.#noscriptDepth === 0 && this.#formulaDepth === null && !this.isTooLarge) {
      this.#text += data;
    }
  }

  onclosetag(name: string): void {
    this.tex.onclosetag();
    if (this.#subtree) {
      this.#subtree.onclosetag();
      if (this.#subtree.isClosed) this.#appendSubtree(this.#subtree);
      return;
    }
    if (this.#skippedDepth > 0) {
      this.#skippedDepth--;
      return;
    }
    this.#flushText();
    if (name === 'noscript' && !this.#readsNoscript) this.#noscriptDepth--;
    const parent = this.#parents.pop();
    if (!parent) return;
    if (this.#formulaDepth === this.#parents.length) this.#formulaDepth = null;
    if (parent.object && this.#cursor.node.childNodes.length === 0) this.#appendDocument(parent.object);
    if (parent.picture && isBlank(this.#cursor.node)) this.#appendImage(parent.picture, {});
    this.#cursor.moveTo(parent);
  }

  oncomment(data: string): void {
    const id = this.#waiting.oncomment(data);
    if (id === null || this.#skippedDepth > 0 || this.#subtree) return;
    this.#flushText();
    this.#cursor.append('div', { id });
  }

  onend(): void {
    this.#waiting.onend(this.document);
  }

  #isHidden(name: string, attributes: Attributes): boolean {
    if (this.#waiting.isShown(name, attributes)) return false;
    // KaTeX draws a formula for the eye, after its MathML if it has one
    if (isSubtreeRoot(name, attributes) && name === 'span') return this.#isAfterFormula;
    // line numbers of code, which nobody is meant to copy
    if (UNSELECTABLE.test(attributes.style ?? '') && selectClosest(this.#cursor.node, 'pre, code') !== null)
      return true;
    const isBlock = this.#readsAriaHidden && (name === 'div' || name === 'section' || name === 'article');
    return isHidden(name, isBlock ? { ...attributes, 'aria-hidden': 'false' } : attributes);
  }

  /** Headings of sections that a click opens are buttons. */
  #isInHeading(): boolean {
    return selectClosest(this.#cursor.node, 'h1, h2, h3, h4, h5, h6, dt') !== null;
  }

  /** Other buttons behind the text of a heading change what is below it. */
  #isHeadingText(attributes: Attributes): boolean {
    if (!this.#isInHeading() || isCopyButton(attributes)) return false;
    return !this.#hasWordsInHeading() || attributes['aria-expanded'] !== undefined;
  }

  #hasWordsInHeading(): boolean {
    return this.#hasHeadingWords || WORDS.test(this.#text);
  }

  #openElement(name: string, attributes: Attributes, base: string): void {
    const object = name === 'object' ? findObject(attributes, base) : null;
    const parentName = this.#cursor.node.localName;
    const picture = isPlaceOfPicture(name, attributes)
      ? selectAttributes('img', attributes, { base, parentName })
      : null;
    this.#parents.push({ ...this.#cursor.place, object, picture });
    if (name === 'noscript' && !this.#readsNoscript) this.#noscriptDepth++;
    if (rendersFormula(attributes)) this.#formulaDepth ??= this.#parents.length - 1;
    if (this.#formulaDepth !== null || (this.#noscriptDepth > 0 && name !== 'img')) return;
    if (name === 'object') this.#cursor.open('span', {});
    if (!KEPT_ELEMENTS.has(name)) return;
    const kept = selectAttributes(name, attributes, { base, parentName });
    if (kept === null) {
      // a spacer indents an answer
      if (/^\d{1,3}$/.test(attributes.width ?? ''))
        this.#cursor.node.setAttribute(MESSAGE_LEVEL, attributes.width ?? '');
      return;
    }
    if (name === 'img') this.#appendImage(kept, attributes);
    else this.#cursor.open(name, kept);
    if (HEADING.test(name) || name === 'dt') this.#hasHeadingWords = false;
  }

  #appendImage(kept: Attributes, attributes: Attributes): void {
    if (this.#isAfterFormula && isFormulaImage(attributes)) return;
    const hasSource = kept.src !== undefined || kept.srcset !== undefined;
    const data = hasSource || this.#noscriptDepth > 0 ? null : readDataImage(attributes);
    if (data && this.#appendEmbedded(data)) return;
    if (this.#mergeRepeatedImage(kept)) return;
    const image = this.#cursor.append('img', kept);
    this.#lastImage = this.#noscriptDepth === 0 ? image : null;
    if (isLargeImage(kept)) this.largeImage ??= kept.src ?? null;
  }

  /** Appends the formula of an element that only renders TeX. Returns false for other elements. */
  #appendTexSource(name: string, attributes: Attributes): boolean {
    if (name === 'img' && this.#isAfterFormula && isFormulaImage(attributes)) return true;
    const source =
      this.#noscriptDepth > 0 ? null : name === 'img' ? findTexOfImage(attributes) : findTexOfElement(attributes);
    const formula = source
      ? readTex(source.tex, { isDisplay: source.isDisplay, text: source.tex })
      : readMathAttribute(attributes);
    if (formula === null || typeof formula === 'string' || !this.#appendEmbedded(formula)) return false;
    this.#isAfterFormula = true;
    if (!source) this.#provisional = this.#cursor.node.lastElementChild;
    return true;
  }

  #appendSubtree(subtree: SubtreeBuilder): void {
    this.#subtree = null;
    const { name } = subtree.root;
    if (name === 'script' && this.#provisional) {
      this.#provisional.remove();
      this.#isAfterFormula = false;
    }
    this.#provisional = null;
    if (this.#noscriptDepth > 0 || (name === 'script' && this.#isAfterFormula)) return;
    const isDisplay = selectClosest(this.#cursor.node, '.katex-display') !== null;
    const embedded = readSubtree(subtree, { isDisplay, isInLink: selectClosest(this.#cursor.node, 'a') !== null });
    if (typeof embedded === 'string') this.#text += embedded;
    else if (!this.#appendEmbedded(embedded)) this.#text += embedded.text;
    if (name !== 'svg' && embedded !== '') this.#isAfterFormula = true;
  }

  /** Returns false if the parts of the article exceed their limit. */
  #appendEmbedded({ markup, element, attributes, text }: Embedded): boolean {
    const marker = this.parts.add(markup);
    if (marker === null) return false;
    const isImage = element === 'img';
    const placeholder = this.#cursor.append(element, { ...attributes, ...marker }, isImage ? '' : text);
    if (isImage) this.#lastImage = placeholder;
    return true;
  }

  /** Appends a player, or a link to the document of another frame. Returns false if the element is no frame. */
  #appendFrame(name: string, attributes: Attributes, base: string): boolean {
    const frame = findFrame(name, attributes, base);
    if (frame === null) return name === 'iframe';
    if (frame.player === null) {
      if (this.#noscriptDepth === 0) this.#appendDocument(frame);
      return true;
    }
    const isRepeated = this.#noscriptDepth > 0 && this.#playerUrls.has(frame.player.frameUrl);
    this.#playerUrls.add(frame.player.frameUrl);
    const marker = isRepeated ? null : this.parts.add(renderPlayer(frame.player, frame.title));
    if (marker) this.#cursor.append('iframe', { ...marker, src: PLAYER_SOURCE });
    return true;
  }

  /** Appends a picture, or a link in a line of its own. */
  #appendDocument({ url, title, isImage }: FramedDocument): void {
    if (isImage) {
      this.#cursor.append('img', { src: url, alt: title });
      return;
    }
    const paragraph = selectClosest(this.#cursor.node, PARAGRAPHS) === null ? this.#cursor.append('p', {}) : null;
    const link = this.#cursor.append('a', { href: url }, title);
    if (link) paragraph?.appendChild(link);
  }

  #flushText(): void {
    if (this.#text === '') return;
    this.#cursor.appendText(this.#text);
    this.#hasHeadingWords ||= WORDS.test(this.#text);
    if (this.#text.trim() !== '') {
      this.#lastImage = null;
      this.#isAfterFormula = false;
      this.#provisional = null;
    }
    this.#text = '';
  }

  /** Returns true if an image in a `noscript` repeats the preceding one, which gets its source if it has none. */
  #mergeRepeatedImage(attributes: Attributes): boolean {
    const preceding = this.#lastImage;
    if (this.#noscriptDepth === 0 || preceding === null) return false;
    this.#lastImage = null;
    // a `data:` URL before a `noscript` is a preview
    const isPreview = preceding.hasAttribute(PART_MARKER);
    if (!isPreview && (preceding.hasAttribute('src') || preceding.hasAttribute('srcset'))) return true;
    preceding.removeAttribute(PART_MARKER);
    for (const [key, value] of Object.entries(attributes)) preceding.setAttribute(key, value);
    return true;
  }
}

function isCopyButton({ id = '', title = '', class: names = '', 'aria-label': label = '' }: Attributes): boolean {
  return /\bcopy\b/i.test(`${id} ${title} ${names} ${label}`);
}

function rendersFormula(attributes: Attributes): boolean {
  return RENDERED_FORMULA.test(attributes.class ?? '');
}
