import { toLine } from '../plain-text.ts';
import { toMathAlphabet } from './math-alphabet.ts';
import { escapeMarkup, findDescendant, type Subtree, textOf } from './subtree.ts';

/** A formula as MathML Core, and its characters for a reading without layout. */
export interface Formula {
  readonly markup: string;
  readonly text: string;
}

const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
const LAYOUTS = new Set(
  `merror mfrac mmultiscripts mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable
  mtd mtr munder munderover`.split(/\s+/),
);
/** The elements of formulas in articles. */
export const MATH_ELEMENTS: ReadonlySet<string> = new Set(['math', ...TOKENS, ...LAYOUTS]);

const DROPPED = new Set('annotation annotation-xml maligngroup malignmark mglyph script style'.split(' '));

const LENGTH = /^[+-]?(?:\d{1,2}(?:\.\d{0,6})?|\.\d{1,6})(?:em|ex|rem|ch)$|^[+-]?\d{1,3}(?:\.\d{0,6})?(?:px|pt|%)?$/;
const BOOLEAN = /^(?:true|false)$/;
const SPAN = /^\d{1,3}$/;
const COLOUR = /^(?:#[\da-f]{3,8}|(?!black$)[a-z]{3,20})$/i;
const WORD = /^[a-z]{1,12}$/;

/** Attributes of MathML Core, and the values that each may have. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl)$/,
  display: /^(?:block|inline)$/,
  displaystyle: BOOLEAN,
  scriptlevel: /^[+-]?\d$/,
  mathcolor: COLOUR,
  mathbackground: COLOUR,
  mathsize: LENGTH,
  form: WORD,
  fence: BOOLEAN,
  separator: BOOLEAN,
  stretchy: BOOLEAN,
  symmetric: BOOLEAN,
  largeop: BOOLEAN,
  movablelimits: BOOLEAN,
  accent: BOOLEAN,
  accentunder: BOOLEAN,
  lspace: LENGTH,
  rspace: LENGTH,
  minsize: LENGTH,
  maxsize: LENGTH,
  width: LENGTH,
  height: LENGTH,
  depth: LENGTH,
  voffset: LENGTH,
  linethickness: LENGTH,
  columnspan: SPAN,
  rowspan: SPAN,
};

/** MathML Core leaves the alignment of cells to style sheets. */
const CELL_CLASSES = ['embed-left', 'embed-right'];

/** In characters. A longer source is dropped. */
const MAX_SOURCE_LENGTH = 2_000;

/** Lengths by name (MathML 3 section 2.1.5.2), in eighteenths of an em. */
const SPACES = ['veryverythin', 'verythin', 'thin', 'medium', 'thick', 'verythick', 'veryverythick'];

interface FormulaOptions {
  readonly isDisplay?: boolean;
  /** The source of the formula, if the element does not contain it. */
  readonly tex?: string | null;
}

/** Renders a `math` element as MathML Core without references and foreign content; null without anything to show. */
export function renderFormula(
  math: Subtree,
  { isDisplay = false, tex = findTexSource(math) }: FormulaOptions = {},
): Formula | null {
  const text = toLine(textOfFormula(math));
  if (text === '') return null;
  const display = isDisplay || math.attributes.mode === 'display' ? { display: 'block' } : {};
  const attributes = renderAttributes({ ...math.attributes, ...display }) + renderSource(tex ?? '');
  return { markup: `<math${attributes}>${renderChildren(math)}</math>`, text };
}

/** Renders the source of a formula, which Markdown shows and browsers do not, without signs of markup. */
function renderSource(tex: string): string {
  if (tex === '' || tex.length > MAX_SOURCE_LENGTH) return '';
  return ` alttext="${escapeMarkup(tex.replaceAll('<', '\\lt ').replaceAll('>', '\\gt '))}"`;
}

/** Returns the TeX source that most generators of MathML add to a formula. */
export function findTexSource(math: Subtree): string | null {
  const annotation = findDescendant(
    math,
    ({ name, attributes }) => name === 'annotation' && /tex/i.test(attributes.encoding ?? ''),
  );
  return annotation ? textOf(annotation).trim() || null : (math.attributes.alttext ?? null);
}

function textOfFormula(node: Subtree | string): string {
  if (typeof node === 'string') return node;
  return DROPPED.has(node.name) ? '' : visibleChildrenOf(node).map(textOfFormula).join('');
}

/** Of alternatives, only the presentation or the selected one is visible. */
function visibleChildrenOf({ name, attributes, children }: Subtree): readonly (Subtree | string)[] {
  if (name !== 'semantics' && name !== 'maction') return children;
  const elements = children.filter((child) => typeof child !== 'string');
  const selected = name === 'maction' ? Math.trunc(Number(attributes.selection ?? 1)) - 1 : 0;
  return elements.slice(selected, selected + 1);
}

function renderNode(node: Subtree | string): string {
  if (typeof node === 'string') return node.trim() === '' ? '' : `<mtext>${escapeMarkup(node)}</mtext>`;
  const { name, attributes } = node;
  if (DROPPED.has(name)) return '';
  if (TOKENS.has(name)) return renderToken(node);
  if (name === 'mfenced') return renderFences(node);
  if (name === 'mtable') return renderTable(node);
  if (name === 'mtr' || name === 'mlabeledtr') return renderRow(node, []);
  const shown = LAYOUTS.has(name) ? name : 'mrow';
  return `<${shown}${renderAttributes(attributes)}>${renderChildren(node)}</${shown}>`;
}

function renderChildren(element: Subtree): string {
  return visibleChildrenOf(element).map(renderNode).join('');
}

function renderToken({ name, attributes, children }: Subtree): string {
  const text = children.map(textOf).join('').replace(/\s+/g, ' ');
  const variant = attributes.mathvariant ?? '';
  const isUpright = name === 'mi' && variant === 'normal';
  const shown = escapeMarkup(toMathAlphabet(text, variant));
  return `<${name}${renderAttributes(attributes)}${isUpright ? ' mathvariant="normal"' : ''}>${shown}</${name}>`;
}

/** Renders the obsolete `mfenced` as operators. */
function renderFences(element: Subtree): string {
  const { open = '(', close = ')', separators = ',' } = element.attributes;
  const marks = [...separators.replace(/\s+/g, '')];
  const items = element.children.map(renderNode).filter((item) => item !== '');
  const separated = items.map((item, i) => (i === 0 ? item : renderOperator(marks[i - 1] ?? marks.at(-1)) + item));
  return `<mrow>${renderOperator(open.slice(0, 9))}${separated.join('')}${renderOperator(close.slice(0, 9))}</mrow>`;
}

function renderOperator(text: string | undefined): string {
  return text ? `<mo>${escapeMarkup(text)}</mo>` : '';
}

function renderTable({ attributes, children }: Subtree): string {
  const alignments = wordsOf(attributes.columnalign);
  const rows = children.map((child) =>
    typeof child !== 'string' && /^m(?:labeled)?tr$/.test(child.name)
      ? renderRow(child, alignments)
      : renderNode(child),
  );
  return `<mtable${renderAttributes(attributes)}>${rows.join('')}</mtable>`;
}

/** The number of an equation, the first cell of an `mlabeledtr`, moves to the end. */
function renderRow({ name, attributes, children }: Subtree, alignmentsOfTable: readonly string[]): string {
  const cells = children.filter((child) => typeof child !== 'string');
  const label = name === 'mlabeledtr' ? cells.splice(0, 1) : [];
  const alignments = attributes.columnalign ? wordsOf(attributes.columnalign) : alignmentsOfTable;
  const rendered = [...cells, ...label].map((cell, i) => renderCell(cell, alignments[i] ?? alignments.at(-1)));
  return `<mtr${renderAttributes(attributes)}>${rendered.join('')}</mtr>`;
}

function renderCell(cell: Subtree, alignmentOfColumn: string | undefined): string {
  if (cell.name !== 'mtd') return `<mtd>${renderNode(cell)}</mtd>`;
  const { attributes } = cell;
  const alignment = attributes.columnalign ?? /tml-(left|right)/.exec(attributes.class ?? '')?.[1] ?? alignmentOfColumn;
  const className = CELL_CLASSES.find((word) => word === `embed-${alignment}`);
  return `<mtd${renderAttributes(attributes)}${className ? ` class="${className}"` : ''}>${renderChildren(cell)}</mtd>`;
}

function wordsOf(list: string | undefined): readonly string[] {
  return list?.trim().split(/\s+/, 100) ?? [];
}

function renderAttributes(attributes: Readonly<Record<string, string>>): string {
  const rendered = Object.entries(ATTRIBUTES).map(([name, pattern]) => {
    const value = convertSpace(attributes[name]?.trim() ?? '');
    return pattern.test(value) ? ` ${name}="${value}"` : '';
  });
  return rendered.join('');
}

function convertSpace(value: string): string {
  const [, sign = '', name = ''] = /^(negative)?([a-z]+)mathspace$/.exec(value) ?? [];
  const index = SPACES.indexOf(name);
  return index < 0 ? value : `${sign && '-'}${((index + 1) / 18).toFixed(4)}em`;
}
