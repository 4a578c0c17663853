import { findDescendant, type Subtree, textOf } from './subtree.ts';

type Node = Subtree | string;

/** The alphabets of letters, by the class names of KaTeX. */
const VARIANTS = new Map(
  Object.entries({
    mathbb: 'double-struck',
    mathbf: 'bold',
    boldsymbol: 'bold-italic',
    mathcal: 'script',
    mathscr: 'script',
    mathfrak: 'fraktur',
    mathrm: 'normal',
    mathsf: 'sans-serif',
    mathtt: 'monospace',
  }),
);
const OPERATOR = /^(?:mbin|mrel|mopen|mclose|mpunct|mop|minner|delimsizing|accent-body)$/;
/** Boxes that only keep a distance, or draw a line. */
const EMPTY = /^(?:p?strut|vlist-s|nulldelimiter|fontsize-ensurer|baseline-fix|frac-line|hide-tail|arraycolsep)$/;
/** Characters of which large delimiters are built, by the delimiter. */
const PIECES = ['(⎛⎜⎝', ')⎞⎟⎠', '[⎡⎢⎣', ']⎤⎥⎦', '{⎧⎨⎩⎪', '}⎫⎬⎭'];
/** KaTeX draws it through the relation that follows, or a slash through the one before. */
const SLASH = '\ue020';
const SLASH_BACK = '\ue021';
const ZERO_WIDTH = /[\u200b\ufeff]/g;

/** Reads the MathML of a formula that KaTeX has drawn without it, in boxes at distances to the line. */
export function readKatex(root: Subtree): Subtree {
  return create('math', readChildren(root));
}

function create(name: string, children: readonly Node[], attributes: Subtree['attributes'] = {}): Subtree {
  return { name, attributes, children };
}

function rowOf(nodes: readonly Subtree[]): Subtree {
  const [only] = nodes;
  return only && nodes.length === 1 ? only : create('mrow', nodes);
}

function readChildren(parent: Subtree): readonly Subtree[] {
  const parts: Subtree[][] = [];
  for (const child of parent.children) {
    const isScript = typeof child !== 'string' && hasClass(child, 'msupsub');
    if (isScript) parts.push([readScripts(rowOf(parts.pop() ?? []), child)]);
    else parts.push(typeof child === 'string' ? readToken(child, parent) : [...readBox(child)]);
  }
  return joinSlashes(parts.flat());
}

/** Joins the slash of a negated relation with the relation. */
function joinSlashes(nodes: readonly Subtree[]): readonly Subtree[] {
  const joined: Subtree[] = [];
  for (const node of nodes) {
    const before = joined.at(-1);
    const isNext = before !== undefined && textOf(before) === SLASH;
    if (isNext || (before && textOf(node) === SLASH_BACK)) {
      const relation = textOf(isNext ? node : before);
      joined[joined.length - 1] = create('mo', [`${relation}\u0338`.normalize('NFC')]);
    } else joined.push(node);
  }
  return joined;
}

function readBox(box: Subtree): readonly Subtree[] {
  const names = classesOf(box);
  if (
    box.name === 'svg' ||
    /color:\s?transparent/.test(box.attributes.style ?? '') ||
    names.some((name) => EMPTY.test(name))
  )
    return [];
  if (hasClass(box, 'mspace')) return readSpace(box);
  if (hasClass(box, 'text')) return [create('mtext', [textOf(box).replace(ZERO_WIDTH, '')])];
  if (hasClass(box, 'llap') && textOf(box) === '/') return [create('mo', [SLASH_BACK])];
  // a name such as `sin` is in a box for each letter
  if (hasClass(box, 'mop') && /^\p{L}{2,}$/u.test(textOf(box)) && !findBox(box, 'vlist'))
    return [create('mi', [textOf(box)])];
  if (hasClass(box, 'x-arrow')) return [readArrow(box)];
  if (hasClass(box, 'delimsizing')) {
    const text = textOf(box).replace(ZERO_WIDTH, '').trim();
    const whole = PIECES.find((pieces) => pieces.includes(text.charAt(0)))?.charAt(0);
    return text === '' ? [] : [create('mo', [whole ?? text.charAt(0)])];
  }
  if (hasClass(box, 'mfrac')) return readFraction(box);
  if (hasClass(box, 'sqrt')) return [readSquareRoot(box)];
  if (hasClass(box, 'mtable')) return [readTable(box)];
  if (hasClass(box, 'vlist')) return readStack(box);
  return readChildren(box);
}

/** Only spaces that the author has set are wide. */
function readSpace(box: Subtree): readonly Subtree[] {
  const [, width = '0'] = /margin-right:\s?(\d(?:\.\d{1,4})?)em/.exec(box.attributes.style ?? '') ?? [];
  const inner = readChildren(box).filter((node) => textOf(node).trim() !== '');
  return Number(width) < 1 ? inner : [...inner, create('mspace', [], { width: `${width}em` })];
}

function readToken(text: string, parent: Subtree): Subtree[] {
  const shown = text.replace(ZERO_WIDTH, '');
  if (shown.trim() === '') return [];
  if (/^[\d.,]+$/.test(shown) && /\d/.test(shown)) return [create('mn', [shown])];
  const names = classesOf(parent);
  const isWord = /^\p{L}+$/u.test(shown);
  if (!isWord && (names.some((name) => OPERATOR.test(name)) || !/\p{L}/u.test(shown))) return [create('mo', [shown])];
  // browsers slant only single letters
  if (names.some((name) => /^math(?:normal|default|it)$/.test(name)))
    return [...shown].map((one) => create('mi', [one]));
  const variant = names.map((name) => VARIANTS.get(name)).find((name) => name !== undefined);
  return [create(isWord ? 'mi' : 'mtext', [shown], variant ? { mathvariant: variant } : {})];
}

