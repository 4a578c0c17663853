import { findRasterImage, findSvgMarkup } from './data-image.ts';
import { isIcon, renderDrawing } from './drawing.ts';
import { type Formula, findTexSource, renderFormula } from './formula.ts';
import { readKatex } from './katex.ts';
import { readRenderedFormula } from './mathjax.ts';
import { escapeMarkup, findDescendant, parseSubtree, type Subtree, type SubtreeBuilder, textOf } from './subtree.ts';
import { convertTex } from './tex.ts';

type Attributes = Readonly<Record<string, string>>;

/** Safe HTML, with the element that holds its place while the article is extracted. */
export interface Embedded {
  readonly markup: string;
  readonly element: 'span' | 'img';
  readonly attributes: Attributes;
  /** The text of the place, and of the content if it exceeds a limit. */
  readonly text: string;
}

export type EmbeddedContext = {
  /** The surroundings of a formula show it in a line of its own. */
  readonly isDisplay: boolean;
  readonly isInLink: boolean;
};

const MATH_SCRIPT = /^math\/(?:tex|mml|asciimath)/;

export function isSubtreeRoot(name: string, attributes: Attributes): boolean {
  if (name === 'script') return MATH_SCRIPT.test(attributes.type ?? '');
  if (name === 'span') return attributes.class?.split(' ').includes('katex-html') ?? false;
  return name === 'math' || name === 'svg' || name === 'math-renderer' || name === 'mjx-container';
}

/** Reads a formula or drawing. Returns its text if it cannot be shown. */
export function readSubtree({ root, isTooLarge }: SubtreeBuilder, context: EmbeddedContext): Embedded | string {
  if (root.name === 'svg') return isTooLarge ? '' : readSvg(root, context);
  if (root.name === 'math') {
    const formula = isTooLarge ? null : renderFormula(root, context);
    return formula ? embedFormula(formula) : (findTexSource(root) ?? '');
  }
  if (root.name === 'span') {
    const formula = isTooLarge ? null : renderFormula(readKatex(root), context);
    return formula ? embedFormula(formula) : '';
  }
  if (root.name === 'mjx-container') return isTooLarge ? '' : readMathJax(root);
  const text = textOf(root).trim();
  if (root.name === 'math-renderer') {
    const isDisplay = text.startsWith('$$');
    return readTex(text.replace(/^\$\$?`?|`?\$\$?$/g, ''), { isDisplay, text });
  }
  const type = root.attributes.type ?? '';
  const isDisplay = /mode\s{0,9}=\s{0,9}display/.test(type);
  if (type.startsWith('math/mml')) {
    const math = parseSubtree(text, 'math');
    const formula = math && renderFormula(math, { isDisplay });
    return formula ? embedFormula(formula) : '';
  }
  if (type.startsWith('math/asciimath')) return text;
  return readTex(text, { isDisplay, text: isDisplay ? `\\[${text}\\]` : `\\(${text}\\)` });
}

/** Reads the MathML for screen readers, or else the rendering. */
function readMathJax(container: Subtree): Embedded | string {
  const math = findDescendant(container, ({ name }) => name === 'math') ?? readRenderedFormula(container);
  const formula = renderFormula(math, { isDisplay: container.attributes.display === 'true' });
  return formula ? embedFormula(formula) : '';
}

interface TexContext {
  readonly isDisplay: boolean;
  /** The text that stays if the TeX is not valid. */
  readonly text: string;
}

export function readTex(tex: string, { isDisplay, text }: TexContext): Embedded | string {
  const formula = convertTex(tex, isDisplay);
  return formula ? { ...embedFormula(formula), text } : text;
}

/** Reads the MathML that MathJax 2 keeps in an attribute; null without it. */
export function readMathAttribute({ 'data-mathml': markup = '' }: Attributes): Embedded | null {
  const math = markup === '' ? null : parseSubtree(markup, 'math');
  const formula = math && renderFormula(math);
  return formula && embedFormula(formula);
}

/** Reads the picture of a `data:` URL; null if it is none, or too large. */
export function readDataImage(attributes: Attributes): Embedded | null {
  const url = attributes.src ?? '';
  const alt = (attributes.alt ?? '').slice(0, 1_000);
  const svg = findSvgMarkup(url);
  const root = svg === null ? null : parseSubtree(svg, 'svg');
  if (root) return embedDrawing(root, { ...attributes, alt });
  const source = findRasterImage(url);
  return source === null ? null : embedImage(source, { ...attributes, alt });
}

function readSvg(root: Subtree, { isInLink }: EmbeddedContext): Embedded | string {
  if (isIcon(root, isInLink)) return '';
  return embedDrawing(root, {}) ?? '';
}

function embedFormula({ markup, text }: Formula): Embedded {
  return { markup, element: 'span', attributes: {}, text };
}

function embedDrawing(root: Subtree, attributes: Attributes): Embedded | null {
  const drawing = renderDrawing(root);
  if (drawing === null) return null;
  const { source, name, width, height } = drawing;
  return embedImage(source, {
    width: width === null ? '' : String(width),
    height: height === null ? '' : String(height),
    ...attributes,
    alt: attributes.alt || name,
  });
}

function embedImage(source: string, { alt = '', width = '', height = '' }: Attributes): Embedded {
  const size = Object.entries({ width, height }).filter(([, length]) => /^\d{1,5}$/.test(length));
  const sizes = size.map(([name, length]) => ` ${name}="${length}"`).join('');
  const markup = `<img${sizes} src="${source}" alt="${escapeMarkup(alt)}" decoding="async">`;
  return { markup, element: 'img', attributes: { src: '#', alt }, text: alt };
}
