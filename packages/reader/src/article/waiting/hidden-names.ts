const MAX_STYLES_LENGTH = 300_000;
const MAX_NAMES = 500;
/** Rules of a medium or a feature, whose blocks may contain one level of others. */
const AT_RULES = /@[\w-]{1,30}[^{};]{0,300}\{(?:[^{}]{0,5000}\{[^{}]{0,5000}\}){0,200}[^{}]{0,5000}\}/g;
const HIDING_RULE = /(?:^|[},])\s*([.#][\w-]{1,80})\s*\{[^{}]{0,500}?display\s*:\s*none/g;

type Attributes = Readonly<Record<string, string>>;

/** Collects the class names and ids that the style sheets in a page hide on all screens. */
export class HiddenNames {
  readonly #names = new Set<string>();
  #length = 0;

  addStyles(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_STYLES_LENGTH) return;
    for (const [, name = ''] of text.replace(AT_RULES, '}').matchAll(HIDING_RULE))
      if (this.#names.size < MAX_NAMES) this.#names.add(name);
  }

  hides({ class: names = '', id = '' }: Attributes): boolean {
    if (this.#names.size === 0) return false;
    return this.#names.has(`#${id}`) || names.split(/\s+/, 20).some((name) => this.#names.has(`.${name}`));
  }
}
