import type { MarkedExtension, TokenizerThis } from 'marked';

/** In characters. It doubles until the text that marked reads next ends within its half. */
const FIRST_LENGTH = 100;

/**
 * Ends texts before formulas in dollars and notes in the text, and paragraphs before the definitions of footnotes. Before the
 * other marks of extensions, texts end anyway.
 */
export const STARTS: MarkedExtension = {
  extensions: [
    { name: 'inlineStart', level: 'inline', start: createStart(/\$|\^\[/, 'text'), tokenizer: () => undefined },
    {
      name: 'blockStart',
      level: 'block',
      start: createStart(/(?<=\n)\[\^[^\]\s]{1,100}\]:/, 'paragraph'),
      tokenizer: () => undefined,
    },
  ],
};

/**
 * Creates the function by which marked finds the next place of a mark. It searches what marked would read as one text or paragraph,
 * and not the rest of the document each time: that would take the square of its length.
 */
function createStart(mark: RegExp, kind: 'text' | 'paragraph') {
  return function findStart(this: TokenizerThis, source: string): number | undefined {
    const rules = this.lexer.options.tokenizer?.rules;
    const rule = kind === 'text' ? rules?.inline.text : rules?.block.paragraph;
    for (let length = FIRST_LENGTH; ; length *= 2) {
      const part = source.slice(0, length);
      const index = part.search(mark);
      if (index >= 0) return index;
      const isRead = (rule?.exec(part)?.[0].length ?? 0) <= length / 2;
      if (isRead || length >= source.length) return undefined;
    }
  };
}
