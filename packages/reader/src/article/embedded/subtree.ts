import { Parser } from 'htmlparser2';

type Attributes = Readonly<Record<string, string>>;

/** An element with all that it contains, apart from the tree of the page. Names are in lower case. */
export interface Subtree {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly (Subtree | string)[];
}

interface OpenSubtree extends Subtree {
  readonly children: (OpenSubtree | string)[];
}

const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 100;
/** In characters, with the attributes. */
const MAX_LENGTH = 400_000;

/** Collects a subtree from the events of a parser. */
export class SubtreeBuilder {
  readonly root: Subtree;
  /** Set when a limit is exceeded. The subtree is then incomplete. */
  isTooLarge = false;
  readonly #open: OpenSubtree[] = [];
  #depth = 0;
  #elementCount = 0;
  #length = 0;

  constructor(name: string, attributes: Attributes) {
    this.root = this.onopentag(name, attributes);
  }

  get isClosed(): boolean {
    return this.#depth === 0;
  }

  onopentag(name: string, attributes: Attributes): Subtree {
    const element: OpenSubtree = { name: name.toLowerCase(), attributes, children: [] };
    this.#depth++;
    this.#elementCount++;
    this.#length += Object.values(attributes).reduce((sum, value) => sum + value.length, 0);
    if (this.#elementCount > MAX_ELEMENTS || this.#depth > MAX_DEPTH || this.#length > MAX_LENGTH) {
      this.isTooLarge = true;
      return element;
    }
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
    return element;
  }

  ontext(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) this.isTooLarge = true;
    if (!this.isTooLarge) this.#open.at(-1)?.children.push(text);
  }

  onclosetag(): void {
    if (this.#depth <= this.#open.length) this.#open.pop();
    if (this.#depth > 0) this.#depth--;
  }
}

/** Parses the first element of a name; null if there is none, or it exceeds a limit. Prefixes of names are removed. */
export function parseSubtree(markup: string, name: string): Subtree | null {
  let builder: SubtreeBuilder | undefined;
  const parser = new Parser({
    onopentag(qualified, attributes) {
      const tag = qualified.replace(/^\w{1,20}:/, '').toLowerCase();
      if (builder && !builder.isClosed) builder.onopentag(tag, attributes);
      else if (tag === name) builder ??= new SubtreeBuilder(tag, attributes);
    },
    ontext: (text) => builder?.ontext(text),
    onclosetag: () => builder?.onclosetag(),
  });
  parser.end(markup);
  return builder === undefined || builder.isTooLarge ? null : builder.root;
}

export function textOf(node: Subtree | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}

export function findDescendant(root: Subtree, matches: (element: Subtree) => boolean): Subtree | null {
  for (const child of root.children) {
    if (typeof child === 'string') continue;
    const found = matches(child) ? child : findDescendant(child, matches);
    if (found) return found;
  }
  return null;
}

/** Escapes a text for elements and quoted attributes, and removes what neither HTML nor XML allows. */
export function escapeMarkup(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[character] ?? 'quot'};`)
  );
}
