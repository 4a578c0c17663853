import { compile, type Options } from 'css-select';
import { findKeys, hasKey } from './selector-keys.ts';

type Test = (element: Element) => boolean;
type Root = Element | Document;
type Maybe<T> = T | null | undefined;

/** `NodeFilter.SHOW_ELEMENT` */
const SHOW_ELEMENT = 1;
/** Some selectors contain an id of the page: beyond this number all are compiled again. */
const MAX_COMPILED = 1_000;
const compiled = new Map<string, Test>();

/**
 * Reads the tree of linkedom. Its own methods compile a selector at each call, and join the names of a class for each test,
 * which takes a fifth of the time of a page.
 */
const OPTIONS: Options<Node, Element> = {
  // the tree changes between two uses of a test
  cacheResults: false,
  adapter: {
    isTag: isElement,
    getName: ({ localName }) => localName,
    getAttributeValue: (element, name) => element.getAttributeNode(name)?.value,
    hasAttrib: (element, name) => element.hasAttribute(name),
    getText: ({ textContent }) => textContent ?? '',
    getParent: ({ parentNode }) => parentNode,
    getChildren: ({ childNodes }) => childNodes as unknown as Node[],
    getSiblings: (node) => (node.parentNode?.childNodes ?? [node]) as Node[],
    prevElementSibling: (node) => (node as Element).previousElementSibling,
    existsOne: (test, nodes) => nodes.some((node) => isElement(node) && (test(node) || findFirst(node, test) !== null)),
    // a compiled test uses none of these
    findAll: () => [],
    findOne: () => null,
    removeSubsets: (nodes) => nodes,
  },
};

/** Returns the elements below a root that match a selector, in the order of the document. */
export function selectAll(root: Maybe<Root>, selector: string): Element[] {
  const found: Element[] = [];
  if (!root) return found;
  const test = compileTest(selector);
  const walker = walk(root);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (test(node as Element)) found.push(node as Element);
  }
  return found;
}

/** Returns the first element below a root that matches a selector. */
export function selectFirst(root: Maybe<Root>, selector: string): Element | null {
  return root ? findFirst(root, compileTest(selector)) : null;
}

/** Returns the element, or the nearest one around it, that matches a selector. */
export function selectClosest(element: Maybe<Element>, selector: string): Element | null {
  const test = compileTest(selector);
  let ancestor = element ?? null;
  while (ancestor !== null && !test(ancestor)) ancestor = ancestor.parentElement;
  return ancestor;
}

export function isMatch(element: Maybe<Element>, selector: string): boolean {
  return Boolean(element && compileTest(selector)(element));
}

function compileTest(selector: string): Test {
  const known = compiled.get(selector);
  if (known) return known;
  if (compiled.size === MAX_COMPILED) compiled.clear();
  const matches: Test = compile(selector, OPTIONS);
  const keys = findKeys(selector);
  // nearly all elements end here, and lists of names are long
  const test: Test = keys === null ? matches : (element) => hasKey(element, keys) && matches(element);
  compiled.set(selector, test);
  return test;
}

function findFirst(root: Root, test: Test): Element | null {
  const walker = walk(root);
  let node = walker.nextNode();
  while (node !== null && !test(node as Element)) node = walker.nextNode();
  return node as Element | null;
}

function walk(root: Root): TreeWalker {
  return (root.ownerDocument ?? (root as Document)).createTreeWalker(root, SHOW_ELEMENT);
}

export function isElement(node: Maybe<Node>): node is Element {
  return node?.nodeType === 1;
}
