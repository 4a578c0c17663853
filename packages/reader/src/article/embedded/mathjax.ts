import type { Subtree } from './subtree.ts';

type Child = Subtree | string;

const TOKENS = /^m(?:i|n|o|s|text)$/;
const LAYOUTS = /^m(?:row|frac|sqrt|root|sub|sup|subsup|over|under|underover|table|tr|td|style|padded|phantom|error)$/;
/** The parts of a rendering in the order of MathML: the base of a script, what is below it, and what is above. */
const ORDER = ['base', 'under', 'over'];
/** Elements of CHTML for a character, and for one that grows with what it encloses. */
const DRAWN = /^mjx-(?:c|stretchy-[hv])$/;
/** A character by its code point, in CHTML and in SVG. */
const CHARACTER = /^mjx-c([\dA-F]{1,6})$/;
const SLANTED = /[\u{1d434}-\u{1d467}\u{1d6e2}-\u{1d71b}\u{210e}]/gu;
const MAX_CODE_POINT = 0x10ffff;

/** Reads the MathML of a formula that MathJax 3 has rendered without it, in elements of its own or as SVG. */
export function readRenderedFormula(container: Subtree): Subtree {
  return { name: 'math', attributes: {}, children: readChildren(container) };
}

function readChildren({ children }: Subtree): readonly Child[] {
  return children.flatMap((child) => (typeof child === 'string' ? [] : readNode(child)));
}

function readNode(node: Subtree): readonly Child[] {
  const character = characterOf(node);
  if (character !== null) return [character];
  const name = node.attributes['data-mml-node'] ?? node.name.replace(/^mjx-/, '');
  const create = (shown: string, parts: readonly Child[]): Subtree => ({
    name: shown,
    attributes: {},
    children: parts,
  });
  if (/^m(?:over|under|underover)$/.test(name) && node.attributes['data-mml-node'] === undefined)
    return readScripts(node, create);
  if (name === 'msqrt' || name === 'mroot') return [create(name, readRoot(node))];
  // browsers draw the sign of a root by themselves
  if (name === 'surd') return [];
  const children = readChildren(node);
  if (TOKENS.test(name))
    return [create(name, [plainLetters(children.filter((child) => typeof child === 'string').join(''))])];
  if (/^texatom$/i.test(name) || name === 'math') return [create('mrow', children)];
  if (!LAYOUTS.test(name)) return children;
  // both renderers put the upper script first
  if (name === 'msubsup') return [create(name, [...children.slice(0, 1), ...children.slice(1).reverse()])];
  return [create(name, children)];
}

/** Browsers slant the letters of a formula by themselves. */
function plainLetters(text: string): string {
  return text.replace(SLANTED, (letter) => letter.normalize('NFKC'));
}

/** Reads what is below the sign of a root, and the degree of `mroot`. */
function readRoot(node: Subtree): readonly Child[] {
  if (node.attributes['data-mml-node'] !== undefined) {
    // SVG puts the sign last
    const sign = node.children.findLast((child) => typeof child !== 'string' && child.name === 'g');
    return readChildren({ ...node, children: node.children.filter((child) => child !== sign) });
  }
  const children = readChildren(node);
  // CHTML puts the degree first
  return node.name === 'mjx-mroot' ? [...children].reverse() : children;
}

/** Puts the parts of a base with something above or below it in order. */
function readScripts(node: Subtree, create: (name: string, parts: readonly Child[]) => Subtree): readonly Child[] {
  const parts = new Map(ORDER.map((name) => [name, partOf(node, `mjx-${name}`)]));
  const [base, under, over] = ORDER.map((name) => {
    const part = parts.get(name);
    return part ? create('mrow', readChildren(part)) : null;
  });
  if (!base) return readChildren(node);
  if (under && over) return [create('munderover', [base, under, over])];
  if (under) return [create('munder', [base, under])];
  return over ? [create('mover', [base, over])] : [base];
}

/** Finds a part that is not in another one. */
function partOf(node: Subtree, name: string): Subtree | null {
  for (const child of node.children) {
    if (typeof child === 'string') continue;
    if (child.name === name) return child;
    const found = ORDER.includes(child.name.slice('mjx-'.length)) ? null : partOf(child, name);
    if (found) return found;
  }
  return null;
}

function characterOf({ name, attributes }: Subtree): string | null {
  const named = DRAWN.test(name) ? (attributes.class ?? '').split(' ').map((one) => CHARACTER.exec(one)?.[1]) : [];
  const code = attributes['data-c'] ?? named.find((one) => one !== undefined) ?? '';
  const point = /^[\dA-F]{1,6}$/.test(code) ? Number.parseInt(code, 16) : 0;
  return point > 0 && point <= MAX_CODE_POINT ? String.fromCodePoint(point) : null;
}
