import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as markup, parseFragment, serialize } from 'parse5';
import { decodeSegment } from '../../page-url.ts';
import { headingIdOf } from '../blocks/headings.ts';
import { toLine } from '../plain-text.ts';
import { findPassages, type Range } from './text-directive.ts';

/** Comes before the ids of the source, so that they are no ids of the hosted page. */
export const ID_PREFIX = 's-';
/** GitHub adds it to ids, and its script to links. */
export const GITHUB_PREFIX = 'user-content-';

/** A part of an article. */
export interface Part {
  readonly content: string;
  /** The id of the element in the article that the fragment names; null for passages of text. */
  readonly anchor: string | null;
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** A block that is shown as a whole, or neighbouring texts and inline elements. */
interface Block {
  readonly nodes: Node[];
  /** From 2 to 6; null if it is no heading. */
  readonly rank: number | null;
  readonly isNote: boolean;
}

interface Outline {
  readonly blocks: readonly Block[];
  /** The places of blocks by their nodes, and by the elements that contain them. */
  readonly ranges: ReadonlyMap<Node | Parent, Range>;
}

const CONTAINERS = new Set(['div', 'section', 'ul', 'ol', 'dl', 'li']);
const INLINE = new Set(
  `a abbr audio b bdi bdo cite code del em i img input ins kbd label mark math picture q rp rt ruby s samp small source span
  strong sub sup time track u var video wbr`.split(/\s+/),
);
const MEDIA = new Set(['img', 'input', 'video', 'audio', 'math']);

/**
 * Cuts the part of an article that the fragment of a URL names: the section of a heading, the block of another element,
 * or the blocks of passages of text. Adds the footnotes to which the part refers. Returns null if there is no such part.
 * @param content of an article
 * @param fragment without `#`, as in the URL
 */
export function findPart(content: string, fragment: string): Part | null {
  const root = parseFragment(defaultTreeAdapter.createElement('div', markup.NS.HTML, []), content, {});
  const outline = outlineOf(root);
  const texts = outline.blocks.map(({ nodes }) => nodes.map(textOf).join(''));
  const passages = findPassages(texts, fragment);
  const target = passages.length > 0 ? null : findTarget(root, fragment);
  const found = target ? [rangeOf(target, outline)] : passages;
  const chosen = new Set(found.flatMap((range) => blocksIn(complete(range, outline), outline)));
  if ([...chosen].every(isBlank)) return null;
  for (const note of notesOf(chosen, root, outline)) chosen.add(note);
  prune(root, new Set([...chosen].flatMap(({ nodes }) => nodes)));
  return { content: serialize(root), anchor: target && idOf(target) };
}

function outlineOf(root: Parent): Outline {
  const blocks: Block[] = [];
  const ranges = new Map<Node | Parent, Range>();

  function visit(parent: Parent, isNote: boolean): void {
    const start = blocks.length;
    let inline: Node[] | null = null;
    for (const node of parent.childNodes) {
      const isInline = !isElement(node) || INLINE.has(node.tagName);
      if (!isInline) inline = null;
      if (isContainer(node)) {
        visit(node, isNote || attributeOf(node, 'class') === 'footnotes');
        continue;
      }
      if (inline) inline.push(node);
      else if ('value' in node && node.value.trim() === '') continue;
      else {
        const block = { nodes: [node], rank: rankOf(node), isNote };
        blocks.push(block);
        if (isInline) inline = block.nodes;
      }
      ranges.set(node, { start: blocks.length - 1, end: blocks.length });
    }
    ranges.set(parent, { start, end: blocks.length });
  }

  visit(root, false);
  return { blocks, ranges };
}

function isContainer(node: Node): node is Element {
  return isElement(node) && CONTAINERS.has(node.tagName) && !attributeOf(node, 'class')?.startsWith('embed-table');
}

function rankOf(node: Node): number | null {
  const rank = /^h([2-6])$/.exec(node.nodeName)?.[1];
  return rank === undefined ? null : Number(rank);
}

function findTarget(root: Parent, fragment: string): Element | null {
  const encoded = fragment.split(':~:')[0] ?? '';
  const name = decodeSegment(encoded);
  if (name === '') return null;
  const ids = [encoded, name, GITHUB_PREFIX + name].map((id) => ID_PREFIX + id);
  const byId = new Map<string, Element>();
  const taken = new Map<string, number>();
  let named: Element | null = null;
  for (const element of elementsIn(root)) {
    const id = idOf(element);
    const ownName = nameHeading(element, taken);
    // the first one counts (HTML standard, section 7.4.6.4)
    if (id !== null && !byId.has(id)) byId.set(id, element);
    if (id === null && ownName === name) named ??= element;
  }
  return ids.map((id) => byId.get(id)).find((element) => element !== undefined) ?? named;
}

/** Returns the id that GitHub would give to a heading, also to the second one of the same text; else an empty text. */
function nameHeading(element: Element, taken: Map<string, number>): string {
  const name = rankOf(element) === null ? '' : headingIdOf(toLine(textOf(element)));
  const repetitions = taken.get(name) ?? 0;
  taken.set(name, repetitions + 1);
  return repetitions === 0 ? name : `${name}-${repetitions}`;
}

/** Returns the blocks of an element. The block of an empty one is the next with a content. */
function rangeOf(target: Element, { blocks, ranges }: Outline): Range {
  let range: Range | undefined;
  for (
    let node: Element | Parent | null = target;
    node && !range;
    node = 'parentNode' in node ? node.parentNode : null
  ) {
    range = ranges.get(node);
  }
  const { start, end } = range ?? { start: 0, end: 0 };
  if (!blocks.slice(start, end).every(isBlank)) return { start, end };
  const next = blocks.findIndex((block, i) => i >= start && !isBlank(block));
  return next < 0 ? { start, end } : { start: next, end: next + 1 };
}

/** Extends blocks that end with a heading to its section, and a term or its description to both. */
function complete({ start, end }: Range, outline: Outline): Range {
  const { blocks } = outline;
  const nameAt = (at: number) => blocks[at]?.nodes[0]?.nodeName ?? '';
  const withoutEmpty = (last: number) => {
    const kept = blocks.findLastIndex((block, i) => i <= last && !isBlank(block));
    return Math.max(kept, start);
  };
  let [first, last] = [start, withoutEmpty(end - 1)];
  if (blocks[last]?.rank) last = withoutEmpty(endOfSection(last, outline) - 1);
  while (nameAt(first) === 'dd' && first > 0) first--;
  while (nameAt(last) === 'dt' && nameAt(last + 1) === 'dt') last++;
  while (/^d[dt]$/.test(nameAt(last)) && nameAt(last + 1) === 'dd') last++;
  return { start: first, end: last + 1 };
}

/** A section ends at the next heading of the same or a higher rank, with the `section` that its heading begins, or at the footnotes. */
function endOfSection(heading: number, { blocks, ranges }: Outline): number {
  const { rank, isNote, nodes } = blocks[heading] ?? { rank: null, isNote: false, nodes: [] };
  let limit = blocks.length;
  for (let box = nodes[0]?.parentNode; box && 'tagName' in box; box = box.parentNode) {
    const { start, end } = ranges.get(box) ?? { start: 0, end: 0 };
    const isFirst = blocks.slice(start, heading).every(isBlank);
    if (box.tagName === 'section' && isFirst && end > heading + 1) limit = Math.min(limit, end);
  }
  const isEnd = (block: Block) => block.isNote !== isNote || (block.rank !== null && block.rank <= (rank ?? 0));
  const next = blocks.findIndex((block, i) => i > heading && isEnd(block));
  return next < 0 ? limit : Math.min(limit, next);
}

function blocksIn({ start, end }: Range, { blocks }: Outline): readonly Block[] {
  return blocks.slice(start, end);
}

/** Finds the footnotes to which blocks refer. */
function notesOf(chosen: ReadonlySet<Block>, root: Parent, outline: Outline): readonly Block[] {
  if (!outline.blocks.some(({ isNote }) => isNote)) return [];
  const links = [...chosen].flatMap(({ nodes }) =>
    nodes.filter(isElement).flatMap((node) => [node, ...elementsIn(node)]),
  );
  const targets = new Set(links.map((link) => attributeOf(link, 'href')).filter((href) => href?.startsWith('#')));
  const notes = elementsIn(root).filter((element) => targets.has(`#${encodeURIComponent(idOf(element) ?? '')}`));
  return notes.flatMap((note) => blocksIn(rangeOf(note, outline), outline)).filter(({ isNote }) => isNote);
}

/** Removes all nodes that are not chosen, and neither inside nor around one that is. Opens toggles. */
function prune(parent: Parent, chosen: ReadonlySet<Node>): void {
  const items = parent.nodeName === 'ol' ? parent.childNodes.filter(isElement) : [];
  parent.childNodes = parent.childNodes.filter((node) => {
    if (!isElement(node)) return chosen.has(node);
    if (!chosen.has(node)) prune(node, chosen);
    else if (node.tagName === 'details') setDefault(node, 'open', '');
    return chosen.has(node) || node.childNodes.length > 0;
  });
  if (items.some((item) => !parent.childNodes.includes(item))) keepNumbers(parent, items);
}

/** Gives the items of a list the numbers that they have among all. */
function keepNumbers(list: Parent, items: readonly Element[]): void {
  const find = (name: string) => ('attrs' in list ? attributeOf(list, name) : null);
  const step = find('reversed') === null ? 1 : -1;
  let number = Number(find('start') ?? (step === 1 ? 1 : items.length));
  for (const item of items) {
    number = Number(attributeOf(item, 'value') ?? number);
    setDefault(item, 'value', String(number));
    number += step;
  }
}

function setDefault(element: Element, name: string, value: string): void {
  if (attributeOf(element, name) === null) element.attrs.push({ name, value });
}

function isBlank({ nodes }: Block): boolean {
  return nodes.every((node) => !hasMedia(node) && textOf(node).trim() === '');
}

function hasMedia(node: Node): boolean {
  return isElement(node) && (MEDIA.has(node.tagName) || node.childNodes.some(hasMedia));
}

/** Returns the text of a node, with spaces between blocks. */
function textOf(node: Node): string {
  if ('value' in node) return node.value;
  if (!isElement(node)) return '';
  const text = node.childNodes.map(textOf).join('');
  return INLINE.has(node.tagName) ? text : ` ${text} `;
}

function elementsIn(parent: Parent): readonly Element[] {
  const found: Element[] = [];
  for (const node of parent.childNodes.filter(isElement)) found.push(node, ...elementsIn(node));
  return found;
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

function idOf(element: Element): string | null {
  return attributeOf(element, 'id');
}

function attributeOf(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}
