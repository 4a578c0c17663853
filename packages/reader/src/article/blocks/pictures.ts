import { isMatch, selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { hasManyChildren, hasOwnText, mark, replaceElement } from './tree.ts';

const CAPTIONED = '.wp-caption, .thumbinner, .image-caption-container';
const CAPTIONS = '.wp-caption-text, .thumbcaption, .image-caption';
const GALLERY_CAPTIONS = ['figcaption', 'br', 'style'];
/** In pixels. Smaller pictures are badges, icons or animations of loading, and stand in a line. */
export const MIN_PICTURE_WIDTH = 150;
/** Further pictures of an article stay as they are. */
const MAX_PICTURES = 300;
/** In characters. */
const MAX_CAPTION_LENGTH = 600;
/** In characters. Shorter ones, such as `image`, describe no picture. */
const MIN_DESCRIPTION_LENGTH = 12;
/** The end of an address that only the size of a picture changes. */
const SIZE = /(?:[-_](?:\d{2,4}x\d{2,4}|large|medium|small|thumb(?:nail)?|scaled)|@\dx)*\.[a-z]{3,4}$/i;
/** The address of a picture that scripts replace by the one beside it. */
const PLACEHOLDER = /(?:^|[/_-])placeholder[^/]{0,40}$/i;
/** The address of an animation that is shown until something is loaded. */
const LOADER = /(?:^|[/_-])(?:ajax-?)?(?:loader|loading|spinner)(?:[-_]\w{1,20})?\.(?:gif|svg)(?:[?#]|$)/i;
/** A part of an address that only the size of a picture changes, such as `/60/` and `/w_1200/`. */
const SIZE_PART = /(?<=\/)(?:[a-z]{1,6}_?)?(\d{2,4})(?:[x*]\d{2,4})?(?=\/)/i;
/** Parameters that only change the size and the quality of a picture. */
const SIZE_PARAMETER =
  /[?&](?:w|h|q|s|width|height|quality|size|dpr|fit|resize|crop|strip|auto|fm|format|ssl)=[^&#]*/gi;
/** Numbers of nearer sizes are years or numbers of pictures. */
const MIN_SIZE_RATIO = 1.5;
const DARK_VARIANT = /#gh-dark-mode-only$/;

function isBesideOther(image: Element): boolean {
  return !image.getAttribute('alt') && Boolean(isMatch(image.nextElementSibling, 'img, picture'));
}

/** A picture with a caption or of the size of a photo shows what its name says. */
function isLoader(image: Element, source: string): boolean {
  if (!LOADER.test(source) || Number(image.getAttribute('width') ?? 0) >= MIN_PICTURE_WIDTH) return false;
  return (selectFirst(selectClosest(image, 'figure'), 'figcaption') ?? null) === null;
}

/** Turns galleries and captioned boxes into figures, which Readability keeps. */
export function convertPictures(document: Document): void {
  for (const image of selectAll(document, 'img')) {
    const source = image.getAttribute('src') ?? '';
    if ((PLACEHOLDER.test(source) && isBesideOther(image)) || isLoader(image, source) || DARK_VARIANT.test(source))
      image.remove();
  }
  for (const image of selectAll(document, 'img:not([src])')) {
    const source = image.hasAttribute('srcset')
      ? image
      : selectFirst(selectClosest(image, 'picture'), 'source[srcset]');
    const [url] = /[^\s,]\S*[^\s,]/.exec(source?.getAttribute('srcset') ?? '') ?? [];
    if (url) image.setAttribute('src', url);
  }
  for (const box of selectAll(document, CAPTIONED)) {
    const caption = selectFirst(box, CAPTIONS);
    if (caption === null || selectFirst(box, 'img') === null || box.localName === 'figure') continue;
    const figure = replaceElement(box, 'figure');
    figure.append(replaceElement(caption, 'figcaption'));
  }
  for (const table of selectAll(document, 'table').slice(0, MAX_PICTURES)) convertCaptionTable(table);
  for (const figure of selectAll(document, 'figure')) {
    if (selectAll(figure, 'p').length > 1 && isText(figure)) replaceElement(figure, 'div');
    else removeCopy(figure);
  }
  for (const container of findGalleries(document)) {
    const name = container.localName === 'ul' ? 'ul' : 'figure';
    const gallery = replaceElement(container, name);
    mark(gallery, 'gallery');
    // Readability removes boxes with more pictures than paragraphs, or with a link in the caption
    for (const figure of selectAll(gallery, 'div > figure')) {
      const box = figure.parentElement;
      if (box && isAlone(figure, box)) box.replaceWith(figure);
    }
    for (
      let box = gallery.parentElement;
      box?.localName === 'div' && isAlone(gallery, box);
      box = gallery.parentElement
    )
      box.replaceWith(gallery);
  }
}

/** Replaces a table of one picture and its caption, one below the other, by a figure. */
function convertCaptionTable(table: Element): void {
  const rows = selectAll(table, 'tr');
  const [image, ...others] = selectAll(table, 'img');
  if (!image || others.length > 0 || rows.length > 3 || rows.some(({ childElementCount }) => childElementCount > 1))
    return;
  const text = table.textContent.trim();
  const caption = rows.at(-1)?.firstElementChild;
  if (!caption || caption.contains(image) || text === '' || text !== caption.textContent.trim()) return;
  if (text.length > MAX_CAPTION_LENGTH || selectFirst(caption, 'table, ul, ol, h2, h3, pre') !== null) return;
  const figure = table.ownerDocument.createElement('figure');
  figure.append(selectClosest(image, 'a') ?? image, replaceElement(caption, 'figcaption'));
  table.replaceWith(figure);
}

/** Detects a figure around paragraphs that are no caption. */
function isText(figure: Element): boolean {
  const paragraphs = selectAll(figure, 'p').filter((paragraph) => selectClosest(paragraph, 'figcaption') === null);
  return paragraphs.filter(({ textContent }) => textContent.trim()).length > 1;
}

/** Removes the smaller or second size of a picture, by its equal description or address. */
function removeCopy(figure: Element): void {
  const images = selectAll(figure, 'img');
  const [first, second] = images;
  if (!first || !second || images.length > 2) return;
  const [alt, otherAlt] = [first, second].map((image) => image.getAttribute('alt') ?? '');
  const isSame = alt === otherAlt && (alt?.length ?? 0) >= MIN_DESCRIPTION_LENGTH;
  const [source = '', other = ''] = [first, second].map((image) => image.getAttribute('src') ?? '');
  const [name, otherName] = [source, other].map((url) =>
    url.replace(SIZE_PARAMETER, '').replace(SIZE_PART, '').replace(SIZE, ''),
  );
  const [size = 0, otherSize = 0] = [source, other].map((url) => Number(SIZE_PART.exec(url)?.[1] ?? 0));
  const isOtherSize = Math.max(size, otherSize) >= MIN_SIZE_RATIO * Math.min(size, otherSize) || size === otherSize;
  if (!isSame && !(name && name === otherName && isOtherSize)) return;
  (size < otherSize ? first : second).remove();
}

function isAlone(child: Element, box: Element): boolean {
  return box.childElementCount === 1 && box.textContent.trim() === child.textContent.trim();
}

/** Climbs from each picture to the outermost element that has nothing else. */
function findGalleries(document: Document): readonly Element[] {
  const containers = new Set<Element>();
  for (const image of selectAll(document, 'img').slice(0, MAX_PICTURES)) {
    let box: Element = image;
    while (box.parentElement && isPictureBox(box.parentElement)) box = box.parentElement;
    if (box.parentElement && /^(?:div|figure|ul|p|section)$/.test(box.parentElement.localName)) {
      containers.add(box.parentElement);
    }
  }
  return [...containers].filter(isGallery);
}

/** Detects an element whose children are pictures, two or more, and their captions. */
function isGallery(container: Element): boolean {
  const children = [...container.children].filter(({ localName }) => !GALLERY_CAPTIONS.includes(localName));
  if (children.length < 2 || !children.every(isPictureBox) || hasOwnText(container)) return false;
  const isInline = container.localName === 'p';
  return children.every((child) => {
    const width =
      selectClosest(child, 'img')?.getAttribute('width') ?? selectFirst(child, 'img')?.getAttribute('width');
    return Number(width ?? (isInline ? 0 : MIN_PICTURE_WIDTH)) >= MIN_PICTURE_WIDTH;
  });
}

/** Detects a picture, alone in its element but for its caption. */
function isPictureBox(element: Element): boolean {
  if (element.localName === 'img') return true;
  if (hasManyChildren(element) || selectAll(element, 'img').length !== 1) return false;
  const caption = selectFirst(element, 'figcaption, .gallerytext, .gallery-caption');
  return element.textContent.trim().length === (caption?.textContent.trim().length ?? 0);
}

/** Names links around pictures without a text, by the caption or else the target, and removes the target of empty links. */
export function nameLinks(root: Element): void {
  for (const link of selectAll(root, 'a[href]')) {
    if (link.textContent.trim() || link.getAttribute('aria-label')?.trim() || link.getAttribute('title')?.trim())
      continue;
    const images = selectAll(link, 'img');
    if (images.some((image) => image.getAttribute('alt')?.trim())) continue;
    if (images.length === 0 && selectFirst(link, 'picture, video, audio, svg, math') === null) {
      link.removeAttribute('href');
      continue;
    }
    const caption = selectFirst(selectClosest(link, 'figure'), 'figcaption')?.textContent.replace(/\s+/g, ' ').trim();
    link.setAttribute('aria-label', caption || targetNameOf(link.getAttribute('href') ?? ''));
  }
}

/** Returns the file name of a picture, or the host of a page: names without a language. */
function targetNameOf(href: string): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const file = /[^/]+\.(?:jpe?g|png|gif|webp|avif|svg)$/i.exec(url.pathname)?.[0];
  return file ?? (url.hostname || href);
}

/** Marks pictures of unknown size that stand alone in their block, so that the page reserves a box for them. */
export function markUnsizedPictures(root: Element): void {
  for (const image of selectAll(root, 'img:not([width])').slice(0, MAX_PICTURES)) {
    if (selectClosest(image, 'td, th, [data-embed="gallery"]')) continue;
    const block = selectClosest(image, 'figure, p, div, li, section, dd, blockquote');
    if (!block || hasManyChildren(block)) continue;
    const caption = selectFirst(block, 'figcaption')?.textContent.trim().length ?? 0;
    const isAlone = selectAll(block, 'img').length === 1 && block.textContent.trim().length === caption;
    if (isAlone) mark(image, 'unsized');
  }
}
