import { INLINE_ELEMENTS } from '../allow-list.ts';
import { shortText, toLine } from '../plain-text.ts';

/** In characters. Shorter texts are labels. */
const MIN_LENGTH = 40;
const MAX_LENGTH = 200;
/** Signs between data such as the score, the author and the time of an entry. */
const SEPARATED = / [|·•] /;

/** Collects the first text of a page that is long enough to say what the page is about, from the events of a parser. */
export class FirstWords {
  #text = '';
  #found: string | null = null;

  /** One line of at most {@link MAX_LENGTH} characters; null without one. */
  get line(): string | null {
    return shortText(this.#found, MAX_LENGTH);
  }

  /** A text ends where a block begins or ends. */
  ontag(name: string): void {
    if (this.#found !== null || INLINE_ELEMENTS.includes(name)) return;
    const line = toLine(this.#text);
    if (line.length >= MIN_LENGTH && !SEPARATED.test(line)) this.#found = this.#text;
    this.#text = '';
  }

  /** @param menuDepth of the menus and links around the text: a link in a text belongs to it */
  ontext(data: string, menuDepth: number): void {
    const isOfText = menuDepth === 0 || (menuDepth === 1 && this.#text.trim() !== '');
    if (isOfText && this.#found === null && this.#text.length < 8 * MAX_LENGTH) this.#text += data;
  }
}
