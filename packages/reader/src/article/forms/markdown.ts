import type { Element, ElementContent, Root } from 'hast';
import { type Handle, type State, toMdast } from 'hast-util-to-mdast';
import type { Nodes, PhrasingContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import { toMarkdown } from 'mdast-util-to-markdown';
import { HEADING } from '../blocks/tree.ts';
import { moveEnds } from './emphasis.ts';
import { prepareNotes } from './notes.ts';
import { texOf } from './text.ts';
import { anchorOf, element, hasClass, isElement, rewrite, textNode, textOf } from './tree.ts';

/** Kinds of call-outs with a sign of their own in the Markdown of GitHub and Obsidian. */
const CALLOUT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'];
const BLOCKS =
  'p div ul ol li dl dt dd blockquote aside figure figcaption details summary section table caption tr pre'.split(' ');
/** Elements that contain text and no blocks. */
const PHRASING =
  'p a abbr b bdi bdo cite code del em figcaption i ins kbd mark q s small span strong sub summary sup u'.split(' ');

/** A phrasing node of mdast whose value is Markdown as it is: tags, and signs that must not be escaped. */
const raw = (value: string) => ({ type: 'mdxTextExpression', value }) as unknown as PhrasingContent;

const HANDLERS: Readonly<Record<string, Handle>> = {
  math: (_state, node) => ({ type: 'inlineMath', value: texOf(node) }),
  'display-math': (_state, node) => ({ type: 'math', value: texOf(node) }),
  'note-reference': (_state, { properties }) => ({ type: 'footnoteReference', identifier: String(properties.name) }),
  'note-definition': (state, node) => ({
    type: 'footnoteDefinition',
    identifier: String(node.properties.name),
    children: state.toFlow(state.all(node)) as never,
  }),
  aside: convertCallout,
  sub: keepTags,
  sup: keepTags,
  'cell-break': () => raw('<br>'),
};

/** Converts the content of an article: CommonMark with the tables, notes and tasks of GitHub, formulas and call-outs. */
export function convertToMarkdown(content: Root): string {
  prepareNotes(content);
  rewrite(content, prepareNode);
  moveEnds(content);
  return toMarkdown(toMdast(content, { document: true, handlers: HANDLERS }), {
    extensions: [gfmToMarkdown({ tablePipeAlign: false }), mathToMarkdown()],
    handlers: { mdxTextExpression: ({ value }: { readonly value: string }) => value } as never,
    bullet: '-',
    rule: '-',
  });
}

/** Brings an element into a form that has one in Markdown. */
function prepareNode(node: ElementContent): readonly ElementContent[] {
  if (!isElement(node)) return [node];
  const { tagName, properties, children } = node;
  switch (tagName) {
    case 'label':
      return children;
    case 'a':
      return properties.href === undefined ? children : [prepareLink(node)];
    case 'audio':
    case 'video':
      return [linkFile(node)];
    case 'code':
      return [textOf(node).trim() === '' ? textNode(textOf(node)) : node];
    case 'img':
      return !/^https?:/.test(String(properties.src)) ? [textNode(String(properties.alt ?? ''))] : [node];
    case 'li':
      return [{ ...node, children: children.slice(children.findIndex((child) => !isBlank(child))) }];
    case 'pre':
      return [children.some((child) => isElement(child) && child.tagName === 'code') ? node : wrapCode(node)];
    case 'summary':
    case 'dt':
      return [{ ...node, children: [element('strong', withoutHeadings(children))] }];
    case 'table':
      return takeCaption(node);
    case 'td':
    case 'th':
      return [{ ...node, children: flattenCell(children) }];
    case 'math':
      return [properties.display === 'block' ? { ...node, tagName: 'display-math' } : node];
    default:
      return [PHRASING.includes(tagName) || HEADING.test(tagName) ? prepareLine(node) : node];
  }
}

/** A heading in a line has no sign. */
function withoutHeadings(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => (isElement(node) && HEADING.test(node.tagName) ? node.children : [node]));
}

/** Tables of Markdown have no caption: it becomes a paragraph before the table. */
function takeCaption(table: Element): readonly ElementContent[] {
  const caption = table.children.find((child) => isElement(child) && child.tagName === 'caption');
  if (!isElement(caption)) return [table];
  const rest = { ...table, children: table.children.filter((child) => child !== caption) };
  return [element('div', caption.children), rest];
}

