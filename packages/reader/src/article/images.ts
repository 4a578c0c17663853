import { resolveSrcset, resolveWebUrl } from './links.ts';

/** Attributes from which lazy-loading scripts take the source of an image. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src', 'data-url'];
const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];

/** In pixels. Smaller images count views, or are lines between parts of a page. */
const MIN_SIZE = 3;
/** In pixels: the width of an image of which only the ratio is known. */
const RATIO_WIDTH = 1_200;

export const MEDIA_QUERY = /^[\w\s().,:%*+/<>=-]{1,500}$/;

/** Names of small pictures beside a message. */
const CONTROL_NAME = /(?:gr)?avatar|inlineimg/i;

/** The id of an image until Readability has run: it would remove images that are named as `banner`. */
export const IMAGE_ID = 'data-embed-id';

/** A width in the style of an image as a share of its box. */
const FLUID_WIDTH = /(?:^|;)\s*(?:min-|max-)?width\s*:\s*(?:[1-9]\d{0,2}(?:\.\d{1,4})?(?:%|vw)|calc\(|min\()/i;

type Attributes = Readonly<Record<string, string>>;

/** Returns the attributes of an `img` with absolute sources, if it has any; null for a tracking pixel or a line. */
export function selectImageAttributes(declared: Attributes, base: string): Record<string, string> | null {
  const attributes = withoutZeros(declared);
  const isPixel = (length: string | undefined) => (dimensionOf(length) ?? MIN_SIZE) < MIN_SIZE;
  if (isPixel(attributes.width) || isPixel(attributes.height ?? attributes['data-height'])) return null;
  const loaded = resolveWebUrl(attributes.src || null, base);
  const src =
    findFirst(LAZY_SOURCES, attributes, (value) => resolveWebUrl(value, base)) ??
    loaded ??
    findPictureUrl(attributes, base);
  const srcset =
    findFirst(LAZY_SRCSETS, attributes, (value) => resolveSrcset(value, base)) ??
    resolveSrcset(attributes.srcset, base);
  const kept: Record<string, string> = { alt: (attributes.alt ?? attributes['data-alt'] ?? '').slice(0, 1_000) };
  if (src !== null) kept.src = src;
  if (srcset !== null) kept.srcset = srcset;
  const sizes = attributes.sizes ?? attributes['data-sizes'];
  if (srcset !== null && sizes && MEDIA_QUERY.test(sizes)) kept.sizes = sizes;
  const { width, height } = sizeOf(attributes, src, srcset);
  if (width !== null) kept.width = String(width);
  if (height !== null) kept.height = String(height);
  if (attributes.id) kept[IMAGE_ID] = attributes.id.slice(0, 300);
  const name = CONTROL_NAME.exec(attributes.class ?? '')?.[0];
  if (name) kept.class = name;
  return kept;
}

/** Leaves out a width and a height of 0 if `sizes` or the style says how wide the image is, as Next.js writes them. */
function withoutZeros(attributes: Attributes): Attributes {
  const { width = '', height = '', sizes = '', style = '' } = attributes;
  if (sizes.trim() === '' && !FLUID_WIDTH.test(style.slice(0, 1_000))) return attributes;
  const sizeOf = (length: string) => (dimensionOf(length) === 0 ? '' : length);
  return { ...attributes, width: sizeOf(width), height: sizeOf(height) };
}

/** Finds the address of a picture in any attribute for scripts. */
function findPictureUrl(attributes: Attributes, base: string): string | null {
  const value = Object.entries(attributes).find(
    ([name, text]) =>
      name.startsWith('data-') && /^(?:https?:)?\/[^\s"{}]{1,1000}\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(text),
  )?.[1];
  return resolveWebUrl(value ?? null, base);
}

export function isLazyImage(attributes: Attributes): boolean {
  return [...LAZY_SOURCES, ...LAZY_SRCSETS].some((name) => attributes[name]);
}

export function selectSourceAttributes(attributes: Attributes, base: string): Record<string, string> | null {
  const lazy = findFirst(LAZY_SRCSETS, attributes, (value) => resolveSrcset(value, base));
  const srcset = lazy ?? resolveSrcset(attributes.srcset, base);
  if (srcset === null) return null;
  const scheme = /prefers-color-scheme\s*:\s*(dark|light)/i.exec(attributes.media ?? '')?.[1]?.toLowerCase();
  // the reader's colour scheme may not be that of the embed, where drawings have a light ground in both modes
  if (scheme === 'dark') return null;
  const kept: Record<string, string> = { srcset };
  for (const name of ['sizes', 'media', 'type']) {
    const value = attributes[name];
    if (value && MEDIA_QUERY.test(value) && !(name === 'media' && scheme)) kept[name] = value;
  }
  return kept;
}

export function isLargeImage(image: Attributes): boolean {
  return image.src !== undefined && Number(image.width ?? 0) >= 300 && Number(image.height ?? 150) >= 150;
}

function findFirst(names: readonly string[], attributes: Attributes, read: (value: string) => string | null) {
  for (const name of names) {
    const found = attributes[name] ? read(attributes[name]) : null;
    if (found !== null) return found;
  }
  return null;
}

function dimensionOf(text: string | undefined): number | null {
  const digits = /^\s{0,9}(\d{1,5})(?:\.\d{1,9})?(?:px)?\s{0,9}$/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

interface ImageSize {
  readonly width: number | null;
  readonly height: number | null;
}

/** Returns the size of an image in pixels, or at least its ratio, so that its box is reserved before it is loaded. */
function sizeOf(attributes: Attributes, src: string | null, srcset: string | null): ImageSize {
  const [width, height] = [dimensionOf(attributes.width), dimensionOf(attributes.height)];
  if (width !== null && height !== null) return { width, height };
  const style = attributes.style?.slice(0, 1_000) ?? '';
  const [styleWidth, styleHeight] = [lengthIn(style, 'width'), lengthIn(style, 'height')];
  const natural =
    pairOf(styleWidth, styleHeight) ??
    pairOf(attributes['data-width'], attributes['data-height']) ??
    pairIn(attributes['data-orig-size'] ?? attributes['data-image-dimensions'], /^(\d{2,5})[,x](\d{2,5})$/) ??
    pairInUrl(src) ??
    pairInUrl(srcset?.split(' ')[0] ?? null) ??
    pairOf(...ratioIn(style));
  if (natural === null) return { width: width ?? styleWidth, height };
  if (width === null) return natural;
  return { width, height: Math.round((width * natural.height) / natural.width) };
}

/** Reads the size in names such as `loaf-1024x683.jpg` (WordPress) and in parameters of image servers. */
function pairInUrl(url: string | null): { width: number; height: number } | null {
  const { pathname = '', searchParams } = URL.parse(url ?? '') ?? {};
  const read = (name: string) => searchParams?.get(name) ?? undefined;
  return (
    pairIn(pathname, /[-_](\d{2,4})x(\d{2,4})\.\w{3,4}$/) ??
    pairOf(read('w') ?? read('width'), read('h') ?? read('height')) ??
    pairIn(read('resize') ?? read('fit'), /^(\d{2,4}),(\d{2,4})$/) ??
    pairIn(pathname, /\/(?:\w+_[\w:.]+,)*w_(\d{2,4}),h_(\d{2,4})[,/]/)
  );
}

function ratioIn(style: string): readonly [number?, number?] {
  const match = /(?:^|[;\s])aspect-ratio\s*:\s*(\d{1,5})\s*(?:\/\s*(\d{1,5}))?/i.exec(style);
  const [width, height] = [Number(match?.[1]), Number(match?.[2] ?? 1)];
  return match ? [RATIO_WIDTH, Math.round((RATIO_WIDTH * height) / width)] : [];
}

function lengthIn(style: string, property: string): number | null {
  return dimensionOf(new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([\\d.]{1,9}px)`, 'i').exec(style)?.[1]);
}

function pairIn(text: string | undefined, pattern: RegExp): { width: number; height: number } | null {
  const match = pattern.exec(text ?? '');
  return match && pairOf(match[1], match[2]);
}

function pairOf(width?: string | number | null, height?: string | number | null) {
  const [w, h] = [dimensionOf(String(width ?? '')), dimensionOf(String(height ?? ''))];
  return w && h ? { width: w, height: h } : null;
}
