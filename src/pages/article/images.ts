import { webSrcset, webUrl } from './links.ts';

/** Where the scripts of pages keep the real source of an image until it comes into view. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src', 'data-url'];
const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];

/** Media queries and sizes: what these are written with. */
export const QUERY = /^[\w\s().,:%*+/<>=-]{1,500}$/;

type Attributes = Readonly<Record<string, string>>;

/**
 * The attributes of an `img` with its real, absolute sources; null for a tracking pixel. Without any source, `src`
 * and `srcset` are both absent.
 */
export function imageAttributes(attributes: Attributes, base: string): Record<string, string> | null {
  const width = dimensionOf(attributes.width);
  const height = dimensionOf(attributes.height);
  if ((width ?? 9) <= 1 || (height ?? 9) <= 1) return null;
  const src = firstOf(LAZY_SOURCES, attributes, (value) => webUrl(value, base)) ?? webUrl(attributes.src || null, base);
  const srcset =
    firstOf(LAZY_SRCSETS, attributes, (value) => webSrcset(value, base)) ?? webSrcset(attributes.srcset, base);
  const kept: Record<string, string> = { alt: (attributes.alt ?? '').slice(0, 1_000) };
  if (src !== null) kept.src = src;
  if (srcset !== null) kept.srcset = srcset;
  const sizes = attributes.sizes ?? attributes['data-sizes'];
  if (srcset !== null && sizes && QUERY.test(sizes)) kept.sizes = sizes;
  if (width !== null) kept.width = String(width);
  if (height !== null) kept.height = String(height);
  return kept;
}

/** Whether an image has its real source where a script takes it from when the image comes into view. */
export function isLazyImage(attributes: Attributes): boolean {
  return [...LAZY_SOURCES, ...LAZY_SRCSETS].some((name) => attributes[name]);
}

/** The attributes of a `source` in a `picture`; null when it has no source. */
export function sourceAttributes(attributes: Attributes, base: string): Record<string, string> | null {
  const lazy = firstOf(LAZY_SRCSETS, attributes, (value) => webSrcset(value, base));
  const srcset = lazy ?? webSrcset(attributes.srcset, base);
  if (srcset === null) return null;
  const kept: Record<string, string> = { srcset };
  for (const name of ['sizes', 'media', 'type']) {
    const value = attributes[name];
    if (value && QUERY.test(value)) kept[name] = value;
  }
  return kept;
}

/** Whether an image has the size of one that can stand for its page. */
export function isBigImage(image: Attributes): boolean {
  return image.src !== undefined && Number(image.width ?? 0) >= 300 && Number(image.height ?? 150) >= 150;
}

function firstOf(names: readonly string[], attributes: Attributes, read: (value: string) => string | null) {
  for (const name of names) {
    const found = attributes[name] ? read(attributes[name]) : null;
    if (found !== null) return found;
  }
  return null;
}

/** A width or height in pixels: a whole number, with or without its unit. */
function dimensionOf(text: string | undefined): number | null {
  const digits = /^\s{0,9}(\d{1,5})(?:\.\d{1,9})?(?:px)?\s{0,9}$/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