/** The poster of a player says nothing, and ids have no prefix outside the hosted page. */
function prepareLink(node: Element): Element {
  const anchor = anchorOf(node.properties.href);
  if (anchor !== null) return { ...node, properties: { ...node.properties, href: `#${anchor}` } };
  if (!hasClass(node, 'embed-player')) return node;
  return { ...node, children: node.children.filter((child) => !isElement(child) || child.tagName !== 'img') };
}

/** Links a recording by the name of its file. */
function linkFile(media: Element): ElementContent {
  const sources = [media, ...media.children.filter(isElement)].map(({ properties }) => properties.src);
  const href = String(sources.find((src) => src !== undefined) ?? '');
  const name = URL.parse(href)?.pathname.split('/').at(-1);
  return element('a', [textNode(name || href)], { href });
}

function wrapCode(pre: Element): Element {
  return { ...pre, children: [element('code', pre.children, pre.properties)] };
}

/** A formula of its own line stays one only if nothing is beside it. */
function prepareLine(line: Element): Element {
  const [first, ...more] = line.children.filter((child) => !isBlank(child));
  if (isElement(first) && first.tagName === 'display-math' && more.length === 0) return first;
  return { ...line, children: line.children.map(toInlineFormula) };
}

function toInlineFormula(node: ElementContent): ElementContent {
  return isElement(node) && node.tagName === 'display-math' ? { ...node, tagName: 'math' } : node;
}

/** Cells of Markdown have one line: blocks are separated by line breaks. */
function flattenCell(children: readonly ElementContent[]): ElementContent[] {
  const flat = children.flatMap((child): ElementContent[] => {
    if (!isElement(child)) return [child];
    const isBlock = BLOCKS.includes(child.tagName) || HEADING.test(child.tagName);
    // of a table in the cell
    if (child.tagName === 'td' || child.tagName === 'th') return [...flattenCell(child.children), textNode(' ')];
    if (child.tagName === 'br') return [element('cell-break', [])];
    if (child.tagName === 'display-math') return [toInlineFormula(child)];
    if (!isBlock)
      return [{ ...child, children: child.tagName === 'math' ? child.children : flattenCell(child.children) }];
    const lines = child.tagName === 'pre' ? [element('code', [textNode(textOf(child))])] : flattenCell(child.children);
    return [element('cell-break', []), ...lines, element('cell-break', [])];
  });
  return flat.filter(
    (child, i) =>
      !isBreak(child) || (!isBreak(flat[i - 1]) && flat.slice(0, i).some(isShown) && flat.slice(i).some(isShown)),
  );
}

function isBreak(node: ElementContent | undefined): boolean {
  return isElement(node) && node.tagName === 'cell-break';
}

function isShown(node: ElementContent): boolean {
  return !isBreak(node) && !isBlank(node);
}

function convertCallout(state: State, node: Element): Nodes {
  const kind = CALLOUT_KINDS.find((name) => hasClass(node, name));
  const title = node.children.find((child) => isElement(child) && hasClass(child, 'callout-title'));
  const body = node.children.filter((child) => child !== title);
  const label = title ? textOf(title).trim() : '';
  const isOwn = label.toLowerCase() !== (kind ?? '') && label !== '';
  const head: PhrasingContent[] = [];
  // GitHub and Obsidian ignore the case of the kind, so it is the word of the page where they are the same
  if (kind) head.push(raw(`[!${isOwn || label === '' ? kind.toUpperCase() : label}]`));
  if (kind && isOwn) head.push(raw('\n'));
  if (isOwn) head.push({ type: 'strong', children: [{ type: 'text', value: label }] });
  const children = state.toFlow(state.all({ ...node, children: body }));
  return {
    type: 'blockquote',
    children: [...(head.length > 0 ? [{ type: 'paragraph', children: head }] : []), ...children],
  } as Nodes;
}

/** Markdown has no sign for raised and lowered text. */
function keepTags(state: State, node: Element): Nodes[] {
  return [raw(`<${node.tagName}>`), ...state.all(node), raw(`</${node.tagName}>`)];
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === '';
}
