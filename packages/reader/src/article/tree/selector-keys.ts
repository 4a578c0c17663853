import { parse, type Selector } from 'css-what';

/** Names and classes of which an element needs one to match a selector. */
export interface SelectorKeys {
  readonly names: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
}

const TRAVERSALS: ReadonlySet<string> = new Set(['descendant', 'child', 'adjacent', 'sibling']);

/** Finds the keys of a selector; null if elements of any name and class can match. */
export function findKeys(selector: string): SelectorKeys | null {
  const keys = keysOf(parse(selector));
  if (keys === null) return null;
  const classes = keys.filter((key) => key.startsWith('.')).map((key) => key.slice(1));
  return { names: new Set(keys), classes: new Set(classes) };
}

export function hasKey(element: Element, { names, classes }: SelectorKeys): boolean {
  if (names.has(element.localName.toLowerCase())) return true;
  if (classes.size === 0) return false;
  const value = element.getAttributeNode('class')?.value ?? '';
  return value !== '' && value.split(/\s+/).some((name) => classes.has(name));
}

/** Returns a name or a `.class` for each alternative of a selector. */
function keysOf(alternatives: readonly Selector[][]): string[] | null {
  const keys: string[] = [];
  for (const parts of alternatives) {
    const last = parts.slice(parts.findLastIndex(({ type }) => TRAVERSALS.has(type)) + 1);
    const found = last.map(keysOfPart).find((own) => own !== null);
    if (!found) return null;
    keys.push(...found);
  }
  return keys;
}

function keysOfPart(part: Selector): string[] | null {
  if (part.type === 'tag') return [part.name.toLowerCase()];
  if (part.type === 'pseudo' && part.name === 'is' && Array.isArray(part.data)) return keysOf(part.data);
  const isClass = part.type === 'attribute' && part.name === 'class' && part.action === 'element';
  return isClass && part.ignoreCase !== true ? [`.${part.value}`] : null;
}
