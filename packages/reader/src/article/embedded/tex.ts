import temml from 'temml';
import { type Formula, renderFormula } from './formula.ts';
import { parseSubtree } from './subtree.ts';

/** In characters. Longer formulas stay TeX. */
const MAX_TEX_LENGTH = 5_000;
const MAX_EXPANSIONS = 500;
/** In ems. */
const MAX_SIZE = 50;

/** A formula in a text, from `start` to `end`. */
export interface TexMatch {
  readonly start: number;
  readonly end: number;
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Converts TeX to a formula; null if the TeX is not valid or too long. */
export function convertTex(tex: string, isDisplay: boolean): Formula | null {
  const source = tex.replace(/\\require\s{0,9}\{[^}]{0,99}\}|\\label\s{0,9}\{[^}]{0,99}\}/g, '').trim();
  if (source === '' || source.length > MAX_TEX_LENGTH) return null;
  try {
    const markup = temml.renderToString(source, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      maxSize: [MAX_SIZE, MAX_SIZE],
    });
    const math = parseSubtree(markup, 'math');
    return math && renderFormula(math, { isDisplay, tex: source });
  } catch {
    return null;
  }
}

interface Delimiter {
  readonly open: string;
  readonly close: string;
  readonly isDisplay: boolean;
}

const DELIMITERS: readonly Delimiter[] = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '\\(', close: '\\)', isDisplay: false },
];
const DOLLAR: Delimiter = { open: '$', close: '$', isDisplay: false };
const ENVIRONMENT = /\\begin\{((?:equation|align|alignat|gather|multline|eqnarray)\*?)\}/g;

/** Finds the formulas between delimiters; `$…$` only if the page declares it. */
export function findTex(text: string, { hasDollars = false } = {}): readonly TexMatch[] {
  const found: TexMatch[] = [];
  const missing = new Set<string>();
  const findEnd = (close: string, from: number): number => {
    const at = missing.has(close) ? -1 : text.indexOf(close, from);
    if (at < 0) missing.add(close);
    return at;
  };
  const openings = hasDollars ? /\$\$?|\\[[(]|\\begin\{/g : /\$\$|\\[[(]|\\begin\{/g;
  for (let opening = openings.exec(text); opening; opening = openings.exec(text)) {
    const start = opening.index;
    const match = matchEnvironment(text, start, findEnd) ?? matchDelimiters(text, start, findEnd);
    if (!match || match.tex.trim() === '') continue;
    found.push(match);
    openings.lastIndex = match.end;
  }
  return found;
}

type FindEnd = (close: string, from: number) => number;

function matchDelimiters(text: string, start: number, findEnd: FindEnd): TexMatch | null {
  const delimiter = [...DELIMITERS, DOLLAR].find(({ open }) => text.startsWith(open, start));
  if (!delimiter || text[start - 1] === '\\') return null;
  const { open, close, isDisplay } = delimiter;
  const from = start + open.length;
  const end = findEnd(close, from);
  if (end < 0) return null;
  const tex = text.slice(from, end);
  // "$5 or $6" is money
  if (delimiter === DOLLAR && (/^\s|[\s\\]$|\n/.test(tex) || /\d/.test(text[end + 1] ?? ''))) return null;
  return { start, end: end + close.length, tex, isDisplay };
}

function matchEnvironment(text: string, start: number, findEnd: FindEnd): TexMatch | null {
  ENVIRONMENT.lastIndex = start;
  const found = ENVIRONMENT.exec(text.slice(0, start + 30));
  if (found?.index !== start) return null;
  const close = `\\end{${found[1]}}`;
  const end = findEnd(close, start);
  return end < 0
    ? null
    : { start, end: end + close.length, tex: text.slice(start, end + close.length), isDisplay: true };
}
