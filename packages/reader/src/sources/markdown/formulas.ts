import type { MarkedExtension, TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from '../../html.ts';

/** In characters. Longer ones are text. */
const MAX_TEX = 5_000;
/** Dollars beside blanks or before digits are money, as at GitHub. */
const INLINE = /^\$(?:`([^`\n]+)`|(?!\s)((?:\\.|[^$\\\n`])+?)(?<!\s))\$(?!\d)/;
const DISPLAY = /^\$\$((?:\\.|[^$\\]|\$(?!\$))+?)\$\$/s;
const IN_BRACKETS = /^\\\(((?:\\[^()]|[^\\])+)\\\)|^\\\[((?:\\[^[\]]|[^\\])+)\\\]/s;
/** Brackets with backslashes around other texts are brackets, which converters of HTML write so. */
const LIKE_TEX = /\\[a-z]|[=+<>^]|(?<!\w)[a-z]_\w/i;
/** The same between round brackets, which few converters write so. */
const LIKE_INLINE_TEX = /^\s*[a-z]'?\s*$|(?<!\w)[a-z](?:\(|\s*[-/,*]\s*(?:\d+|[a-z])(?!\w))/i;
/** Links and elements are no TeX. */
const MARKUP = /\]\(|<\/?[a-z][^<>]*>|:\/\//i;

/** Formulas in TeX between dollars, or brackets with backslashes, which the reader converts like those of GitHub's pages. */
export const FORMULAS: MarkedExtension = {
  extensions: [
    createFormula('displayFormula', (source) => findTex(DISPLAY.exec(source), '$$')),
    createFormula('formula', (source) => findTex(INLINE.exec(source), '$')),
    createFormula('formulaInBrackets', findInBrackets),
  ],
};

function findInBrackets(source: string) {
  const match = IN_BRACKETS.exec(source);
  const [, inline, display = ''] = match ?? [];
  const isTex = LIKE_TEX.test(inline ?? display) || LIKE_INLINE_TEX.test(inline ?? '');
  return isTex && !MARKUP.test(inline ?? display) ? findTex(match, inline ? '$' : '$$') : null;
}

function findTex(match: RegExpExecArray | null, mark: string) {
  return match && { raw: match[0], tex: mark + (match[1] ?? match[2]) + mark };
}

function createFormula(
  name: string,
  find: (source: string) => ReturnType<typeof findTex>,
): TokenizerAndRendererExtension {
  return {
    name,
    level: 'inline',
    tokenizer(source) {
      const found = find(source.slice(0, MAX_TEX));
      return found ? { type: name, ...found } : undefined;
    },
    renderer: ({ tex }) => `<math-renderer>${escapeHtml(tex)}</math-renderer>`,
  };
}
