import type { Element, ElementContent, Nodes, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { ID_PREFIX } from '../part/part.ts';

export type Parent = Root | Element;

/** Parses the content of an article. It has at most 120 levels, so that trees can be walked recursively. */
export function parseContent(html: string): Root {
  return fromHtml(html, { fragment: true });
}

export function isElement(node: Nodes | undefined): node is Element {
  return node?.type === 'element';
}

export function element(
  tagName: string,
  children: readonly ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children: [...children] };
}

export function textNode(value: string): ElementContent {
  return { type: 'text', value };
}

/** Returns the elements below a node, in the order of the document. */
export function elementsOf(parent: Parent): readonly Element[] {
  return parent.children.flatMap((child) => (isElement(child) ? [child, ...elementsOf(child)] : []));
}

export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

export function hasClass({ properties }: Element, name: string): boolean {
  return Array.isArray(properties.className) && properties.className.includes(name);
}

/** Returns the id that an element has in its source, or that a link within the article refers to; else null. */
export function anchorOf(reference: unknown): string | null {
  const id = String(reference ?? '').replace(/^#/, '');
  return id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : null;
}

/** Replaces each node by the nodes that the function returns, children first. */
export function rewrite(parent: Parent, replace: (node: ElementContent) => readonly ElementContent[]): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child) => {
    if (isElement(child)) rewrite(child, replace);
    return replace(child);
  });
}
