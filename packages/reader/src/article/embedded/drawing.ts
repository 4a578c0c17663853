import { toLine } from '../plain-text.ts';
import { findRasterImage } from './data-image.ts';
import { escapeMarkup, type Subtree, textOf } from './subtree.ts';

/** An SVG that is shown as an image, in which nothing runs and nothing is loaded. */
export interface Drawing {
  readonly source: string;
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** In characters, percent-encoded. */
const MAX_DRAWING_LENGTH = 100_000;
/** Elements with those that they repeat: few of them can repeat each other without end. */
const MAX_PAINTED_ELEMENTS = 20_000;
const MAX_ICON_SIZE_PX = 32;

const PAINTED = /<(?:path|rect|circle|ellipse|line|polyline|polygon|text)[ >]|<(?:image|use)(?: [^>]*)? href=/;
/** Parts that are drawn only where other elements refer to them. */
const TEMPLATE = /<(defs|symbol|clipPath|mask|marker|pattern)[ >][\s\S]*?<\/\1>/g;
const SAFE_CSS =
  /^(?:(?!@import|@font-face|@namespace|url\(\s{0,9}["']?[^#\s"']|\\|<|expression\(|javascript:)[\s\S])*$/i;

/** The page parser lowers the case of names, but SVG needs it. */
function byLowerCase(names: string): ReadonlyMap<string, string> {
  return new Map(names.split(/\s+/).map((name) => [name.toLowerCase(), name]));
}

/** SVG elements without scripts, animation and links. Of a `foreignObject` only the text is kept. */
const DRAWING_ELEMENTS = byLowerCase(
  `circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feDropShadow feFlood feGaussianBlur feMerge
  feMergeNode feOffset filter foreignObject g image line linearGradient marker mask path pattern polygon polyline
  radialGradient rect stop style svg symbol text textPath title tspan use`,
);

/** SVG attributes without references, which may only name elements of the same drawing, and without event handlers. */
const DRAWING_ATTRIBUTES = byLowerCase(
  `alignment-baseline baseline-shift class clip-path clip-rule clipPathUnits color color-interpolation-filters cx cy d
  direction display dominant-baseline dx dy fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity
  font-family font-size font-style font-variant font-weight fr fx fy gradientTransform gradientUnits height id in in2
  k1 k2 k3 k4 lengthAdjust letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
  maskContentUnits maskUnits mode offset opacity operator orient overflow paint-order pathLength patternContentUnits
  patternTransform patternUnits points preserveAspectRatio primitiveUnits r refX refY result rotate rx ry
  shape-rendering spreadMethod startOffset stdDeviation stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style text-anchor
  text-decoration text-rendering textLength transform type unicode-bidi values vector-effect viewBox visibility width
  word-spacing writing-mode x x1 x2 xml:space y y1 y2`,
);

function nameOfDrawing(svg: Subtree): string {
  const title = svg.children.find((child) => typeof child !== 'string' && child.name === 'title');
  const name = svg.attributes['aria-label'] ?? (title ? textOf(title) : '');
  return toLine(name).slice(0, 1_000);
}

/** Small drawings are decoration in links, and elsewhere without a name. */
export function isIcon(svg: Subtree, isInLink: boolean): boolean {
  const { width, height } = sizeOf(svg);
  const isSmall = Math.max(width ?? height ?? 999, height ?? width ?? 999) <= MAX_ICON_SIZE_PX;
  const isNamedIcon = /\bicon\b/i.test(svg.attributes.class ?? '');
  const isNamed = svg.attributes['aria-label'] !== undefined || svg.attributes.role === 'img';
  return (isSmall || isNamedIcon) && (isInLink || nameOfDrawing(svg) === '' || (isNamedIcon && !isNamed));
}

/** Returns null for drawings that show nothing, or exceed a limit. */
export function renderDrawing(svg: Subtree): Drawing | null {
  const references = new Map<string, Subtree>();
  collectIds(svg, references);
  if (countPainted(svg, { references, costs: new Map() }) > MAX_PAINTED_ELEMENTS) return null;
  const content = svg.children.map((child) => renderNode(child, references)).join('');
  if (!PAINTED.test(content.replace(TEMPLATE, ''))) return null;
  const { width, height } = sizeOf(svg);
  const attributes = renderAttributes({ ...svg.attributes, id: '' }, references);
  const size = `${width === null ? '' : ` width="${width}"`}${height === null ? '' : ` height="${height}"`}`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg"${size}${attributes}>${content}</svg>`;
  const source = `data:image/svg+xml,${encode(text)}`;
  return source.length > MAX_DRAWING_LENGTH ? null : { source, name: nameOfDrawing(svg), width, height };
}

function encode(svg: string): string {
  return encodeURIComponent(svg.toWellFormed()).replace(/%(?:20|3D|3A|2F|2C|3B|40|2B)/g, decodeURIComponent);
}

function collectIds(element: Subtree, into: Map<string, Subtree>): void {
  const { id } = element.attributes;
  if (id && !into.has(id)) into.set(id, element);
  for (const child of element.children) if (typeof child !== 'string') collectIds(child, into);
}

interface Counting {
  readonly references: ReadonlyMap<string, Subtree>;
  /** Infinite while an element is counted: then it repeats itself. */
  readonly costs: Map<Subtree, number>;
}

function countPainted(element: Subtree, counting: Counting): number {
  const known = counting.costs.get(element);
  if (known !== undefined) return known;
  counting.costs.set(element, Number.POSITIVE_INFINITY);
  const targets = Object.values(element.attributes).flatMap((value) =>
    [...value.matchAll(/(?:^|url\(\s{0,9}["']?)#([^"')\s]{1,300})/g)].map(([, id = '']) => counting.references.get(id)),
  );
  const parts = [...element.children.filter((child) => typeof child !== 'string'), ...targets];
  const count = parts.reduce((sum, part) => sum + (part ? countPainted(part, counting) : 0), 1);
  counting.costs.set(element, count);
  return count;
}

function renderNode(node: Subtree | string, references: ReadonlyMap<string, Subtree>): string {
  if (typeof node === 'string') return escapeMarkup(node);
  const name = DRAWING_ELEMENTS.get(node.name);
  if (name === 'foreignObject') return renderForeignText(node);
  if (name === 'style') return renderStyle(textOf(node));
  // a link in an image has no effect
  const shown = node.name === 'a' || node.name === 'switch' ? 'g' : name;
  if (shown === undefined) return '';
  const children = node.name === 'switch' ? selectAlternative(node) : node.children;
  const content = children.map((child) => renderNode(child, references)).join('');
  return `<${shown}${renderAttributes(node.attributes, references, node.name)}>${content}</${shown}>`;
}

/** Prefers SVG to HTML. */
function selectAlternative({ children }: Subtree): readonly Subtree[] {
  const elements = children.filter((child) => typeof child !== 'string');
  return [elements.find(({ name }) => name !== 'foreignobject') ?? elements[0]].filter((child) => child !== undefined);
}

function renderStyle(css: string): string {
  return SAFE_CSS.test(css) && !/url\(/i.test(css) ? `<style>${escapeMarkup(css)}</style>` : '';
}

/** Diagrams have their labels in HTML, which browsers do not show in the same way in an image. */
function renderForeignText(node: Subtree): string {
  const text = toLine(textOf(node));
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map(
    (name) => Number.parseFloat(node.attributes[name] ?? '') || 0,
  );
  if (text === '') return '';
  const position = `x="${x + width / 2}" y="${y + height / 2}"`;
  return `<text ${position} text-anchor="middle" dominant-baseline="central" stroke="none">${escapeMarkup(text)}</text>`;
}

function renderAttributes(
  attributes: Readonly<Record<string, string>>,
  references: ReadonlyMap<string, Subtree>,
  element = 'svg',
): string {
  const rendered = Object.entries(attributes).map(([key, value]) => {
    if (element === 'svg' && (key === 'width' || key === 'height')) return '';
    if (key === 'href' || key === 'xlink:href') return renderReference(element, value, references);
    const name = DRAWING_ATTRIBUTES.get(key);
    return name && value !== '' && SAFE_CSS.test(value) ? ` ${name}="${escapeMarkup(value)}"` : '';
  });
  return rendered.join('');
}

function renderReference(element: string, value: string, references: ReadonlyMap<string, Subtree>): string {
  const reference = value.trim();
  const isLocal = reference.startsWith('#') && references.has(reference.slice(1));
  const image = element === 'image' ? findRasterImage(reference) : null;
  return isLocal || image ? ` href="${escapeMarkup(image ?? reference)}"` : '';
}

/** In pixels, from the attributes, or else from the view box. */
function sizeOf({ attributes }: Subtree): { width: number | null; height: number | null } {
  const [, , boxWidth = null, boxHeight = null] =
    attributes.viewbox
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const width = pixelsOf(attributes.width);
  const height = pixelsOf(attributes.height);
  if (width !== null && height !== null) return { width, height };
  const ratio = boxWidth && boxHeight ? boxWidth / boxHeight : null;
  if (ratio === null || !Number.isFinite(ratio)) return { width, height };
  if (width !== null) return { width, height: roundSize(width / ratio) };
  if (height !== null) return { width: roundSize(height * ratio), height };
  return { width: roundSize(boxWidth ?? 0), height: roundSize(boxHeight ?? 0) };
}

function pixelsOf(text: string | undefined): number | null {
  const [, number, unit] = /^\s{0,9}(\d{1,5}(?:\.\d{1,9})?)(px|pt|em|rem|ex)?\s{0,9}$/.exec(text ?? '') ?? [];
  if (number === undefined) return null;
  return roundSize(Number(number) * ({ em: 16, rem: 16, ex: 8, pt: 4 / 3 }[unit ?? ''] ?? 1));
}

function roundSize(length: number): number | null {
  const rounded = Math.round(length);
  return rounded >= 1 && rounded <= 99_999 ? rounded : null;
}
