import { isLabel } from '../clutter/labels.ts';
import { isNamedCaption } from '../clutter/names.ts';
import { compact } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { hasManyChildren, replaceElement, SUBSTANCE, wrap } from './tree.ts';

/** Further pictures of an article stay as they are. */
const MAX_PICTURES = 300;
/** In characters. */
const MAX_CAPTION_LENGTH = 600;
/** Boxes between a picture and the box that it shares with its caption. */
const MAX_LEVELS = 5;
/** Elements that captions do not have. */
const NOT_IN_CAPTIONS =
  'p + p, ul, ol, table, pre, blockquote, h1, h2, h3, h4, figcaption, input, form, video, audio, iframe';
/** The number of a picture at the start of its caption. */
const NUMBERED =
  /^\s*(?:fig(?:ure|\.)?|abb(?:ildung|\.)|bild|foto|photo|image|figura|figure|рис(?:унок|\.)|图|図)\s*\d{1,3}\b/iu;
/** A label before a name, which is no part of a caption, and the counter of a gallery before a sentence. */
const CREDIT_LABEL = /^credit(?:\.{3}|…)$/i;
const COUNTER = /^\d{1,2}\s?\/\s?\d{1,2}$/;
const MAX_PARTS = 30;
const BOX = /^(?:div|section|aside|span|p|li|center|a|header)$/;

/** Turns boxes of one picture and its caption into figures, and gathers captions and credits in the `figcaption`. */
export function gatherCaptions(document: Document): void {
  for (const image of selectAll(document, 'img').slice(0, MAX_PICTURES)) {
    const figure = selectClosest(image, 'figure');
    if (figure) gatherInFigure(figure);
    else wrapWithCaption(image);
  }
}

/** Moves text of a figure that is beside its `figcaption` into it. */
function gatherInFigure(figure: Element): void {
  if (selectAll(figure, 'img').length > 1 || selectFirst(figure, 'table, pre, blockquote, ul, ol, figure, p + p'))
    return;
  const captions = selectAll(figure, 'figcaption');
  for (const caption of captions) separateParts(caption);
  const isOutside = (part: Element) => !captions.some((caption) => caption.contains(part) || part.contains(caption));
  for (const part of textPartsOf(figure).filter(isOutside)) if (isLabel(part.textContent.trim())) part.remove();
  const outside = textPartsOf(figure).filter(isOutside);
  const length = outside.reduce((sum, part) => sum + part.textContent.length, 0);
  if (outside.length === 0 || length > MAX_CAPTION_LENGTH) return;
  moveInto(captions[0] ?? figure.appendChild(figure.ownerDocument.createElement('figcaption')), outside);
}

/** Puts blanks between the sentences of a caption that only their elements separate, and removes labels and counters. */
function separateParts(caption: Element): void {
  for (const part of selectAll(caption, 'span').slice(0, MAX_PARTS)) {
    const text = part.textContent.trim();
    if (CREDIT_LABEL.test(text) || (COUNTER.test(text) && isBeforeSentence(text, caption))) part.remove();
    else if (/[.!?…)”"]$/.test(part.previousSibling?.textContent ?? '') && /^\p{Lu}/u.test(text)) part.before(' ');
  }
}

function isBeforeSentence(start: string, { textContent }: Element): boolean {
  const text = textContent.trim();
  return text.startsWith(start) && !/^\p{Ll}/u.test(text.slice(start.length).trim());
}

/** Removes figures that have lost their picture. A numbered caption may be that of a drawing in the text around it. */
export function removeEmptyFigures(root: Element): void {
  for (const figure of selectAll(root, 'figure')) {
    if (selectFirst(figure, SUBSTANCE) !== null) continue;
    const text = figure.textContent.trim();
    const caption = selectFirst(figure, 'figcaption')?.textContent.trim() ?? '';
    if (text === caption && !NUMBERED.test(text)) figure.remove();
  }
}

function wrapWithCaption(image: Element): void {
  const box = findBox(image) ?? joinNextCaption(image);
  if (box === null) return;
  const parts = textPartsOf(box);
  const alt = compact(image.getAttribute('alt') ?? '');
  const isCaption = (part: Element) =>
    isNamedCaption(part) ||
    NUMBERED.test(part.textContent) ||
    isInNamedCaption(part, box) ||
    (alt !== '' && compact(part.textContent) === alt);
  if (parts.length === 0 || !parts.every(isCaption)) return;
  const figure = box.localName === 'li' ? image.ownerDocument.createElement('figure') : replaceElement(box, 'figure');
  if (box.localName === 'li') {
    figure.append(...box.childNodes);
    box.append(figure);
  }
  moveInto(figure.appendChild(figure.ownerDocument.createElement('figcaption')), parts);
}

/** Puts the box of a picture and the named caption behind it into one box. Returns null without one. */
function joinNextCaption(image: Element): Element | null {
  let box = image;
  while (box.parentElement?.childElementCount === 1 && BOX.test(box.parentElement.localName)) box = box.parentElement;
  const next = box.nextElementSibling;
  if (!next || !isNamedCaption(next) || next.textContent.length > MAX_CAPTION_LENGTH) return null;
  if (selectFirst(next, `img, ${NOT_IN_CAPTIONS}`) !== null) return null;
  const joined = wrap(box, 'div');
  joined.append(next);
  return joined;
}

/** Climbs to the first box of a picture that has text, and no other picture. */
function findBox(image: Element): Element | null {
  let box = image.parentElement;
  for (let level = 0; level < MAX_LEVELS && box && BOX.test(box.localName); level++) {
    const length = box.textContent.trim().length;
    if (length > MAX_CAPTION_LENGTH || selectAll(box, 'img').length > 1) return null;
    if (length > 0) return selectFirst(box, NOT_IN_CAPTIONS) === null ? box : null;
    box = box.parentElement;
  }
  return null;
}

/** Returns the outermost elements with text that have no picture and no caption in them. */
function textPartsOf(box: Element): readonly Element[] {
  const parts: Element[] = [];
  for (const child of [...box.children]) {
    if (!child.textContent.trim() || child.localName === 'noscript') continue;
    if (child.localName === 'img' || selectFirst(child, 'img, figcaption') !== null) parts.push(...textPartsOf(child));
    else parts.push(child);
  }
  return parts;
}

function isInNamedCaption(part: Element, box: Element): boolean {
  for (let parent = part.parentElement; parent && parent !== box; parent = parent.parentElement) {
    if (isNamedCaption(parent) && selectFirst(parent, 'img') === null) return true;
  }
  return !hasManyChildren(part) && [...part.children].length > 0 && [...part.children].every(isNamedCaption);
}

function moveInto(caption: Element, parts: readonly Element[]): void {
  for (const part of parts) {
    const text = caption.textContent.trim();
    // without a sign between them, the credit would be read as a part of the sentence
    const isOpen = /[\p{L}\p{N}]$/u.test(text) && text.replace(NUMBERED, '') !== '';
    if (text !== '') caption.append(isOpen ? caption.ownerDocument.createElement('br') : ' ');
    caption.append(replaceElement(part, 'span'));
  }
}
