/** In characters, for all style sheets of a page. */
const MAX_STYLES_LENGTH = 300_000;
const MAX_NAMES = 500;
/** The ends of what CSS takes as a whole (CSS Syntax Level 3, section 4.3). */
const ENDS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '/*': '*/' };
const NAME = /^[.#][\w-]{1,80}$/;
const DISPLAY = /(?<![\w-])display\s*:\s*([\w-]+)/g;

type Attributes = Readonly<Record<string, string>>;

/** Collects the class names and ids that the style sheets in a page hide on all screens. */
export class HiddenNames {
  readonly #names = new Set<string>();
  #styles = '';
  #length = 0;

  /** Adds a part of a style sheet. It is read when an element follows, because a parser cuts long texts. */
  addStyles(text: string): void {
    this.#length += text.length;
    if (this.#length <= MAX_STYLES_LENGTH) this.#styles += text;
  }

  hides({ class: names = '', id = '' }: Attributes): boolean {
    if (this.#styles !== '') this.#readStyles();
    if (this.#names.size === 0) return false;
    return this.#names.has(`#${id}`) || names.split(/\s+/, 20).some((name) => this.#names.has(`.${name}`));
  }

  #readStyles(): void {
    const styles = withoutComments(this.#styles);
    this.#styles = '';
    let depth = 0;
    let start = 0;
    let selectors = '';
    for (const { 0: token, index } of styles.matchAll(/[{};]/g)) {
      const isOutside = depth === 0;
      if (isOutside && token === '{') selectors = styles.slice(start, index);
      if (depth === 1 && token === '}') this.#readRule(selectors, styles.slice(start, index));
      if (token === '{') depth++;
      else if (token === '}' && !isOutside) depth--;
      if (isOutside || depth === 0) start = index + 1;
    }
  }

  /** Reads a rule without `:not()` and the like. The blocks of at-rules are for some screens only. */
  #readRule(selectors: string, block: string): void {
    const [declarations = ''] = block.split('{', 1);
    const display = [...declarations.matchAll(DISPLAY)].at(-1)?.[1];
    if (display === undefined || /^\s*@|\(/.test(selectors)) return;
    for (const selector of selectors.split(',')) {
      const name = selector.trim();
      if (display !== 'none') this.#names.delete(name);
      else if (NAME.test(name) && this.#names.size < MAX_NAMES) this.#names.add(name);
    }
  }
}

/** Removes comments and strings, which may contain braces. */
function withoutComments(styles: string): string {
  let kept = '';
  let start = 0;
  let end: string | undefined;
  for (const { 0: token, index } of styles.matchAll(/["'\n]|\/\*|\*\/|\\[^*]/g)) {
    if (end === undefined) {
      end = ENDS[token];
      if (end !== undefined) kept += styles.slice(start, index);
    } else if (token === end || (token === '\n' && end !== '*/')) {
      start = index + token.length;
      end = undefined;
    }
  }
  return end === undefined ? kept + styles.slice(start) : kept;
}
