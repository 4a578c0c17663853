import { resolveSrcset, resolveWebUrl } from './links.ts';

/** Attributes from which lazy-loading scripts take the source of an image. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src', 'data-url'];
const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];

export const MEDIA_QUERY = /^[\w\s().,:%*+/<>=-]{1,500}$/;

type Attributes = Readonly<Record<string, string>>;

/** Returns the attributes of an `img` with absolute sources, if it has any; null for a tracking pixel. */
export function selectImageAttributes(attributes: Attributes, base: string): Record<string, string> | null {
  const width = dimensionOf(attributes.width);
  const height = dimensionOf(attributes.height);
  if ((width ?? 9) <= 1 || (height ?? 9) <= 1) return null;
  const src =
    findFirst(LAZY_SOURCES, attributes, (value) => resolveWebUrl(value, base)) ??
    resolveWebUrl(attributes.src || null, base);
  const srcset =
    findFirst(LAZY_SRCSETS, attributes, (value) => resolveSrcset(value, base)) ??
    resolveSrcset(attributes.srcset, base);
  const kept: Record<string, string> = { alt: (attributes.alt ?? '').slice(0, 1_000) };
  if (src !== null) kept.src = src;
  if (srcset !== null) kept.srcset = srcset;
  const sizes = attributes.sizes ?? attributes['data-sizes'];
  if (srcset !== null && sizes && MEDIA_QUERY.test(sizes)) kept.sizes = sizes;
  if (width !== null) kept.width = String(width);
  if (height !== null) kept.height = String(height);
  return kept;
}

export function isLazyImage(attributes: Attributes): boolean {
  return [...LAZY_SOURCES, ...LAZY_SRCSETS].some((name) => attributes[name]);
}

export function selectSourceAttributes(attributes: Attributes, base: string): Record<string, string> | null {
  const lazy = findFirst(LAZY_SRCSETS, attributes, (value) => resolveSrcset(value, base));
  const srcset = lazy ?? resolveSrcset(attributes.srcset, base);
  if (srcset === null) return null;
  const kept: Record<string, string> = { srcset };
  for (const name of ['sizes', 'media', 'type']) {
    const value = attributes[name];
    if (value && MEDIA_QUERY.test(value)) kept[name] = value;
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
