import type { MarkedExtension, TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from '../../html.ts';

/** In characters. Longer ones are text. */
const MAX_TEX = 5_000;
/** Dollars beside blanks or before digits are money, as at GitHub. */
const INLINE = /^\$(?:`([^`\n]+)`|(?!\s)((?:\\.|[^$\\\n`])+?)(?<!\s))\$(?!\d)/;
const DISPLAY = /^\$\$((?:\\.|[^$\\]|\$(?!\$))+?)\$\$/s;

/** Formulas in TeX between dollars, which the reader converts like those of GitHub's pages. */
export const FORMULAS: MarkedExtension = {
  extensions: [
    createFormula('displayFormula', (source) => DISPLAY.exec(source.slice(0, MAX_TEX)), '$$'),
    createFormula('formula', (source) => INLINE.exec(source.slice(0, MAX_TEX)), '$'),
  ],
};

function createFormula(
  name: string,
  match: (source: string) => RegExpExecArray | null,
  mark: string,
): TokenizerAndRendererExtension {
  return {
    name,
    level: 'inline',
    start: (source) => source.indexOf('$'),
    tokenizer(source) {
      const [raw, first, second] = match(source) ?? [];
      return raw === undefined ? undefined : { type: name, raw, tex: first ?? second };
    },
    renderer: ({ tex }) => `<math-renderer>${escapeHtml(mark + tex + mark)}</math-renderer>`,
  };
}