interface Row {
  /** The distance of its line above that of the formula, in em. */
  readonly raised: number;
  readonly box: Subtree;
}

/** Returns what is drawn in a stack of boxes, the lowest first. */
function rowsOf(box: Subtree): readonly Row[] {
  const list = hasClass(box, 'vlist') ? box : findBox(box, 'vlist');
  const rows = elementsOf(list ?? box).flatMap((row) => {
    const top = /(?:^|;)\s?top:\s?(-?\d{1,3}(?:\.\d{1,6})?)em/.exec(row.attributes.style ?? '')?.[1];
    if (top === undefined) return [];
    const strut = elementsOf(row).find((each) => hasClass(each, 'pstrut'))?.attributes.style ?? '';
    const height = /height:\s?(\d{1,3}(?:\.\d{1,6})?)em/.exec(strut)?.[1] ?? (Number(top) < -2 ? '2.8' : '0');
    return [{ raised: -Number(top) - Number(height), box: row }];
  });
  return rows.sort((a, b) => a.raised - b.raised);
}

/** Returns the rows of a stack that have text, as MathML. */
function readRows(box: Subtree): readonly (Row & { readonly shown: Subtree })[] {
  const rows = rowsOf(box).map((row) => ({ ...row, shown: rowOf(readChildren(row.box)) }));
  return rows.filter(({ shown }) => textOf(shown) !== '');
}

function readScripts(base: Subtree, box: Subtree): Subtree {
  const rows = readRows(box);
  const [low, high] = rows;
  if (low && high) return create('msubsup', [base, low.shown, high.shown]);
  return low ? create(low.raised > 0 ? 'msup' : 'msub', [base, low.shown]) : base;
}

function readFraction(box: Subtree): readonly Subtree[] {
  const [below, above] = readRows(box).map(({ shown }) => shown);
  if (!below || !above) return below ? [below] : [];
  const hasLine = rowsOf(box).some((row) => holds(row.box, 'frac-line'));
  return [create('mfrac', [above, below], hasLine ? {} : { linethickness: '0' })];
}

function readSquareRoot(box: Subtree): Subtree {
  const degree = elementsOf(box).find((each) => hasClass(each, 'root'));
  const inner = rowOf(elementsOf(box).flatMap((each) => (each === degree ? [] : readBox(each))));
  return degree ? create('mroot', [inner, rowOf(readChildren(degree))]) : create('msqrt', [inner]);
}

/** Reads an arrow, which is a drawing, with the labels above and below it. */
function readArrow(box: Subtree): Subtree {
  const isLeft = findDescendant(box, ({ attributes }) => attributes.preserveaspectratio?.startsWith('xMin') ?? false);
  const arrow = create('mo', [isLeft ? '←' : '→']);
  const [low, high] = readRows(box);
  if (low && high) return create('munderover', [arrow, low.shown, high.shown]);
  return low ? create('mover', [arrow, low.shown]) : arrow;
}

/** Makes rows of columns. */
function readTable(box: Subtree): Subtree {
  const columns = elementsOf(box).filter((each) => /(?:^|\s)col-align-/.test(each.attributes.class ?? ''));
  const cells = columns.map((column) => [...rowsOf(column)].reverse().map((row) => readChildren(row.box)));
  const count = Math.max(0, ...cells.map((column) => column.length));
  const rows = Array.from({ length: count }, (_, i) =>
    create(
      'mtr',
      cells.map((column) => create('mtd', column[i] ?? [])),
    ),
  );
  return create('mtable', rows);
}

/** Reads a base with something above or below it, such as limits, accents and lines. */
function readStack(list: Subtree): readonly Subtree[] {
  const rows = rowsOf(list).map((row) => ({ ...row, mark: markOf(row.box), shown: rowOf(readChildren(row.box)) }));
  const shown = rows.filter((row) => row.mark !== null || textOf(row.shown) !== '');
  const [base] = shown.filter(({ mark }) => mark === null).sort((a, b) => Math.abs(a.raised) - Math.abs(b.raised));
  if (!base || shown.length > 3) return shown.map((row) => row.shown).reverse();
  const others = shown.filter((row) => row !== base);
  const over = others.find((row) => row.raised > base.raised || (row.mark !== null && row.mark !== '_'));
  const under = others.find((row) => row !== over);
  const parts = [under, over].flatMap((row) => (row ? [row.mark ? create('mo', [row.mark]) : row.shown] : []));
  if (parts.length === 0) return [base.shown];
  return [
    create(
      `m${under ? 'under' : ''}${over ? 'over' : ''}`,
      [base.shown, ...parts],
      over?.mark ? { accent: 'true' } : {},
    ),
  ];
}

/** Returns the accent, or the line, that a row draws; null for other rows. */
function markOf(row: Subtree): string | null {
  if (holds(row, 'overline-line')) return '‾';
  if (holds(row, 'underline-line')) return '_';
  // of all accents, only the arrow of a vector is a drawing
  return holds(row, 'accent-body') ? textOf(row).replace(ZERO_WIDTH, '').trim() || '→' : null;
}

function findBox(box: Subtree, name: string): Subtree | null {
  return findDescendant(box, (each) => hasClass(each, name));
}

function holds(row: Subtree, name: string): boolean {
  return elementsOf(row).some((each) => hasClass(each, name));
}

function elementsOf({ children }: Subtree): readonly Subtree[] {
  return children.filter((child) => typeof child !== 'string');
}

function classesOf({ attributes }: Subtree): readonly string[] {
  return attributes.class?.split(/\s+/) ?? [];
}

function hasClass(box: Subtree, name: string): boolean {
  return classesOf(box).includes(name);
}
