import { compile, type Options } from 'css-select';
import { findKeys, hasKey } from './selector-keys.ts';

type Test = (element: Element) => boolean;
type Root = Element | Document;
type Maybe<T> = T | null | undefined;

const compiled = new Map<string, Test>();
/** A test of `:has` keeps the last element that it looked at, so it ends with its document. */
const compiledFor = new WeakMap<Document, Map<string, Test>>();

/**
 * Reads the tree of linkedom. Its own methods compile a selector at each call, and join the names of a class for each test,
 * which takes a fifth of the time of a page.
 */
const OPTIONS: Options<Node, Element> = {
  // the tree changes between two uses of a test
  cacheResults: false,
  adapter: {
    isTag: isElement,
    // `createElement` of linkedom keeps capital letters, which Readability uses
    getName: ({ localName }) => localName.toLowerCase(),
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
  const test = compileTest(root, selector);
  for (let element = elementAfter(root, root); element !== null; element = elementAfter(element, root)) {
    if (test(element)) found.push(element);
  }
  return found;
}

/** Returns the first element below a root that matches a selector. */
export function selectFirst(root: Maybe<Root>, selector: string): Element | null {
  return root ? findFirst(root, compileTest(root, selector)) : null;
}

/** Returns the element, or the nearest one around it, that matches a selector. */
export function selectClosest(element: Maybe<Element>, selector: string): Element | null {
  if (!element) return null;
  const test = compileTest(element, selector);
  let ancestor: Element | null = element;
  while (ancestor !== null && !test(ancestor)) ancestor = ancestor.parentElement;
  return ancestor;
}

export function isMatch(element: Maybe<Element>, selector: string): boolean {
  return Boolean(element && compileTest(element, selector)(element));
}

function compileTest(root: Root, selector: string): Test {
  const tests = selector.includes(':has(') ? testsOf(root.ownerDocument ?? (root as Document)) : compiled;
  const known = tests.get(selector);
  if (known) return known;
  const matches: Test = compile(selector, OPTIONS);
  const keys = findKeys(selector);
  // nearly all elements end here, and lists of names are long
  const test: Test = keys === null ? matches : (element) => hasKey(element, keys) && matches(element);
  tests.set(selector, test);
  return test;
}

function testsOf(document: Document): Map<string, Test> {
  const known = compiledFor.get(document);
  if (known) return known;
  const tests = new Map<string, Test>();
  compiledFor.set(document, tests);
  return tests;
}

function findFirst(root: Root, test: Test): Element | null {
  let element = elementAfter(root, root);
  while (element !== null && !test(element)) element = elementAfter(element, root);
  return element;
}

/** Returns the next element below a root. A `TreeWalker` of linkedom lists them all first, and those in templates too. */
function elementAfter(node: Root, root: Root): Element | null {
  const isClosed = node !== root && (node as Element).localName === 'template';
  let next = isClosed ? null : node.firstElementChild;
  for (let box: Root | null = node; next === null && box !== null && box !== root; box = box.parentElement)
    next = (box as Element).nextElementSibling;
  return next;
}

export function isElement(node: Maybe<Node>): node is Element {
  return node?.nodeType === 1;
}
