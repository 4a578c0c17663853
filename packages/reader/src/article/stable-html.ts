import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as markup, parseFragment, serialize } from 'parse5';
import { ALLOWED_ELEMENTS, INLINE_ELEMENTS } from './allow-list.ts';
import { MATH_ELEMENTS } from './embedded/formula.ts';

type ChildNode = DefaultTreeAdapterTypes.ChildNode;

const MAX_PASSES = 6;

const ELEMENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  [markup.NS.HTML]: new Set(ALLOWED_ELEMENTS),
  [markup.NS.MATHML]: MATH_ELEMENTS,
};
const FORBIDDEN_ATTRIBUTE = /^on|^style$|^srcdoc$|[:"'<>]/;

/**
 * Returns sanitised HTML in the form in which it is the same after a browser has parsed and serialised it, so that no
 * other parser can understand it differently (mutation XSS), and without lone surrogates, which UTF-8 cannot write. Returns
 * null if there is no such form.
 */
export function stabilise(sanitised: string): string | null {
  // each parse drops one line break at the start of such an element
  let text = sanitised.toWellFormed().replace(/(<pre\b[^<>]*>)\n+/g, '$1');
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const context = defaultTreeAdapter.createElement('div', markup.NS.HTML, []);
    const root = parseFragment(context, text, {});
    removeForbidden(root);
    const next = serialize(root);
    if (next === text) return text;
    text = next;
  }
  return null;
}

/** Holds the allow-list in the tree of a browser. The sanitiser, which uses another parser, has applied it before. */
function removeForbidden(parent: DefaultTreeAdapterTypes.ParentNode): void {
  const kept = parent.childNodes.filter((node) => {
    if (node.nodeName === '#text') return true;
    if (!('tagName' in node) || !ELEMENTS[node.namespaceURI]?.has(node.tagName)) return false;
    // tokens of formulas may contain HTML, in which parsers differ most
    if ('namespaceURI' in parent && parent.namespaceURI === markup.NS.MATHML && node.namespaceURI === markup.NS.HTML)
      return false;
    node.attrs = node.attrs.filter(({ name }) => !FORBIDDEN_ATTRIBUTE.test(name));
    removeForbidden(node);
    return true;
  });
  parent.childNodes = removeBlankParagraphs(kept);
  const [first] = parent.childNodes;
  // a parser drops the first line break
  if (parent.nodeName === 'pre' && first && 'value' in first) first.value = first.value.replace(/^\n+/, '');
}

/** Removes blank paragraphs. Between words, a line break takes their place. */
function removeBlankParagraphs(nodes: readonly ChildNode[]): ChildNode[] {
  const left: ChildNode[] = [];
  let isBroken = false;
  for (const node of nodes) {
    const isBlank = isBlankParagraph(node);
    if (!isBlank) {
      if (isBroken && isWord(left.at(-1)) && isWord(node))
        left.push(defaultTreeAdapter.createElement('br', markup.NS.HTML, []));
      left.push(node);
    }
    isBroken = isBlank;
  }
  return left;
}

function isWord(node: ChildNode | undefined): boolean {
  if (node === undefined) return false;
  return 'value' in node ? node.value.trim() !== '' : INLINE_ELEMENTS.includes(node.nodeName);
}

/** Detects what a parser leaves of a paragraph with blocks, which end it, and paragraphs that only make space. */
function isBlankParagraph(node: ChildNode): boolean {
  return (
    'tagName' in node &&
    node.tagName === 'p' &&
    node.attrs.length === 0 &&
    node.childNodes.every((child) => 'value' in child && child.value.trim() === '')
  );
}
