import { createElement } from '../blocks/tree.ts';
import { selectAll } from '../tree/select.ts';

/** Marks the place of a part. The parser drops this attribute from pages. */
export const PART_MARKER = 'data-embed-part';
/** Readability keeps frames with this source. */
export const PLAYER_SOURCE = 'https://player.invalid/';

/** In characters, over the whole article. Further pictures and formulas are left out or become text. */
const MAX_TOTAL_LENGTH = 1024 * 1024;

const PLACEHOLDER = /<span data-embed-part="(\d{1,5})"><\/span>/g;

/**
 * Pictures, formulas and players, which pass the extraction of the article as placeholders: as what they are, they
 * would slow it down, or it would remove them.
 */
export class Parts {
  readonly #markups: string[] = [];
  #length = 0;

  /** Takes safe HTML, and returns the attributes of its placeholder; null if the limit is exceeded. */
  add(markup: string): Record<string, string> | null {
    if (this.#length + markup.length > MAX_TOTAL_LENGTH) return null;
    this.#length += markup.length;
    return { [PART_MARKER]: String(this.#markups.push(markup) - 1) };
  }

  /** Replaces the placeholders in sanitised HTML. */
  insertInto(html: string): string {
    return html.replace(PLACEHOLDER, (_, index: string) => this.#markups[Number(index)] ?? '');
  }
}

/** Gives all placeholders below an element the form in which the sanitiser keeps them. */
export function simplifyPlaceholders(root: Element): void {
  for (const placeholder of selectAll(root, `[${PART_MARKER}]`)) {
    const number = placeholder.getAttribute(PART_MARKER) ?? '';
    placeholder.replaceWith(createElement(root.ownerDocument, 'span', { [PART_MARKER]: number }));
  }
}
